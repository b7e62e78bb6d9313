/* layout: where things stand, as a pure function of the size. */
#include "viz/show.h"
#include "base/text.h"

#define GAP 2		/* columns between A or the panel and C */

static const struct stage_array *matrix(const struct show *s, int index)
{
	return s->scene && index >= 0 ? &s->scene->arrays[index] : NULL;
}

static int side(int elements, int scale)
{
	return (elements + scale - 1) / scale;
}

int picture_width(const struct stage_array *a, int scale, int cells)
{
	if (!a)
		return 16;
	return cells > 1 ? (int)a->cols * cells :
			   side((int)a->cols, scale);
}

int picture_height(const struct stage_array *a, int scale, int cells)
{
	if (!a)
		return 8;
	return cells > 1 ? (int)a->rows :
			   (side((int)a->rows, scale) + 1) / 2;
}

/*
 * A left of C, B above C, each with a row for its title; where that row is
 * what is missing, B's name stands beside it if it fits between panel and B.
 * The smallest scale that fits, and two cells an element where there is room
 * or the reader zooms in (then the pictures are cut and follow the focus).
 */
static void place_matrices(struct layout *l, const struct show *s)
{
	const struct stage_array *a = matrix(s, s->scene ? s->scene->a : -1);
	const struct stage_array *b = matrix(s, s->scene ? s->scene->b : -1);
	const struct stage_array *c = matrix(s, s->scene ? s->scene->c : -1);
	struct rect r = l->stage;
	int titles = s->zoom || (b && text_width(b->array->name) > GAP) ? 2 : 1;
	int aw, cw, bh, ch;

	l->cells = 2;
	for (l->scale = 1; l->scale < 1 << 20; ) {
		aw = picture_width(a, l->scale, l->cells);
		cw = MAX(picture_width(c, l->scale, l->cells),
			 picture_width(b, l->scale, l->cells));
		bh = picture_height(b, l->scale, l->cells);
		ch = MAX(picture_height(c, l->scale, l->cells),
			 picture_height(a, l->scale, l->cells));
		if (aw + GAP + cw <= r.w && bh + ch + titles <= r.h)
			break;
		if (l->cells == 2 && s->zoom) {
			cw = MIN(cw, (r.w - GAP) / 2);
			aw = MIN(aw, r.w - GAP - cw);
			ch = MIN(ch, (r.h - titles) / 2);
			bh = MIN(bh, r.h - titles - ch);
			break;
		}
		if (l->cells == 2)
			l->cells = 1;
		else
			l->scale *= 2;
	}
	l->c = (struct rect){ r.x + r.w - cw, r.y + r.h - ch, cw, ch };
	l->b = (struct rect){ l->c.x, l->c.y - 1 - bh, cw, bh };
	l->a = (struct rect){ l->c.x - GAP - aw, l->c.y, aw, ch };
}

/* The empty quadrant above A, when something can be said in it. */
static void place_panel(struct layout *l)
{
	struct rect r = l->stage;

	l->panel = (struct rect){ r.x, r.y, l->c.x - GAP - r.x,
				  l->a.y - 1 - r.y };
	if (l->panel.w < 34 || l->panel.h < 9)
		l->panel = (struct rect){0};
	if (l->panel.h >= 34) {	/* room for two */
		l->second = l->panel;
		l->panel.h = l->panel.h * 6 / 10;
		l->second.y += l->panel.h;
		l->second.h -= l->panel.h;
	}
}

/* The words get what they need, the source at least `least` rows. */
static void place_words(struct layout *l, const struct show *s,
			struct rect column, int least)
{
	int need = 0;

	if (s->lesson.title) {
		need = MAX(lesson_rows(&s->lesson, column.w), column.h / 2);
		need = MIN(need, column.h - least);
	}
	l->source = column;
	l->source.h -= need;
	l->lesson = (struct rect){ column.x, column.y + l->source.h,
				   column.w, need };
}

static void layout_full(struct layout *l, int w, const struct show *s,
			struct rect body)
{
	int left = w * 42 / 100;

	left = left < 50 ? 50 : left > 76 ? 76 : left;
	place_words(l, s, (struct rect){ body.x, body.y, left, body.h }, 9);
	l->stage = (struct rect){ body.x + left + 1, body.y,
				  w - left - 1, body.h };
	place_matrices(l, s);
	place_panel(l);
}

static void layout_halves(struct layout *l, int w, const struct show *s,
			  struct rect body)
{
	int left = (w + 1) / 2 - 1;
	struct rect right = { body.x + left + 1, body.y, w - left - 1,
			      body.h };

	place_words(l, s, (struct rect){ body.x, body.y, left, body.h }, 5);
	l->stage = right;
	place_matrices(l, s);
	if (s->pane == PANE_PANEL) {
		l->panel = right;
		l->stage = l->a = l->b = l->c = (struct rect){0};
	}
}

static void layout_single(struct layout *l, const struct show *s,
			  struct rect body)
{
	l->stage = body;
	place_matrices(l, s);
	if (s->pane == PANE_STAGE)
		return;
	l->stage = l->a = l->b = l->c = (struct rect){0};
	if (s->pane == PANE_PANEL)
		l->panel = body;
	else if (s->pane == PANE_SOURCE || !s->lesson.title)
		l->source = body;
	else
		l->lesson = body;
}

void layout_make(struct layout *l, int w, int h, const struct show *s)
{
	struct rect body = { 0, 1, w, h - 3 };

	*l = (struct layout){ .scale = 1, .cells = 1 };
	if (w < LAYOUT_MIN_W || h < LAYOUT_MIN_H)
		return;
	l->header = (struct rect){ 0, 0, w, 1 };
	l->timeline = (struct rect){ 0, h - 2, w, 1 };
	l->keys = (struct rect){ 0, h - 1, w, 1 };
	/* On a projector: few panes, and large ones. */
	if (w >= 110 && h >= 30 && !s->presenter) {
		l->kind = LAYOUT_FULL;
		layout_full(l, w, s, body);
	} else if (w >= 76 && h >= 20) {
		l->kind = LAYOUT_HALVES;
		layout_halves(l, w, s, body);
	} else {
		l->kind = LAYOUT_SINGLE;
		layout_single(l, s, body);
	}
}
