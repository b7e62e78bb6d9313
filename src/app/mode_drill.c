/* mode_drill: the keys of a drill. */
#include "app/mode.h"

#include "base/lang.h"
#include "app/reader_drill.h"

static bool on(const struct reader *r)
{
	return r->drill;
}

static bool open_question(const struct reader *r)
{
	return !r->show.lesson.answered;
}

static bool has_answer(const struct reader *r)
{
	return r->show.lesson.answered;
}

static void act_reveal(struct reader *r, int arg)
{
	(void)arg;
	reader_drill_reveal(r);
}

static void act_next(struct reader *r, int arg)
{
	(void)arg;
	reader_drill_next(r);
}

static void act_topic(struct reader *r, int arg)
{
	reader_drill_topic(r, arg);
}

static void act_level(struct reader *r, int arg)
{
	reader_drill_level(r, arg);
}

/* Returns the letters of the answers, such as "a-c". */
static const char *letters(const struct reader *r)
{
	return r->show.lesson.choice_count < 4 ? "a-c" : "a-d";
}

static bool rest(struct reader *r, uint32_t key)
{
	uint32_t n = (uint32_t)r->show.lesson.choice_count;

	if (key >= 'a' && key < 'a' + n)
		reader_drill_choose(r, (int)(key - 'a'));
	else if (key >= '1' && key < '1' + n)
		reader_drill_choose(r, (int)(key - '1'));
	else
		return false;
	return true;
}

static void mouse(struct reader *r, const struct event *ev)
{
	struct hit hit;

	frame_hit(&r->show, r->w, r->h, ev->x, ev->y, &hit);
	if (ev->mouse == MOUSE_PRESS && hit.kind == HIT_CHOICE)
		reader_drill_choose(r, hit.index);
	else if (ev->mouse == MOUSE_PRESS)
		reader_drill_next(r);
}

static const struct action actions[] = {
	{ .key = "a-d", .key_now = letters, .word = N_("answer"),
	  .help = N_("answer the question (or 1-4, or a click)"),
	  .has = open_question },
	{ .keys = { '!' }, .key = "!", .word = N_("show the answer"),
	  .help = N_("show the answer"), .run = act_reveal,
	  .has = open_question },
	{ .keys = { K_ENTER, ' ', K_RIGHT }, .key = "enter",
	  .word = N_("next"), .help = N_("the next question"),
	  .run = act_next, .has = has_answer },
	{ .keys = { K_TAB }, .key = "tab", .word = N_("topic"),
	  .help = N_("another topic (shift-tab: the one before)"),
	  .run = act_topic, .arg = 1 },
	{ .keys = { K_BACK_TAB }, .run = act_topic, .arg = -1 },
	{ .keys = { '+', '=' }, .key = "+ -", .word = N_("level"),
	  .help = N_("a harder or an easier level"), .run = act_level,
	  .arg = 1 },
	{ .keys = { '-' }, .run = act_level, .arg = -1 },
};

const struct mode mode_drill = {
	.on = on,
	.typing = true,
	.actions = actions,
	.action_count = LENGTH(actions),
	.rest = rest,
	.mouse = mouse,
	.below = &mode_common,
};
