/*
 * The measured times of a product on several GPUs, next to that of one GPU, to
 * those of its products and panels alone, and to the least that the link takes.
 * Each size has its own scale, the time of one GPU.
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "viz/pictures/scaling/scene_scaling.h"
#include "scene/stage.h"
#include "viz/frame_model.h"

#define SIZE 8		/* columns of "16384³" */
#define TIME 10		/* of "165.2 ms", */
#define SPREAD 8	/* "0.088 %" */
#define FACTOR 8	/* and "1.88 x" */
#define THICK 4		/* the most rows of a bar */

#define HUE_ONE ROLE_HUE3
#define HUE_PRODUCTS ROLE_HUE0
#define HUE_PANELS ROLE_HUE1
#define HUE_LINK ROLE_HUE2

/* Where rows stand. `most`: the rows of a size that fit. */
struct table {
	struct rect r;
	int name, bar;		/* columns */
	int thick, gap, most;
};

static struct table layout_table(struct rect r, const struct scene_scaling *s)
{
	struct table t = { .r = r, .most = SCALING_ROWS };
	int count = MAX(s->count, 1), rows = 0;

	t.name = r.w >= 150 ? 34 : r.w >= 100 ? 28 : 18;
	t.bar = r.w - SIZE - t.name - TIME - FACTOR -
		(r.w >= 60 ? SPREAD : 0);
	for (int i = 0; i < s->count; i++)
		rows = MAX(rows, s->size[i].count);
	t.most = MAX(1, MIN(rows, r.h / count));
	t.thick = MAX(1, MIN(THICK, r.h / (count * t.most)));
	t.gap = count > 1 && r.h > count * t.most * t.thick + count - 2;
	if (count > 1 && !t.gap && t.thick > 2) {
		t.thick--;
		t.gap = 1;
	}
	return t;
}

/* Returns the weight of a row: if not all fit, those of the greatest weight are
 * shown. */
static int row_weight(const struct scaling_row *row)
{
	static const int weights[] = {
		[SCALING_ONE] = 5, [SCALING_ALL] = 4, [SCALING_PARTS] = 3,
		[SCALING_LIMIT] = 2, [SCALING_FIRST] = 1,
	};

	return weights[row->what];
}

static bool has_table_room(const struct table *t, const struct scaling_size *z,
			   int i)
{
	int before = 0;

	for (int k = 0; k < z->count; k++)
		before += row_weight(&z->row[k]) > row_weight(&z->row[i]) ||
			  (row_weight(&z->row[k]) == row_weight(&z->row[i]) &&
			   k > i);
	return before < t->most;
}

/* ---- a row ---- */

static void scaling_name(char *buf, size_t size, const struct scaling_row *row,
			 bool room)
{
	switch (row->what) {
	case SCALING_ONE:
		snprintf(buf, size, "%s", room ? _("1 GPU, sgemm") :
						 _("1 GPU"));
		break;
	case SCALING_ALL:
		snprintf(buf, size, ngettext("%d GPU", "%d GPUs",
					     (unsigned long)row->gpus),
			 row->gpus);
		break;
	case SCALING_FIRST:
		snprintf(buf, size, "%s", room ?
			 _("... panels before products") :
			 _("... panels first"));
		break;
	case SCALING_PARTS:
		snprintf(buf, size, "%s", room ?
			 _("... no overlap of the two") :
			 _("... no overlap"));
		break;
	default:
		snprintf(buf, size, "%s", room ?
			 _("... the link at its best") : _("... link alone"));
	}
}

/* Tells whether an open question hides a row: it may ask for it. */
static bool is_hidden_row(const struct frame_model *s, const struct scaling_row *row)
{
	return s->quiet && row->what != SCALING_ONE &&
	       row->what != SCALING_LIMIT;
}

static void draw_scaling_bar(struct canvas *c, struct rect r,
			     const struct scaling_row *row, double most)
{
	double products = row->seconds - row->panels;
	int all = (int)(r.w * (row->seconds / most) + 0.5);
	enum role role = row->what == SCALING_ONE ? HUE_ONE :
			 row->what == SCALING_LIMIT ? HUE_LINK : HUE_PRODUCTS;

	for (int y = r.y; y < r.y + r.h; y++)
		if (row->what == SCALING_PARTS)
			kit_bar(c, r.x, y, MIN(MAX(all, 1), r.w),
				products / row->seconds, HUE_PRODUCTS,
				HUE_PANELS);
		else
			kit_bar(c, r.x, y, r.w, row->seconds / most, role,
				ROLE_NONE);
}

static void scaling_time_words(char *buf, size_t size, double seconds)
{
	double ms = seconds * 1e3;

	snprintf(buf, size, "%.*f ms", ms < 0.9995 ? 3 : kit_decimals(ms), ms);
}

static void draw_scaling_row(struct canvas *c, struct rect r,
			     const struct table *t, const struct frame_model *s,
			     const struct scaling_size *z,
			     const struct scaling_row *row)
{
	int x = r.x + SIZE, y = r.y + (r.h - 1) / 2;
	double most = 0;
	char text[64];

	for (int i = 0; i < z->count; i++)
		most = MAX(most, z->row[i].seconds);
	scaling_name(text, sizeof(text), row, t->name >= 28);
	canvas_text(c, x, y, t->name - 1, text,
		    row->what <= SCALING_ALL ? INK_BOLD(ROLE_STRONG) :
					       INK(ROLE_TEXT));
	x += t->name;
	if (is_hidden_row(s, row)) {
		canvas_text(c, x, y, 1, "?", INK_BOLD(ROLE_ACCENT));
		return;
	}
	draw_scaling_bar(c, (struct rect){ x, r.y, MAX(t->bar, 1), r.h }, row,
			 most);
	x += t->bar;
	scaling_time_words(text, sizeof(text), row->seconds);
	canvas_right(c, x, y, TIME, text, INK_BOLD(ROLE_STRONG));
	x += TIME;
	if (row->spread != NA && r.w >= 60) {
		snprintf(text, sizeof(text), "%.2g %%",
			 100 * row->spread);
		canvas_right(c, x, y, SPREAD, text, INK(ROLE_DIM));
	}
	if (row->faster == NA)
		return;
	snprintf(text, sizeof(text), "%.2f x", row->faster);
	canvas_right(c, r.x + r.w - FACTOR, y, FACTOR, text,
		     INK_BOLD(ROLE_GOOD));
}

/* ---- the picture ---- */

static void draw_table_head(struct canvas *c, struct rect r,
			    const struct table *t)
{
	int end = r.x + r.w;

	canvas_text(c, r.x, r.y, SIZE - 1, "n", INK(ROLE_DIM));
	canvas_right(c, end - FACTOR, r.y, FACTOR, _("faster"),
		     INK(ROLE_DIM));
	end -= FACTOR;
	if (r.w >= 60) {
		canvas_right(c, end - SPREAD, r.y, SPREAD, _("spread"),
			     INK(ROLE_DIM));
		end -= SPREAD;
	}
	canvas_right(c, end - TIME, r.y, TIME, _("time"), INK(ROLE_DIM));
	kit_whole(c, r.x + SIZE + t->name, r.y, end - TIME - r.x - SIZE -
		  t->name, _("each n has its own scale"), INK(ROLE_DIM));
}

static void draw_sizes(struct canvas *c, const struct table *t,
		       const struct frame_model *s)
{
	const struct scene_scaling *m = s->scene->scaling;
	int y = t->r.y;

	for (int i = 0; i < m->count; i++) {
		const struct scaling_size *z = &m->size[i];
		bool first = true;

		for (int k = 0; k < z->count; k++) {
			struct rect r = { t->r.x, y, t->r.w, t->thick };

			if (!has_table_room(t, z, k))
				continue;
			if (first)
				canvas_textf(c, r.x, y + (r.h - 1) / 2,
					     SIZE - 1, INK_BOLD(ROLE_ACCENT),
					     "%d", z->n);
			first = false;
			draw_scaling_row(c, r, t, s, z, &z->row[k]);
			y += t->thick;
		}
		y += t->gap;
	}
}

static void add_machine(struct str *out, const struct scene_scaling *m)
{
	str_addf(out, ngettext("C = A B, n x n x n, on %d GPU: %s, %s. ",
			       "C = A B, n x n x n, on up to %d GPUs: %s, %s. ",
			       (unsigned long)m->gpus), m->gpus, m->gpu,
		 m->date);
	if (m->copied != NA)
		str_addf(out, _("A copy from one to another moves %.0f GB/s. "),
			 m->copied / 1e9);
}

static void draw(struct canvas *c, struct rect r, const struct frame_model *s)
{
	const struct scene_scaling *m = s->scene->scaling;
	struct rect clip = canvas_clip(c, r);
	struct str words = { 0 };
	struct table t;

	if (!m || !m->count) {
		prose_text(c, r, 0, _("No times of several GPUs are here."),
			   INK(ROLE_DIM));
		canvas_clip(c, clip);
		return;
	}
	add_machine(&words, m);
	prose_fit(c, (struct rect){ r.x, r.y, r.w, 1 }, words.data,
		  INK(ROLE_TEXT));
	str_done(&words);
	t = layout_table((struct rect){ r.x, r.y + 2, r.w, r.h - 2 }, m);
	draw_table_head(c, (struct rect){ r.x, r.y + 1, r.w, 1 }, &t);
	draw_sizes(c, &t, s);
	canvas_clip(c, clip);
}

/* ---- words ---- */

static void add_scaling_row(struct str *out, const struct scaling_size *z,
			    const struct scaling_row *row)
{
	char time[32], panels[32];

	scaling_time_words(time, sizeof(time), row->seconds);
	scaling_time_words(panels, sizeof(panels), row->panels);
	switch (row->what) {
	case SCALING_ONE:
		str_addf(out, _("At %d, one GPU takes %s. "), z->n, time);
		break;
	case SCALING_ALL:
		str_addf(out, ngettext("%d GPU takes %s; samples differ by "
				       "%.0f %%. ", "%d GPUs take %s; samples "
				       "differ by %.0f %%. ",
				       (unsigned long)row->gpus), row->gpus,
			 time, 100 * row->spread);
		if (row->faster != NA)
			str_addf(out, _("That is %.2f times as fast. "),
				 row->faster);
		break;
	case SCALING_FIRST:
		str_addf(out, _("Where panels go before products it is %s. "),
			 time);
		break;
	case SCALING_PARTS:
		str_addf(out, _("Products and then panels alone take %s, of "
				"which the panels are %s. "), time, panels);
		break;
	default:
		str_addf(out, _("The link needs %s at its best. "), time);
	}
}

static void words(struct str *out, const struct frame_model *s)
{
	const struct scene_scaling *m = s->scene->scaling;

	if (!m || !m->count)
		return;
	add_machine(out, m);
	for (int i = 0; i < m->count; i++)
		for (int k = 0; k < m->size[i].count; k++)
			add_scaling_row(out, &m->size[i], &m->size[i].row[k]);
}

static bool available(const struct frame_model *s)
{
	return s->scene && s->scene->info && s->scene->info->devices > 1;
}

static void prepare(struct stage *s, const struct turns *t)
{
	(void)t;
	scene_scaling(s);
}

const struct view view_scaling = {
	.name = "scaling",
	.title = N_("several GPUs"),
	.help = N_("what several GPUs took, as measured"),
	.pane = PANE_PICTURE,
	.wide = true,
	.available = available,
	.rank = view_never,
	.prepare = prepare,
	.draw = draw,
	.words = words,
};
