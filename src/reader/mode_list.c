/* The list of lessons is on the screen. */
#include "reader/mode.h"

#include "base/lang.h"

static bool on(const struct reader *r)
{
	return r->show.list;
}

static void act_choose(struct reader *r, int arg)
{
	int to = r->list.chosen + arg;

	r->list.chosen = MAX(0, MIN(to, r->list.count - 1));
}

static void act_open(struct reader *r, int arg)
{
	struct error e;

	(void)arg;
	if (r->list.count &&
	    reader_open_lesson(r, r->list.entries[r->list.chosen].name, &e))
		reader_say(r, true, "%s", e.text);
}

static void mouse(struct reader *r, const struct event *ev)
{
	struct hit hit;

	frame_hit(&r->show, r->w, r->h, ev->x, ev->y, &hit);
	if (hit.kind != HIT_LIST)
		return;
	act_choose(r, mode_wheel(ev));
	if (ev->mouse != MOUSE_PRESS || hit.index < 0 ||
	    hit.index >= r->list.count)
		return;
	r->list.chosen = hit.index;
	act_open(r, 0);
}

#define ALL (1 << 20)		/* more than there are */

static const struct action actions[] = {
	{ { K_DOWN, 'j', K_TAB }, "\xe2\x86\x91 \xe2\x86\x93", N_("choose"),
	  NULL, act_choose, 1, NULL, NULL, NULL },
	{ .keys = { K_UP, 'k', K_BACK_TAB }, .run = act_choose, .arg = -1 },
	{ .keys = { K_HOME, K_PAGE_UP }, .run = act_choose, .arg = -ALL },
	{ .keys = { K_END, K_PAGE_DOWN }, .run = act_choose, .arg = ALL },
	{ .keys = { K_ENTER, ' ', K_RIGHT }, .key = "enter",
	  .word = N_("open"), .run = act_open },
};

const struct mode mode_list = {
	.on = on,
	.actions = actions,
	.action_count = LENGTH(actions),
	.mouse = mouse,
	.below = &mode_common,
	.help = &mode_step,
};
