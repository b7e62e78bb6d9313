/* mode_common: the keys of every screen. */
#include "app/mode.h"

#include <string.h>

#include "base/lang.h"
#include "viz/theme.h"

#define CTRL(c) ((c) & 31)

static void act_theme(struct reader *r, int arg)
{
	const char *const *names = theme_names();
	int i = 0, n = 0;

	(void)arg;
	while (names[n])
		n++;
	while (r->theme && names[i] && strcmp(names[i], r->theme->name))
		i++;
	r->theme = theme_find(names[r->theme ? (i + 1) % n : 1 % n]);
}

static void act_menu(struct reader *r, int arg)
{
	(void)arg;
	reader_open_list(r, LIST_COURSE);
}

static void act_save(struct reader *r, int arg)
{
	(void)arg;
	reader_save(r);
}

static void act_copy(struct reader *r, int arg)
{
	(void)arg;
	reader_copy(r);
}

static void act_redraw(struct reader *r, int arg)
{
	(void)arg;
	r->want_redraw = true;
}

static void act_suspend(struct reader *r, int arg)
{
	(void)arg;
	r->want_suspend = true;
}

static void act_follow(struct reader *r, int arg)
{
	(void)arg;
	reader_follow_again(r);
}

static bool has_teacher(const struct reader *r)
{
	return r->follow && !r->following;
}

/* Returns to where this was opened; from there it quits. */
static void act_leave(struct reader *r, int arg)
{
	(void)arg;
	r->quit = !reader_leave(r);
}

static void act_quit(struct reader *r, int arg)
{
	(void)arg;
	r->quit = true;
}

static const char *leave_word(const struct reader *r)
{
	return r->benchmark && r->lesson ? N_("to the lesson") :
	       r->practice && !r->show.practice ? N_("to the rung") :
	       r->show.practice && r->show.practice->open ? N_("map") :
	       r->origin.is || (r->benchmark && r->show.list) ?
	       N_("to the list") : N_("quit");
}

/* Returns whether the reader has left a practice for something else. */
static bool has_left_practice(const struct reader *r)
{
	return r->practice && !r->show.practice;
}

static void act_return(struct reader *r, int arg)
{
	(void)arg;
	reader_leave(r);
}

static const struct action actions[] = {
	{ .keys = { K_ESCAPE }, .run = act_return, .has = has_left_practice },
	{ .keys = { 't' }, .key = "t",
	  .help = N_("theme: dark, light, without colour"),
	  .run = act_theme },
	{ .keys = { 'm' }, .key = "m", .help = N_("the map of the course"),
	  .run = act_menu },
	{ .keys = { 'i' }, .key = "i",
	  .help = N_("glossary: the terms used here, then all of them"),
	  .run = act_glossary },
	{ .keys = { '/' }, .key = "/",
	  .help = N_("search the glossary, the list or the source"),
	  .run = act_search, .has = can_search },
	{ .keys = { 'P' }, .key = "P",
	  .help = N_("save the screen as SVG and as text"),
	  .run = act_save },
	{ .keys = { 'T' }, .key = "T",
	  .help = N_("copy the screen's text to the clipboard"),
	  .run = act_copy },
	{ .keys = { '?', K_F1 }, .key = "?", .word = N_("help"),
	  .help = N_("keys and symbols"), .run = act_help },
	{ .keys = { CTRL('l') }, .key = "ctrl-l",
	  .help = N_("redraw the screen"), .run = act_redraw },
	{ .keys = { CTRL('z') }, .key = "ctrl-z", .help = N_("suspend"),
	  .run = act_suspend },
	{ .keys = { 'f' }, .key = "f", .word = N_("follow"),
	  .help = N_("follow the teacher again"), .run = act_follow,
	  .has = has_teacher },
	{ .keys = { 'q' }, .key = "q", .word = N_("quit"),
	  .word_now = leave_word,
	  .help = N_("back to where this was opened; from there: quit"),
	  .run = act_leave },
	{ .keys = { 'Q' }, .key = "Q", .help = N_("quit at once"),
	  .run = act_quit },
};

/* Below others; never on by itself. */
const struct mode mode_common = {
	.actions = actions,
	.action_count = LENGTH(actions),
};
