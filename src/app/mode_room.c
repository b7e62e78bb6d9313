/* A class on its teacher's screen. */
#include "app/mode.h"

#include "base/lang.h"
#include "app/reader_room.h"

static bool on(const struct reader *r)
{
	return r->room;
}

static void act_reveal(struct reader *r, int arg)
{
	(void)arg;
	r->room->show.reveal = !r->room->show.reveal;
}

static void act_names(struct reader *r, int arg)
{
	(void)arg;
	reader_room_names(r);
}

static void act_practice(struct reader *r, int arg)
{
	(void)arg;
	r->room->show.practice = !r->room->show.practice;
}

static const struct action actions[] = {
	{ .keys = { K_ENTER, ' ' }, .key = "enter", .word = N_("right answer"),
	  .help = N_("mark the right answer, or hide it"), .run = act_reveal },
	{ .keys = { 'n' }, .key = "n", .word = N_("names"),
	  .help = N_("show the people's names, or hide them"),
	  .run = act_names },
	{ .keys = { 'p' }, .key = "p", .word = N_("practice"),
	  .help = N_("how far the class is with the rungs of practice"),
	  .run = act_practice },
};

const struct mode mode_room = {
	.on = on,
	.actions = actions,
	.action_count = LENGTH(actions),
	.below = &mode_common,
};
