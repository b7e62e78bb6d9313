/* mode_file: the keys while the path of a file is being typed on the opening
 * screen. */
#include "app/mode.h"

static bool on(const struct reader *r)
{
	return r->show.file_text;
}

static void act_open(struct reader *r, int arg)
{
	char *path = xstrdup(r->file_text);
	struct error e;

	(void)arg;
	r->show.file_text = NULL;
	if (*path && reader_open_file(r, path, &e))
		reader_say(r, true, "%s", e.text);
	free(path);
}

static void act_leave(struct reader *r, int arg)
{
	(void)arg;
	r->show.file_text = NULL;
}

/* Removes the last character, with all its bytes. */
static void act_erase(struct reader *r, int arg)
{
	(void)arg;
	if (!mode_erase_character(r->file_text))
		r->show.file_text = NULL;
}

static bool rest(struct reader *r, uint32_t key)
{
	mode_type_key(r->file_text, sizeof(r->file_text), key);
	return true;
}

static const struct action actions[] = {
	{ .keys = { K_ENTER }, .run = act_open },
	{ .keys = { K_ESCAPE }, .run = act_leave },
	{ .keys = { K_BACKSPACE }, .run = act_erase },
};

const struct mode mode_file = {
	.on = on,
	.typing = true,
	.over = true,
	.actions = actions,
	.action_count = LENGTH(actions),
	.rest = rest,
};
