/*
 * view_fragments: which lane holds which element of a matrix instruction's
 * operands; pairs of A and B run into the element of C that is made.
 */
#include "viz/pictures/fragments/view_fragments.h"

#include <stdio.h>

#include "base/text.h"
#include "viz/kit.h"

/* ---- titles ---- */

#define TITLE 9	/* columns of "B  16 x 8" */
#define ASIDE 15	/* and from the widest, "B  16 x 16", to B's elements */

static void name_matrix(struct canvas *c, int x, int y, int w,
			const struct board_operand *o, const char *more)
{
	char size[32];
	int used;

	snprintf(size, sizeof(size), "%c  %d \xc3\x97 %d", o->name,
		 o->layout->rows, o->layout->cols);
	used = kit_whole(c, x, y, w, size, INK_BOLD(ROLE_STRONG));
	if (used)
		kit_whole(c, x + used + 2, y, w - used - 2, more,
			  INK(ROLE_DIM));
}

/* Names the operands: at their sides, or by a letter at their corners; that of A
 * by a letter, too, where something else stands above it. */
static void draw_titles(struct canvas *c, const struct board *b, struct rect r,
			bool above)
{
	const struct board_operand *const all[] = { &b->a, &b->b, &b->c };
	const char *name = b->s->scene->fragments->name;
	int right = b->c.r.x + b->c.r.w + 2, room = r.x + r.w - right;
	bool beside = b->cross && room >= TITLE, fill = fragments_fill(b->s);
	int left = b->b.r.x - ASIDE;

	if (b->cross && !beside && left >= r.x) {
		name_matrix(c, left, b->b.r.y, ASIDE - 4, &b->b, "");
		kit_whole(c, left, b->b.r.y + 1, ASIDE - 4, _("k down"),
			  INK(ROLE_DIM));
	}
	if (beside)
		name_matrix(c, right, b->b.r.y, room, &b->b, _("k down"));
	if (beside && !fill) {
		kit_whole(c, right, b->b.r.y + 1, room, name, INK(ROLE_DIM));
		name_matrix(c, right, b->c.r.y + b->c.r.h - 1, room, &b->c, "");
	}
	if (b->cross && !above && b->a.r.y - 2 >= r.y)
		name_matrix(c, b->a.r.x, b->a.r.y - 2, b->a.r.w, &b->a,
			    _("k to the right"));
	for (int i = fill && beside ? 2 : 0; i < (beside && !fill ? above : 3);
	     i++)
		if (all[i]->layout && all[i]->r.y > r.y)
			canvas_put(c, all[i]->r.x - 2, all[i]->r.y - 1,
				   (uint32_t)all[i]->name,
				   INK_BOLD(ROLE_STRONG));
}

/* ---- around the operands ---- */

/* The rows from which on the list stands below, not at the right, and those
 * that it takes above the other instruction. */
#define BELOW 9
#define LIST_ROWS 12

/* The room that the operands leave. */
struct room { struct rect corner, right, below; };

static struct room find_free_room(const struct board *b, struct rect r)
{
	int right = b->c.r.x + b->c.r.w + 2, under = b->c.r.y + b->c.r.h + 1;
	int head = b->cross && r.x + r.w - right >= TITLE ? 3 : 0;

	if (b->a.layout && !b->cross)
		under = MAX(under, b->b.r.y + b->b.r.h + 1);
	return (struct room){
		.corner = { r.x, r.y, b->cross ? b->a.r.x + b->a.r.w - r.x : 0,
			    b->a.r.y - 1 - r.y },
		.right = { right, r.y + head, r.x + r.w - right,
			   b->c.r.y + b->c.r.h - r.y - head - (head > 0) },
		.below = { r.x + 1, under, r.w - 1, r.y + r.h - under },
	};
}

static void take_rows(struct rect *r, int rows)
{
	r->y += rows ? rows + 1 : 0;
	r->h -= rows ? rows + 1 : 0;
}

/* Writes how it is known where the elements are. */
static int draw_caveat(struct canvas *c, struct rect r, const struct board *b)
{
	const struct fragments *f = b->s->scene->fragments;
	char caveat[64];
	int rows, named = text_width(f->name) <= r.w;

	fragments_caveat(caveat, sizeof(caveat), b->c.layout);
	rows = named + prose_text(NULL, r, 0, caveat, INK(ROLE_WARN));
	if (!caveat[0] || r.w < 12 || rows > r.h)
		return 0;
	kit_whole(c, r.x, r.y, r.w, f->name, INK_BOLD(ROLE_STRONG));
	r.y += named;
	prose_text(c, r, 0, caveat, INK(ROLE_WARN));
	return rows;
}

/* Draws the other instruction below the list, which then keeps to the rows
 * above it, or below the operands of a picture that fills the screen. */
static bool draw_other_below(struct canvas *c, struct room *m,
			     const struct board *b)
{
	struct rect low = m->right;

	low.y += LIST_ROWS;
	low.h -= LIST_ROWS;
	if (fragments_other(c, low, b))
		m->right.h = LIST_ROWS;
	else if (fragments_fill(b->s) && fragments_other(c, m->below, b))
		m->below.h = 0;
	else
		return false;
	return true;
}

/* Draws the list of registers where it has most room. */
static void draw_list(struct canvas *c, struct room *m, const struct board *b)
{
	struct rect *const places[] = { &m->below, &m->right, &m->corner,
					&m->below };

	for (size_t i = 0; i < LENGTH(places); i++) {
		bool below = places[i] == &m->below;
		int rows = below && !i && m->below.h < BELOW ? 0 :
			   fragments_list(c, *places[i], b, below);

		take_rows(places[i], rows);
		if (rows)
			return;
	}
}

/* Draws around the operands, as far as there is room: how their places are
 * known, what the lane holds, the other instruction, what the colours mean. */
static void draw_around(struct canvas *c, const struct board *b, struct rect r,
			int under)
{
	struct room m = find_free_room(b, r);
	struct rect *const places[] = { &m.corner, &m.right, &m.below };
	struct rect *told;
	int rows = 0, corner;
	/* B's name stands at its left where it has no room at its right. */
	int aside = r.x + r.w - m.right.x < TITLE ? ASIDE : 4;
	bool above, other;

	take_rows(&m.below, under);
	for (size_t i = 0; i < LENGTH(places) && !rows; i++)
		take_rows(places[i], rows = draw_caveat(c, *places[i], b));
	if (b->cross && !rows)
		m.corner.w = MIN(m.corner.w, b->b.r.x - aside - m.corner.x);
	if (fragments_fill(b->s)) {
		told = b->cross ? &m.corner : &m.below;
		m.corner.x++;
		m.corner.w = b->cross ? b->b.r.x - aside - m.corner.x : 0;
		take_rows(told, fragments_tell(c, *told, b));
	}
	corner = m.corner.h;
	other = draw_other_below(c, &m, b);
	draw_list(c, &m, b);
	above = (!other && fragments_other(c, m.corner, b)) ||
		m.corner.h < MIN(corner, 2);
	m.corner.h -= above ? m.corner.h : 1;
	draw_titles(c, b, r, above);
	if (!fragments_legend(c, m.right, r, b, true) &&
	    !fragments_legend(c, m.corner, r, b, true))
		fragments_legend(c, m.below, r, b, false);
}

/* Names the warps beside their bands of a wgmma's C, and what of it is left out.
 * Returns the rows used below C. */
static int draw_bands(struct canvas *c, const struct board *b, struct rect r)
{
	const struct fragments *f = b->s->scene->fragments;
	int y = b->c.r.y + b->c.r.h, x = b->c.r.x + b->c.r.w + 1, used = 0;
	char words[96];

	for (int i = 0; i < 4 && b->c.rows == f->m; i++) {
		snprintf(words, sizeof(words), _("warp %d"), i);
		kit_whole(c, x, b->c.top[i * f->m / 4] / 2, r.x + r.w - x,
			  words, i == f->quarter ? INK_BOLD(ROLE_STRONG) :
						   INK(ROLE_DIM));
	}
	snprintf(words, sizeof(words), _("warp %d of 4: rows %d to %d; the "
		 "others' look alike"), f->quarter, b->c.row0,
		 b->c.row0 + b->c.rows - 1);
	if (b->c.rows < f->m && y < r.y + r.h)
		used += kit_whole(c, r.x, y, r.w, words, INK(ROLE_DIM)) > 0;
	snprintf(words, sizeof(words), _("columns 0 to %d of %d: the lanes "
		 "repeat every 8"), b->c.cols - 1, f->n);
	if (b->c.cols < f->n && y + used < r.y + r.h)
		used += kit_whole(c, r.x, y + used, r.w, words,
				  INK(ROLE_DIM)) > 0;
	return used;
}

static void draw_operands(struct canvas *c, struct rect r, const struct frame_model *s)
{
	struct str words = {0};
	struct board b;

	board_init(&b, s);
	if (!board_place(&b, r)) {
		fragments_sentences(&words, s);
		if (!fragments_list(c, r, &b, false) || s->quiet)
			prose_fit(c, r, words.data, INK(ROLE_TEXT));
		str_done(&words);
		return;
	}
	board_draw(c, &b);
	draw_around(c, &b, r, b.a.layout ? 0 : draw_bands(c, &b, r));
}

static void hit(const struct frame_model *s, struct rect r, int x, int y,
		struct hit *hit)
{
	const struct fragments *f = s->scene ? s->scene->fragments : NULL;
	struct fragment_place p;
	struct board b;

	if (!f || f->kind == FRAGMENTS_MATRIX)
		return;
	board_init(&b, s);
	if (!board_place(&b, r) || (!board_find(&b, &b.c, x, y, &p) &&
				    !board_find(&b, &b.a, x, y, &p) &&
				    !board_find(&b, &b.b, x, y, &p)))
		return;
	hit->kind = HIT_LANE;
	hit->index = p.lane % WARP_LANES;
}

static bool available(const struct frame_model *s)
{
	const struct scene *sc = s->scene;

	for (size_t i = 0; sc && sc->info && i < sc->info->site_count; i++)
		if (fragments_at(sc, &sc->info->sites[i], NULL) !=
		    FRAGMENTS_NONE)
			return true;
	return false;
}

/* Tells whether this warp multiplies, and does not only copy. */
static bool offered(const struct frame_model *s)
{
	const struct scene *sc = s->scene;

	for (size_t i = 0; sc->visits && i < sc->info->site_count; i++)
		if (sc->visits[i] && fragments_at(sc, &sc->info->sites[i],
						  NULL) != FRAGMENTS_NONE)
			return true;
	return false;
}

static void draw(struct canvas *c, struct rect r, const struct frame_model *s)
{
	struct rect clip = canvas_clip(c, r);

	if (!s->scene || !s->scene->fragments)
		prose_text(c, r, 0, _("This warp multiplies nothing by tensor "
				      "cores: w leads to another warp."), INK(ROLE_DIM));
	else if (s->scene->fragments->kind == FRAGMENTS_MATRIX)
		fragments_rows(c, r, s);
	else
		draw_operands(c, r, s);
	canvas_clip(c, clip);
}

static enum view_rank rank(const struct scene *sc)
{
	return fragments_at(sc, sc->site, NULL) != FRAGMENTS_NONE ?
	       RANK_STEP : RANK_NONE;
}

static void prepare(struct stage *s, const struct turns *t)
{
	(void)t;
	scene_fragments(s);
}

static const struct view_key keys[] = {
	{ .keys = { 'l' }, .key = "l L", .word = N_("lane") },
};

const struct view view_fragments = {
	.name = "fragments",
	.title = N_("fragments"),
	.help = N_("which lane holds which element of a matrix instruction"),
	.pane = PANE_PICTURE,
	.available = available,
	.offered = offered,
	.rank = rank,
	.fills = fragments_fill,
	.prepare = prepare,
	.draw = draw,
	.words = fragments_sentences,
	.hit = hit,
	.keys = keys,
	.key_count = LENGTH(keys),
};
