/* mode_list: the keys of the opening screen: the map of the course, or a list
 * of kernels. */
#include "app/mode.h"

#include "base/lang.h"

static bool on(const struct reader *r)
{
	return r->show.list;
}

static void choose_entry(struct reader *r, int to)
{
	r->forgetting = false;
	r->list.chosen = MAX(0, MIN(to, r->list.count - 1));
}

static void act_choose(struct reader *r, int arg)
{
	choose_entry(r, r->list.chosen + arg);
}

static void act_column(struct reader *r, int arg)
{
	choose_entry(r, list_beside(&r->list, r->w, r->h, arg));
}

static void act_open(struct reader *r, int arg)
{
	enum list_kind kind = r->list.kind;
	int chosen = r->list.chosen;
	struct error e;

	(void)arg;
	if (!r->list.count)
		return;
	if (reader_open_entry(r, &e))
		reader_say(r, true, "%s", e.text);
	else
		reader_came_from(r, kind, chosen);
}

/* A list of kernels goes back to the course. */
static void act_list(struct reader *r, int kind)
{
	reader_open_list(r, r->list.kind == (enum list_kind)kind ?
			    LIST_COURSE : (enum list_kind)kind);
}

static void act_race(struct reader *r, int arg)
{
	struct benchmark_plan all;
	struct error e;

	(void)arg;
	benchmark_plan_init(&all);
	if (reader_open_benchmark(r, &all, NULL, &e))
		reader_say(r, true, "%s", e.text);
	benchmark_plan_done(&all);
}

/* Asks which topic. */
static void act_drill(struct reader *r, int arg)
{
	(void)arg;
	r->show.over = &overlay_topics;
	r->show.over_skip = 0;
}

static void act_file(struct reader *r, int arg)
{
	(void)arg;
	r->file_text[0] = 0;
	r->show.file_text = r->file_text;
}

static void act_forget(struct reader *r, int arg)
{
	struct error e;

	(void)arg;
	if (!r->forgetting) {
		reader_say(r, false, "%s", _("Press x again to delete your "
					     "progress in the course."));
		r->forgetting = true;
	} else if (progress_forget(&r->progress, &e)) {
		reader_say(r, true, "%s", e.text);
	} else {
		reader_open_list(r, LIST_COURSE);
	}
}

static bool has_progress(const struct reader *r)
{
	return r->list.kind == LIST_COURSE && r->progress.count;
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
	{ .keys = { K_DOWN, K_TAB },
	  .key = "\xe2\x86\x91 \xe2\x86\x93", .word = N_("choose"),
	  .help = N_("choose an entry (or home, end, \xe2\x86\x90, "
		     "\xe2\x86\x92, a click)"),
	  .run = act_choose, .arg = 1 },
	{ .keys = { K_UP, K_BACK_TAB }, .run = act_choose, .arg = -1 },
	{ .keys = { K_HOME, K_PAGE_UP }, .run = act_choose, .arg = -ALL },
	{ .keys = { K_END, K_PAGE_DOWN }, .run = act_choose, .arg = ALL },
	{ .keys = { K_RIGHT }, .run = act_column, .arg = 1 },
	{ .keys = { K_LEFT }, .run = act_column, .arg = -1 },
	{ .keys = { K_ENTER, ' ' }, .key = "enter", .word = N_("open"),
	  .help = N_("open it; a lesson where you stopped"),
	  .run = act_open },
	{ .keys = { 'k' }, .key = "k", .word = N_("kernels"),
	  .help = N_("the list of kernels, or the map again"),
	  .run = act_list, .arg = LIST_KERNELS },
	{ .keys = { 'b' }, .key = "b", .word = N_("bugs"),
	  .help = N_("kernels with a bug to find, or the map again"),
	  .run = act_list,
	  .arg = LIST_BUGS },
	{ .keys = { 'r' }, .key = "r", .word = N_("race"),
	  .help = N_("a race of all kernels"), .run = act_race },
	{ .keys = { 'd' }, .key = "d", .word = N_("drill"),
	  .help = N_("questions with ever new numbers"),
	  .run = act_drill },
	{ .keys = { 'o' }, .key = "o", .word = N_("open a file"),
	  .help = N_("open a kernel, a trace or a lesson from a file"),
	  .run = act_file },
	{ .keys = { 'x' }, .key = "x", .word = N_("start afresh"),
	  .help = N_("forget what was done of the course"),
	  .run = act_forget, .has = has_progress },
	{ .keys = { K_ESCAPE, K_BACKSPACE }, .run = act_list,
	  .arg = LIST_COURSE },
};

const struct mode mode_list = {
	.on = on,
	.actions = actions,
	.action_count = LENGTH(actions),
	.mouse = mouse,
	.below = &mode_common,
};
