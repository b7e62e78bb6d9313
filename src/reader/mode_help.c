/* The help lies over the screen. */
#include "reader/mode.h"

static bool on(const struct reader *r)
{
	return r->show.help;
}

static void scroll_to(struct reader *r, int row)
{
	int most = help_most(&r->show, r->w, r->h);

	r->show.help_scroll = MAX(0, MIN(row, most));
}

static void act_line(struct reader *r, int arg)
{
	scroll_to(r, r->show.help_scroll + arg);
}

static void act_page(struct reader *r, int arg)
{
	scroll_to(r, r->show.help_scroll + arg * MAX(1, r->h - 4));
}

static void act_quit(struct reader *r, int arg)
{
	(void)arg;
	r->quit = true;
}

/* Any other key closes it. */
static bool rest(struct reader *r, uint32_t key)
{
	(void)key;
	r->show.help = false;
	return true;
}

static void mouse(struct reader *r, const struct event *ev)
{
	act_line(r, mode_wheel(ev));
}

static const struct action actions[] = {
	{ .keys = { K_DOWN, 'j' }, .run = act_line, .arg = 1 },
	{ .keys = { K_UP, 'k' }, .run = act_line, .arg = -1 },
	{ .keys = { K_PAGE_DOWN, ' ' }, .run = act_page, .arg = 1 },
	{ .keys = { K_PAGE_UP }, .run = act_page, .arg = -1 },
	{ .keys = { 'q' }, .run = act_quit },
};

const struct mode mode_help = {
	.on = on,
	.over = true,
	.actions = actions,
	.action_count = LENGTH(actions),
	.rest = rest,
	.mouse = mouse,
};
