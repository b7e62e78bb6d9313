/* mode_overlay: the keys of what covers the screen: the help, the glossary
 * (with the terms used here before all of them), or advice. */
#include "app/mode.h"

#include <stdlib.h>
#include <string.h>

#include "base/lang.h"

/* ---- opening it ---- */

static void open_overlay(struct reader *r, const struct overlay *o)
{
	r->show.over = o;
	r->show.over_skip = 0;
}

void act_help(struct reader *r, int arg)
{
	(void)arg;
	open_overlay(r, &overlay_help);
}

static void mark_terms(const struct reader *r, const char *text, bool *used)
{
	if (text)
		glossary_mark(r->glossary, text, used);
}

/* Marks the terms that the words on the screen use. */
static void mark_words(const struct reader *r, bool *used)
{
	const struct show_lesson *l = &r->show.lesson;

	mark_terms(r, l->step_title, used);
	for (size_t i = 0; i < l->prose_count; i++) {
		struct str words = {0};

		for (size_t k = 0; k < l->prose[i].span_count; k++)
			str_add(&words, l->prose[i].spans[k].text);
		mark_terms(r, words.data, used);
		str_done(&words);
	}
	mark_terms(r, l->question, used);
	mark_terms(r, l->reply, used);
	mark_terms(r, l->learned_words, used);
	if (r->show.scene && !r->show.quiet)
		mark_terms(r, r->show.scene->sentence, used);
}

void act_glossary(struct reader *r, int arg)
{
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
	r->show.glossary =
		(struct show_glossary){ .of = r->glossary, .here = used };
	open_overlay(r, &overlay_glossary);
}

void act_advice(struct reader *r, int arg)
{
	struct error e;

	(void)arg;
	scene_advice_done(&r->advice);
	if (scene_advice_make(&r->advice, reader_recording(r)->trace, &e)) {
		reader_say(r, true, "%s", e.text);
		return;
	}
	r->show.advice = &r->advice;
	open_overlay(r, &overlay_advice);
}

/* ---- reading it ---- */

static bool on(const struct reader *r)
{
	return r->show.over;
}

static bool is_glossary(const struct reader *r)
{
	return r->show.over == &overlay_glossary;
}

static void act_line(struct reader *r, int arg)
{
	int most = overlay_most(&r->show, r->w, r->h);

	r->show.over_skip = MAX(0, MIN(r->show.over_skip + arg, most));
}

/* Moves by a page, of which one row stays. */
static void act_page(struct reader *r, int arg)
{
	act_line(r, arg * MAX(1, r->h - 5));
}

static bool can_scroll(const struct reader *r)
{
	return overlay_most(&r->show, r->w, r->h) > 0;
}

void act_uncover(struct reader *r, int arg)
{
	(void)arg;
	r->show.over = NULL;
}

/* Closes the overlay at any other key. */
static bool rest(struct reader *r, uint32_t key)
{
	(void)key;
	act_uncover(r, 0);
	return true;
}

static void mouse(struct reader *r, const struct event *ev)
{
	act_line(r, 3 * mode_wheel(ev));
}

static const struct action actions[] = {
	{ .keys = { K_UP, 'k' }, .key = "\xe2\x86\x91 \xe2\x86\x93",
	  .word = N_("scroll"), .run = act_line, .arg = -1,
	  .has = can_scroll },
	{ .keys = { K_DOWN, 'j' }, .run = act_line, .arg = 1 },
	{ .keys = { K_PAGE_DOWN, ' ' }, .key = "space", .word = N_("page"),
	  .run = act_page, .arg = 1, .has = can_scroll },
	{ .keys = { K_PAGE_UP }, .run = act_page, .arg = -1 },
	{ .keys = { '/' }, .key = "/", .word = N_("search"),
	  .run = act_search, .has = is_glossary },
	{ .keys = { K_ESCAPE }, .key = "esc", .word = N_("close"),
	  .run = act_uncover },
};

const struct mode mode_overlay = {
	.on = on,
	.over = true,
	.actions = actions,
	.action_count = LENGTH(actions),
	.rest = rest,
	.mouse = mouse,
};
