/* mode_benchmark: the keys while a race is on the screen. */
#include "app/mode.h"

#include "base/lang.h"
#include "app/reader_benchmark.h"

static void act_pause(struct reader *r, int arg)
{
	(void)arg;
	benchmark_pause(r->benchmark->run, !r->benchmark->run->paused);
}

static void act_size(struct reader *r, int arg)
{
	struct reader_benchmark *x = r->benchmark;
	long to = (long)x->choice.size + arg;

	x->follow = false;
	x->choice.size = (size_t)MAX(0, MIN(to,
					    (long)x->all->size_count - 1));
}

static void act_kernel(struct reader *r, int arg)
{
	struct reader_benchmark *x = r->benchmark;
	long to = (long)x->scene.chosen + arg;

	to = MAX(0, MIN(to, (long)x->scene.row_count - 1));
	x->choice.chosen = x->scene.rows[to].index;
}

/* Moves to the first row that is shown, unless the chosen one still is. */
static void stay_chosen(struct benchmark_choice *c)
{
	for (size_t i = 0; !benchmark_shows(c, c->chosen) &&
	     i < c->all->case_count; i++)
		if (benchmark_shows(c, i))
			c->chosen = i;
}

static void act_group(struct reader *r, int arg)
{
	struct benchmark_choice *c = &r->benchmark->choice;

	(void)arg;
	c->group = c->group == GROUP_FLOAT ? GROUP_TENSOR : GROUP_FLOAT;
	stay_chosen(c);
}

static void act_variants(struct reader *r, int arg)
{
	struct benchmark_choice *c = &r->benchmark->choice;

	(void)arg;
	c->variants = !c->variants;
	stay_chosen(c);
}

static void act_toggle(struct reader *r, int arg)
{
	struct benchmark_choice *c = &r->benchmark->choice;
	size_t left = 0;

	(void)arg;
	for (size_t i = 0; i < c->all->case_count; i++)
		left += c->on[i];
	if (left == 1 && c->on[c->chosen])
		reader_say(r, false, "%s", _("A race needs at least one "
					     "kernel."));
	else
		c->on[c->chosen] = !c->on[c->chosen];
}

static void act_page(struct reader *r, int arg)
{
	struct benchmark_choice *c = &r->benchmark->choice;

	do
		c->page = (enum benchmark_page)(
			(c->page + BENCHMARK_PAGES + arg) % BENCHMARK_PAGES);
	while (!benchmark_has_page(&r->benchmark->scene, r->w, r->h, c->page));
}

static void act_again(struct reader *r, int arg)
{
	struct error e;

	(void)arg;
	if (reader_benchmark_start(r, &e))
		reader_say(r, true, "%s", e.text);
}

static void act_to_end(struct reader *r, int arg)
{
	(void)arg;
	reader_benchmark_to_end(r);
}

static void act_leave(struct reader *r, int arg)
{
	(void)arg;
	reader_close_benchmark(r);
}

static bool has_lesson(const struct reader *r)
{
	return r->lesson;
}

static bool has_end(const struct reader *r)
{
	return r->benchmark->recorded;
}

static bool has_no_lesson(const struct reader *r)
{
	return !r->lesson;
}

static bool has_groups(const struct reader *r)
{
	return r->benchmark->scene.groups;
}

static bool has_variants(const struct reader *r)
{
	return r->benchmark->scene.variants;
}

static const char *group_word(const struct reader *r)
{
	return r->benchmark->choice.group == GROUP_TENSOR ?
	       N_("CUDA cores") : N_("tensor cores");
}

static const char *pause_word(const struct reader *r)
{
	return r->benchmark->run->paused ? N_("resume") : N_("pause");
}

static void mouse(struct reader *r, const struct event *ev)
{
	struct benchmark_choice *c = &r->benchmark->choice;
	int row = benchmark_hit(&r->benchmark->scene, r->w, r->h, ev->x, ev->y);

	if (mode_wheel(ev))
		act_kernel(r, mode_wheel(ev));
	else if (ev->mouse != MOUSE_PRESS || row < 0)
		return;
	else if ((size_t)row == r->benchmark->scene.chosen)
		act_toggle(r, 0);
	else
		c->chosen = r->benchmark->scene.rows[row].index;
}

static const struct action actions[] = {
	{ .keys = { K_ENTER, K_ESCAPE, K_BACKSPACE }, .key = "enter",
	  .word = N_("to the lesson"), .help = N_("back to the lesson"),
	  .run = act_leave, .has = has_lesson },
	{ .keys = { 'p' }, .run = act_leave, .has = has_lesson },
	{ .keys = { ' ' }, .key = "space", .word = N_("pause"),
	  .word_now = pause_word, .help = N_("pause and resume"),
	  .run = act_pause },
	{ .keys = { K_TAB }, .key = "tab", .word = N_("view"),
	  .help = N_("next view: bars, roofline (shift-tab: previous)"),
	  .run = act_page, .arg = 1 },
	{ .keys = { K_BACK_TAB }, .run = act_page, .arg = -1 },
	{ .keys = { K_LEFT, 'h' }, .key = "\xe2\x86\x90 \xe2\x86\x92",
	  .word = N_("size"), .help = N_("smaller or larger matrices"),
	  .run = act_size, .arg = -1 },
	{ .keys = { K_RIGHT, 'l' }, .run = act_size, .arg = 1 },
	{ .keys = { K_UP, 'k' }, .key = "\xe2\x86\x91 \xe2\x86\x93",
	  .word = N_("kernel"), .help = N_("choose a kernel"),
	  .run = act_kernel, .arg = -1 },
	{ .keys = { K_DOWN, 'j' }, .run = act_kernel, .arg = 1 },
	{ .keys = { 'c' }, .key = "c", .word = N_("tensor cores"),
	  .word_now = group_word,
	  .help = N_("the kernels of CUDA cores or of tensor cores"),
	  .run = act_group, .has = has_groups },
	{ .keys = { 'x' }, .key = "x", .word = N_("in, out"),
	  .help = N_("take the kernel out of the race, or back in"),
	  .run = act_toggle },
	{ .keys = { K_ENTER }, .run = act_toggle, .has = has_no_lesson },
	{ .keys = { 'v' }, .key = "v", .word = N_("variants"),
	  .help = N_("each kernel with all its parameters, or the fastest"),
	  .run = act_variants, .has = has_variants },
	{ .keys = { 'r' }, .key = "r", .word = N_("again"),
	  .help = N_("start again"), .run = act_again },
	{ .keys = { K_END }, .key = "end", .word = N_("to the end"),
	  .help = N_("a recording: to its end at once"), .run = act_to_end,
	  .has = has_end },
};

static bool on(const struct reader *r)
{
	return r->benchmark;
}

const struct mode mode_benchmark = {
	.on = on,
	.actions = actions,
	.action_count = LENGTH(actions),
	.mouse = mouse,
	.below = &mode_common,
};
