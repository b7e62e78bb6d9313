/*
 * Requests and sectors: 32 lanes above, below them all the sectors that the
 * request accesses, and a line from each lane to its word. Addresses go down,
 * sectors come up, words go to their lanes; stored words go down.
 */
#include <stdio.h>
#include <string.h>

#include "viz/kit.h"
#include "viz/pictures/sectors/view_sectors.h"

#define NAMES 7		/* columns of the rows' names */
#define FRAMED 12	/* rows from which there is a frame */
#define GATHERED 4	/* lanes that a bracket gathers, or more */

/* Returns a row of `count` things, w columns wide. They are as large as if
 * there were `of`: the picture of the other recording has so many. */
static struct rank layout_rank(int x, int w, int count, int of, int widest)
{
	struct rank l = { x, MIN((w - (of - 1) / 8) / of, widest), 1 };

	if (l.pitch < 1)
		l = (struct rank){ x, 1, 0 };
	l.x += MAX(0, (w - count * l.pitch - (count - 1) / 8 * l.gap) / 2);
	return l;
}

int sectors_x(const struct rank *l, int i)
{
	return l->x + i * l->pitch + i / 8 * l->gap;
}

static int rank_wide(const struct rank *l)
{
	return l->pitch > 2 ? l->pitch - 1 : l->pitch;
}

/* ---- layout ---- */

/* Returns the words that a lane moves; they stand in rows below the lane. */
static int words_each(const struct scene *sc)
{
	return MAX(1, (int)sc->access.bytes / BANK_BYTES);
}

/* Divides the rows of r among the parts: takes the first choice that fits; the
 * lines between lanes and memory get up to eight of the rows left over. */
static void divide_rows(struct ribbon *k, struct rect r)
{
	static const struct { int lane, got, way, column, flat, name, meter; }
	tries[] = {
		{ 3, 3, 6, 4, 9, 1, 5 }, { 2, 2, 5, 3, 7, 1, 5 },
		{ 1, 1, 4, 2, 5, 1, 5 }, { 1, 1, 3, 1, 4, 1, 3 },
		{ 1, 1, 2, 1, 3, 1, 2 }, { 1, 0, 2, 1, 2, 1, 2 },
		{ 1, 0, 1, 0, 1, 0, 2 },
	};
	int left = 0;

	for (size_t i = 0; i < LENGTH(tries); i++) {
		k->lane_h = tries[i].lane;
		/* In narrow columns a lane's value does not fit. */
		k->got_h = k->lanes.pitch < 3 && words_each(k->sc) == 1 ?
				   0 :
				   tries[i].got * words_each(k->sc);
		k->way_h = tries[i].way;
		k->high = k->flat ? tries[i].flat : tries[i].column;
		k->memory_h = k->flat ? k->high : k->high ?
			      SECTOR_WORDS * k->high : SECTOR_WORDS / 2;
		k->name_h = tries[i].name;
		k->meter_h = tries[i].meter;
		left = r.h - k->lane_h - k->got_h - k->way_h - k->memory_h -
		       k->name_h - k->meter_h;
		if (left >= 0)
			break;
	}
	left = MAX(left, 0);
	left -= left > 2;	/* a gap above the meter */
	k->way_h += MIN(left, 8);
	left -= MIN(left, 8);
	k->lane_y = r.y + left / 3;
	k->got_y = k->lane_y + k->lane_h;
	k->way_y = k->got_y + k->got_h;
	k->memory_y = k->way_y + k->way_h;
	k->name_y = k->memory_y + k->memory_h;
	k->meter_y = MIN(k->name_y + k->name_h + 1 + left / 3,
			 r.y + r.h - k->meter_h);
}

static struct ribbon layout_ribbon(const struct frame_model *s, struct rect r)
{
	const struct scene *sc = s->scene;
	struct ribbon k = { .s = s, .sc = sc, .left = r.x,
			    .store = sc->site->op == OP_ST };
	int n = MAX((int)sc->sector_count, 1), x = r.x, w = r.w;
	int of = s->twin ? MAX(n, (int)s->twin->sector_count) : n;
	double t = s->quiet ? 0 : s->t;

	if (r.w >= SECTORS_NARROW) {
		x += NAMES;
		w -= NAMES;
	}
	k.lanes = layout_rank(x, w, WARP_LANES, WARP_LANES, 8);
	k.words = layout_rank(x, w, SECTOR_WORDS * n, SECTOR_WORDS * of,
			      MAX(k.lanes.pitch, 4));
	k.flat = k.words.gap && (k.words.pitch > 1 || of <= 5);
	if (!k.flat)
		k.words = layout_rank(x, w, n, of, 12);
	divide_rows(&k, r);
	k.ask = kit_act(t, 0, k.store ? 0.6 : 0.35);
	k.fill = kit_act(t, k.store ? 0.6 : 0.35, k.store ? 1 : 0.6);
	k.bring = k.store ? 0 : kit_act(t, 0.6, 1);
	return k;
}

struct rect sectors_word(const struct ribbon *k, int sector, int word)
{
	int i = k->flat ? SECTOR_WORDS * sector + word : sector;

	return (struct rect){
		sectors_x(&k->words, i),
		k->flat ? k->memory_y : k->high ?
		k->memory_y + word * k->high : 2 * k->memory_y + word,
		rank_wide(&k->words), MAX(k->high, 1),
	};
}

/* Returns the column where a lane's line ends at its word; the lines of lanes
 * that share a sector end side by side. */
static int lane_end(const struct ribbon *k, uint32_t lane)
{
	const struct scene_sectors *in = &k->sc->in_sectors;
	int sector = in->lane[lane].sector, word = in->lane[lane].word;
	uint32_t lanes = k->sc->sectors[sector].lanes;
	struct rect r = sectors_word(k, sector, word);
	int nth, of;

	if (k->flat)
		return r.x + ((in->lane[lane].words - 1) * k->words.pitch +
			      r.w - 1) / 2;
	nth = __builtin_popcount(lanes & ((1u << lane) - 1));
	of = __builtin_popcount(lanes);
	return r.x + ((2 * nth + 1) * r.w - 1) / (2 * of);
}

static int lane_middle(const struct ribbon *k, uint32_t lane)
{
	return sectors_x(&k->lanes, (int)lane) + (rank_wide(&k->lanes) - 1) / 2;
}

/* ---- lanes and words ---- */

static enum role lane_role(const struct scene *sc, uint32_t lane)
{
	bool focus = sc->focus_lanes >> lane & 1;

	if (!(sc->request.mask >> lane & 1))
		return ROLE_FIELD;
	if (sc->cursor.focus == FOCUS_LANE)
		return focus ? ROLE_CURSOR : ROLE_HUE(lane);
	return focus ? ROLE_HUE(lane) : (enum role)(ROLE_FADE0 + lane / 8);
}

static struct ink lane_ink(const struct scene *sc, uint32_t lane)
{
	enum role role = lane_role(sc, lane);

	return (struct ink){ role == ROLE_FIELD ? ROLE_FAINT : ROLE_ON_HUE,
			     role, sc->focus_lanes >> lane & 1 ? ATTR_BOLD :
								 0 };
}

/* Returns the look of a lane. While a question is open, groups of eight would
 * tell how many sectors it is. */
static struct ink shown_ink(const struct ribbon *k, uint32_t lane)
{
	struct ink ink = lane_ink(k->sc, lane);

	if (k->s->quiet && ink.bg != ROLE_CURSOR && ink.bg != ROLE_FIELD)
		return INK_ON(ROLE_TEXT, ROLE_FIELD);
	return ink;
}

/* Returns the lane whose colour a word gets: one in focus, else the first. */
static uint32_t word_lane(const struct scene *sc, uint32_t lanes)
{
	uint32_t focus = lanes & sc->focus_lanes;

	return (uint32_t)__builtin_ctz(focus ? focus : lanes);
}

/* Draws a box with text. In a narrow box the text is right-aligned, so that a
 * minus stays next to its digit. */
static void draw_narrow_box(struct canvas *c, struct rect r, const char *text,
			    struct ink ink)
{
	kit_box(c, r, r.w > 2 ? text : NULL, ink);
	if (text && r.w <= 2)
		canvas_right(c, r.x, r.y + (r.h - 1) / 2, r.w, text, ink);
}

/* Returns the value of a word; NULL if it is unknown or does not fit. Halves
 * are written as "3,-2". */
static const char *word_text(char *buf, size_t size, const struct scene *sc,
			     int sector, int word, int room)
{
	const struct scene_sectors *in = &sc->in_sectors;
	int per = (int)in->elements / SECTOR_WORDS;
	const struct cell_value *v;
	char one[2][16];

	if (!in->elements || room < 2)
		return NULL;
	v = &in->value[sector][(uint32_t)word * in->elements / SECTOR_WORDS];
	if (!v->known || (per == 2 && (!v[1].known || room < 5)))
		return NULL;
	room = per == 2 ? (room - 1) / 2 : room;
	number_fit(one[0], sizeof(one[0]), v->v, room);
	snprintf(buf, size, "%s", one[0]);
	if (per == 2) {
		number_fit(one[1], sizeof(one[1]), v[1].v, room);
		snprintf(buf, size, "%s,%s", one[0], one[1]);
	}
	return strchr(buf, '#') ? NULL : buf;
}

/* Tells whether all known values fit in so many columns: some of them alone
 * would look as if the others were not there. */
static bool do_values_fit(const struct scene *sc, int room)
{
	const struct scene_sectors *in = &sc->in_sectors;
	char buf[48];

	for (int i = 0; i < (int)sc->sector_count; i++)
		for (int w = 0; w < SECTOR_WORDS && in->elements; w++)
			if (in->value[i][(uint32_t)w * in->elements /
					 SECTOR_WORDS].known &&
			    !word_text(buf, sizeof(buf), sc, i, w, room))
				return false;
	return true;
}

static void draw_sector_word(struct canvas *c, const struct ribbon *k,
			     int sector, int word)
{
	const struct scene *sc = k->sc;
	uint32_t lanes = sc->sector_lanes[sector][word];
	bool inside = sc->in_sectors.inside[sector] >> word & 1;
	struct rect r = sectors_word(k, sector, word);
	struct ink ink = INK_ON(ROLE_WASTE, ROLE_WASTE);
	char buf[48];
	int full = (int)(k->fill * (k->flat ? r.h : SECTOR_WORDS) + 0.5);
	bool lit = k->flat ? full == r.h : SECTOR_WORDS - word <= full;

	if (lanes)
		ink = lane_ink(sc, word_lane(sc, lanes));
	else if (!inside)
		ink = INK(ROLE_FAINT);
	if (!k->flat && !k->high) {
		for (int x = r.x; x < r.x + r.w; x++)
			canvas_pixel(c, x, r.y, lit ? ink.bg : ROLE_FIELD);
		return;
	}
	canvas_fill(c, r, ' ', INK_ON(ROLE_FAINT, ROLE_FIELD));
	if (k->flat && full < r.h) {
		r.y += r.h - full;
		r.h = full;
		canvas_fill(c, r, ' ', ink);
	} else if (lit) {
		draw_narrow_box(
			c, r,
			!inside ? "-" : k->values ?
				  word_text(buf, sizeof(buf), sc, sector, word,
					    MIN(r.w, k->words.pitch - 1)) :
				  NULL,
			ink);
	}
}

/* Draws the words that a lane moves, at x in rows from y on. */
static void draw_moving_words(struct canvas *c, const struct ribbon *k,
			      uint32_t lane, int x, int y)
{
	const struct scene_sectors *in = &k->sc->in_sectors;
	int w = rank_wide(&k->lanes), words = in->lane[lane].words;
	int h = MAX(1, k->got_h / words_each(k->sc));
	char buf[48];

	for (int i = 0; i < words; i++)
		draw_narrow_box(c, (struct rect){ x, y + i * h, w, h },
				k->values ?
				word_text(buf, sizeof(buf), k->sc,
					  in->lane[lane].sector,
					  in->lane[lane].word + i,
					  MIN(w, k->lanes.pitch - 1)) : NULL,
				lane_ink(k->sc, lane));
}

/* Draws the lane's own words: where they arrive, or where they are stored
 * from. */
static void draw_own_words(struct canvas *c, const struct ribbon *k,
			   uint32_t lane)
{
	int x = sectors_x(&k->lanes, (int)lane);
	bool on = k->sc->request.mask >> lane & 1;

	if (!k->got_h)
		return;
	canvas_fill(c, (struct rect){ x, k->got_y, rank_wide(&k->lanes),
				      k->got_h }, ' ',
		    INK_ON(ROLE_FAINT, on ? ROLE_FIELD : ROLE_NONE));
	if (on && (k->store ? k->ask < 1 && !k->s->quiet : k->bring >= 1))
		draw_moving_words(c, k, lane, x, k->got_y);
	if (on && k->store && k->ask >= 1)
		draw_moving_words(c, k, lane, x, k->got_y);
}

/* Tells whether a lane's number is drawn: numbers must not touch. Without gaps
 * every other lane has one, except next to the focused lane; in one column
 * each, only those of draw_eights(). */
static bool has_name(const struct ribbon *k, uint32_t lane)
{
	uint32_t focus = k->sc->cursor.lane;

	if (k->lanes.pitch > 2 || lane == focus)
		return k->lanes.pitch > 1;
	return k->lanes.pitch == 2 && lane % 2 == 0 && lane + 1 != focus &&
	       lane != focus + 1;
}

static void draw_lane(struct canvas *c, const struct ribbon *k, uint32_t lane)
{
	int w = rank_wide(&k->lanes);
	char name[8];

	snprintf(name, sizeof(name), "%u", lane);
	draw_narrow_box(c,
			(struct rect){ sectors_x(&k->lanes, (int)lane),
				       k->lane_y, w, k->lane_h },
			has_name(k, lane) ? name : NULL, shown_ink(k, lane));
	draw_own_words(c, k, lane);
}

/* Draws, if lanes are a column each, the number of every eighth lane, across
 * two columns. */
static void draw_eights(struct canvas *c, const struct ribbon *k)
{
	int y = k->lane_y + (k->lane_h - 1) / 2;

	for (int lane = 0; k->lanes.pitch == 1 && lane < WARP_LANES; lane += 8) {
		int x = sectors_x(&k->lanes, lane);

		canvas_put(c, x, y, '0' + (uint32_t)lane / (lane < 10 ? 1 : 10),
			   shown_ink(k, (uint32_t)lane));
		if (lane >= 10)
			canvas_put(c, x + 1, y, '0' + (uint32_t)lane % 10,
				   shown_ink(k, (uint32_t)lane + 1));
	}
}

/* ---- lines from lanes to memory ---- */

/* Returns how many adjacent lanes, from `lane` on, access the same word. */
static uint32_t same_word_run(const struct ribbon *k, uint32_t lane)
{
	const struct scene_sectors *in = &k->sc->in_sectors;
	uint32_t n = 1;

	while (lane + n < WARP_LANES && k->sc->request.mask >> (lane + n) & 1 &&
	       in->lane[lane + n].sector == in->lane[lane].sector &&
	       in->lane[lane + n].word == in->lane[lane].word)
		n++;
	return n;
}

/* Returns the first of the lanes that share a bracket with this lane; the lane
 * itself if none do. */
static uint32_t bracket_first(const struct ribbon *k, uint32_t lane)
{
	uint32_t first = 0;

	while (first < lane) {
		uint32_t n = k->sc->request.mask >> first & 1 ?
				     same_word_run(k, first) :
				     1;

		if (first + n > lane)
			break;
		first += n;
	}
	return same_word_run(k, first) >= GATHERED ? first : lane;
}

static struct ink way_ink(const struct ribbon *k, uint32_t lane, bool many)
{
	return k->sc->focus_lanes >> lane & 1 ? INK_BOLD(ROLE_STRONG) :
	       INK(many ? ROLE_HUE(lane) : ROLE_FADE0 + lane / 8);
}

/* Draws a bracket below n lanes from `lane` on, in their colours, from which a
 * line goes down at `stem`. */
static void draw_bracket(struct canvas *c, const struct ribbon *k,
			 uint32_t lane, uint32_t n, int stem)
{
	int x0 = lane_middle(k, lane), x1 = lane_middle(k, lane + n - 1);
	uint32_t at = lane;

	for (int x = x0; x <= x1; x++) {
		bool tick = k->lanes.pitch > 1 && x == lane_middle(k, at);

		canvas_put(c, x, k->way_y, x == x0 ? 0x2514 :
			   x == x1 ? 0x2518 : x == stem ? tick ? 0x253c :
			   0x252c : tick ? 0x2534 : 0x2500, way_ink(k, at, true));
		while (at < lane + n - 1 && lane_middle(k, at) <= x)
			at++;
	}
}

static void draw_lane_way(struct canvas *c, const struct ribbon *k,
			  uint32_t lane)
{
	uint32_t first = bracket_first(k, lane), n = same_word_run(k, first);
	bool many = n >= GATHERED, focus = k->sc->focus_lanes >> lane & 1;
	int x0 = lane_middle(k, lane), x1 = lane_end(k, lane);
	int y0 = k->way_y + many, y1 = k->way_y + k->way_h - 1;
	double at = kit_between(0, 1, k->ask);

	if (many) {
		x0 = (lane_middle(k, first) + lane_middle(k, first + n - 1)) /
		     2;
		x1 = (lane_end(k, first) + lane_end(k, first + n - 1)) / 2;
		draw_bracket(c, k, first, n, x0);
	}
	y0 = MIN(y0, y1);
	if (many && at >= 1)
		kit_line(c, x0, y0, x1, y1, (y0 + y1) / 2,
			 way_ink(k, lane, many));
	else if (at > 0)
		kit_ray(c, x0, y0, x1, y1, 0, at, way_ink(k, lane, many));
	if (at > 0 && at < 1 && !k->store)
		canvas_put(c, (int)(x0 + (x1 - x0) * at + 0.5),
			   (int)(y0 + (y1 - y0) * at + 0.5), 0x25bc,
			   INK_BOLD(focus ? ROLE_STRONG : ROLE_HUE(lane)));
}

/* Draws a lane's words on their way up, or down. */
static void draw_words_flight(struct canvas *c, const struct ribbon *k,
			      uint32_t lane)
{
	const struct scene_sectors *in = &k->sc->in_sectors;
	struct rect from = sectors_word(k, in->lane[lane].sector,
				     in->lane[lane].word);
	int x = sectors_x(&k->lanes, (int)lane);
	int end = lane_end(k, lane) - (rank_wide(&k->lanes) - 1) / 2;
	double t = k->store ? 1 - k->ask : k->bring;

	if (t <= 0 || t >= 1)
		return;
	if (!k->flat && !k->high)
		from.y /= 2;
	draw_moving_words(c, k, lane, (int)(kit_between(end, x, t) + 0.5),
			  (int)(kit_between(from.y, k->got_y, t) + 0.5));
}

/* Draws the lanes in `mask` with draw(), those in focus last, so that they are
 * on top. */
static void draw_each_lane(struct canvas *c, const struct ribbon *k,
			   void (*draw)(struct canvas *c,
					const struct ribbon *k, uint32_t lane),
			   uint32_t mask)
{
	for (int pass = 0; pass < 2; pass++)
		for (uint32_t lane = 0; lane < WARP_LANES; lane++)
			if (mask >> lane & 1 &&
			    (int)(k->sc->focus_lanes >> lane & 1) == pass)
				draw(c, k, lane);
}

/* ---- memory around the sectors ---- */

/* Draws, next to a few sectors side by side, the sectors before and after them,
 * as far as the array reaches; nothing of them is moved. */
static void draw_sectors_around(struct canvas *c, const struct ribbon *k,
				struct rect r)
{
	const struct scene *sc = k->sc;
	int n = (int)sc->sector_count, wide = sectors_x(&k->words, 8) -
					      sectors_x(&k->words, 0);
	int64_t first = (int64_t)sc->sectors[0].address, end = first;
	int64_t base = (int64_t)sc->array->base;
	int64_t last = base + (int64_t)trace_array_bytes(sc->array);

	for (int i = 0; i < n; i++, end += SECTOR_BYTES)
		if ((int64_t)sc->sectors[i].address != end)
			return;
	for (int i = -16; k->flat && i < 16; i++) {
		int64_t at = i < 0 ? first + i * SECTOR_BYTES :
				     end + i * SECTOR_BYTES;
		int x = sectors_x(&k->words, 0) + (i < 0 ? i : n + i) * wide;

		if (at < base || at >= last || x < k->left + NAMES ||
		    x + wide > r.x + r.w)
			continue;
		for (int w = 0; w < SECTOR_WORDS; w++)
			canvas_fill(c, (struct rect){
				x + w * k->words.pitch, k->memory_y,
				rank_wide(&k->words), k->memory_h }, ' ',
				INK_ON(ROLE_FAINT, ROLE_FIELD));
	}
}

/* Draws a break between sectors that are side by side here and not in
 * memory. */
static void draw_breaks(struct canvas *c, const struct ribbon *k)
{
	for (int i = 1; k->flat && i < (int)k->sc->sector_count; i++)
		for (int y = 0; sectors_skipped(k, i) && y < k->memory_h; y++)
			canvas_put(c, sectors_word(k, i, 0).x - 1,
				   k->memory_y + y, 0x2571, INK(ROLE_DIM));
}

/* ---- the picture ---- */

/* Draws the lanes and a memory that does not show how many sectors it will
 * deliver: a question is open. */
static void draw_hidden_cost(struct canvas *c, struct ribbon *k, struct rect r)
{
	struct rect memory = { k->lanes.x, k->memory_y,
			       sectors_x(&k->lanes, WARP_LANES - 1) +
			       rank_wide(&k->lanes) - k->lanes.x,
			       r.y + r.h - 1 - k->memory_y };
	uint32_t lane = k->sc->cursor.lane;
	int x = lane_middle(k, lane);

	canvas_fill(c, (struct rect){ memory.x, k->lane_y, memory.w,
				      k->lane_h + k->got_h }, ' ',
		    INK_ON(ROLE_FAINT, ROLE_FIELD));
	draw_each_lane(c, k, draw_lane, UINT32_MAX);
	draw_eights(c, k);
	canvas_fill(c, memory, ' ', INK_ON(ROLE_FAINT, ROLE_FIELD));
	kit_box(c, (struct rect){ memory.x, memory.y + memory.h / 2, memory.w,
				  1 }, "?", INK_ON(ROLE_DIM, ROLE_FIELD));
	if (k->sc->lane_active)
		kit_ray(c, x, k->way_y, x, k->way_y + k->way_h - 1, 0, 1,
			INK_BOLD(ROLE_STRONG));
	canvas_text(c, r.x, r.y + r.h - 1, r.w,
		    _("Answer first to see the cost."), INK(ROLE_DIM));
}

static struct rect sectors_inside(struct rect r)
{
	return r.h < FRAMED ? r : (struct rect){ r.x + 2, r.y + 1,
						 MAX(r.w - 4, 0), r.h - 2 };
}

static void draw(struct canvas *c, struct rect r, const struct frame_model *s)
{
	const struct scene *sc = s->scene;
	struct rect old;
	struct ribbon k;
	char note[96];

	if (!sc || !sc->site || !sc->sector_count)
		return;
	request_words(note, sizeof(note), sc);
	if (r.h >= FRAMED)
		canvas_frame(c, r, _("one request, and its sectors"), note,
			     false);
	r = sectors_inside(r);
	old = canvas_clip(c, r);
	k = layout_ribbon(s, r);
	sectors_label(c, &k, k.lane_y, k.lane_h, _("lane"));
	if (s->quiet) {
		draw_hidden_cost(c, &k, r);
		canvas_clip(c, old);
		return;
	}
	k.values = do_values_fit(sc, MIN(k.lanes.pitch, k.words.pitch) - 1);
	sectors_names(c, &k);
	draw_each_lane(c, &k, draw_lane, UINT32_MAX);
	draw_eights(c, &k);
	draw_each_lane(c, &k, draw_lane_way, sc->request.mask);
	draw_sectors_around(c, &k, r);
	for (int i = 0; i < (int)sc->sector_count; i++)
		for (int w = 0; w < SECTOR_WORDS; w++)
			draw_sector_word(c, &k, i, w);
	draw_breaks(c, &k);
	draw_each_lane(c, &k, draw_words_flight, sc->request.mask);
	sectors_meter(c, &k, (struct rect){ r.x, k.meter_y, r.w, k.meter_h });
	canvas_clip(c, old);
}

/* Finds the lane under a cell, or the first lane that accesses the word
 * there. */
static void hit(const struct frame_model *s, struct rect r, int x, int y,
		struct hit *hit)
{
	struct ribbon k = layout_ribbon(s, sectors_inside(r));
	uint32_t lanes = 0;

	for (int i = 0; y >= k.lane_y && y < k.got_y + k.got_h && i < 32; i++)
		if (x >= sectors_x(&k.lanes, i) &&
		    x < sectors_x(&k.lanes, i) + rank_wide(&k.lanes))
			lanes |= UINT32_C(1) << i;
	for (int i = 0; i < (int)k.sc->sector_count && !s->quiet; i++)
		for (int w = 0; w < SECTOR_WORDS; w++)
			if (rect_has(sectors_word(&k, i, w), x,
				   k.flat || k.high ? y : 2 * y))
				lanes |= k.sc->sector_lanes[i][w];
	if (lanes)
		*hit = (struct hit){ .kind = HIT_LANE,
				     .index = (int)word_lane(k.sc, lanes) };
}

static bool available(const struct frame_model *s)
{
	return s->scene && s->scene->site && s->scene->sector_count;
}

static enum view_rank rank(const struct scene *sc)
{
	return sc->sector_count ? RANK_STEP : RANK_NONE;
}

const struct view view_sectors = {
	.name = "sectors",
	.title = N_("sectors"),
	.help = N_("a request's lanes, the sectors it touches, and their cost"),
	.pane = PANE_PICTURE,
	.wide = true,
	.available = available,
	.rank = rank,
	.of_request = true,
	.draw = draw,
	.hit = hit,
};
