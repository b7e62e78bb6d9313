/* Fragment layouts: properties that hold for all of them, and examples of
 * the PTX ISA. */
#include <stdlib.h>
#include <string.h>

#include "hardware/access.h"
#include "hardware/fragment.h"
#include "tap.h"

static const int arches[] = { 70, 75, 80, 89, 90, 100 };
static const char *const sums[] = { "f16", "f32", "s32", "f64" };

static struct fragment wanted(const char *name, char operand)
{
	struct fragment_wish w = { .name = name, .operand = operand };
	struct fragment f = { 0 };
	struct error e = { 0 };

	if (fragment_find(&w, &f, &e) < 0)
		printf("# %s\n", e.text);
	return f;
}

static struct fragment_place at(const struct fragment *f, int lane,
				int element)
{
	struct fragment_place p = { .lane = lane, .element = element };

	fragment_element(f, &p);
	return p;
}

static bool within(const struct fragment *f, const struct fragment_place *p)
{
	return p->matrix >= 0 && p->matrix < f->matrices &&
	       p->row >= 0 && p->row < f->rows &&
	       p->col >= 0 && p->col < f->cols &&
	       p->copy >= 0 && p->copy < f->copies;
}

/* Every (matrix, row, column, copy) is met exactly once, and leads back. */
static bool is_bijection(const struct fragment *f)
{
	int cells = f->matrices * f->rows * f->cols * f->copies;
	char *met = calloc((size_t)cells, 1);
	bool good = cells == f->lanes * f->elements;

	for (int i = 0; good && i < cells; i++) {
		struct fragment_place p = at(f, i / f->elements,
					     i % f->elements), back = p;
		int cell;

		good = within(f, &p);
		if (!good)
			break;
		cell = ((p.matrix * f->rows + p.row) * f->cols + p.col) *
		       f->copies + p.copy;
		back.lane = back.element = -1;
		fragment_holder(f, &back);
		good = !met[cell]++ && back.lane == p.lane &&
		       back.element == p.element;
	}
	free(met);
	return good;
}

static int layouts, bad, unlike;

static void check_layout(const struct fragment_wish *w)
{
	struct fragment f;

	if (fragment_find(w, &f, NULL) < 0)
		return;
	layouts++;
	if (!is_bijection(&f) && bad++ < 5)
		printf("# %s %c %c sm_%d %s\n", w->name, w->operand,
		       w->layout, w->arch, w->accumulator);
	unlike += strcmp(f.name, w->name) || f.operand != w->operand ||
		  f.elements * f.bits % 32 || f.copies > 4;
}

static void check_name(const char *name)
{
	for (const char *o = "ABCDR"; *o; o++)
		for (const char *l = "rc"; *l; l++)
			for (size_t a = 0; a < LENGTH(arches); a++)
				for (size_t s = 0; s < LENGTH(sums); s++)
					check_layout(&(struct fragment_wish){
						name, *o, *l, arches[a],
						sums[s] });
}

static void check_all(void)
{
	char name[32], before[32] = "";
	size_t i;
	bool twice = false;

	for (i = 0; fragment_name(i, name); i++) {
		check_name(name);
		twice |= !strcmp(name, before);
		memcpy(before, name, sizeof(before));
	}
	tap_ok(i > 250 && !twice, "%zu instructions, each named once", i);
	tap_ok(layouts > 2000, "%d layouts", layouts);
	tap_is(bad, 0, "each puts every element in as many places as it says, "
	       "both ways alike");
	tap_is(unlike, 0, "each fills whole registers, and is what was asked");
}

/* ---- the ISA's words ---- */

static int odd(int lane, int i, const struct fragment *f,
	       int row, int col)
{
	struct fragment_place p = at(f, lane, i);

	return p.row != row || p.col != col;
}

static void check_isa_half(void)
{
	struct fragment a = wanted("m16n8k16.f16", 'A');
	struct fragment b = wanted("m16n8k16.f16", 'B');
	struct fragment c = wanted("m16n8k16.f16", 'C');
	int wrong = 0;

	for (int lane = 0; lane < 32; lane++) {
		int group = lane >> 2, thread = lane % 4;

		for (int i = 0; i < 8; i++)
			wrong += odd(lane, i, &a, i < 2 || (i >= 4 && i < 6) ?
				     group : group + 8,
				     thread * 2 + (i & 1) + (i < 4 ? 0 : 8));
		for (int i = 0; i < 4; i++)
			wrong += odd(lane, i, &b, thread * 2 + (i & 1) +
				     (i < 2 ? 0 : 8), group);
		for (int i = 0; i < 4; i++)
			wrong += odd(lane, i, &c, i < 2 ? group : group + 8,
				     thread * 2 + (i & 1));
	}
	tap_is(wrong, 0, "m16n8k16.f16 follows the ISA's formulas");
}

/*
 * Since Turing all of mma is one pattern: with w elements of A or B in a
 * register (1 if they are wider), lane 4 g + t holds those of rows g and g + 8
 * that begin at column w t, then those 4 w further along K.
 */
static int odd_mma(const char *name, int w)
{
	struct fragment a = wanted(name, 'A'), b = wanted(name, 'B');
	struct fragment c = wanted(name, 'C');
	int tall = a.rows / 8, wrong = a.elements != a.rows * a.cols / 32;

	for (int lane = 0; lane < 32; lane++) {
		int g = lane / 4, t = lane % 4;

		for (int i = 0; i < a.elements; i++)
			wrong += odd(lane, i, &a, g + i / w % tall * 8,
				     t * w + i % w + i / w / tall * 4 * w);
		for (int i = 0; i < b.elements; i++)
			wrong += odd(lane, i, &b,
				     t * w + i % w + i / w * 4 * w, g);
		for (int i = 0; i < c.elements; i++)
			wrong += odd(lane, i, &c, g + i / 2 * 8,
				     t * 2 + i % 2);
	}
	return wrong;
}

static void check_isa_all(void)
{
	static const struct { const char *name; int w; } all[] = {
		{ "m16n8k8.f16", 2 }, { "m16n8k8.bf16", 2 },
		{ "m16n8k16.bf16", 2 }, { "m16n8k4.tf32", 1 },
		{ "m16n8k8.tf32", 1 }, { "m8n8k16.s8", 4 },
		{ "m16n8k16.u8", 4 }, { "m16n8k32.s8", 4 },
		{ "m16n8k32.u8", 4 }, { "m16n8k16.e4m3", 4 },
		{ "m16n8k16.e5m2", 4 }, { "m16n8k32.e4m3", 4 },
		{ "m16n8k32.e5m2", 4 }, { "m8n8k32.s4", 8 },
		{ "m16n8k32.u4", 8 }, { "m16n8k64.s4", 8 },
		{ "m8n8k128.b1", 32 }, { "m16n8k128.b1", 32 },
		{ "m16n8k256.b1", 32 }, { "m8n8k4.f64", 1 },
		{ "m16n8k4.f64", 1 }, { "m16n8k8.f64", 1 },
		{ "m16n8k16.f64", 1 },
	};

	for (size_t i = 0; i < LENGTH(all); i++)
		tap_is(odd_mma(all[i].name, all[i].w), 0,
		       "%s follows the ISA", all[i].name);
}

static void check_volta(void)
{
	struct fragment_wish w = { "m8n8k4.f16", 'A', 'r', 70, "f32" };
	struct fragment ar, ac, br, bc, c, half;
	int wrong = 0;

	wrong += fragment_find(&w, &ar, NULL);
	w.layout = 'c';
	wrong += fragment_find(&w, &ac, NULL);
	w.operand = 'B';
	wrong += fragment_find(&w, &bc, NULL);
	w.layout = 'r';
	wrong += fragment_find(&w, &br, NULL);
	w.operand = 'C';
	wrong += fragment_find(&w, &c, NULL);
	w.accumulator = "f16";
	wrong += fragment_find(&w, &half, NULL);
	for (int lane = 0; !wrong && lane < 32; lane++) {
		int high = lane < 16 ? 0 : 4, four = lane % 4;

		for (int i = 0; i < 4; i++) {
			wrong += odd(lane, i, &ar, four + high, i);
			wrong += odd(lane, i, &ac, i + high, four);
			wrong += odd(lane, i, &br, four, i + high);
			wrong += odd(lane, i, &bc, i, four + high);
		}
		for (int i = 0; i < 8; i++) {
			wrong += odd(lane, i, &half, four + high, i);
			wrong += odd(lane, i, &c, (lane & 1) + (i & 2) + high,
				     (i & 4) + (lane & 2) + (i & 1));
		}
		wrong += at(&c, lane, 0).matrix != lane % 16 / 4;
	}
	tap_is(wrong, 0, "m8n8k4.f16 follows the ISA in all four combinations, "
	       "with sums of either width");
}

static void check_warpgroup(void)
{
	struct fragment d = wanted("wgmma.m64n128k16.f16", 'D');
	struct fragment tile = wanted("m16n8k16.f16", 'D');
	int wrong = 0;

	for (int lane = 0; lane < 128; lane++)
		for (int i = 0; i < d.elements; i++) {
			struct fragment_place p = at(&tile, lane % 32, i % 4);

			wrong += odd(lane, i, &d, p.row + lane / 32 * 16,
				     p.col + i / 4 * 8);
		}
	for (int type = 0; type < 2; type++) {
		struct fragment a = wanted(type ? "wgmma.m64n8k8.tf32" :
					   "wgmma.m64n96k32.e4m3", 'A');
		struct fragment own = wanted(type ? "m16n8k8.tf32" :
					     "m16n8k32.e4m3", 'A');

		for (int lane = 0; lane < 128; lane++)
			for (int i = 0; i < own.elements; i++) {
				struct fragment_place p = at(&own, lane % 32,
							     i);

				wrong += odd(lane, i, &a, p.row +
					     lane / 32 * 16, p.col);
			}
	}
	tap_is(wrong, 0, "wgmma's A in registers is that of mma, 16 rows a "
	       "warp");
	tap_is(d.elements, 64, "wgmma with N of 128 has 64 sums a lane");
	tap_is(wrong, 0, "wgmma's sums are m16n8 tiles side by side, 16 rows "
	       "a warp");
}

static void check_measured(void)
{
	struct fragment a = wanted("wmma.m16n16k16.f16", 'A');
	struct fragment mma = wanted("m16n8k16.f16", 'A');
	int wrong = 0;

	for (int lane = 0; lane < 32; lane++)
		for (int i = 0; i < 16; i++) {
			struct fragment_place p = at(&mma, lane, i % 8);

			wrong += odd(lane, i, &a, p.row, p.col);
		}
	tap_is(wrong, 0, "wmma's half A is that of m16n8k16, x[i+8] repeating "
	       "x[i]");
	tap_is(a.source, FRAGMENT_MEASURED, "which was measured");
	tap_is(mma.source, FRAGMENT_ISA, "and this the ISA says");
}

/* ---- ldmatrix and mma ---- */

/*
 * ldmatrix.x4 as everybody uses it for a 16x16 tile of half: lane l gives the
 * address of row l % 16, column 8 * (l / 16), so that matrix m begins at row
 * 8 * (m % 2) and column 8 * (m / 2). What a lane has then in its registers
 * is its fragment.
 */
static void check_feeds(void)
{
	struct fragment load = wanted("ldmatrix.x4", 'R');
	struct fragment trans = wanted("ldmatrix.x2.trans", 'R');
	struct fragment a = wanted("m16n8k16.f16", 'A');
	struct fragment b = wanted("m16n8k16.f16", 'B');
	int wrong = 0;

	for (int lane = 0; lane < 32; lane++)
		for (int i = 0; i < 8; i++) {
			struct fragment_place p = at(&load, lane, i);

			wrong += odd(lane, i, &a, p.row + p.matrix % 2 * 8,
				     p.col + p.matrix / 2 * 8);
		}
	tap_is(wrong, 0, "ldmatrix.x4 of a row-major tile gives A of "
	       "m16n8k16");
	wrong = 0;
	for (int lane = 0; lane < 32; lane++)
		for (int i = 0; i < 4; i++) {
			struct fragment_place p = at(&trans, lane, i);

			wrong += odd(lane, i, &b, p.row + p.matrix * 8, p.col);
		}
	tap_is(wrong, 0, "ldmatrix.x2.trans of a row-major 16x8 tile gives B");
}

/* ---- swizzles ---- */

static int wavefronts(int span, int byte, bool swizzled)
{
	struct access a = { .space = ACCESS_LDMATRIX, .op = OP_LD,
			    .bytes = 16, .mask = 0xff };
	struct access_cost cost;

	for (int row = 0; row < 8; row++)
		a.address[row] = (uint64_t)(swizzled ?
			fragment_swizzle(span, row, byte) : row * span + byte);
	return access_cost(&a, &cost, NULL) < 0 ? NA : cost.wavefronts;
}

static void check_swizzle(int span)
{
	char met[8 * 128] = "";
	int wrong = 0, worst = 0;

	for (int row = 0; row < 8; row++)
		for (int byte = 0; byte < span; byte++) {
			int to = fragment_swizzle(span, row, byte);

			wrong += to / span != row || met[to]++ ||
				 to % 16 != byte % 16 ||
				 fragment_swizzle(span, row, to % span) !=
				 row * span + byte;
		}
	for (int byte = 0; byte < span; byte += 16)
		worst = MAX(worst, wavefronts(span, byte, true));
	tap_is(wrong, 0, "a swizzle of %d bytes permutes the chunks of each "
	       "row, and undoes itself", span);
	tap_is(worst, 1, "8 rows of a column of chunks are free of conflicts");
	tap_is(wavefronts(span, 0, false), span / 16, "without it, %d-way",
	       span / 16);
}

/* ---- names as PTX has them ---- */

/* name and sums are what comes of it; NULL: nothing does. */
static void spelled(const char *text, char operand, const char *name,
		    const char *sum, char layout)
{
	struct fragment_wish w = { .name = text, .operand = operand };
	struct fragment_spelling s;
	bool read = fragment_spelled(text, &w, &s);

	tap_str(read ? w.name : "", name ? name : "", "%s %c", text,
		   operand);
	tap_ok((sum ? w.accumulator && !strcmp(w.accumulator, sum) :
		!w.accumulator) && w.layout == layout,
	       "  its sums and its layout");
}

static void check_spelled(void)
{
	const char *mixed = "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2"
			    ".f16";
	const char *volta = "mma.sync.aligned.m8n8k4.col.row.f16.f16.f16.f32";

	spelled("m16n8k16.f16", 'A', "mma.m16n8k16.f16", NULL, 0);
	spelled("m16n16k16.f16", 'A', "wmma.m16n16k16.f16", NULL, 0);
	spelled("m64n128k16.f16", 'D', "wgmma.m64n128k16.f16", NULL, 0);
	spelled("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 'B',
		"mma.m16n8k16.f16", "f32", 'c');
	spelled(mixed, 'A', "mma.m16n8k32.e4m3", "f32", 'r');
	spelled(mixed, 'B', "mma.m16n8k32.e5m2", "f32", 'c');
	spelled(volta, 'A', "mma.m8n8k4.f16", "f16", 'c');
	spelled(volta, 'B', "mma.m8n8k4.f16", "f16", 'r');
	spelled(volta, 'C', "mma.m8n8k4.f16", "f32", 'c');
	spelled("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc",
		'A', "mma.m16n8k256.b1", "s32", 'r');
	spelled("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f16", 'C',
		"wmma.m16n16k16.f16", "f16", 'r');
	spelled("wmma.load.a.sync.aligned.col.m16n16k16.shared.f16", 'A',
		"wmma.m16n16k16.f16", NULL, 'c');
	spelled("wgmma.mma_async.sync.aligned.m64n64k8.f32.tf32.tf32", 'A',
		"wgmma.m64n64k8.tf32", "f32", 0);
	spelled("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16", 'R',
		"ldmatrix.x4.trans", NULL, 0);
	spelled("stmatrix.x2", 'R', "stmatrix.x2", NULL, 0);
	spelled("mma.m16n8k16.f32.f16", 'A', NULL, NULL, 0);
	spelled("mma.m16n8k16", 'A', NULL, NULL, 0);
	spelled("mma.m16n8k16.f16.x2", 'A', NULL, NULL, 0);
	spelled("ldmatrix.f16", 'R', NULL, NULL, 0);
	spelled("ldmatrix", 'R', NULL, NULL, 0);
	spelled("m16n8k16n1.f16", 'A', NULL, NULL, 0);
	spelled("", 'A', NULL, NULL, 0);
	spelled("...", 'A', NULL, NULL, 0);
	spelled("m16n8k16.f32.f16.f16.f32.f32", 'A', NULL, NULL, 0);
	spelled("m100000000n100000000k100000000.f16", 'A', NULL, NULL, 0);
}

/* ---- what is refused ---- */

static void refused(struct fragment_wish w, const char *why)
{
	struct fragment f;
	struct error e = { 0 };

	tap_is(fragment_find(&w, &f, &e), -1, "%s %c is refused", w.name,
	       w.operand);
	tap_ok(strstr(e.text, why) && e.status == EXIT_USAGE, "  '%s'",
	       e.text);
}

static void check_refused(void)
{
	refused((struct fragment_wish){ .name = "m16n8k61.f16",
		.operand = 'A' }, "did you mean m16n8k16.f16?");
	refused((struct fragment_wish){ .name = "", .operand = 'A' },
		"no instruction ''");
	refused((struct fragment_wish){ .name = "m16n8k16.f16",
		.operand = 'E' }, "no operand 'E'");
	refused((struct fragment_wish){ .name = "wgmma.m64n8k16.f16",
		.operand = 'C' }, "no operand 'C'");
	refused((struct fragment_wish){ .name = "m16n8k16.f16",
		.operand = 'A', .arch = 70 }, "needs sm_80");
	refused((struct fragment_wish){ .name = "m16n8k16.e4m3",
		.operand = 'A', .arch = 80 }, "needs sm_89");
	refused((struct fragment_wish){ .name = "wgmma.m64n8k16.f16",
		.operand = 'A', .arch = 80 }, "is in sm_90 only");
	refused((struct fragment_wish){ .name = "wgmma.m64n8k16.f16",
		.operand = 'D', .arch = 100 }, "is in sm_90 only");
	refused((struct fragment_wish){ .name = "wgmma.m64n40k32.s8",
		.operand = 'D' }, "did you mean wgmma.m64n48k32.s8");
	refused((struct fragment_wish){ .name = "m16n8k16.f16",
		.operand = 'A', .layout = 'c' }, "by rows only");
	refused((struct fragment_wish){ .name = "m16n8k16.bf16",
		.operand = 'C', .accumulator = "f16" }, "accumulate");
}

int main(void)
{
	check_all();
	check_isa_half();
	check_isa_all();
	check_volta();
	check_warpgroup();
	check_measured();
	check_feeds();
	check_swizzle(32);
	check_swizzle(64);
	check_swizzle(128);
	check_spelled();
	check_refused();
	return tap_done();
}
