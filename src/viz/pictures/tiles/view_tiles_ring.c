/* view_tiles_ring: draws the stages that TMA fills, and the legend. */
#include <stdio.h>

#include "base/text.h"
#include "viz/legend.h"
#include "viz/pictures/tiles/scene_tiles.h"
#include "viz/pictures/tiles/tile_marks.h"

/* Returns the colour of a stage's tile: striped in flight, else in the hue of
 * the stage. */
static enum role turn_role(enum tile_turn turn, uint32_t stage, bool odd)
{
	switch (turn) {
	case TURN_IN_FLIGHT:
		return odd ? ROLE_FADE0 + stage % 4 : ROLE_FIELD;
	case TURN_READY:
		return ROLE_FADE0 + stage % 4;
	case TURN_IN_USE:
		return ROLE_HUE0 + stage % 4;
	case TURN_USED:
		return ROLE_SEEN;
	default:
		return ROLE_FIELD;
	}
}

/* A box of a stage, and its state. */
struct ring_turn {
	const struct road_box *box;
	uint32_t number, stage;
	enum tile_turn turn;
	const struct road_look *look;	/* what is read of it now, or NULL */
};
#define TURNS 64

static int find_turns(const struct frame_model *s, struct ring_turn *turns)
{
	const struct scene *sc = s->scene;
	int n = 0;

	for (uint32_t i = 0; i < sc->tiles->stages; i++) {
		uint32_t use = sc->tiles->stage[i];
		enum tile_turn turn = sc->tiles->turn[i];

		for (size_t k = 0; use != ROAD_NONE && n < TURNS &&
		     k < sc->road->uses[use].box_count; k++) {
			uint32_t number = sc->road->uses[use].boxes[k];
			struct ring_turn *t = &turns[n++];

			*t = (struct ring_turn){ &sc->road->boxes[number],
						 number, i, turn, NULL };
			if (turn == TURN_IN_FLIGHT &&
			    t->box->ordered > sc->road_now.when)
				t->turn = TURN_NONE;
			for (int w = 0; w < 2; w++)
				if (sc->road_now.looks[w].reads &&
				    sc->road_now.looks[w].box == number)
					t->look = &sc->road_now.looks[w];
		}
	}
	return n;
}

/* Tells whether the request at the cursor reads a byte of the box, counted from
 * the box's first byte in shared memory. */
static bool is_byte_read(const struct ring_turn *t, uint64_t byte)
{
	return t->look && byte / 16 < (uint64_t)t->box->to->tile.rows *
					      t->box->to->tile.pitch / 16 &&
	       t->look->reads[byte / 16];
}

void ring_shared(struct canvas *c, const struct tile_layout *l,
		 const struct frame_model *s, const struct tile_plane *p)
{
	struct marks m = marks_of(l, p);
	const struct tile_cell *cell =
		s->scene->tiles->cell[p->a - s->scene->arrays];
	uint32_t by = (uint32_t)l->size.scale, bytes = p->a->array->elem_bytes;
	struct ring_turn turns[TURNS];
	int n = find_turns(s, turns), at = 0;

	for (uint32_t y = 0; y < p->rows; y += by)
		for (uint32_t x = 0; x < p->cols; x += by) {
			uint32_t e = (p->row0 + y) * p->fold + x;
			const struct tile_value *v = &cell[e].now;
			enum role role = ROLE_FIELD;

			/* often the box of the mark before */
			if (y * p->fold + x >= tile_elements(p))
				continue;
			if (at >= n || turns[at].number != v->box)
				for (at = 0; at < n &&
				     turns[at].number != v->box; at++)
					;
			if (at < n &&
			    is_byte_read(&turns[at],
					 (uint64_t)e * bytes -
						 turns[at].box->to_at))
				role = ROLE_CURSOR;
			else if (at < n)
				role = v->zero ? ROLE_TILE :
				       turn_role(turns[at].turn,
						 turns[at].stage,
						 (x / by + y / by) % 2);
			mark_set(&m, p->row0 + y, x, role);
		}
	marks_draw(c, &m);
}

void ring_matrix(struct canvas *c, const struct tile_layout *l,
		 const struct frame_model *s, const struct tile_plane *p)
{
	struct marks m = marks_of(l, p);
	uint32_t by = (uint32_t)l->size.scale;
	struct ring_turn turns[TURNS];
	int n = find_turns(s, turns);

	for (uint32_t y = 0; y < p->rows; y += by)
		for (uint32_t x = 0; x < p->cols; x += by)
			mark_set(&m, p->row0 + y, p->col0 + x, ROLE_FIELD);
	for (int i = 0; i < n; i++) {
		const struct road_box *b = turns[i].box;

		if (b->from->array != p->a->id || turns[i].turn == TURN_NONE)
			continue;
		for (uint32_t y = 0; y < b->rows; y += by)
			for (uint32_t x = 0; x < b->cols; x += by)
				mark_set(&m, b->row + y, b->col + x,
					 turn_role(turns[i].turn,
						   turns[i].stage,
						   (x / by + y / by) % 2));
	}
	marks_draw(c, &m);
}

bool ring_title(char *buf, size_t size, const struct frame_model *s,
		const struct tile_plane *p, int w)
{
	const struct scene *sc = s->scene;
	uint64_t first = (uint64_t)p->row0 * p->fold *
			 p->a->array->elem_bytes;

	for (uint32_t i = 0; sc->tiles->ring && i < sc->tiles->stages; i++) {
		uint32_t use = sc->tiles->stage[i];

		for (size_t k = 0; use != ROAD_NONE &&
		     k < sc->road->uses[use].box_count; k++) {
			const struct road_box *b = &sc->road->boxes[
				sc->road->uses[use].boxes[k]];

			if (!road_holds(b, p->a->id, first))
				continue;
			snprintf(buf, size, _("tile %u"),
				 sc->road->uses[use].number);
			if (text_width(buf) > w)
				snprintf(buf, size, "%u",
					 sc->road->uses[use].number);
			return true;
		}
	}
	return false;
}

/* ---- stages that threads copy into ---- */

/* Gets the stage that holds the first element of a row, and whether it is A's;
 * false: the element is not known to come from A or B. */
static bool find_row_stage(const struct scene *sc, const struct tile_plane *p,
			   uint32_t row, uint32_t *stage, bool *is_a)
{
	const struct tile_cell *cell =
		&sc->tiles->cell[p->a - sc->arrays][row * p->fold];
	const struct pipeline *q = sc->pipeline;
	const struct tile_value *v;
	uint32_t at = 0, k;

	tile_state(sc, cell, &v);
	if (v->by < 0 || v->array < 0 ||
	    (v->array != sc->a && v->array != sc->b))
		return false;
	*is_a = v->array == sc->a;
	k = *is_a ? v->col : v->row;
	for (uint32_t i = 0; i < q->tile_count; i++)
		if (q->tiles[i].k <= k && q->tiles[i].k >= q->tiles[at].k)
			at = i;
	*stage = q->tiles[at].stage;
	return true;
}

/* Writes next to the plane where its stages are; `brief`: only their numbers.
 * Returns false if the words do not fit somewhere. */
static bool write_stages(struct canvas *c, const struct tile_layout *l,
			 const struct frame_model *s, const struct tile_plane *p,
			 bool brief)
{
	int wide = tile_width(&l->size, p->cols) + 1, x = p->x + wide;
	int h = tile_height(&l->size, p->rows), last = -1;

	for (int y = 0; y < h; y++) {
		uint32_t row = p->row0 + p->rows * (uint32_t)y / (uint32_t)h;
		int room = tile_room(l, p, p->y + y) - wide;
		uint32_t stage;
		bool is_a;
		char text[32];

		if (!find_row_stage(s->scene, p, row, &stage, &is_a) ||
		    last == (int)(2 * stage + is_a))
			continue;
		last = (int)(2 * stage + is_a);
		snprintf(text, sizeof(text), brief ? "%c %u" : _("%c stage %u"),
			 is_a ? 'A' : 'B', stage);
		if (!brief && text_width(text) > room)
			return false;
		/* Below the line from the word that is read to where it
		 * goes. */
		if (c && !kit_aside(c, x, p->y + y, room, text, INK(ROLE_DIM)))
			kit_aside(c, x, p->y + y + 1, room, text,
				  INK(ROLE_DIM));
	}
	return true;
}

void tiles_stages(struct canvas *c, const struct tile_layout *l,
		  const struct frame_model *s, const struct tile_plane *p)
{
	const struct pipeline *q = s->scene->pipeline;

	if (!q || q->stages < 2 || q->laps > 1 || p->slab >= 0)
		return;
	write_stages(c, l, s, p, !write_stages(NULL, l, s, p, false));
}

/* ---- the legend ---- */

/* Returns the word for what the bright marks do in this step. */
static const char *now_word(const struct scene *sc)
{
	if (!op_is_access(sc->site->op) || !sc->array)
		return _("now");
	if (sc->array->space == SPACE_SHARED)
		return sc->site->op == OP_ST ? _("stored now") : _("read now");
	return sc->array->space == SPACE_GLOBAL && sc->site->op == OP_LD ?
	       _("loaded now") : _("now");
}

void tiles_legend(struct canvas *c, struct rect r, struct rect picture,
		  const struct frame_model *s)
{
	const struct scene *sc = s->scene;
	bool product = sc->product;
	char lane[32];
	const struct legend_entry ring[] = {
		{ { ROLE_FADE0, ROLE_FADE1, ROLE_FADE2, ROLE_FADE3 },
		  _("ready; striped: in flight") },
		{ { ROLE_HUE0, ROLE_HUE1, ROLE_HUE2, ROLE_HUE3 },
		  _("in use") },
		{ { ROLE_CURSOR }, _("read now") },
		{ { ROLE_TRAIL2 }, _("threads") },
		{ { ROLE_SEEN }, _("used") },
		{ { ROLE_TILE }, _("zeros") },
		{ { ROLE_FIELD }, _("empty") },
	};
	const struct legend_entry entries[] = {
		{ { ROLE_FADE0 }, product ? _("words of A") : "" },
		{ { ROLE_FADE1 }, product ? _("of B") : "" },
		{ { ROLE_FADE2, ROLE_TRAIL2 },
		  product ? _("threads") : _("values") },
		{ { ROLE_CURSOR }, lane },
		{ { ROLE_HUE0, ROLE_HUE1, ROLE_HUE2 }, now_word(sc) },
		{ { ROLE_TRAIL0, ROLE_TRAIL1, ROLE_OWN },
		  _("in this phase") },
		{ { ROLE_FADE3 }, _("zeros") },
		{ { ROLE_TILE }, _("copied") },
		{ { ROLE_SEEN }, _("used") },
		{ { ROLE_FIELD }, _("empty") },
		{ { ROLE_BAD }, _("the barrier, closed") },
	};

	snprintf(lane, sizeof(lane), _("thread (%u,%u)"), sc->thread.x,
		 sc->thread.y);
	if (sc->tiles->ring)
		legend_rows(c, r, picture, ring, LENGTH(ring));
	else
		legend_rows(c, r, picture, entries,
			    LENGTH(entries) - !tiles_shut(s));
}
