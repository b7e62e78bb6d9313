/* mode_learned: the keys of the screen with what was learned. */
#include "app/mode.h"

#include "base/lang.h"

static bool on(const struct reader *r)
{
	return r->show.lesson.learned;
}

static void act_back(struct reader *r, int arg)
{
	(void)arg;
	reader_go_step(r, r->step);
}

static const struct action actions[] = {
	{ .keys = { K_ENTER, 'n' }, .key = "enter",
	  .word = N_("to the lessons"), .help = N_("to the lessons"),
	  .run = act_lessons },
	{ .keys = { K_BACKSPACE, 'p' }, .key = "backspace p",
	  .word = N_("back"), .help = N_("back to the lesson's last step"),
	  .run = act_back },
};

const struct mode mode_learned = {
	.on = on,
	.actions = actions,
	.action_count = LENGTH(actions),
	.below = &mode_common,
};
