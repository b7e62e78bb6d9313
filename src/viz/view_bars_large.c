/*
 * The race's bars for a room: few and thick, each with its figure in large
 * digits; a sentence about the chosen one stands below. Three colours: the
 * chosen one, cuBLAS, and all others.
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "viz/kit.h"
#include "viz/view_benchmark.h"

#define LEAST 4		/* rows of a bar, with the gap below it */

struct large {
	struct rect in;		/* of the bars; the sentence stands below */
	size_t row[TIMING_MAX_CASES];
	int count, per;		/* bars, and the rows of each */
	int label, digits;	/* columns */
};

/* Returns the last of the baselines, which is cuBLAS at its fastest; row_count:
 * there is none. */
static size_t last_baseline(const struct benchmark_scene *s)
{
	size_t i = s->row_count;

	while (i > 0 && !s->rows[i - 1].baseline)
		i--;
	return i ? i - 1 : s->row_count;
}

/* Returns the rows of a bar: eleven if five such bars fit in h rows, else six,
 * else four. */
static int rows_of_bar(int h)
{
	return h / 5 >= 11 ? 11 : h / 5 >= 6 ? 6 : LEAST;
}

/* Chooses the rows to show: those around the chosen one, and the fastest
 * baseline as the last. */
static void choose_rows(struct large *l, const struct benchmark_scene *s)
{
	size_t pin = last_baseline(s), most = (size_t)MAX(1, l->in.h / l->per);
	size_t room = most - (pin < s->row_count && most > 1), first = 0, i;

	if (s->chosen >= room && s->chosen != pin)
		first = s->chosen - room + 1;
	else if (s->chosen == pin && pin > room)
		first = pin - room;
	for (i = first; i < s->row_count && (size_t)l->count < room; i++)
		if (i != pin)
			l->row[l->count++] = i;
	if (pin < s->row_count && (size_t)l->count < most)
		l->row[l->count++] = pin;
	l->per = l->count ? MIN(l->in.h / l->count, 11) : l->per;
}

static struct large large_of(struct rect r, const struct benchmark_scene *s)
{
	struct large l = { .in = { r.x + 1, r.y + 1, r.w - 2, r.h - 3 } };

	l.per = rows_of_bar(l.in.h);
	choose_rows(&l, s);
	for (int i = 0; i < l.count; i++)
		l.label = MAX(l.label, text_width(s->rows[l.row[i]].called));
	l.label = MIN(l.label, l.in.w / 4) + 2;
	l.digits = l.in.w * 3 / 10;
	return l;
}

static enum role bar_colour(const struct benchmark_scene *s, size_t i)
{
	return i == s->chosen ? ROLE_HUE0 :
	       s->rows[i].baseline ? ROLE_HUE3 : ROLE_HUE1;
}

static void draw_large_bar(struct canvas *c, const struct large *l, int nth,
			   const struct benchmark_scene *s)
{
	size_t i = l->row[nth];
	const struct benchmark_row *row = &s->rows[i];
	int y = l->in.y + nth * l->per, high = l->per - 1, rows;
	int x = l->in.x + l->label, w = l->in.w - l->label - l->digits - 1;
	struct rect big = { x + w + 1, y, l->digits, high };
	char text[32];

	kit_label(c, l->in.x, y + (high - 1) / 2, l->label - 2, s->rows[i].called,
		  true, INK_BOLD(i == s->chosen ? ROLE_ACCENT : ROLE_STRONG));
	if (!row->on || row->figures.flops == NA) {
		canvas_text(c, x, y + (high - 1) / 2, w, row->on ?
			    benchmark_state(row->state, row->never) :
			    _("not in the race"), INK(ROLE_DIM));
		return;
	}
	for (int k = 0; k < high; k++)
		kit_bar(c, x, y + k, w,
			s->scale > 0 ? MIN(1, row->figures.flops / s->scale) :
				       0,
			bar_colour(s, i), ROLE_FIELD);
	snprintf(text, sizeof(text), "%.*f", row->figures.flops < 99.95e12,
		 row->figures.flops / 1e12);
	kit_digits(big, text, &rows);
	big.y += (high - rows) / 2;
	kit_number(c, big, text, bar_colour(s, i));
}

/* Writes the chosen row's name, and why it is as fast as it is. */
static void draw_sentence(struct canvas *c, struct rect r,
			  const struct benchmark_scene *s)
{
	const struct benchmark_row *row = &s->rows[s->chosen];
	int x = r.x + canvas_text(c, r.x, r.y, r.w, s->rows[s->chosen].called,
				  INK_BOLD(ROLE_ACCENT)) + 2;
	struct str words = {0};

	benchmark_reason_words(&words, &row->reason);
	if (words.len)
		kit_whole(c, x, r.y, r.x + r.w - x, words.data,
			  INK_BOLD(ROLE_STRONG));
	str_done(&words);
}

void view_bars_large(struct canvas *c, struct rect r,
		     const struct benchmark_scene *s)
{
	struct large l = large_of(r, s);
	const char *unit = s->group == GROUP_TENSOR ?
		_("TFLOP/s, tensor cores") : s->group == GROUP_FLOAT ?
		_("TFLOP/s, CUDA cores") : _("TFLOP/s, median");

	if (!s->row_count || l.in.w < 30 || l.in.h < LEAST)
		return;
	canvas_right(c, l.in.x, r.y, l.in.w, unit, INK_BOLD(ROLE_STRONG));
	for (int i = 0; i < l.count; i++)
		draw_large_bar(c, &l, i, s);
	draw_sentence(c, (struct rect){ l.in.x, r.y + r.h - 1, l.in.w, 1 }, s);
}

int bars_large_hit(const struct benchmark_scene *s, struct rect r, int x, int y)
{
	struct large l = large_of(r, s);
	int nth = (y - l.in.y) / MAX(1, l.per);

	if (x < l.in.x || x >= l.in.x + l.in.w || y < l.in.y || nth >= l.count)
		return -1;
	return (int)l.row[nth];
}
