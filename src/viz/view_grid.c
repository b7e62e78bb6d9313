/* Grid, block, warp, thread: which of them is the focused lane. */
#include <stdio.h>

#include "show.h"

/* A field of w x h cells, two columns each; scaled down when too large. */
static int field_scale(uint32_t w, uint32_t h, struct rect r)
{
	int scale = 1;

	while ((int)(w + (uint32_t)scale - 1) / scale * 2 > r.w ||
	       (int)(h + (uint32_t)scale - 1) / scale > r.h)
		scale *= 2;
	return scale;
}

static int draw_grid(struct canvas *c, struct rect r, const struct scene *sc)
{
	struct trace_dim g = sc->info->grid;
	int scale = field_scale(g.x, g.y, r);
	int w = ((int)g.x + scale - 1) / scale;
	int h = ((int)g.y + scale - 1) / scale;

	for (int y = 0; y < h; y++)
		for (int x = 0; x < w; x++) {
			bool own = (int)sc->block.x / scale == x &&
				   (int)sc->block.y / scale == y;

			canvas_put(c, r.x + 2 * x, r.y + y, own ? '#' : ' ',
				   INK_ON(ROLE_ON_HUE, own ? ROLE_HUE1 :
						       ROLE_FIELD));
		}
	return h;
}

/* The block's threads: the focused warp in its hues, the thread lit. */
static int draw_block(struct canvas *c, struct rect r, const struct scene *sc)
{
	struct trace_dim b = sc->info->block;
	int scale = field_scale(b.x, b.y, r);
	int w = ((int)b.x + scale - 1) / scale;
	int h = ((int)b.y + scale - 1) / scale;

	for (int y = 0; y < h; y++)
		for (int x = 0; x < w; x++) {
			uint32_t t = (uint32_t)(x * scale) +
				     b.x * ((uint32_t)(y * scale) +
					    b.y * sc->thread.z);
			uint32_t lane = t % WARP_LANES;
			bool own = t / WARP_LANES == sc->warp.warp;
			bool lit = own && sc->focus_lanes >> lane & 1;

			canvas_put(c, r.x + 2 * x, r.y + y,
				   own ? '0' + lane % 8 : ' ',
				   lit ? (struct ink){ ROLE_ON_HUE,
						       ROLE_CURSOR,
						       ATTR_BOLD } :
				   own ? INK_ON(ROLE_ON_HUE,
						ROLE_HUE(lane)) :
					 INK_ON(ROLE_FAINT, ROLE_FIELD));
		}
	return h;
}

static void draw(struct canvas *c, struct rect r, const struct show *s)
{
	const struct scene *sc = s->scene;
	struct trace_dim g, b, t;
	int y, words = 5;

	r = canvas_frame(c, r, _("grid and block"), NULL, false);
	r.x++;
	r.w -= 2;
	if (!sc || !sc->site)
		return;
	g = sc->info->grid;
	b = sc->info->block;
	t = sc->thread;
	y = r.y;
	canvas_textf(c, r.x, y++, r.w, INK(ROLE_DIM),
		     _("grid of %u \xc3\x97 %u blocks: block (%u,%u)"), g.x,
		     g.y, sc->block.x, sc->block.y);
	y += draw_grid(c, (struct rect){ r.x, y, r.w,
					 MAX(1, (r.h - words) / 3) }, sc);
	canvas_textf(c, r.x, y++, r.w, INK(ROLE_DIM),
		     _("block of %u \xc3\x97 %u threads: thread (%u,%u)"),
		     b.x, b.y, t.x, t.y);
	y += draw_block(c, (struct rect){ r.x, y, r.w,
					  MAX(1, r.y + r.h - y - 3) }, sc);
	if (r.y + r.h - y >= 2) {
		canvas_textf(c, r.x, y++, r.w, INK(ROLE_TEXT),
			     _("%u + %u * %u = thread %u of the block"), t.x,
			     b.x, t.y + b.y * t.z, sc->thread_linear);
		canvas_textf(c, r.x, y++, r.w, INK(ROLE_TEXT),
			     _("%u = 32 * %u + %u: warp %u, lane %u"),
			     sc->thread_linear, sc->warp.warp,
			     sc->place.lane, sc->warp.warp, sc->place.lane);
	}
}

const struct view view_grid = { "grid", draw };
