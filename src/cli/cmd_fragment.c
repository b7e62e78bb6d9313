/* gemmviz fragment: which lane holds which element, both ways. */
#include <ctype.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "hardware/fragment.h"
#include "base/lang.h"
#include "hardware/occupancy.h"
#include "base/text.h"

#define COLUMNS 80
#define LINES_SHOWN 80		/* of a picture */

/* The lane and the element that the question is about; NA for all. */
struct question {
	int lane, row, col;
	int swizzle;		/* bytes; 0 is registers */
	const char *arch;	/* NULL: the usual */
	bool json;
};

/* ---- a part of a register, and an element's name ---- */

/* "a3", "x[3]" as the ISA and wmma have it; of matrices only "3". */
static const char *element_name(const struct fragment *f, int element,
				char buf[16])
{
	if (f->family == FRAGMENT_WMMA)
		snprintf(buf, 16, "x[%d]", element);
	else if (f->operand == 'R')
		snprintf(buf, 16, "%d", element);
	else
		snprintf(buf, 16, "%c%d", tolower(f->operand), element);
	return buf;
}

/* "register 1, the upper half" */
static char *part_words(const struct fragment *f, int element)
{
	int parts = MAX(32 / f->bits, 1);
	int reg = element * f->bits / 32, part = element % parts;

	if (f->bits > 32)
		return xasprintf(_("registers %1$d and %2$d"), reg, reg + 1);
	if (parts == 32)
		return xasprintf(_("register %1$d, bit %2$d"), reg, part);
	if (parts == 8)
		return xasprintf(_("register %1$d, bits %2$d to %3$d"), reg,
				 part * 4, part * 4 + 3);
	if (parts == 4)
		return xasprintf(_("register %1$d, byte %2$d"), reg, part);
	if (parts == 1)
		return xasprintf(_("register %d"), reg);
	return xasprintf(part ? _("register %d, the upper half") :
			 _("register %d, the lower half"), reg);
}

/* ---- all places, one after another ---- */

static bool is_asked(const struct question *q, const struct fragment_place *p)
{
	return (q->lane == NA || p->lane == q->lane) &&
	       (q->row == NA || (p->row == q->row && p->col == q->col));
}

/* The next place at or behind *p that the question is about, by lane and by
 * element. */
static bool place_next(const struct fragment *f, const struct question *q,
		       struct fragment_place *p)
{
	for (; p->lane < f->lanes; p->lane++, p->element = 0)
		for (; p->element < f->elements; p->element++) {
			fragment_element(f, p);
			if (is_asked(q, p))
				return true;
		}
	return false;
}

static void print_json(const struct fragment *f, const struct question *q)
{
	struct fragment_place p = { 0 };
	json_t *all = json_array();

	for (; place_next(f, q, &p); p.element++) {
		json_t *one = json_pack("{s:i, s:i}", "lane", p.lane,
					"register", p.element);

		if (f->matrices > 1)
			json_object_set_new(one, "matrix",
					    json_integer(p.matrix));
		json_object_set_new(one, "row", json_integer(p.row));
		json_object_set_new(one, "col", json_integer(p.col));
		json_array_append_new(all, one);
	}
	command_json_lines(all);
}

/* ---- sentences ---- */

static char *place_words(const struct fragment *f,
			 const struct fragment_place *p)
{
	if (f->matrices > 1)
		return xasprintf(_("%1$c[%2$d][%3$d] of matrix %4$d"),
				 f->operand, p->row, p->col, p->matrix);
	return xasprintf("%c[%d][%d]", f->operand, p->row, p->col);
}

static void print_lane(const struct fragment *f, const struct question *q)
{
	struct fragment_place p = { 0 };
	char name[16];

	printf(_("Lane %1$d of %2$s holds of %3$c:\n"), q->lane, f->name,
	       f->operand);
	for (; place_next(f, q, &p); p.element++) {
		char *what = place_words(f, &p);
		char *part = part_words(f, p.element);

		printf("  %-5s  %s (%s)\n", element_name(f, p.element, name),
		       what, part);
		free(part);
		free(what);
	}
}

static void print_element(const struct fragment *f, const struct question *q)
{
	struct fragment_place p = { 0 };
	bool found = false;
	char name[16];

	for (; place_next(f, q, &p); p.element++, found = true) {
		char *what = place_words(f, &p);
		char *part = part_words(f, p.element);

		printf(f->operand == 'R' ?
		       _("%1$s is element %2$s of lane %3$d (%4$s).\n") :
		       _("%1$s is %2$s of lane %3$d (%4$s).\n"), what,
		       element_name(f, p.element, name), p.lane, part);
		free(part);
		free(what);
	}
	if (!found)
		printf(_("Lane %1$d does not hold %2$c[%3$d][%4$d].\n"),
		       q->lane, f->operand, q->row, q->col);
}

/* ---- the picture ---- */

/* Neighbours in a row that lie behind each other in one lane are one cell. */
static int run_length(const struct fragment *f)
{
	struct fragment_place p = { 0 };
	int n = 1;

	for (; n < f->elements; n++) {
		p.element = n;
		fragment_element(f, &p);
		if (p.col != n || p.row || p.matrix || p.copy)
			break;
	}
	return n;
}

static int range(char *buf, size_t size, int first, int run)
{
	if (run == 1)
		return snprintf(buf, size, "%d", first);
	return snprintf(buf, size, "%d-%d", first, first + run - 1);
}

static int cell(const struct fragment *f, struct fragment_place p, int run,
		char buf[24])
{
	int n;

	fragment_holder(f, &p);
	n = snprintf(buf, 24, "%d:", p.lane);
	return n + range(buf + n, 24 - (size_t)n, p.element, run);
}

static int cell_width(const struct fragment *f, int run)
{
	struct fragment_place p = { .lane = f->lanes - 1,
				    .element = f->elements - run };
	char buf[24];

	fragment_element(f, &p);
	return MAX(cell(f, p, run, buf), 6);
}

/* How many cells of a row stand beside each other: all, or a power of two. */
static int cells_beside(int cells, int width)
{
	int fit = (COLUMNS - 6) / (width + 1), n = 1;

	if (cells <= fit)
		return cells;
	while (n * 2 <= fit)
		n *= 2;
	return n;
}

static void print_panel(const struct fragment *f, int matrix, int from,
			int to, int run)
{
	int width = cell_width(f, run);
	char buf[24];

	printf("%5s", "");
	for (int col = from; col < to; col += run) {
		range(buf, sizeof(buf), col, run);
		printf(" %*s", width, buf);
	}
	putchar('\n');
	for (int row = 0; row < f->rows; row++) {
		printf("%5d", row);
		for (int col = from; col < to; col += run) {
			struct fragment_place p = { .matrix = matrix,
						    .row = row, .col = col };

			cell(f, p, run, buf);
			printf(" %*s", width, buf);
		}
		putchar('\n');
	}
}

static void print_matrix(const struct fragment *f, int matrix)
{
	int run = run_length(f), width = cell_width(f, run);
	int step = cells_beside(f->cols / run, width) * run;
	int lines = 0;

	if (f->matrices > 1)
		printf(_("\nmatrix %d\n"), matrix);
	else
		putchar('\n');
	for (int from = 0; from < f->cols; from += step) {
		if (lines && lines + f->rows > LINES_SHOWN) {
			printf(_("... columns %1$d to %2$d are not shown; "
				 "--json has them\n"), from, f->cols - 1);
			return;
		}
		if (lines)
			putchar('\n');
		print_panel(f, matrix, from, from + step, run);
		lines += f->rows;
	}
}

static void print_head(const struct fragment *f)
{
	char first[16], last[16];

	printf("%s %c", f->name, f->operand);
	if (f->layout)
		printf(f->layout == 'r' ? _(", by rows") : _(", by columns"));
	printf(_(": %1$d x %2$d elements of %3$s, %4$d a lane\n"), f->rows,
	       f->cols, f->type, f->elements);
	if (f->lanes > 32)
		printf(_("Lanes are those of the warpgroup: 32 w + l is lane l "
			 "of warp w.\n"));
	printf(_("A cell is lane:elements, which the lane counts from %1$s to "
		 "%2$s.\n"), element_name(f, 0, first),
	       element_name(f, f->elements - 1, last));
	if (f->bits < 32)
		printf(_("%d of them share a 32-bit register, the first in "
			 "its lowest bits.\n"), 32 / f->bits);
	if (f->copies > 1)
		printf(_("Each element is in %d places; the first is shown.\n"),
		       f->copies);
	if (f->source == FRAGMENT_MEASURED)
		printf(_("Measured on a GPU; the PTX ISA leaves wmma's layout "
			 "unspecified.\n"));
	if (f->source == FRAGMENT_INFERRED)
		printf(_("Not measured: the PTX ISA leaves wmma's layout "
			 "unspecified, and this is\nwhat mma's would make of "
			 "it.\n"));
}

static void print_people(const struct fragment *f, const struct question *q)
{
	if (q->row != NA) {
		print_element(f, q);
	} else if (q->lane != NA) {
		print_lane(f, q);
	} else {
		print_head(f);
		for (int m = 0; m < f->matrices; m++)
			print_matrix(f, m);
	}
}

/* ---- tiles in shared memory ---- */

/* A tile of A or of B: so many elements along K, M or N as the swizzle takes
 * are a row of it. */
struct tile {
	char operand, layout, along;
	int rows, cols;		/* of the matrix */
	int bytes;		/* an element */
};

/* An element's address, with the tile at 0. */
static int swizzled(const struct question *q, const struct tile *t, int row,
		    int col)
{
	return t->layout == 'r' ?
	       fragment_swizzle(q->swizzle, row, col * t->bytes) :
	       fragment_swizzle(q->swizzle, col, row * t->bytes);
}

static void print_tile_json(const struct question *q, const struct tile *t)
{
	json_t *all = json_array();

	for (int row = 0; row < t->rows; row++)
		for (int col = 0; col < t->cols; col++) {
			if (q->row != NA && (q->row != row || q->col != col))
				continue;
			json_array_append_new(all, json_pack(
				"{s:i, s:i, s:i}", "row", row, "col", col,
				"address", swizzled(q, t, row, col)));
		}
	command_json_lines(all);
}

static void print_tile(const struct question *q, const char *name,
		       const struct tile *t)
{
	int run = 16 / t->bytes;
	char buf[24];

	printf(_("%1$s %2$c in shared memory, %3$c-major, %4$d-byte swizzle\n"
		 "A number is the byte at which %5$d elements along %3$c "
		 "begin; it starts over every\n8 rows, %6$d bytes "
		 "further.\n\n"), name, t->operand, t->along, q->swizzle, run,
	       8 * q->swizzle);
	printf("%3c\\%c", t->along != 'K' ? 'k' : t->operand == 'A' ? 'm' :
	       'n', tolower(t->along));
	for (int byte = 0; byte < q->swizzle; byte += 16) {
		range(buf, sizeof(buf), byte / t->bytes, run);
		printf(" %7s", buf);
	}
	putchar('\n');
	for (int row = 0; row < 8; row++) {
		printf("%5d", row);
		for (int byte = 0; byte < q->swizzle; byte += 16)
			printf(" %7d", fragment_swizzle(q->swizzle, row, byte));
		putchar('\n');
	}
}

static int outside(const char *what, int rows, int cols, struct error *e)
{
	return error_set(e, EXIT_USAGE, "no such element: %s has %d rows and "
			 "%d columns", what, rows, cols);
}

static int find_tile(const struct fragment_wish *w, const struct question *q,
		     struct tile *t, struct error *e)
{
	struct fragment_wish wish = { .name = w->name, .operand = 'A',
				      .arch = w->arch };
	struct fragment a, d;
	int along, k, mn;

	if (fragment_find(&wish, &a, e) < 0)
		return -1;
	if (a.family != FRAGMENT_WGMMA ||
	    (w->operand != 'A' && w->operand != 'B'))
		return error_set(e, EXIT_USAGE, "--swizzle is for A and B of "
				 "wgmma");
	wish.operand = 'D';
	if (fragment_find(&wish, &d, e) < 0)
		return -1;
	*t = (struct tile){
		.operand = w->operand, .bytes = a.bits / 8, .along = 'K',
		.layout = w->operand == 'A' ? 'r' : 'c',
	};
	if (w->layout && w->layout != t->layout) {
		t->layout = w->layout;
		t->along = w->operand == 'A' ? 'M' : 'N';
	}
	if (t->along != 'K' && a.bits != 16)
		return error_set(e, EXIT_USAGE, "%s takes %c K-major only",
				 w->name, w->operand);
	along = q->swizzle / t->bytes;
	k = t->along == 'K' ? along : a.cols;
	mn = t->along != 'K' ? along : w->operand == 'A' ? a.rows : d.cols;
	t->rows = w->operand == 'A' ? mn : k;
	t->cols = w->operand == 'A' ? k : mn;
	return 0;
}

static int answer_tile(const struct fragment_wish *w, struct question *q,
		       struct error *e)
{
	struct tile t = { 0 };

	if (find_tile(w, q, &t, e) < 0)
		return -1;
	if (q->lane != NA)
		return error_set(e, EXIT_USAGE, "lanes hold no part of a tile "
				 "in shared memory");
	if (q->row >= t.rows || q->col >= t.cols)
		return outside("the tile", t.rows, t.cols, e);
	if (q->json)
		print_tile_json(q, &t);
	else if (q->row != NA)
		printf(_("%1$c[%2$d][%3$d] is at byte %4$d of the tile.\n"),
		       t.operand, q->row, q->col,
		       swizzled(q, &t, q->row, q->col));
	else
		print_tile(q, w->name, &t);
	return 0;
}

static int answer(const struct fragment_wish *w, struct question *q,
		  struct error *e)
{
	struct fragment f;

	if (!q->swizzle && !strncmp(w->name, "wgmma.", 6) && w->operand == 'B')
		q->swizzle = 128;
	if (q->swizzle)
		return answer_tile(w, q, e);
	if (fragment_find(w, &f, e) < 0)
		return -1;
	if (q->lane >= f.lanes)
		return error_set(e, EXIT_USAGE, "no lane %d: %s has lanes 0 to "
				 "%d", q->lane, f.name, f.lanes - 1);
	if (q->row >= f.rows || q->col >= f.cols)
		return outside((char[]){ f.operand, 0 }, f.rows, f.cols, e);
	if (q->json)
		print_json(&f, q);
	else
		print_people(&f, q);
	return 0;
}

/* ---- the command ---- */

static int usage(void)
{
	printf(_("usage: gemmviz fragment [OPTIONS] SHAPE.TYPE OPERAND\n\n"
		 "SHAPE.TYPE is an instruction: m16n8k16.f16 and other mma,\n"
		 "wmma.m16n16k16.f16, wgmma.m64n128k16.f16, ldmatrix.x4,\n"
		 "ldmatrix.x4.trans, stmatrix.x4, or as PTX has it, like\n"
		 "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32. OPERAND "
		 "is A, B, C or D;\nldmatrix and stmatrix need none.\n\n"
		 "  --lane L                    what lane L holds\n"
		 "  --element R,C               who holds row R, column C\n"
		 "  --layout row|col            the matrix in memory, where it "
		 "matters\n"
		 "  --accumulator f16|f32|s32   the type of C and D\n"
		 "  --arch sm_80                the architecture, from sm_70 "
		 "(sm_90)\n"
		 "  --swizzle 32|64|128         A or B of wgmma in shared "
		 "memory\n"
		 "  --json                      data for programs\n\n"
		 "In JSON, \"register\" is the number of the element in the "
		 "lane's fragment:\n3 is a3 of the PTX ISA and x[3] of "
		 "wmma.\n"));
	return command_flush(EXIT_DONE);
}

enum {
	OPT_LANE = 1, OPT_ELEMENT, OPT_LAYOUT, OPT_ACCUMULATOR, OPT_ARCH,
	OPT_SWIZZLE, OPT_JSON, OPT_LANG, OPT_HELP,
};

static const struct option options[] = {
	{ "lane", required_argument, NULL, OPT_LANE },
	{ "element", required_argument, NULL, OPT_ELEMENT },
	{ "layout", required_argument, NULL, OPT_LAYOUT },
	{ "accumulator", required_argument, NULL, OPT_ACCUMULATOR },
	{ "arch", required_argument, NULL, OPT_ARCH },
	{ "swizzle", required_argument, NULL, OPT_SWIZZLE },
	{ "json", no_argument, NULL, OPT_JSON },
	{ "lang", required_argument, NULL, OPT_LANG },
	{ "help", no_argument, NULL, OPT_HELP }, {0}
};

/* "R,C" */
static bool parse_element(const char *text, struct question *q)
{
	const char *comma = strchr(text, ',');
	char *row = comma ? xstrndup(text, (size_t)(comma - text)) : NULL;
	long r, c;
	bool good = row && parse_int(row, 0, 9999, &r) &&
		    parse_int(comma + 1, 0, 9999, &c);

	free(row);
	if (!good)
		return false;
	q->row = (int)r;
	q->col = (int)c;
	return true;
}

static int parse_arch(const char *text, int *number, struct error *e)
{
	struct occupancy_arch arch;

	if (occupancy_arch_get(&arch, text, 0, e) < 0)
		return -1;
	*number = atoi(arch.name + strlen("sm_"));
	if (*number < 70)
		return error_set(e, EXIT_USAGE, "%s has no tensor cores; they "
				 "came with sm_70", arch.name);
	return 0;
}

static bool parse_layout(const char *text, char *layout)
{
	*layout = *text;
	return !strcmp(text, "row") || !strcmp(text, "col");
}

static bool parse_number(const char *text, int highest, int *to)
{
	long n;

	if (!parse_int(text, 0, highest, &n))
		return false;
	*to = (int)n;
	return true;
}

/* NULL, or what the option wants instead. */
static const char *option_wants(int o, const char *arg,
				struct fragment_wish *w, struct question *q)
{
	switch (o) {
	case OPT_LANE:
		return parse_number(arg, 9999, &q->lane) ? NULL :
		       "--lane wants a number from 0";
	case OPT_ELEMENT:
		return parse_element(arg, q) ? NULL :
		       "--element wants ROW,COLUMN, both from 0";
	case OPT_LAYOUT:
		return parse_layout(arg, &w->layout) ? NULL :
		       "--layout wants row or col";
	case OPT_ARCH:
		q->arch = arg;
		return NULL;
	case OPT_SWIZZLE:
		return parse_number(arg, 128, &q->swizzle) &&
		       (q->swizzle == 32 || q->swizzle == 64 ||
			q->swizzle == 128) ? NULL :
		       "--swizzle wants 32, 64 or 128";
	}
	if (o == OPT_ACCUMULATOR)
		w->accumulator = arg;
	q->json |= o == OPT_JSON;
	return NULL;
}

/* ldmatrix and stmatrix have one operand only. */
static int wish_words(int count, char **words, struct fragment_wish *w)
{
	if (count < 1 || count > 2 ||
	    (count == 1 && !strstr(words[0], "matrix")))
		return command_usage("fragment", "wants SHAPE.TYPE and an "
				     "operand");
	w->name = words[0];
	w->operand = 'R';
	if (count == 2 && (!words[1][0] || words[1][1]))
		return command_usage("fragment", "no operand '%s' (A, B, C or "
				     "D)", text_show(words[1]));
	if (count == 2)
		w->operand = (char)toupper((unsigned char)words[1][0]);
	return 0;
}

int cmd_fragment(int argc, char **argv)
{
	struct fragment_wish w = { 0 };
	struct question q = { .lane = NA, .row = NA, .col = NA };
	struct fragment_spelling spelling;
	struct error e;
	int o, status;

	while ((o = getopt_long(argc, argv, "", options, NULL)) != -1) {
		const char *wants;

		if (o == '?')
			return command_option("fragment", argv, options);
		if (o == OPT_HELP)
			return usage();
		wants = option_wants(o, optarg, &w, &q);
		if (wants)
			return command_usage("fragment", "%s", wants);
	}
	status = wish_words(argc - optind, argv + optind, &w);
	if (status)
		return status;
	fragment_spelled(w.name, &w, &spelling);
	if ((q.arch && parse_arch(q.arch, &w.arch, &e) < 0) ||
	    answer(&w, &q, &e) < 0)
		return command_failed(&e);
	return command_flush(EXIT_DONE);
}
