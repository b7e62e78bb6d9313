/* The glossary lies over the screen: the terms used here, then all. */
#include "reader/mode.h"

#include <stdlib.h>
#include <string.h>

#include "base/lang.h"

/* ---- opening it ---- */

static void mark(const struct reader *r, const char *text, bool *used)
{
	if (text)
		glossary_mark(r->glossary, text, used);
}

/* What the words on the screen use. */
static void mark_words(const struct reader *r, bool *used)
{
	const struct show_lesson *l = &r->show.lesson;

	mark(r, l->step_title, used);
	for (size_t i = 0; i < l->prose_count; i++) {
		struct str words = {0};

		for (size_t k = 0; k < l->prose[i].span_count; k++)
			str_add(&words, l->prose[i].spans[k].text);
		mark(r, words.data, used);
		str_done(&words);
	}
	mark(r, l->question, used);
	mark(r, l->reply, used);
	mark(r, l->learned_words, used);
	if (r->show.scene && !r->show.quiet)
		mark(r, r->show.scene->sentence, used);
}

void act_glossary(struct reader *r, int arg)
{
	struct show_glossary *s = &r->show.glossary;
	struct error e;
	bool *used;

	(void)arg;
	if (!r->glossary)
		r->glossary = glossary_load(r->options.lang, &e);
	if (!r->glossary) {
		reader_say(r, true, "%s", e.text);
		return;
	}
	used = xcalloc(r->glossary->count + 1, sizeof(*used));
	mark_words(r, used);
	free(r->here);
	r->here = used;
	*s = (struct show_glossary){ .of = r->glossary, .here = used };
}

/* ---- reading it ---- */

static bool on(const struct reader *r)
{
	return r->show.glossary.of;
}

static void scroll(struct reader *r, int by)
{
	struct show_glossary *s = &r->show.glossary;
	int most = glossary_most(&r->show, r->w, r->h);

	s->scroll = MAX(0, MIN(s->scroll + by, most));
}

static void act_line(struct reader *r, int arg)
{
	scroll(r, arg);
}

static void act_page(struct reader *r, int arg)
{
	scroll(r, arg * MAX(1, r->h - 5));
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
	r->show.glossary.of = NULL;
	return true;
}

static void mouse(struct reader *r, const struct event *ev)
{
	scroll(r, 3 * mode_wheel(ev));
}

static const struct action actions[] = {
	{ .keys = { K_DOWN, 'j' }, .run = act_line, .arg = 1 },
	{ .keys = { K_UP, 'k' }, .run = act_line, .arg = -1 },
	{ .keys = { K_PAGE_DOWN, ' ' }, .run = act_page, .arg = 1 },
	{ .keys = { K_PAGE_UP }, .run = act_page, .arg = -1 },
	{ .keys = { 'q' }, .run = act_quit },
};

const struct mode mode_glossary = {
	.on = on,
	.over = true,
	.actions = actions,
	.action_count = LENGTH(actions),
	.rest = rest,
	.mouse = mouse,
};
