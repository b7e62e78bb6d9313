#include "base/lang.h"
#include "hardware/fragment.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/*
 * Every layout sends each bit of the lane's number and each bit of the
 * element's number to one bit of a coordinate: m matrix, r row, c column,
 * x copy. A layout is therefore two strings, lowest bit first: with
 * "c1c2r0r1r2" bit 0 of the lane is bit 1 of the column, bit 2 of the lane
 * bit 0 of the row. A capital takes all bits from there on: C3, the number of
 * the 8-column block.
 */
struct rule {
	enum fragment_family family;
	const char *shape;	/* M, N and K; "*" for any N */
	const char *types;	/* of A and B */
	const char *operands;
	const char *layouts;	/* of "rc"; "" where memory plays no part */
	const char *lanes, *elements;
	int from, to;		/* architectures; to 0: all since */
	const char *accumulator;/* where the layout depends on it */
};

#define PAIRS "c1c2r0r1r2"	/* two neighbours in a row, 8 rows */
#define QUADS "c2c3r0r1r2"	/* four */
#define EIGHTS "c3c4r0r1r2"
#define WORDS "c5c6r0r1r2"	/* 32 single bits */
#define DOWN2 "r1r2c0c1c2"	/* two neighbours in a column, 8 columns */
#define DOWN4 "r2r3c0c1c2"
#define DOWN8 "r3r4c0c1c2"
#define DOWN32 "r5r6c0c1c2"
#define ACROSS "c0c1r0r1r2"	/* single ones */
#define DOWN "r0r1c0c1c2"

#define MMA(shape, types, from, A, a, B, b, C, c) \
	{ FRAGMENT_MMA, shape, types, "A", "r", A, a, from, 0, NULL }, \
	{ FRAGMENT_MMA, shape, types, "B", "c", B, b, from, 0, NULL }, \
	{ FRAGMENT_MMA, shape, types, "CD", "", C, c, from, 0, NULL }
#define VOLTA(family, shape, to, operands, layouts, lanes, elements, sums) \
	{ family, shape, "f16", operands, layouts, lanes, elements, 70, to, \
	  sums }
#define VOLTA_MMA(...) VOLTA(FRAGMENT_MMA, "m8n8k4", 0, __VA_ARGS__)
#define VOLTA_WMMA(shape, ...) VOLTA(FRAGMENT_WMMA, shape, 72, __VA_ARGS__)
#define WMMA(shape, types, from, A, a, B, b, C, c) \
	{ FRAGMENT_WMMA, shape, types, "A", "rc", A, a, from, 0, NULL }, \
	{ FRAGMENT_WMMA, shape, types, "B", "rc", B, b, from, 0, NULL }, \
	{ FRAGMENT_WMMA, shape, types, "CD", "", C, c, from, 0, NULL }
#define WGMMA(shape, types, A, a) \
	{ FRAGMENT_WGMMA, shape, types, "A", "r", A "r4r5", a, 90, 90, NULL }, \
	{ FRAGMENT_WGMMA, shape, types, "D", "", PAIRS "r4r5", "c0r3C3", \
	  90, 90, NULL }
#define MATRIX(shape, lanes, elements) \
	{ FRAGMENT_LDMATRIX, shape, "b16", "R", "", lanes, elements, 75, 0, \
	  NULL }, \
	{ FRAGMENT_STMATRIX, shape, "b16", "R", "", lanes, elements, 90, 0, \
	  NULL }

/* The first rule that fits is taken. */
static const struct rule rules[] = {
	/* A quad pair, lanes 4m..4m+3 and 16 more, has matrices of its own. */
	VOLTA_MMA("A", "r", "r0r1m0m1r2", "c0c1", NULL),
	VOLTA_MMA("A", "c", "c0c1m0m1r2", "r0r1", NULL),
	VOLTA_MMA("B", "r", "r0r1m0m1c2", "c0c1", NULL),
	VOLTA_MMA("B", "c", "c0c1m0m1c2", "r0r1", NULL),
	VOLTA_MMA("CD", "", "r0c1m0m1r2", "c0r1c2", "f32"),
	VOLTA_MMA("CD", "", "r0r1m0m1r2", "c0c1c2", "f16"),

	MMA("m16n8k8", "f16", 75,
	    PAIRS, "c0r3", DOWN2, "r0", PAIRS, "c0r3"),
	MMA("m16n8k8", "bf16", 80,
	    PAIRS, "c0r3", DOWN2, "r0", PAIRS, "c0r3"),
	MMA("m16n8k16", "f16 bf16", 80,
	    PAIRS, "c0r3c3", DOWN2, "r0r3", PAIRS, "c0r3"),
	MMA("m16n8k4", "tf32", 80,
	    ACROSS, "r3", DOWN, "", PAIRS, "c0r3"),
	MMA("m16n8k8", "tf32", 80,
	    ACROSS, "r3c2", DOWN, "r2", PAIRS, "c0r3"),
	MMA("m8n8k16", "s8 u8", 75,
	    QUADS, "c0c1", DOWN4, "r0r1", PAIRS, "c0"),
	MMA("m16n8k16", "s8 u8", 80,
	    QUADS, "c0c1r3", DOWN4, "r0r1", PAIRS, "c0r3"),
	MMA("m16n8k32", "s8 u8", 80,
	    QUADS, "c0c1r3c4", DOWN4, "r0r1r4", PAIRS, "c0r3"),
	MMA("m16n8k16", "e4m3 e5m2", 89,
	    QUADS, "c0c1r3", DOWN4, "r0r1", PAIRS, "c0r3"),
	MMA("m16n8k32", "e4m3 e5m2", 89,
	    QUADS, "c0c1r3c4", DOWN4, "r0r1r4", PAIRS, "c0r3"),
	MMA("m8n8k32", "s4 u4", 75,
	    EIGHTS, "c0c1c2", DOWN8, "r0r1r2", PAIRS, "c0"),
	MMA("m16n8k32", "s4 u4", 80,
	    EIGHTS, "c0c1c2r3", DOWN8, "r0r1r2", PAIRS, "c0r3"),
	MMA("m16n8k64", "s4 u4", 80,
	    EIGHTS, "c0c1c2r3c5", DOWN8, "r0r1r2r5", PAIRS, "c0r3"),
	MMA("m8n8k128", "b1", 75,
	    WORDS, "c0c1c2c3c4", DOWN32, "r0r1r2r3r4", PAIRS, "c0"),
	MMA("m16n8k128", "b1", 80,
	    WORDS, "c0c1c2c3c4r3", DOWN32, "r0r1r2r3r4", PAIRS, "c0r3"),
	MMA("m16n8k256", "b1", 80,
	    WORDS, "c0c1c2c3c4r3c7", DOWN32, "r0r1r2r3r4r7", PAIRS, "c0r3"),
	MMA("m8n8k4", "f64", 80, ACROSS, "", DOWN, "", PAIRS, "c0"),
	MMA("m16n8k4", "f64", 90, ACROSS, "r3", DOWN, "", PAIRS, "c0r3"),
	MMA("m16n8k8", "f64", 90, ACROSS, "r3c2", DOWN, "r2", PAIRS, "c0r3"),
	MMA("m16n8k16", "f64", 90,
	    ACROSS, "r3c2c3", DOWN, "r2r3", PAIRS, "c0r3"),

	/* Volta: the four products of m8n8k4 side by side. */
	VOLTA_WMMA("m16n16k16", "A", "r", "r0r1r3x0r2", "c0c1c2c3", NULL),
	VOLTA_WMMA("m16n16k16", "A", "c", "c0c1r3x0r2", "r0r1c2c3", NULL),
	VOLTA_WMMA("m16n16k16", "B", "r", "r0r1x0c3c2", "c0c1r2r3", NULL),
	VOLTA_WMMA("m16n16k16", "B", "c", "c0c1x0c3c2", "r0r1r2r3", NULL),
	VOLTA_WMMA("m16n16k16", "CD", "", "r0c1r3c3r2", "c0r1c2", "f32"),
	VOLTA_WMMA("m16n16k16", "CD", "", "r0r1r3c3r2", "c0c1c2", "f16"),
	VOLTA_WMMA("m32n8k16", "A", "r", "r0r1r3r4r2", "c0c1c2c3", NULL),
	VOLTA_WMMA("m32n8k16", "A", "c", "c0c1r3r4r2", "r0r1c2c3", NULL),
	VOLTA_WMMA("m32n8k16", "B", "r", "r0r1x0x1c2", "c0c1r2r3", NULL),
	VOLTA_WMMA("m32n8k16", "B", "c", "c0c1x0x1c2", "r0r1r2r3", NULL),
	VOLTA_WMMA("m32n8k16", "CD", "", "r0c1r3r4r2", "c0r1c2", "f32"),
	VOLTA_WMMA("m32n8k16", "CD", "", "r0r1r3r4r2", "c0c1c2", "f16"),
	VOLTA_WMMA("m8n32k16", "A", "r", "r0r1x0x1r2", "c0c1c2c3", NULL),
	VOLTA_WMMA("m8n32k16", "A", "c", "c0c1x0x1r2", "r0r1c2c3", NULL),
	VOLTA_WMMA("m8n32k16", "B", "r", "r0r1c3c4c2", "c0c1r2r3", NULL),
	VOLTA_WMMA("m8n32k16", "B", "c", "c0c1c3c4c2", "r0r1r2r3", NULL),
	VOLTA_WMMA("m8n32k16", "CD", "", "r0c1c3c4r2", "c0r1c2", "f32"),
	VOLTA_WMMA("m8n32k16", "CD", "", "r0r1c3c4r2", "c0c1c2", "f16"),

	/* Since Turing: products of mma side by side; m8n32k16 is that of the
	 * matrices transposed. A and B of half always have 16 elements
	 * a lane, so that some are there more than once. */
	WMMA("m16n16k16", "f16", 75,
	     PAIRS, "c0r3c3x0", DOWN2, "r0r3c3x0", PAIRS, "c0r3c3"),
	WMMA("m32n8k16", "f16", 75,
	     PAIRS, "c0r3c3r4", DOWN2, "r0r3x0x1", PAIRS, "c0r3r4"),
	WMMA("m8n32k16", "f16", 75,
	     PAIRS, "c0c3x0x1", DOWN2, "r0c3r3c4", DOWN2, "r0c3c4"),
	WMMA("m16n16k16", "bf16", 80,
	     PAIRS, "c0r3c3", DOWN2, "r0r3c3", PAIRS, "c0r3c3"),
	WMMA("m32n8k16", "bf16", 80,
	     PAIRS, "c0r3c3r4", DOWN2, "r0r3", PAIRS, "c0r3r4"),
	WMMA("m8n32k16", "bf16", 80,
	     PAIRS, "c0c3", DOWN2, "r0c3r3c4", DOWN2, "r0c3c4"),
	WMMA("m16n16k16", "s8 u8", 72,
	     QUADS, "c0c1r3", DOWN4, "r0r1c3", PAIRS, "c0r3c3"),
	WMMA("m32n8k16", "s8 u8", 72,
	     QUADS, "c0c1r3r4", DOWN4, "r0r1", PAIRS, "c0r3r4"),
	WMMA("m8n32k16", "s8 u8", 72,
	     QUADS, "c0c1", DOWN4, "r0r1c3c4", DOWN2, "r0c3c4"),
	WMMA("m16n16k8", "tf32", 80,
	     ACROSS, "r3c2", DOWN, "r2c3", PAIRS, "c0r3c3"),
	WMMA("m8n8k4", "f64", 80, ACROSS, "", DOWN, "", PAIRS, "c0"),

	/* Four warps, 16 rows each. */
	WGMMA("m64n*k16", "f16 bf16", PAIRS, "c0r3c3"),
	WGMMA("m64n*k8", "tf32", ACROSS, "r3c2"),
	WGMMA("m64n*k32", "e4m3 e5m2 s8 u8", QUADS, "c0c1r3c4"),

	MATRIX("x1", PAIRS, "c0"),
	MATRIX("x2", PAIRS, "c0m0"),
	MATRIX("x4", PAIRS, "c0m0m1"),
	MATRIX("x1.trans", DOWN2, "r0"),
	MATRIX("x2.trans", DOWN2, "r0m0"),
	MATRIX("x4.trans", DOWN2, "r0m0m1"),
};

/* ---- names ---- */

static const char *const prefixes[] = {
	[FRAGMENT_MMA] = "", [FRAGMENT_WMMA] = "wmma.",
	[FRAGMENT_WGMMA] = "wgmma.", [FRAGMENT_LDMATRIX] = "ldmatrix.",
	[FRAGMENT_STMATRIX] = "stmatrix.",
};

/* One instruction: what all rules of its operands have in common. */
struct fragment_instruction {
	const struct rule *rule;
	char type[8];
	char name[32];
	int m, n, k;
};

static bool word_in(const char *words, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = words; *p; p += strcspn(p, " "), p += *p == ' ')
		if (!strncmp(p, word, n) && (p[n] == ' ' || !p[n]))
			return true;
	return false;
}

static bool is_matrix_move(const struct rule *r)
{
	return r->family == FRAGMENT_LDMATRIX || r->family == FRAGMENT_STMATRIX;
}

/* Tests whether a rule defines an instruction's name: the rule of its A by
 * rows, or of its matrices, on the newest architecture. */
static bool defines_name(const struct rule *r)
{
	return strchr("AR", r->operands[0]) && r->layouts[0] != 'c' &&
	       (!r->to || r->to >= FRAGMENT_NEWEST);
}

static bool is_integer_type(const char *type)
{
	return type[0] == 's' || type[0] == 'u' || !strcmp(type, "b1");
}

static void shape_name(const struct rule *r, int n, char shape[16])
{
	const char *any = strchr(r->shape, '*');

	if (any)
		snprintf(shape, 16, "%.*s%d%s", (int)(any - r->shape),
			 r->shape, n, any + 1);
	else
		snprintf(shape, 16, "%s", r->shape);
}

static void instruction_set(struct fragment_instruction *in,
			    const struct rule *r, const char *type, int n)
{
	char shape[16];

	shape_name(r, n, shape);
	in->rule = r;
	snprintf(in->type, sizeof(in->type), "%.*s", (int)strcspn(type, " "),
		 type);
	if (is_matrix_move(r))
		snprintf(in->name, sizeof(in->name), "%s%s",
			 prefixes[r->family], shape);
	else
		snprintf(in->name, sizeof(in->name), "%s%s.%s",
			 prefixes[r->family], shape, in->type);
	if (sscanf(shape, "m%dn%dk%d", &in->m, &in->n, &in->k) != 3)
		in->m = in->n = in->k = 8;
}

/* Tests whether an instruction has this N. wgmma has any N up to 256 in steps
 * of 8, for integers above 32 in steps of 16; the others have one shape a
 * rule. */
static bool has_n(const struct fragment_instruction *in, int n)
{
	return in->rule->family != FRAGMENT_WGMMA ?
		       n == 8 :
		       n <= 32 || n % 16 == 0 || !is_integer_type(in->type);
}

/* Lists all instructions, each once; makes the list at the first call. */
static size_t list_instructions(const struct fragment_instruction **list)
{
	static struct fragment_instruction all[512];
	static size_t count;
	size_t i = 0;

	*list = all;
	if (count)
		return count;
	for (size_t r = 0; r < LENGTH(rules); r++) {
		const char *type = rules[r].types;

		if (!defines_name(&rules[r]))
			continue;
		for (; *type; type += strcspn(type, " "), type += *type == ' ')
			for (int n = 8; n <= 256; n += 8) {
				struct fragment_instruction in;

				instruction_set(&in, &rules[r], type, n);
				if (has_n(&in, n) &&
				    (!i || strcmp(in.name, all[i - 1].name)))
					all[i++] = in;
			}
	}
	return count = i;
}

bool fragment_name(size_t i, char name[32])
{
	const struct fragment_instruction *all;

	if (i >= list_instructions(&all))
		return false;
	memcpy(name, all[i].name, sizeof(all[i].name));
	return true;
}

static int no_instruction(const char *name, struct error *e)
{
	const struct fragment_instruction *all;
	size_t n = list_instructions(&all);
	const char **names = xcalloc(n, sizeof(*names)), *near;

	for (size_t i = 0; i < n; i++)
		names[i] = all[i].name;
	near = nearest_name(name, names, n);
	free(names);
	if (near)
		return error_set(e, EXIT_USAGE, "no instruction '%s'; did you "
				 "mean %s?", text_show(name), near);
	return error_set(e, EXIT_USAGE, "no instruction '%s' (m16n8k16.f16 is "
			 "one)", text_show(name));
}

static int instruction_find(const char *name, struct fragment_instruction *in,
			    struct error *e)
{
	const char *bare = strncmp(name, "mma.", 4) ? name : name + 4;
	const struct fragment_instruction *all;
	size_t n = list_instructions(&all);

	for (size_t i = 0; i < n; i++)
		if (!strcmp(all[i].name, bare)) {
			*in = all[i];
			return 0;
		}
	return no_instruction(bare, e);
}

/* ---- the rule for a wish ---- */

/* Returns the usual type of the sums for the type of the factors. */
static const char *usual_sums(const struct fragment_instruction *in)
{
	if (!strcmp(in->type, "f64"))
		return "f64";
	return is_integer_type(in->type) ? "s32" : "f32";
}

static bool has_sums(const struct fragment_instruction *in, const char *type)
{
	return !strcmp(type, usual_sums(in)) ||
	       (!strcmp(type, "f16") && word_in("f16 e4m3 e5m2", in->type));
}

static bool is_sum(char operand)
{
	return operand == 'C' || operand == 'D';
}

/* How far a rule goes along with a wish. */
enum fit { FIT_NONE, FIT_NAME, FIT_OPERAND, FIT_ARCH, FIT_ALL };

static enum fit rule_fit(const struct rule *r,
			 const struct fragment_instruction *in,
			 const struct fragment_wish *w)
{
	if (r->family != in->rule->family ||
	    strcmp(r->shape, in->rule->shape) || !word_in(r->types, in->type))
		return FIT_NONE;
	if (!strchr(r->operands, w->operand))
		return FIT_NAME;
	if (w->arch < r->from || (r->to && w->arch > r->to))
		return FIT_OPERAND;
	if (w->layout && *r->layouts && !strchr(r->layouts, w->layout))
		return FIT_ARCH;
	if (r->accumulator && strcmp(r->accumulator, w->accumulator))
		return FIT_ARCH;
	return FIT_ALL;
}

static int no_operand(const struct fragment_instruction *in, char operand,
		      struct error *e)
{
	static const char *const have[] = {
		[FRAGMENT_MMA] = N_("A, B, C and D"),
		[FRAGMENT_WMMA] = N_("A, B, C and D"),
		[FRAGMENT_WGMMA] = N_("A and D in registers"),
		[FRAGMENT_LDMATRIX] = "R",
		[FRAGMENT_STMATRIX] = "R",
	};

	return error_set(e, EXIT_USAGE, "no operand '%s': %s has %s",
			 text_show((char[]){ operand, 0 }), in->name,
			 _(have[in->rule->family]));
}

static int check_wish(const struct fragment_instruction *in,
		      const struct fragment_wish *w, struct error *e)
{
	if (!w->operand || !strchr("ABCDR", w->operand))
		return no_operand(in, w->operand, e);
	if (!has_sums(in, w->accumulator))
		return error_set(e, EXIT_USAGE, "%s does not accumulate in "
				 "'%s'", in->name, text_show(w->accumulator));
	return 0;
}

static const struct rule *rule_find(const struct fragment_instruction *in,
				    const struct fragment_wish *w,
				    struct error *e)
{
	enum fit best = FIT_NONE;

	for (size_t i = 0; i < LENGTH(rules); i++) {
		enum fit fit = rule_fit(&rules[i], in, w);

		if (fit == FIT_ALL)
			return &rules[i];
		best = MAX(best, fit);
	}
	if (best == FIT_NAME)
		no_operand(in, w->operand, e);
	else if (best == FIT_OPERAND)
		error_set(e, EXIT_USAGE,
			  in->rule->to ? N_("%s is in sm_%d only") :
					 N_("%s needs sm_%d"),
			  in->name, in->rule->from);
	else
		error_set(e, EXIT_USAGE, "%s takes %c by %s only", in->name,
			  w->operand,
			  w->layout == 'c' ? _("rows") : _("columns"));
	return NULL;
}

/* ---- what a rule makes ---- */

/* Returns the bits of an element type. */
static int type_bits(const char *type)
{
	return strstr(type, "16") ? 16 : strstr(type, "32") ? 32 :
	       strstr(type, "64") ? 64 : word_in("s4 u4", type) ? 4 :
	       !strcmp(type, "b1") ? 1 : 8;
}

static int power_of(const char *bits, char axis)
{
	int power = 1;

	for (; *bits; bits += 2)
		power *= *bits == axis ? 2 : 1;
	return power;
}

static void fragment_set(const struct rule *r,
			 const struct fragment_instruction *in,
			 const struct fragment_wish *w, struct fragment *f)
{
	bool ab = w->operand == 'A' || w->operand == 'B';

	*f = (struct fragment){
		.family = r->family, .operand = w->operand,
		.layout = *r->layouts ? w->layout : 0,
		.lanes = r->family == FRAGMENT_WGMMA ? 128 : 32,
		.matrices = power_of(r->lanes, 'm') *
			    power_of(r->elements, 'm'),
		.copies = power_of(r->lanes, 'x') * power_of(r->elements, 'x'),
		.rows = w->operand == 'B' ? in->k : in->m,
		.cols = w->operand == 'A' ? in->k : in->n,
		.lane_bits = r->lanes, .element_bits = r->elements,
	};
	memcpy(f->name, in->name, sizeof(f->name));
	snprintf(f->type, sizeof(f->type), "%s", is_sum(w->operand) ?
		 w->accumulator : ab ? in->type : "b16");
	f->bits = type_bits(f->type);
	f->elements = f->rows * f->cols * f->matrices * f->copies / f->lanes;
	if (r->family == FRAGMENT_WMMA)
		f->source = w->arch == FRAGMENT_NEWEST ? FRAGMENT_MEASURED :
							 FRAGMENT_INFERRED;
}

int fragment_find(const struct fragment_wish *wish, struct fragment *f,
		  struct error *e)
{
	struct fragment_wish w = *wish;
	struct fragment_instruction in;
	const struct rule *r;

	if (instruction_find(w.name, &in, e) < 0)
		return -1;
	if (!w.layout)
		w.layout = w.operand == 'B' ? 'c' : 'r';
	if (!w.arch)
		w.arch = FRAGMENT_NEWEST;
	if (!w.accumulator)
		w.accumulator = usual_sums(&in);
	if (check_wish(&in, &w, e) < 0)
		return -1;
	r = rule_find(&in, &w, e);
	if (!r)
		return -1;
	fragment_set(r, &in, &w, f);
	return 0;
}

/* Returns the type of the factors whose sums have this type. */
static const char *factors_of_sums(const char *sums, const char *shape)
{
	return !strcmp(sums, "s32") ? "s8" : !strcmp(sums, "f64") ? "f64" :
	       !strcmp(shape, "m16n16k8") ? "tf32" : "f16";
}

int fragment_wmma(const char *shape, char operand, const char *type,
		  struct fragment *f, struct error *e)
{
	char name[64];
	struct fragment_wish w = { .name = name, .operand = operand };

	if (is_sum(operand))
		w.accumulator = type;
	snprintf(name, sizeof(name), "wmma.%s.%s", shape,
		 is_sum(operand) ? factors_of_sums(type, shape) : type);
	return fragment_find(&w, f, e);
}

/* ---- from bits to coordinates and back ---- */

/* Returns the coordinate that an axis letter names. */
static int *axis_coordinate(struct fragment_place *p, char axis)
{
	switch (axis) {
	case 'm':
		return &p->matrix;
	case 'r':
		return &p->row;
	case 'x':
		return &p->copy;
	default:
		return &p->col;
	}
}

static void spread_bits(const char *bits, int number, struct fragment_place *p)
{
	for (; *bits; bits += 2, number >>= 1) {
		int part = *bits == 'C' ? number : number & 1;

		*axis_coordinate(p, *bits) += part << (bits[1] - '0');
	}
}

static int gather_bits(const char *bits, struct fragment_place *p)
{
	int number = 0;

	for (int at = 0; *bits; bits += 2, at++) {
		int part = *axis_coordinate(p, *bits) >> (bits[1] - '0');

		number |= (*bits == 'C' ? part : part & 1) << at;
	}
	return number;
}

void fragment_element(const struct fragment *f, struct fragment_place *p)
{
	p->matrix = p->row = p->col = p->copy = 0;
	spread_bits(f->lane_bits, p->lane, p);
	spread_bits(f->element_bits, p->element, p);
}

void fragment_holder(const struct fragment *f, struct fragment_place *p)
{
	p->lane = gather_bits(f->lane_bits, p);
	p->element = gather_bits(f->element_bits, p);
}

int fragment_run(const struct fragment *f, char layout)
{
	const char *bits = f->element_bits;
	int run = 1;

	for (char at = '0'; bits[0] == (layout == 'c' ? 'r' : 'c') &&
	     bits[1] == at; at++, bits += 2)
		run *= 2;
	return run;
}

int fragment_swizzle(int span, int row, int byte)
{
	int address = row * span + byte;
	int chunks = span / 16 - 1;

	return address ^ ((address >> 7 & chunks) << 4);
}
