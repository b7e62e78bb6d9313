/* field: see field.h. */
#include "viz/field.h"

#include <stdio.h>

#include "base/text.h"

struct field field_of(struct rect r, uint32_t w, uint32_t h, uint32_t last)
{
	struct field f = { r, w, h, 1, { 0, 0, false }, 1 };
	int left = r.w <= 30 ? 0 : last < 100 ? 3 : 4, top = r.h > 6;

	f.r.x += left;
	f.r.w -= left;
	f.r.y += top;
	f.r.h -= top;
	for (;; f.scale *= 2) {
		int across = (int)((w + f.scale - 1) / f.scale);
		int down = (int)((h + f.scale - 1) / f.scale);

		f.each.w = (f.r.w + 1) / across - 1;
		f.each.h = (f.r.h + 1) / down - 1;
		f.each.w = MIN(f.each.w, 4 * f.each.h + 8);
		f.each.h = MIN(f.each.h, f.each.w);
		if (f.each.w > 1 && f.each.h > 0)
			return f;
		f.gap = 0;
		f.each = kit_fit(f.r.w, f.r.h, (uint32_t)down,
				 (uint32_t)across);
		if (f.each.half)
			f.each.w = MIN(f.r.w / across, 2);
		if (f.each.w)
			return f;
		f.gap = 1;
	}
}

struct rect field_rect(const struct field *f, uint32_t x, uint32_t y)
{
	int dx = (int)(x / f->scale) * (f->each.w + f->gap);
	int dy = (int)(y / f->scale) * (f->each.h + f->gap);

	if (f->each.half)
		dy = (int)(y / f->scale) / 2;
	return (struct rect){ f->r.x + dx, f->r.y + dy, f->each.w,
			      f->each.h };
}

void field_draw(struct canvas *c, const struct field *f, uint32_t x,
		uint32_t y, const char *text, enum role role)
{
	struct rect r = field_rect(f, x, y);
	enum role ink = role == ROLE_FIELD || role == ROLE_TILE ? ROLE_DIM :
								 ROLE_ON_HUE;

	for (int i = 0; f->each.half && i < r.w; i++)
		canvas_pixel(c, r.x + i, 2 * f->r.y + (int)(y / f->scale),
			     role);
	if (!f->each.half)
		kit_box(c, r, text && text_width(text) < r.w + f->gap ? text : NULL,
			INK_ON(ink, role));
}

void field_rulers(struct canvas *c, const struct field *f, uint32_t x,
		  uint32_t y, uint32_t across, uint32_t down)
{
	int next = 0;

	kit_axis(c, &(struct kit_axis){
		f->r.x, f->r.y - 1,
		(double)(f->each.w + f->gap) / f->scale, 0, f->w, across, x });
	for (uint32_t i = 0; i < f->h; i++) {
		struct rect r = field_rect(f, 0, i);
		char n[16];

		snprintf(n, sizeof(n), "%u", i * down);
		if (r.y < next && i != y)
			continue;
		next = r.y + 1;
		canvas_right(c, r.x - 4, r.y, 3, n, i == y ?
			     INK_FOCUS : INK(ROLE_FAINT));
	}
}
