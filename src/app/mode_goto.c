/* mode_goto: the keys while the number of a step is being typed. */
#include "app/mode.h"

#include <string.h>

static bool on(const struct reader *r)
{
	return r->show.goto_text;
}

static void act_go(struct reader *r, int arg)
{
	struct stage *s = reader_recording(r)->stage;
	long to;

	(void)arg;
	r->show.goto_text = NULL;
	if (s && parse_int(r->goto_text, 1, INT32_MAX, &to))
		cursor_go(s, reader_cursor(r), (uint32_t)to - 1);
}

static void act_erase(struct reader *r, int arg)
{
	(void)arg;
	if (!mode_erase_character(r->goto_text))
		r->show.goto_text = NULL;
}

/* Takes another digit; any other key leaves. */
static bool rest(struct reader *r, uint32_t key)
{
	size_t n = strlen(r->goto_text);

	if (key >= '0' && key <= '9' && n < sizeof(r->goto_text) - 1) {
		r->goto_text[n] = (char)key;
		r->goto_text[n + 1] = 0;
	} else {
		r->show.goto_text = NULL;
	}
	return true;
}

static const struct action actions[] = {
	{ .keys = { K_ENTER }, .run = act_go },
	{ .keys = { K_BACKSPACE }, .run = act_erase },
};

const struct mode mode_goto = {
	.on = on,
	.typing = true,
	.over = true,
	.actions = actions,
	.action_count = LENGTH(actions),
	.rest = rest,
};
