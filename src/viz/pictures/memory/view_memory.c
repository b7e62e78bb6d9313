/*
 * The memory's floors: registers, L1 and shared memory, L2, DRAM, each with its
 * bandwidth; between two of them a shaft for each kernel, as wide as the bytes
 * that move through it. The bytes rise during the step.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "viz/pictures/memory/scene_memory.h"
#include "scene/stage.h"
#include "viz/kit.h"
#include "viz/frame_model.h"
#include "viz/view_benchmark.h"

#define COLUMN_LEAST 17
/* Rows of heads, floors and shafts; while a question hides the traffic, the
 * floors alone will do. */
#define ROWS_LEAST (1 + MEMORY_LEVELS + MEMORY_SHAFTS)
#define ROWS_QUIET (1 + MEMORY_LEVELS)

struct floors {
	struct rect in;
	int legend;			/* columns */
	int first, count, column;	/* of the kernels, and their width */
	int floor, shaft;		/* rows of each */
};

static void floors_layout(struct floors *f, struct rect in,
			  const struct scene_memory *m)
{
	int rows = in.h - 1;

	*f = (struct floors){ .in = in };
	f->legend = in.w >= 110 ? 40 : in.w >= 70 ? 26 : 0;
	f->count = MIN((int)m->count,
		       MAX(1, (in.w - f->legend) / COLUMN_LEAST));
	f->first = (int)m->count - f->count;
	f->column = (in.w - f->legend) / MAX(1, f->count);
	f->floor = rows >= 4 * 2 + 3 * 3 + 2 ? 2 : 1;
	f->shaft = MAX(in.h >= ROWS_LEAST,
		       (rows - 4 * f->floor - 2) / MEMORY_SHAFTS);
}

static int floor_y(const struct floors *f, int level)
{
	return f->in.y + 1 + level * (f->floor + f->shaft);
}

static void capacity_words(char *buf, size_t size,
			   const struct memory_figures *f)
{
	double kib = f->bytes / 1024;

	if (f->each)
		snprintf(buf, size, "%.0f KiB/SM", kib);
	else if (kib < 1024 * 1024)
		snprintf(buf, size, "%.0f MiB", kib / 1024);
	else
		snprintf(buf, size, "%.0f GiB", kib / 1024 / 1024);
}

static const char *level_name(int level)
{
	static const char *const names[] = {
		[MEMORY_REGISTERS] = N_("registers"),
		[MEMORY_L1] = N_("L1, shared"), [MEMORY_L2] = N_("L2"),
		[MEMORY_DRAM] = N_("DRAM"),
	};

	return _(names[level]);
}

static const char *level_owner(int level)
{
	static const char *const whose[] = {
		[MEMORY_REGISTERS] = N_("a thread's own"),
		[MEMORY_L1] = N_("a block's, an SM's"),
		[MEMORY_L2] = N_("all SMs'"), [MEMORY_DRAM] = N_("the GPU's"),
	};

	return _(whose[level]);
}

static void draw_floor(struct canvas *c, const struct floors *f,
		       const struct scene_memory *m, int level)
{
	struct rect r = { f->in.x, floor_y(f, level), f->in.w, f->floor };
	struct ink ink = INK_ON(ROLE_TEXT, ROLE_BAR);
	const struct memory_figures *g;
	char text[32];
	int x = r.x + 1;

	canvas_fill(c, r, ' ', ink);
	canvas_text(c, x, r.y, 13, level_name(level),
		    (struct ink){ ROLE_STRONG, ROLE_BAR, ATTR_BOLD });
	if (f->floor > 1)
		x += canvas_text(c, x, r.y + 1, f->legend ? f->legend - 2 :
				 r.w, level_owner(level),
				 INK_ON(ROLE_DIM, ROLE_BAR));
	kit_bytes(text, sizeof(text), m->matrices);
	if (f->floor > 1 && level == MEMORY_DRAM && f->legend >= 40)
		canvas_textf(c, x + 2, r.y + 1, r.w, INK_ON(ROLE_DIM, ROLE_BAR),
			     "A, B, C: %s", text);
	x = r.x + 1;
	if (!f->legend || !m->levels)
		return;
	g = &m->levels->level[level];
	if (f->legend >= 40) {
		capacity_words(text, sizeof(text), g);
		canvas_right(c, x + 11, r.y, 12, text, ink);
	}
	x = r.x + f->legend - 15;
	snprintf(text, sizeof(text), "%.0f", g->cycles);
	canvas_right(c, x, r.y, 6, text, ink);
	snprintf(text, sizeof(text), "%.*f", g->bandwidth < 1e13 ? 1 : 0,
		 g->bandwidth / 1e12);
	canvas_right(c, x + 7, r.y, 7, text, ink);
}

/* Returns the columns of a kernel's label, or of its first word if it is too
 * long. */
static int label_width(const struct floors *f, const struct memory_column *k)
{
	int w = text_width(k->label);

	return w < f->column ? w : (int)strcspn(k->label, " ");
}

/* Writes each label above the middle of its column; one that is wider than its
 * column moves its neighbours. */
static void draw_kernel_labels(struct canvas *c, const struct floors *f,
			       const struct scene_memory *m)
{
	int left = f->in.x + f->legend, right = left + f->count * f->column;
	int need = 0, end = left;
	bool cut;

	for (int i = 0; i < f->count; i++)
		need += label_width(f, &m->columns[f->first + i]) + 1;
	cut = need - 1 > right - left;
	for (int i = 0; i < f->count; i++) {
		const struct memory_column *k = &m->columns[f->first + i];
		int w = label_width(f, k), x;

		w = cut ? MIN(w, f->column - 1) : w;
		x = left + i * f->column + (f->column - w) / 2;
		if (!cut)
			x = MIN(MAX(x, end), right - need + 1);
		kit_label(c, x, f->in.y, w, k->label, false,
			  INK_BOLD(k->own ? ROLE_ACCENT : ROLE_STRONG));
		end = x + w + 1;
		need -= w + 1;
	}
}

static void draw_legend_heads(struct canvas *c, const struct floors *f)
{
	int x = f->in.x + f->legend - 15, y = f->in.y;

	if (f->legend >= 40)
		canvas_right(c, f->in.x + 12, y, 12, _("size"), INK(ROLE_DIM));
	if (f->legend) {
		canvas_right(c, x - 2, y, 8, _("cycles"), INK(ROLE_DIM));
		canvas_right(c, x + 7, y, 7, "TB/s", INK(ROLE_DIM));
	}
}

/* Draws the bytes on their way, as marks that rise. */
static void draw_rising(struct canvas *c, struct rect r, double t,
			enum role role)
{
	int row = r.y + r.h - 1 - (int)(t * (r.h - 1) + 0.5);

	for (int x = r.x + 2; x + 2 < r.x + r.w; x += 8)
		canvas_put(c, x, row, 0x25b4,
			   INK_ON(ROLE_ON_HUE, role));
}

static enum role factor_role(double factor)
{
	return factor < 0.95 ? ROLE_GOOD : factor > 1.05 ? ROLE_BAD : ROLE_DIM;
}

/* Writes the bytes that move, inside the shaft or next to it, and the factor
 * against the kernel at the left. */
static void draw_amount(struct canvas *c, struct rect room, struct rect shaft,
			const struct memory_column *k,
			const struct memory_column *left, int i,
			enum role role)
{
	int y = room.y + (room.h - 1) / 2, w, x = shaft.x + shaft.w + 1;
	struct ink ink = INK_BOLD(ROLE_STRONG);
	char text[32], factor[32] = "";
	bool beside;

	kit_bytes(text, sizeof(text), k->bytes[i]);
	w = (int)strlen(text);
	beside = shaft.w < w + 2 && x + w <= room.x + room.w;
	if (!beside) {
		x = shaft.x + (shaft.w - w) / 2;
		if (shaft.w >= w + 2 && !(k->waste > 0 && !i))
			ink = (struct ink){ ROLE_ON_HUE, (uint8_t)role,
					    ATTR_BOLD };
	}
	canvas_text(c, x, y, -1, text, ink);
	if (!left || !(left->bytes[i] > 0))
		return;
	benchmark_factor(factor, sizeof(factor), k->bytes[i] / left->bytes[i]);
	w = text_width(factor);
	if (MIN(x, shaft.x) - w - 1 < room.x)
		return;
	canvas_text(c, MIN(x, shaft.x) - w - 1, y, w, factor,
		    INK_BOLD(factor_role(k->bytes[i] / left->bytes[i])));
}

/* Writes a factor and what it compares with: "÷ 3.8 against naive". */
static void against_words(char *buf, size_t size, int w, double factor,
			  const char *left)
{
	char by[32], *label = kit_label_text(left, w - 18);

	benchmark_factor(by, sizeof(by), factor);
	snprintf(buf, size, _("%s against %s"), by, label);
	if (text_width(buf) > w)
		snprintf(buf, size, "%s : %s", by, label);
	free(label);
}

/* Writes at the left of a shaft what makes it thinner, and how much thinner or
 * wider it is for the kernel on stage than for the one at its left: the other
 * factors compare neighbours, too. */
static void draw_thinner(struct canvas *c, const struct floors *f,
			 const struct scene_memory *m, int i)
{
	static const char *const what[MEMORY_SHAFTS] = {
		N_("several sums per thread"),
		N_("tiles in shared memory"),
		N_("blocks reading together"),
	};
	const struct memory_column *k = &m->columns[f->first];
	struct rect r = { f->in.x + 1, floor_y(f, i) + f->floor +
			  (f->shaft - 2) / 2, f->legend - 2, 1 };
	double factor = 1;
	char words[128];
	int at = 0;

	if (f->legend < 26 || f->shaft < 2)
		return;
	for (int n = 1; n < f->count && !k[at].own; n++)
		at = n;
	at = MAX(at, MIN(1, f->count - 1));
	if (at && k[at - 1].bytes[i] > 0)
		factor = k[at].bytes[i] / k[at - 1].bytes[i];
	if (factor <= 0.95 || !at)
		canvas_text(c, r.x, r.y, r.w, _(what[i]), INK(ROLE_DIM));
	if (!at) {
		canvas_text(c, r.x, r.y + 1, r.w, _("can make it thinner"),
			    INK(ROLE_DIM));
		return;
	}
	against_words(words, sizeof(words), r.w, factor, k[at - 1].label);
	canvas_text(c, r.x, r.y + 1, r.w, words, INK(factor_role(factor)));
}

/* Returns the column of a shaft: in the middle of the room, or further left if
 * only then w columns of text fit at its right. */
static int shaft_x(struct rect room, int shaft, int w)
{
	int wide = MAX(1, shaft), x = room.x + (room.w - wide) / 2;

	if (shaft >= w + 2 || wide + 1 + w > room.w ||
	    x + wide + 1 + w <= room.x + room.w)
		return x;
	return room.x + (room.w - wide - 1 - w) / 2;
}

static void draw_shaft(struct canvas *c, const struct floors *f,
		       const struct frame_model *s, int column, int i)
{
	const struct scene_memory *m = s->scene->memory;
	const struct memory_column *k = &m->columns[f->first + column];
	struct rect room = { f->in.x + f->legend + column * f->column + 1,
			     floor_y(f, i) + f->floor, f->column - 2,
			     f->shaft }, shaft = room;
	enum role role = i == k->slowest && m->raced ? ROLE_HUE0 : ROLE_HUE1;
	const struct scene_memory *twin = s->twin ? s->twin->memory : NULL;
	double part = k->bytes[i] / (twin ? MAX(twin->widest, m->widest) :
					    m->widest);
	char text[32];
	int wasted;

	kit_bytes(text, sizeof(text), k->bytes[i]);
	shaft.w = (int)ceil(part * room.w);
	shaft.x = shaft_x(room, shaft.w, (int)strlen(text));
	for (int y = room.y; y < room.y + room.h; y++)
		kit_bar(c, shaft.x, y, room.w, part, role, ROLE_NONE);
	wasted = i ? 0 : (int)(k->waste / k->bytes[0] * shaft.w + 0.5);
	canvas_fill(c, (struct rect){ shaft.x, shaft.y, wasted, shaft.h }, ' ',
		    INK_ON(ROLE_ON_HUE, ROLE_WASTE));
	if (wasted > text_width(_("waste")) + 1)
		canvas_text(c, shaft.x + 1, shaft.y, wasted - 1, _("waste"),
			    (struct ink){ ROLE_WASTE, ROLE_WASTE, ATTR_BOLD });
	draw_rising(c, (struct rect){ shaft.x + wasted, shaft.y,
				      shaft.w - wasted, shaft.h }, s->t, role);
	draw_amount(c, room, shaft, k, column ? k - 1 : NULL, i, role);
}

/* Draws, instead of a kernel's traffic, what each floor can give to the one
 * above it: shafts whose width is a rate, not bytes. */
static void draw_rates(struct canvas *c, const struct floors *f,
		       const struct scene_memory *m)
{
	int x = f->in.x + f->legend + 1, w = f->in.w - f->legend - 2;

	canvas_text(c, x, f->in.y, w, _("Answer first to see the traffic."),
		    INK(ROLE_DIM));
	for (int i = 0; m->levels && i < MEMORY_SHAFTS; i++) {
		double rate = m->levels->level[i + 1].bandwidth;
		double part = rate / m->levels->level[MEMORY_L1].bandwidth;
		int y = floor_y(f, i) + f->floor;
		char text[64];

		for (int row = 0; row < f->shaft; row++)
			kit_bar(c, x, y + row, w, part, ROLE_HUE1, ROLE_NONE);
		if (!f->shaft)
			continue;
		snprintf(text, sizeof(text), _("at most %.*f TB/s"),
			 rate < 1e13 ? 1 : 0, rate / 1e12);
		if (i)
			canvas_text(c, x + (int)ceil(part * w) + 1,
				    y + (f->shaft - 1) / 2, -1, text,
				    INK_BOLD(ROLE_STRONG));
		else
			canvas_text(c, x + 1, y + (f->shaft - 1) / 2, w - 1,
				    text, (struct ink){ ROLE_ON_HUE, ROLE_HUE1,
							ATTR_BOLD });
	}
}

static void milliseconds_words(char *buf, size_t size, double seconds)
{
	snprintf(buf, size, seconds < 1e-3 ? "%.3f ms" : seconds < 0.1 ?
		 "%.2f ms" : "%.0f ms", seconds * 1e3);
}

/* Tells whether the slowest shaft's time can be a part of the kernel's. Its rate
 * is of another run: a kernel that was faster shows that the rate is too low. */
static bool is_part(const struct memory_column *k)
{
	return k->least[k->slowest] <= k->seconds;
}

/* Writes how long each kernel took, and how long its slowest shaft takes at the
 * bandwidth that was measured. */
static void draw_kernel_times(struct canvas *c, const struct floors *f,
			      const struct scene_memory *m)
{
	int y = floor_y(f, MEMORY_DRAM) + f->floor;
	bool rate = y + 1 < f->in.y + f->in.h;

	if (y >= f->in.y + f->in.h)
		return;
	if (f->legend)
		canvas_text(c, f->in.x + 1, y, f->legend - 2, _("took"),
			    INK_BOLD(ROLE_STRONG));
	if (f->legend && rate) {
		kit_bar(c, f->in.x + 1, y + 1, 2, 1, ROLE_HUE0, ROLE_NONE);
		canvas_text(c, f->in.x + 4, y + 1, f->legend - 5,
			    f->legend >= 40 ?
			    _("the slowest shaft, at full rate") :
			    _("at full rate"), INK(ROLE_DIM));
	}
	for (int i = 0; i < f->count; i++) {
		const struct memory_column *k = &m->columns[f->first + i];
		int x = f->in.x + f->legend + i * f->column + 1;
		char text[32];

		milliseconds_words(text, sizeof(text), k->seconds);
		canvas_text(c, x + (f->column - 2 - (int)strlen(text)) / 2, y,
			    -1, text, INK_BOLD(ROLE_STRONG));
		if (!m->raced || !rate)
			continue;
		milliseconds_words(text, sizeof(text), k->least[k->slowest]);
		if (!is_part(k))
			snprintf(text, sizeof(text), "%s", _("n/a"));
		canvas_text(c, x + (f->column - 2 - text_width(text)) / 2,
			    y + 1, -1, text, INK(ROLE_DIM));
	}
}

/* Tells what a column's kernel moved, and how long it took. */
static void add_column_words(struct str *out, const struct scene_memory *m,
			     const struct memory_column *k)
{
	char a[32], b[32], d[32], took[32], least[32];

	kit_bytes(a, sizeof(a), k->bytes[0]);
	kit_bytes(b, sizeof(b), k->bytes[1]);
	kit_bytes(d, sizeof(d), k->bytes[2]);
	milliseconds_words(took, sizeof(took), k->seconds);
	str_addf(out, _("%s at %d: %s between L1 or shared memory and the "
			"registers, %s between L2 and L1, %s between DRAM and "
			"L2; it took %s. "), k->label, m->size.m, a, b, d,
		 took);
	if (!m->raced)
		return;
	milliseconds_words(least, sizeof(least), k->least[k->slowest]);
	if (!is_part(k)) {
		str_addf(out, _("The rate of %s was measured in another run, "
				"and is too low for this one. "),
			 level_name(k->slowest + 1));
		return;
	}
	str_addf(out, _("%s at its full rate takes %s for its part. "),
		 level_name(k->slowest + 1), least);
}

/* Tells of all columns, first of that of the kernel on stage. */
static void words(struct str *out, const struct frame_model *s)
{
	const struct scene_memory *m = s->scene->memory;

	for (int own = 1; m && own >= 0; own--)
		for (size_t i = 0; i < m->count; i++)
			if (m->columns[i].own == own)
				add_column_words(out, m, &m->columns[i]);
	if (m && m->count && m->levels && m->levels->own)
		str_addf(out, _("Traffic as counted on %s; what each level "
				"gives as calibrated on %s on %s. "),
			 m->gpu, m->levels->gpu, m->levels->date);
}

/* Writes the words where the floors have no room. */
static void draw_in_words(struct canvas *c, struct rect r,
			  const struct frame_model *s)
{
	struct str text = {0};

	if (s->quiet)
		str_add(&text, _("Answer first to see the traffic."));
	else
		words(&text, s);
	prose_text(c, r, 0, text.data, INK(ROLE_TEXT));
	str_done(&text);
}

static void draw(struct canvas *c, struct rect r, const struct frame_model *s)
{
	const struct scene_memory *m = s->scene->memory;
	struct floors f;
	bool own = m && m->count && m->levels && m->levels->own;
	char note[160] = "";

	if (own)
		snprintf(note, sizeof(note), _("traffic: %s; floors: %s, "
					       "calibrated %s"),
			 m->gpu, m->levels->gpu, m->levels->date);
	else if (m && m->count)
		snprintf(note, sizeof(note),
			 _("%d \xc3\x97 %d \xc3\x97 %d, %s"),
			 m->size.m, m->size.n, m->size.k, m->gpu);
	r = canvas_frame(c, r, r.w >= 90 && !own ?
			 _("the memory's floors: the wider a shaft, the more "
			   "bytes pass it") : _("the memory's floors"), note,
			 false);
	if (!m || !m->count) {
		prose_text(c, r, 0, _("This kernel has not been measured."),
			   INK(ROLE_DIM));
		return;
	}
	if (r.w < COLUMN_LEAST || r.h < (s->quiet ? ROWS_QUIET : ROWS_LEAST)) {
		draw_in_words(c, r, s);
		return;
	}
	floors_layout(&f, r, m);
	for (int level = 0; level < MEMORY_LEVELS; level++)
		draw_floor(c, &f, m, level);
	draw_legend_heads(c, &f);
	if (s->quiet) {
		draw_rates(c, &f, m);
		return;
	}
	draw_kernel_labels(c, &f, m);
	for (int k = 0; k < MEMORY_SHAFTS; k++) {
		draw_thinner(c, &f, m, k);
		for (int i = 0; i < f.count; i++)
			draw_shaft(c, &f, s, i, k);
	}
	draw_kernel_times(c, &f, m);
}

static void prepare(struct stage *s, const struct turns *t)
{
	scene_memory(s, t->rung);
}

static const struct view_key keys[] = {
	{ .keys = { 'c' }, .key = "c C", .word = N_("kernel"),
	  .help = N_("the memory's floors: another kernel at the right"),
	  .turn = view_turn_rung, .by = 1 },
	{ .keys = { 'C' }, .turn = view_turn_rung, .by = -1 },
};

const struct view view_memory = {
	.name = "memory",
	.title = N_("memory"),
	.help = N_("bytes between registers, L1, L2, DRAM"),
	.pane = PANE_PICTURE,
	.wide = true,
	.available = view_on_ladder,
	.rank = view_never,
	.prepare = prepare,
	.draw = draw,
	.words = words,
	.keys = keys,
	.key_count = LENGTH(keys),
};
