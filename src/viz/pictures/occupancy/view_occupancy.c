/*
 * An SM fills up: its resources are four vessels, into which blocks drop until
 * one is full. Keys change the tile, the registers and the architecture. At the
 * right and below stands what the tile's size changes or, for a kernel other
 * than `tiled`, how each kernel of the ladder fills an SM and how fast it is.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "viz/pictures/occupancy/scene_occupancy.h"
#include "scene/stage.h"
#include "viz/kit.h"
#include "viz/frame_model.h"
#include "viz/sm_resource.h"

/* Tells whether a resource limits the number of blocks; too many threads for a
 * block count as too few warp slots. */
static bool is_limit(const struct occupancy *o, enum occupancy_resource r)
{
	return o->limits[r] ||
	       (r == OCCUPANCY_WARPS && o->limits[OCCUPANCY_THREADS]);
}

static void limit_words(char *buf, size_t size, const struct occupancy *o)
{
	size_t n = 0;

	buf[0] = 0;
	if (o->limits[OCCUPANCY_THREADS]) {
		snprintf(buf, size, _("more than %d threads a block"),
			 OCCUPANCY_BLOCK_THREADS);
		return;
	}
	for (size_t i = 0; i < SM_RESOURCES && n < size; i++)
		if (o->limits[sm_resources[i].resource])
			n += (size_t)snprintf(buf + n, size - n, "%s%s",
					      n ? _(", ") : "",
					      _(sm_resources[i].name));
}

/* ---- a vessel ---- */

#define LID 3	/* rows above a vessel: the block that waits */
#define NAME 3	/* rows below it */

struct fill {
	const struct scene_occupancy *s;
	const struct sm_resource *v;
	struct rect in;		/* the inside of the vessel */
	int takes, has;
	bool full, quiet;
	double t;
};

/* Returns the half row above which the nth block stands, counted from the
 * bottom; a whole row if blocks have room for a number. */
static int block_level(const struct fill *f, int blocks)
{
	double part = MIN((double)blocks * f->takes / f->has, 1) * f->in.h;

	return f->takes * (long)f->in.h >= 3L * f->has ? 2 * (int)lround(part) :
						   (int)lround(2 * part);
}

/* Tells whether blocks are thinner than half a row, so that they look alike. */
static bool is_thin(const struct fill *f)
{
	return 2L * f->takes * f->in.h < f->has;
}

static enum role block_role(const struct canvas *c, const struct fill *f,
			    int block)
{
	block = is_thin(f) ? 0 : block;
	if (f->full)
		return block % 2 ? ROLE_WASTE : c->mono ? ROLE_HUE3 : ROLE_BAD;
	return block % 2 ? ROLE_TRAIL1 : ROLE_HUE1;
}

/* Draws a block whose top is `lift` half rows above its place. */
static void draw_resource_block(struct canvas *c, const struct fill *f, int block,
			      int lift)
{
	int base = 2 * (f->in.y + f->in.h) - lift;
	int low = base - block_level(f, block),
	    high = base - block_level(f, block + 1);
	enum role role = block_role(c, f, block);
	char text[64];
	int row = (high + 1) / 2;

	for (int y = MAX(high, 2 * f->in.y - 2 * LID); y < low; y++)
		for (int x = 0; x < f->in.w; x++)
			canvas_pixel(c, f->in.x + x, y, role);
	if (low / 2 - row < 1 || row < f->in.y - LID)
		return;
	snprintf(text, sizeof(text), f->in.w < 16 ? "%d" : _("block %d"), block);
	row = (row + low / 2 - 1) / 2;
	canvas_text(c, f->in.x + (f->in.w - text_width(text)) / 2, row, -1,
		    text, INK_ON(role == ROLE_WASTE ? ROLE_STRONG : ROLE_ON_HUE,
				 role));
}

/* Draws above the vessel the next block, and whether it would fit. */
static void draw_waiting(struct canvas *c, const struct fill *f)
{
	const char *text = f->in.w < 16 ? _(" one more ") :
					  _(" one more block ");
	int y = f->in.y - LID;
	struct ink ink = INK(f->full ? ROLE_BAD : ROLE_HUE1);

	for (int row = 0; row < 2; row++)
		canvas_fill(c, (struct rect){ f->in.x, y + row, f->in.w, 1 },
			    0x2571, ink);
	canvas_text(c, f->in.x + (f->in.w - text_width(text)) / 2, y, f->in.w,
		    text, ink);
	canvas_text(c, f->in.x, y + 2, f->in.w, f->full ?
		    _("\xc3\x97 no room") : _("\xe2\x86\x93 would fit"), ink);
}

static void draw_blocks(struct canvas *c, const struct fill *f)
{
	int n = f->s->o.active_blocks;
	double slot = 1.0 / (n + 1);
	char text[64];

	for (int i = 0; i < n; i++) {
		double part = kit_act(f->t, i * slot, (i + 1) * slot);
		int lift = 2 * (f->in.h + LID) - block_level(f, i + 1);

		if (part > 0)
			draw_resource_block(
				c, f, i,
				(int)lround((1 - part * part) * MAX(lift, 0)));
	}
	if (f->t < 1)
		return;
	draw_waiting(c, f);
	if (is_thin(f) && block_level(f, n) >= 2) {
		snprintf(text, sizeof(text), ngettext("%d block", "%d blocks",
						      (unsigned)n), n);
		canvas_text(c, f->in.x + (f->in.w - text_width(text)) / 2,
			    f->in.y + f->in.h - 1 - block_level(f, n) / 4,
			    f->in.w, text,
			    INK_ON(ROLE_ON_HUE, block_role(c, f, 0)));
	}
}

static void draw_walls(struct canvas *c, const struct fill *f)
{
	struct rect in = f->in;
	bool red = f->full && f->t >= 1;
	struct ink ink = red ? INK_BOLD(ROLE_BAD) : INK(ROLE_BORDER);

	for (int y = in.y; y < in.y + in.h; y++) {
		canvas_put(c, in.x - 1, y, 0x2502, ink);
		canvas_put(c, in.x + in.w, y, 0x2502, ink);
	}
	canvas_put(c, in.x - 1, in.y + in.h, 0x2514, ink);
	canvas_put(c, in.x + in.w, in.y + in.h, 0x2518, ink);
	canvas_fill(c, (struct rect){ in.x, in.y + in.h, in.w, 1 }, 0x2500,
		    ink);
	if (red)
		canvas_textf(c, in.x + (in.w - text_width(_("limit"))) / 2 - 1,
			     in.y + in.h, -1, INK_ON(ROLE_ON_HUE, ROLE_BAD),
			     " %s ", _("limit"));
}

/* Returns the number of blocks that have come to rest. */
static int landed_blocks(const struct fill *f)
{
	int n = f->s->o.active_blocks;

	return MIN(n, (int)(f->t * (n + 1)));
}

/* Writes an amount in the resource's unit. Returns the unit with a space before
 * it, or "". */
static const char *write_amount(char *buf, size_t size,
				enum occupancy_resource r, int n)
{
	if (r == OCCUPANCY_SHARED && n % 1024 == 0)
		snprintf(buf, size, "%d", n / 1024);
	else if (r == OCCUPANCY_SHARED)
		snprintf(buf, size, "%.1f", n / 1024.0);
	else
		snprintf(buf, size, "%d", n);
	return r == OCCUPANCY_SHARED ? " KiB" : "";
}

static void draw_resource_name(struct canvas *c, const struct fill *f)
{
	struct rect r = { f->in.x - 2, f->in.y + f->in.h + 1, f->in.w + 4, 1 };
	enum occupancy_resource v = f->v->resource;
	char used[16], all[16], one[16], line[64];
	const char *unit;
	struct ink ink = f->full && f->t >= 1 ? INK_BOLD(ROLE_BAD) :
						INK_BOLD(ROLE_STRONG);
	int w = MIN(text_width(_(f->v->name)), r.w);

	canvas_text(c, r.x + (r.w - w) / 2, r.y, r.w, _(f->v->name), ink);
	write_amount(used, sizeof(used), v, landed_blocks(f) * f->takes);
	unit = write_amount(all, sizeof(all), v, f->has);
	snprintf(line, sizeof(line), _("%s of %s%s"), used, all, unit);
	w = MIN(text_width(line), r.w);
	canvas_text(c, r.x + (r.w - w) / 2, r.y + 1, r.w, line,
		    INK(ROLE_TEXT));
	if (f->quiet)
		return;
	write_amount(one, sizeof(one), v, f->takes);
	snprintf(line, sizeof(line), _("%s%s a block"), one, unit);
	w = MIN(text_width(line), r.w);
	canvas_text(c, r.x + (r.w - w) / 2, r.y + 2, r.w, line,
		    INK(ROLE_DIM));
}

static void draw_resources(struct canvas *c, struct rect r, const struct frame_model *s)
{
	const struct scene_occupancy *o = s->scene->occupancy;
	int w = r.w / (int)SM_RESOURCES;

	for (size_t i = 0; i < SM_RESOURCES; i++) {
		enum occupancy_resource v = sm_resources[i].resource;
		struct fill f = {
			.s = o,
			.v = &sm_resources[i],
			.takes = o->o.takes[v],
			.has = sm_resource_has(&o->arch, v),
			.full = is_limit(&o->o, v),
			.t = s->quiet ? 0 : s->t,
			.quiet = s->quiet,
			.in = { r.x + (int)i * w + 2, r.y + LID, w - 4,
				r.h - LID - NAME - 1 },
		};

		if (f.in.h < 1 || f.in.w < 4)
			continue;
		draw_walls(c, &f);
		draw_blocks(c, &f);
		draw_resource_name(c, &f);
	}
}

/* ---- the launch ---- */

/* Writes where the number of registers comes from. */
static void write_register_source(char *buf, size_t size,
				  const struct scene_occupancy *o)
{
	if (o->asked)
		buf[0] = 0;
	else if (o->turned)
		snprintf(buf, size, "%s", _(" (turned)"));
	else if (o->compiled)
		snprintf(buf, size, o->older ?
			 _(" (compiled for %s, timed %s from an older source)") :
			 _(" (compiled for %s, timed %s)"), o->compiled,
			 o->date);
	else
		snprintf(buf, size, "%s", _(" (assumed: no race has it)"));
}

/* Draws the launch in a line. An assumed number is not drawn without saying so:
 * the kernel's parameters go first, then the words about the number. */
static void draw_launch_line(struct canvas *c, struct rect r,
			     const struct scene_occupancy *o)
{
	char launch[256], registers[64], from[128], kernel[96];
	bool assumed = !o->compiled && !o->turned && !o->asked;
	int used, room;

	snprintf(launch, sizeof(launch), _("%s   %d threads a block   "),
		 o->label, o->launch.threads);
	snprintf(registers, sizeof(registers), _("%d registers a thread"),
		 o->launch.registers);
	snprintf(kernel, sizeof(kernel), "%.*s", (int)strcspn(o->label, " "),
		 o->label);
	write_register_source(from, sizeof(from), o);
	room = r.w - text_width(registers) - (assumed ? text_width(from) : 0);
	if (text_width(launch) > room)
		snprintf(launch, sizeof(launch), _("%s   %d threads a block   "),
			 kernel, o->launch.threads);
	if (text_width(launch) > room) {
		snprintf(registers, sizeof(registers), _("%d registers"),
			 o->launch.registers);
		if (assumed)
			snprintf(from, sizeof(from), "%s", _(" (assumed)"));
	}
	used = canvas_text(c, r.x, r.y, r.w, launch, INK_BOLD(ROLE_STRONG));
	room = r.w - used - (assumed ? text_width(from) : 0);
	if (assumed && text_width(registers) > room)
		return;
	used += canvas_text(c, r.x + used, r.y, r.w - used, registers,
			    INK_BOLD(ROLE_ACCENT));
	kit_whole(c, r.x + used, r.y, r.w - used, from, INK(ROLE_DIM));
}

/* ---- tables ---- */

static void draw_tile_row(struct canvas *c, struct rect r,
			  const struct occupancy_row *row,
			  const struct occupancy *o, bool here)
{
	struct ink ink = here ? INK_BOLD(ROLE_ACCENT) : INK(ROLE_TEXT);
	char words[96];
	int bar = MAX(4, r.w - 24), high = MAX(1, r.h - 1);
	/* Bars above each other differ in shade. */
	enum role role = here ? ROLE_ACCENT :
			 __builtin_ctz((unsigned)row->tile) % 2 ? ROLE_OWN :
								  ROLE_TRAIL1;

	canvas_textf(c, r.x, r.y, 5, ink, "%4d", row->tile);
	canvas_textf(c, r.x + 6, r.y, 6, o->active_blocks ? ink :
		     INK(ROLE_BAD), "%5d", o->active_blocks);
	for (int y = r.y; y < r.y + high; y++)
		kit_bar(c, r.x + 14, y, bar, o->occupancy,
			role, ROLE_FIELD);
	canvas_textf(c, r.x + 15 + bar, r.y, 9, ink, "%5.1f %%",
		     100 * o->occupancy);
	limit_words(words, sizeof(words), o);
	if (r.h > 1)
		canvas_right(c, r.x, r.y + high, r.w - 1, words,
			     INK(o->active_blocks ? ROLE_WASTE : ROLE_BAD));
}

/* Draws how each tile fills an SM of an architecture. */
static void draw_tile_table(struct canvas *c, struct rect r,
			    const struct frame_model *s,
			    const struct occupancy_arch *a, bool old)
{
	const struct scene_occupancy *o = s->scene->occupancy;
	char title[64], note[64];
	int each;

	snprintf(title, sizeof(title), _("tiled, %s"), a->family);
	snprintf(note, sizeof(note), _("%d warps, %d KiB"), a->warps,
		 a->shared / 1024);
	r = canvas_frame(c, r, title, note, !old);
	r.x++;
	r.w -= 2;
	each = MAX(1, MIN(4, (r.h - 1) / OCCUPANCY_TILES));
	canvas_textf(c, r.x, r.y, r.w, INK(ROLE_DIM), "%4s  %6s  %s", "TILE",
		     _("blocks"), _("warp slots in use"));
	for (int i = 0; i < OCCUPANCY_TILES; i++)
		if (1 + (i + 1) * each <= r.h)
			draw_tile_row(c,
				      (struct rect){ r.x, r.y + 1 + i * each,
						     r.w, each },
				      &o->rows[i],
				      old ? &o->rows[i].old : &o->rows[i].o,
				      o->rows[i].tile == o->tile);
}

/* Draws the FLOP/byte of each tile, and the speeds measured. */
static void draw_tile_effects(struct canvas *c, struct rect r,
			      const struct frame_model *s)
{
	const struct scene_occupancy *o = s->scene->occupancy;
	int bar = (r.w - 54) / 2, x;
	double most = 0;
	char note[96] = "";

	if (o->race->gpu)
		snprintf(note, sizeof(note), _("measured: %s, %d\xc2\xb3"),
			 o->race->gpu, o->race->n);
	r = canvas_frame(c, r, _("what TILE turns in tiled"), note[0] ? note : NULL,
			 false);
	r.x++;
	r.w -= 2;
	for (int i = 0; i < OCCUPANCY_TILES; i++)
		most = MAX(most, o->rows[i].flops);
	for (int i = 0; i < OCCUPANCY_TILES && i < r.h; i++) {
		const struct occupancy_row *row = &o->rows[i];
		bool here = row->tile == o->tile;
		struct ink ink = here ? INK_BOLD(ROLE_ACCENT) :
					INK(ROLE_TEXT);
		double last = o->rows[OCCUPANCY_TILES - 1].intensity;

		x = r.x;
		canvas_textf(c, x, r.y + i, 32, ink,
			     _("%2d  %4d threads %2g FLOP/byte"),
			     row->tile, row->threads, row->intensity);
		kit_bar(c, x + 30, r.y + i, bar, row->intensity / last,
			row->flops == NA ? ROLE_TILE : ROLE_HUE2, ROLE_NONE);
		x += 32 + bar;
		if (row->flops == NA) {
			canvas_text(c, x, r.y + i, r.x + r.w - x,
				    row->o.limits[OCCUPANCY_THREADS] ?
				    _("does not start: too many threads") :
				    _("not measured"), INK(ROLE_BAD));
			continue;
		}
		canvas_textf(c, x, r.y + i, 14, ink, _("%5.3g TFLOP/s"),
			     row->flops / 1e12);
		kit_bar(c, x + 14, r.y + i, bar, row->flops / most,
			here ? ROLE_ACCENT : ROLE_HUE1, ROLE_NONE);
	}
	if (r.h > OCCUPANCY_TILES)
		canvas_text(c, r.x, r.y + OCCUPANCY_TILES, r.w,
			    _("A loaded element is used TILE times: that is "
			      "what a larger tile gains, not more warps."),
			    INK(ROLE_TEXT));
}

/* ---- the ladder ---- */

#define RUNG_NAME 19
#define RUNG_WARPS 4
#define RUNG_FLOPS 6

static void draw_rung_bars(struct canvas *c, struct rect r,
			   const struct occupancy_rung *rung, double most)
{
	int name = MIN(RUNG_NAME, r.w / 2), x = r.x + name + 1;
	int bar = (r.w - name - 1 - RUNG_WARPS - RUNG_FLOPS) / 2;
	struct ink ink = rung->here ? INK_BOLD(ROLE_ACCENT) : INK(ROLE_TEXT);
	char text[16];

	canvas_right(c, r.x, r.y, name, rung->name, ink);
	kit_bar(c, x, r.y, bar, rung->o.occupancy,
		rung->here ? ROLE_ACCENT : ROLE_OWN, ROLE_FIELD);
	snprintf(text, sizeof(text), "%d ", rung->o.active_warps);
	canvas_right(c, x + bar, r.y, RUNG_WARPS, text, ink);
	x += bar + RUNG_WARPS;
	if (rung->flops == NA) {
		canvas_right(c, x, r.y, bar + RUNG_FLOPS, _("not measured"),
			     INK(ROLE_DIM));
		return;
	}
	kit_bar(c, x, r.y, bar, rung->flops / most,
		rung->here ? ROLE_ACCENT : ROLE_HUE1, ROLE_NONE);
	snprintf(text, sizeof(text), "%.3g%s", rung->flops / 1e12,
		 rung->older ? "*" : " ");
	canvas_right(c, x + bar, r.y, RUNG_FLOPS, text, ink);
}

/* Draws the warps of each kernel on an SM, and its speed; if not all fit, those
 * around the one on stage. */
static void draw_ladder_bars(struct canvas *c, struct rect r,
			     const struct frame_model *s)
{
	const struct scene_occupancy *o = s->scene->occupancy;
	int first = 0, rows, each, here = 0, name;
	bool older = false;
	double most = 0;
	char note[64];

	snprintf(note, sizeof(note), "%d\xc2\xb3, %s", o->rungs_race->n,
		 o->rungs_race->gpu);
	r = canvas_frame(c, r, _("warps and speed"), note, false);
	r.x++;
	r.w -= 2;
	name = MIN(RUNG_NAME, r.w / 2) + 1;
	canvas_text(c, r.x + name, r.y, r.w / 2, _("warps of an SM"),
		    INK(ROLE_DIM));
	canvas_right(c, r.x + name, r.y, r.w - name, "TFLOP/s",
		     INK(ROLE_DIM));
	rows = MIN(o->rung_count, r.h - 1);
	each = 2 * o->rung_count < r.h ? 2 : 1;
	for (int i = 0; i < o->rung_count; i++) {
		most = MAX(most, o->rungs[i].flops);
		here = o->rungs[i].here ? i : here;
		older |= o->rungs[i].older;
	}
	if (older)
		canvas_right(c, r.x, r.y + --r.h, r.w,
			     _("* of an older source"), INK(ROLE_DIM));
	rows = MIN(rows, r.h - 1);
	first = MAX(0, MIN(here - rows / 2, o->rung_count - rows));
	for (int i = 0; i < rows; i++)
		draw_rung_bars(c,
			       (struct rect){ r.x, r.y + 1 + i * each, r.w, 1 },
			       &o->rungs[first + i], most);
}

/* ---- the picture ---- */

#define TABLE_WIDTH 40
#define RUNGS_WIDTH 48

static void draw_sm(struct canvas *c, struct rect r, const struct frame_model *s)
{
	const struct scene_occupancy *o = s->scene->occupancy;
	char title[96], note[96];

	snprintf(title, sizeof(title), _("an SM of %s fills with blocks of "
					 "%u \xc3\x97 %u threads"),
		 o->calibrated ? o->calibrated->gpu : o->arch.name, o->block.x,
		 o->block.y);
	snprintf(note, sizeof(note),
		 ngettext("%d block, %d of %d warps",
			  "%d blocks, %d of %d warps",
			  (unsigned)o->o.active_blocks),
		 o->o.active_blocks, o->o.active_warps, o->arch.warps);
	if (text_width(title) + text_width(note) + 10 > r.w)
		snprintf(title, sizeof(title), _("%s, blocks of %u \xc3\x97 "
						 "%u threads"), o->arch.name,
			 o->block.x, o->block.y);
	r = canvas_frame(c, r, title, s->quiet || s->t < 1 ? NULL : note,
			 false);
	r.x++;
	r.w -= 2;
	draw_launch_line(c, r, o);
	draw_resources(c, (struct rect){ r.x, r.y + 1, r.w, r.h - 1 }, s);
}

static void draw(struct canvas *c, struct rect r, const struct frame_model *s)
{
	const struct scene_occupancy *o = s->scene->occupancy;
	bool beside = r.w >= 76 + TABLE_WIDTH;
	int below, w = 0, h;

	if (!o)
		return;
	if (beside && o->tile)
		w = MIN(56, MAX(TABLE_WIDTH, r.w / 4));
	else if (beside && o->rung_count > 1 && s->scene->ladder)
		w = MIN(64, MAX(RUNGS_WIDTH, r.w / 3));
	below = r.h >= 24 && r.w >= 90 && o->tile ? OCCUPANCY_TILES + 3 : 0;
	if (below && !s->quiet)
		draw_tile_effects(
			c, (struct rect){ r.x, r.y + r.h - below, r.w, below },
			s);
	r.h -= below;
	draw_sm(c, (struct rect){ r.x, r.y, r.w - w, r.h }, s);
	if (!w)
		return;
	r.x += r.w - w;
	if (s->quiet) {	/* its place is kept */
		canvas_frame(c, (struct rect){ r.x, r.y, w, r.h },
			     _("answer first"), NULL, false);
		return;
	}
	if (!o->tile) {
		draw_ladder_bars(c, (struct rect){ r.x, r.y, w, r.h }, s);
		return;
	}
	h = r.h >= 2 * (OCCUPANCY_TILES + 3) ? r.h / 2 : r.h;
	draw_tile_table(c, (struct rect){ r.x, r.y, w, h }, s, &o->arch, false);
	if (h < r.h)
		draw_tile_table(c, (struct rect){ r.x, r.y + h, w, r.h - h }, s,
				&o->other, true);
}

static bool available(const struct frame_model *s)
{
	return s->scene && s->scene->site;
}

static void prepare(struct stage *s, const struct turns *t)
{
	scene_occupancy(s, t->tile, t->registers, t->arch);
	if (t->launch.threads)
		scene_occupancy_ask(s, t->launch.threads, t->launch.registers,
				    t->launch.shared);
}

static void words(struct str *out, const struct frame_model *s)
{
	const struct scene_occupancy *o = s->scene->occupancy;
	char limit[128];

	if (!o)
		return;
	limit_words(limit, sizeof(limit), &o->o);
	str_addf(out, ngettext("%s on an SM of %s (%s): %d block, %d of %d "
			      "warps. A block has %d threads with %d registers "
			      "each%s and %d bytes of shared memory. The "
			      "limit: %s.",
			      "%s on an SM of %s (%s): %d blocks, %d of %d "
			      "warps. A block has %d threads with %d registers "
			      "each%s and %d bytes of shared memory. The "
			      "limit: %s.", (unsigned)o->o.active_blocks),
		 o->label, o->arch.name, o->arch.family, o->o.active_blocks,
		 o->o.active_warps, o->arch.warps, o->launch.threads,
		 o->launch.registers, o->compiled || o->turned || o->asked ?
		 "" : _(" (assumed)"), o->launch.shared, limit);
	if (o->calibrated)
		str_addf(out, _(" Its limits are those of %s, calibrated on "
				"%s."), o->calibrated->gpu,
			 o->calibrated->date);
	for (int i = 0; i < o->rung_count; i++)
		str_addf(out, i ? _("; %s: %d, %.3g") :
			 _(" Warps of each kernel on an SM, and its TFLOP/s: "
			   "%s: %d, %.3g"), o->rungs[i].name,
			 o->rungs[i].o.active_warps,
			 o->rungs[i].flops / 1e12);
	if (o->rung_count)
		str_add(out, _("."));
	for (int i = 0; o->tile && i < OCCUPANCY_TILES; i++) {
		const struct occupancy_row *r = &o->rows[i];

		str_addf(out, ngettext(" TILE %d: %d block, %.0f %% of the "
				       "warp slots, %g FLOP/byte",
				       " TILE %d: %d blocks, %.0f %% of the "
				       "warp slots, %g FLOP/byte",
				       (unsigned)r->o.active_blocks), r->tile,
			 r->o.active_blocks, 100 * r->o.occupancy,
			 r->intensity);
		if (r->flops != NA)
			str_addf(out, _(", measured on %s %.3g TFLOP/s"),
				 o->race->gpu, r->flops / 1e12);
		str_add(out, _("."));
	}
}

static void turn_tile(struct turns *t, const struct scene *sc, int by)
{
	(void)sc;
	t->tile = (t->tile + by + OCCUPANCY_TILES + 1) % (OCCUPANCY_TILES + 1);
}

static void turn_registers(struct turns *t, const struct scene *sc, int by)
{
	int now = sc->occupancy ? sc->occupancy->launch.registers : 0;

	if (by < 0 ? now > 8 : now < 256)
		t->registers += by;
}

static void turn_arch(struct turns *t, const struct scene *sc, int by)
{
	(void)sc;
	t->arch += by;
}

static const struct view_key keys[] = {
	{ .keys = { '.' }, .key = ", .", .word = N_("TILE"),
	  .help = N_("another TILE of tiled, or the kernel on stage"),
	  .turn = turn_tile, .by = 1 },
	{ .keys = { ',' }, .turn = turn_tile, .by = -1 },
	{ .keys = { '>' }, .key = "< >", .word = N_("registers"),
	  .help = N_("fewer, more registers a thread"),
	  .turn = turn_registers, .by = 1 },
	{ .keys = { '<' }, .turn = turn_registers, .by = -1 },
	{ .keys = { 'h' }, .key = "h H", .word = N_("architecture"),
	  .help = N_("an older, newer architecture"),
	  .turn = turn_arch, .by = 1 },
	{ .keys = { 'H' }, .turn = turn_arch, .by = -1 },
};

const struct view view_occupancy = {
	.name = "occupancy",
	.title = N_("occupancy"),
	.help = N_("how blocks fill an SM, and what TILE turns"),
	.pane = PANE_PICTURE,
	.wide = true,
	.available = available,
	.rank = view_never,
	.prepare = prepare,
	.draw = draw,
	.words = words,
	.keys = keys,
	.key_count = LENGTH(keys),
};
