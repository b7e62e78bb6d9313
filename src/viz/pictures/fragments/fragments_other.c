/* Draws mma beside wmma, or wmma beside mma: two of one are the other. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "viz/kit.h"
#include "viz/pictures/fragments/view_fragments.h"

static const struct { const char *shape, *other; } pairs[] = {
	{ "m16n8k16.", "wmma.m16n16k16." }, { "wmma.m16n16k16.", "m16n8k16." },
};

/* Names the other instruction for the same types; false: there is none. */
static bool name_other(const char *name, char other[32])
{
	for (size_t i = 0; i < LENGTH(pairs); i++)
		if (!strncmp(name, pairs[i].shape, strlen(pairs[i].shape))) {
			snprintf(other, 32, "%s%s", pairs[i].other,
				 name + strlen(pairs[i].shape));
			return true;
		}
	return false;
}

/* Tells whether the wide operand is the narrow one, side by side: each element
 * is with the lane that has the narrow one's 8 columns away, or the same one. */
static bool is_same_twice(const struct fragment *narrow,
			    const struct fragment *wide)
{
	for (int lane = 0; lane < WARP_LANES; lane++)
		for (int e = 0; e < wide->elements; e++) {
			struct fragment_place p = { .lane = lane, .element = e };

			fragment_element(wide, &p);
			p.col %= narrow->cols;
			p.copy = 0;
			fragment_holder(narrow, &p);
			if (p.lane != lane)
				return false;
		}
	return narrow->rows == wide->rows;
}

/* The other instruction's layouts. */
struct other {
	char name[32];
	struct fragment of[3];
};

static bool find_other(const struct fragments *f, struct other *o)
{
	const struct fragment *own[] = { &f->a.layout, &f->b.layout,
					 &f->d.layout };
	struct error e;

	if (!name_other(f->name, o->name))
		return false;
	for (int i = 0; i < 3; i++) {
		const struct fragment_wish wish = { .name = o->name,
						    .operand = "ABC"[i] };

		if (fragment_find(&wish, &o->of[i], &e) ||
		    !(own[i]->cols <= o->of[i].cols ?
		      is_same_twice(own[i], &o->of[i]) :
		      is_same_twice(&o->of[i], own[i])))
			return false;
	}
	return true;
}

void fragments_caveat(char *buf, size_t size, const struct fragment *layout)
{
	snprintf(buf, size, "%s", layout->source == FRAGMENT_MEASURED ?
		 _("measured, not promised") :
		 layout->source == FRAGMENT_INFERRED ?
		 _("inferred, not measured") : "");
}

/* Writes next to B and above A what the two have in common, and how that is
 * known. */
static bool write_common(struct canvas *c, struct rect r, const struct other *o,
			 bool wide, const struct fragment *measured)
{
	const char *common = wide ?
		_("Two mma side by side: the same lanes left and right.") :
		_("Half of a wmma: two of these are side by side.");
	char caveat[64], name[32];
	int rows, below;

	snprintf(name, sizeof(name), "%.*s", (int)(strrchr(o->name, '.') -
						   o->name), o->name);
	fragments_caveat(caveat, sizeof(caveat), measured);
	rows = prose_text(NULL, r, 0, common, INK(ROLE_TEXT));
	below = prose_text(NULL, r, 0, caveat, INK(ROLE_DIM));
	if (1 + rows + below > r.h || (int)strlen(name) > r.w)
		return false;
	canvas_text(c, r.x, r.y, r.w, name, INK_BOLD(ROLE_STRONG));
	r.y++;
	prose_text(c, r, 0, common, INK(ROLE_TEXT));
	r.y += rows;
	prose_text(c, r, 0, caveat, INK(ROLE_WARN));
	return true;
}

/* Names an operand in the row above it. */
static void name_operand(struct canvas *c, const struct board_operand *o, int w)
{
	char text[32];

	snprintf(text, sizeof(text), "%c %d \xc3\x97 %d", o->name, o->rows,
		 o->cols);
	kit_whole(c, o->r.x, o->r.y - 1, w, text, INK(ROLE_DIM));
}

bool fragments_other(struct canvas *c, struct rect r, const struct board *b)
{
	const struct fragments *f = b->s->scene->fragments;
	struct board small = { .s = b->s, .lane = b->lane };
	struct other o;
	int w = b->w / 2, h = b->h / 2, high, across, up;
	bool wide, title;

	if (f->kind != FRAGMENTS_MMA || !b->cross || w < 1 || !b->h ||
	    !find_other(f, &o))
		return false;
	small.a = (struct board_operand){ .layout = &o.of[0], .name = 'A',
		.rows = o.of[0].rows, .cols = o.of[0].cols };
	small.b = (struct board_operand){ .layout = &o.of[1], .name = 'B',
		.rows = o.of[1].rows, .cols = o.of[1].cols };
	small.c = (struct board_operand){ .layout = &o.of[2], .name = 'C',
		.rows = o.of[2].rows, .cols = o.of[2].cols };
	up = h ? small.b.rows * h : (small.b.rows + 1) / 2;
	high = up + (h ? small.a.rows * h : (small.a.rows + 1) / 2);
	across = (small.a.cols + small.b.cols) * w + 1;
	title = high < r.h;
	if (across > r.w || high > r.h)
		return false;
	wide = small.c.cols > f->n;
	if (!write_common(c, (struct rect){ r.x, r.y, small.a.cols * w,
					    up + title - 1 },
			  &o, wide, wide ? &o.of[2] : &f->d.layout))
		return false;
	board_place_at(&small, r.x, r.y + title, w, h);
	board_draw(c, &small);
	name_operand(c, &small.a, small.a.r.w);
	if (title)
		name_operand(c, &small.b, r.x + r.w - small.b.r.x);
	return true;
}
