/* mode_answer: the keys while a question is open, and the picture stands
 * still. */
#include "app/mode.h"

#include <string.h>

#include "base/lang.h"

static bool on(const struct reader *r)
{
	return reader_asking(r);
}

/* Returns whether there are choices: not before the kernel is recorded. */
static bool has_choices(const struct reader *r)
{
	return r->show.lesson.choice_count > 0;
}

static bool has_answer(const struct reader *r)
{
	return r->session.recordings[r->recording].trace != NULL;
}

/* Returns the letters of the choices, such as "a-c". */
static const char *letters(const struct reader *r)
{
	static const char *const keys[SHOW_CHOICES + 1] = { "", "a", "a-b", "a-c",
							    "a-d" };

	return keys[r->show.lesson.choice_count];
}

static void act_reveal(struct reader *r, int arg)
{
	(void)arg;
	reader_reveal(r);
}

/* Clears what was typed. */
static void act_erase(struct reader *r, int arg)
{
	(void)arg;
	r->typed[0] = 0;
}

static bool is_typing(const struct reader *r)
{
	return r->typed[0];
}

/* Chooses an answer by its letter, which does nothing else until another key
 * was pressed: it may be pressed twice. */
static bool choose_letter(struct reader *r, uint32_t key)
{
	if (!reader_choose(r, (int)(key - 'a')))
		return false;
	r->letter = key;
	return true;
}

/* Takes a choice's letter, or a number's next character. */
static bool rest(struct reader *r, uint32_t key)
{
	size_t n = strlen(r->typed);
	uint32_t choices = (uint32_t)r->show.lesson.choice_count;

	if (key >= 'a' && key < 'a' + choices)
		return n || choose_letter(r, key);
	if (n == sizeof(r->typed) - 1 ||
	    !((key >= '0' && key <= '9') || key == '.' ||
	      (key == '-' && !n)))
		return false;
	r->typed[n] = (char)key;
	r->typed[n + 1] = 0;
	return true;
}

/* Those without a key of their own are for the footer; see rest(). */
static const struct action actions[] = {
	{ .key = "a-d", .key_now = letters, .word = N_("answer"),
	  .has = has_choices },
	{ .keys = { K_TAB }, .key = "tab", .word = N_("view"),
	  .run = act_tab, .arg = 1 },
	{ .keys = { '!' }, .key = "!", .word = N_("show the answer"),
	  .run = act_reveal, .has = has_answer },
	{ .keys = { K_ESCAPE }, .run = act_erase, .has = is_typing },
	{ .key = "0-9", .word = N_("type it"), .has = has_choices },
	{ .keys = { 'l' }, .key = "l L", .word = N_("lane"),
	  .run = act_lane, .arg = 1 },
};

const struct mode mode_answer = {
	.on = on,
	.typing = true,
	.actions = actions,
	.action_count = LENGTH(actions),
	.rest = rest,
	.below = &mode_step,
	.help = &mode_step,
};
