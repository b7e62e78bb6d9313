/* Draws what one lane holds: each register with its elements. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "viz/kit.h"
#include "viz/pictures/fragments/view_fragments.h"

#define NARROW 13	/* columns of an element: "a7 A[10][11]", */
#define WIDE 20		/* and with its value */

static const struct fragments_operand *operand_values(const struct fragments *f,
						 char name)
{
	return name == 'A' ? &f->a : name == 'B' ? &f->b : &f->d;
}

/* Gets the value of an element, wherever it is; false: it is not known. */
static bool get_value(const struct fragments_operand *o,
		      const struct fragment_place *p, double *v)
{
	int lane = p->lane % WARP_LANES;

	if (p->element >= FRAGMENTS_ELEMENTS || !o->known[lane][p->element])
		return false;
	*v = o->value[lane][p->element];
	return true;
}

/* Computes the focused lane's element of C as it is now: before the products,
 * with those that have arrived, or after them. */
static bool sum_now(const struct board *b, const struct fragment_place *p,
		    double *sum)
{
	const struct fragments *f = b->s->scene->fragments;
	bool mma = f->kind == FRAGMENTS_MMA;
	int n = p->element == b->focus.element || !mma ? board_pairs(b) :
		p->element < b->focus.element || f->multiplied ? f->k : 0;

	if (n >= f->k)
		return get_value(&f->d, p, sum);
	if (!get_value(&f->c, p, sum))
		return false;
	for (int k = 0; k < n; k++) {
		struct fragment_place at[2] = {
			board_holder(&b->a, p->row, k),
			board_holder(&b->b, k, p->col),
		};
		double of_a, of_b;

		if (!get_value(&f->a, &at[0], &of_a) ||
		    !get_value(&f->b, &at[1], &of_b))
			return false;
		*sum += of_a * of_b;
	}
	return true;
}

/* Draws one element: its name, its place, and its value where there is room. */
static void draw_list_element(struct canvas *c, struct rect r,
			      const struct board *b,
			      const struct board_operand *o,
			      const struct fragment_place *p)
{
	const struct fragments *f = b->s->scene->fragments;
	char name[8], value[16] = "";
	double v;
	int used;

	if (o->name == 'C' ? sum_now(b, p, &v) :
			     get_value(operand_values(f, o->name), p, &v))
		number_fit(value, sizeof(value), v, 6);
	snprintf(name, sizeof(name), "%c%d", o->name - 'A' + 'a', p->element);
	canvas_fill(c, r, ' ', INK_FOCUS);
	used = MAX(canvas_text(c, r.x, r.y, r.w, name, INK_FOCUS), 2) + 1;
	canvas_textf(c, r.x + used, r.y, r.w - used,
		     INK_ON(ROLE_ON_HUE, ROLE_CURSOR), "%c[%d][%d]", o->name,
		     p->row, p->col);
	if (r.w >= WIDE - 2)
		canvas_right(c, r.x, r.y, r.w, value, INK_FOCUS);
}

/* Returns the lane's elements of an operand, copies left out. */
static int count_own(const struct board_operand *o)
{
	return o->layout ? o->layout->elements / o->layout->copies : 0;
}

/* Draws the lane's elements of an operand, `each` of them in a row. Returns the
 * rows used. */
static int draw_own(struct canvas *c, struct rect r, const struct board *b,
		    const struct board_operand *o, int each)
{
	int n = count_own(o), w = MIN(r.w / each, WIDE), at = 0;

	for (int e = 0; e < o->layout->elements && at / each < r.h; e++) {
		struct fragment_place p = { .lane = b->lane, .element = e };

		fragment_element(o->layout, &p);
		if (p.copy)
			continue;
		draw_list_element(c, (struct rect){ r.x + at % each * w,
						    r.y + at / each, w - 1, 1 },
				  b, o, &p);
		at++;
	}
	return MIN((n + each - 1) / each, r.h);
}

/* Returns the rows of a list with `each` elements in a row. */
static int list_rows(const struct board *b, int each)
{
	const struct board_operand *const all[] = { &b->a, &b->b, &b->c };
	int rows = 0;

	for (int i = 0; i < 3; i++)
		rows += (count_own(all[i]) + each - 1) / each;
	return rows;
}

static void draw_list_title(struct canvas *c, struct rect r,
			    const struct board *b)
{
	int x = r.x + canvas_textf(c, r.x, r.y, r.w, INK_BOLD(ROLE_STRONG),
				   _("lane %u's registers"),
				   b->s->scene->cursor.lane) + 2;

	kit_whole(c, x, r.y, r.x + r.w - x, b->a.layout &&
		  b->a.layout->bits == 16 && b->c.layout->bits == 32 ?
		  _("two halves or one float each") : "", INK(ROLE_FAINT));
}

int fragments_list(struct canvas *c, struct rect r, const struct board *b,
		   bool across)
{
	const struct board_operand *const all[] = { &b->a, &b->b, &b->c };
	int parts = across && b->a.layout ? 3 : 1, y = r.y + 1, rows, gap;
	int each = across ? MAX(1, r.w / parts / WIDE) :
			    MAX(1, MIN(r.w / NARROW, 2));

	/* One column with values is better than two without. */
	if (each > 1 && r.w < 2 * WIDE && list_rows(b, 1) < r.h)
		each = 1;
	rows = across ? MAX(count_own(&b->a), count_own(&b->c)) :
			list_rows(b, each);
	if (across && rows < r.h)
		each = 1;
	else if (across)
		rows = (rows + each - 1) / each;
	if (r.w < NARROW || (b->a.layout ? rows + 1 > r.h : r.h < 3))
		return 0;
	gap = !across && rows + 3 <= r.h;
	if (b->s->quiet)
		return rows + 1;
	draw_list_title(c, r, b);
	for (int i = 0; i < 3; i++) {
		struct rect at = { r.x + i % parts * (r.w / parts), y,
				   r.w / parts, r.y + r.h - y };

		if (all[i]->layout)
			rows = draw_own(c, at, b, all[i], each);
		y += !across && all[i]->layout ? rows + gap : 0;
	}
	return (across ? y + rows : y - gap) - r.y;
}
