#include "viz/overlay.h"

#include "viz/frame_model.h"

static struct rect rect_of(int w, int h)
{
	return (struct rect){ 0, 1, w, h - 2 };
}

static struct rect inside_of(struct rect r)
{
	return (struct rect){ r.x + 2, r.y + 1, r.w - 4, r.h - 2 };
}

struct rect overlay_inside(int w, int h)
{
	return inside_of(rect_of(w, h));
}

int overlay_most(const struct frame_model *s, int w, int h)
{
	struct rect in = inside_of(rect_of(w, h));

	return MAX(0, s->over->draw(NULL, in, 0, s) - in.h);
}

void overlay_draw(struct canvas *c, const struct frame_model *s)
{
	const struct overlay *o = s->over;
	struct rect r = rect_of(c->w, c->h), in = inside_of(r), old;
	int most = overlay_most(s, c->w, c->h), skip = MIN(s->over_skip, most);

	canvas_erase(c, r);
	canvas_frame(c, r, _(o->title),
		     _(!most || r.w < 60 ? o->keys : o->keys_scroll), true);
	old = canvas_clip(c, in);
	o->draw(c, in, skip, s);
	canvas_clip(c, old);
	if (skip)
		canvas_text(c, in.x + in.w - 1, r.y, 1, "\xe2\x96\xb2",
			    INK(ROLE_ACCENT));
	if (skip < most)
		canvas_text(c, in.x + in.w - 1, in.y + in.h, 1,
			    "\xe2\x96\xbc", INK(ROLE_ACCENT));
}
