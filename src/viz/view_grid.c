/* Grid, block, warp, thread: which of them is the focused lane. */
#include <stdio.h>

#include "viz/show.h"

/* Blocks or threads as pixels: how many each way, and each one's role. */
struct field {
	uint32_t w, h;
	int scale;		/* blocks or threads a pixel, each way */
};

static struct field field_of(uint32_t w, uint32_t h, struct rect r)
{
	struct field f = { w, h, 1 };

	while (((int)w + f.scale - 1) / f.scale > r.w ||
	       (((int)h + f.scale - 1) / f.scale + 1) / 2 > r.h)
		f.scale *= 2;
	return f;
}

static int field_rows(const struct field *f)
{
	return (((int)f->h + f->scale - 1) / f->scale + 1) / 2;
}

static int draw_grid(struct canvas *c, struct rect r, const struct scene *sc)
{
	struct field f = field_of(sc->info->grid.x, sc->info->grid.y, r);

	for (uint32_t y = 0; y < f.h; y += (uint32_t)f.scale)
		for (uint32_t x = 0; x < f.w; x += (uint32_t)f.scale) {
			bool own = sc->block.x - x < (uint32_t)f.scale &&
				   sc->block.y - y < (uint32_t)f.scale;

			canvas_pixel(c, r.x + (int)x / f.scale,
				     2 * r.y + (int)y / f.scale,
				     own ? ROLE_CURSOR : ROLE_FIELD);
		}
	return field_rows(&f);
}

/* The block's threads: the focused warp in its hues, the focus lit. */
static int draw_block(struct canvas *c, struct rect r, const struct scene *sc)
{
	struct trace_dim b = sc->info->block;
	struct field f = field_of(b.x, b.y, r);

	/* First the block, then its warp, then the focus, so that a pixel of
	 * several threads shows the one that matters most. */
	for (int pass = 0; pass < 3; pass++)
		for (uint32_t i = 0; i < b.x * b.y; i++) {
			uint32_t t = i + b.x * b.y * sc->thread.z;
			bool own = t / WARP_LANES == sc->warp.warp;
			bool lit = own && sc->focus_lanes >> t % WARP_LANES & 1;

			if (pass == (lit ? 2 : own))
				canvas_pixel(c, r.x + (int)(i % b.x) / f.scale,
					     2 * r.y + (int)(i / b.x) /
					     f.scale, lit ? ROLE_CURSOR :
					     own ? ROLE_HUE(t % WARP_LANES) :
						   ROLE_FIELD);
		}
	return field_rows(&f);
}

/* Thread to warp and lane; where a row is a warp, both are one sum. */
static void draw_numbers(struct canvas *c, struct rect r,
			 const struct scene *sc)
{
	struct trace_dim b = sc->info->block, t = sc->thread;

	canvas_textf(c, r.x, r.y, r.w, INK(ROLE_TEXT),
		     _("%u * %u + %u = %u in the block"), b.x,
		     t.y + b.y * t.z, t.x, sc->thread_linear);
	if (b.x == WARP_LANES)
		canvas_textf(c, r.x, r.y + 1, r.w, INK(ROLE_TEXT),
			     _("a row is a warp: warp %u, lane %u"),
			     sc->warp.warp, sc->cursor.lane);
	else
		canvas_textf(c, r.x, r.y + 1, r.w, INK(ROLE_TEXT),
			     _("%u = 32 * %u + %u: warp, lane"),
			     sc->thread_linear, sc->warp.warp,
			     sc->cursor.lane);
}

static void draw(struct canvas *c, struct rect r, const struct show *s)
{
	const struct scene *sc = s->scene;
	struct trace_dim g, b, t;
	int y, rows;

	r = canvas_frame(c, r, _("grid and block"), NULL, false);
	r.x++;
	r.w -= 2;
	if (!sc || !sc->site || r.h < 4)
		return;
	g = sc->info->grid;
	b = sc->info->block;
	t = sc->thread;
	y = r.y;
	rows = r.h - 4;
	canvas_textf(c, r.x, y++, r.w, INK(ROLE_DIM),
		     _("block (%u,%u) of %u × %u"), sc->block.x,
		     sc->block.y, g.x, g.y);
	if (rows > 2)
		y += draw_grid(c, (struct rect){ r.x, y, r.w, rows / 3 }, sc);
	canvas_textf(c, r.x, y++, r.w, INK(ROLE_DIM),
		     _("thread (%u,%u) of %u × %u"), t.x, t.y, b.x,
		     b.y);
	if (rows > 2)
		y += draw_block(c, (struct rect){ r.x, y, r.w,
						  r.y + r.h - y - 2 }, sc);
	draw_numbers(c, (struct rect){ r.x, y, r.w, 2 }, sc);
}

static enum view_rank rank(const struct scene *sc)
{
	(void)sc;
	return RANK_ALWAYS;
}

const struct view view_grid = {
	.name = "grid",
	.title = N_("grid and block"),
	.help = N_("where the focused thread is among all"),
	.pane = PANE_PICTURE,
	.rank = rank,
	.draw = draw,
};
