/* mode_search: the keys while words to look for are being typed: in the
 * glossary, in the list, or in the source, whichever is on the screen. */
#include "app/mode.h"

#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/text.h"

/* What can be searched: `count` items, each of which may match, and where one
 * of them is shown. */
struct searched {
	size_t (*count)(const struct reader *r);
	bool (*matches)(const struct reader *r, size_t item);
	void (*show)(struct reader *r, size_t item);
	/* Returns the item at which a search begins. */
	size_t (*now)(const struct reader *r);
	/* Describes an item; the caller frees the text. */
	char *(*describe)(const struct reader *r, size_t item);
};

static bool has_words(const struct reader *r, const char *text)
{
	return text && strcasestr(text, r->search.text);
}

/* ---- the glossary: its terms' names, then their meanings ---- */

static size_t count_terms(const struct reader *r)
{
	return 2 * r->glossary->count;
}

static const struct glossary_term *find_term(const struct reader *r,
					     size_t item)
{
	return &r->glossary->terms[item % r->glossary->count];
}

static bool term_matches(const struct reader *r, size_t item)
{
	const struct glossary_term *t = find_term(r, item);

	if (item >= r->glossary->count)
		return has_words(r, t->words);
	for (size_t i = 0; i < t->form_count; i++)
		if (has_words(r, t->forms[i]))
			return true;
	return false;
}

static void show_term(struct reader *r, size_t item)
{
	int row = glossary_row(&r->show, overlay_inside(r->w, r->h),
			       item % r->glossary->count);

	r->show.over_skip = MIN(row, overlay_most(&r->show, r->w, r->h));
}

static size_t first_term(const struct reader *r)
{
	(void)r;
	return 0;
}

static char *describe_term(const struct reader *r, size_t item)
{
	return xstrdup(find_term(r, item)->forms[0]);
}

/* ---- the list ---- */

static size_t count_entries(const struct reader *r)
{
	return (size_t)r->list.count;
}

static bool entry_matches(const struct reader *r, size_t item)
{
	const struct show_entry *e = &r->list.entries[item];

	return has_words(r, e->name) || has_words(r, e->title) ||
	       has_words(r, e->about) || has_words(r, e->kernels) ||
	       has_words(r, e->plan);
}

static void show_entry(struct reader *r, size_t item)
{
	r->list.chosen = (int)item;
}

static size_t chosen_entry(const struct reader *r)
{
	return (size_t)r->list.chosen;
}

static char *describe_entry(const struct reader *r, size_t item)
{
	return xstrdup(r->list.entries[item].title);
}

/* ---- the source ---- */

static size_t count_lines(const struct reader *r)
{
	return r->show.scene->source->count;
}

static bool line_matches(const struct reader *r, size_t item)
{
	return has_words(r, r->show.scene->source->lines[item].text);
}

/* Moves the source to the line, and shows it if no pane has it. */
static void show_line(struct reader *r, size_t item)
{
	struct screen_layout l;

	r->show.source_scroll = (int)item + 1 - (int)r->show.scene->line;
	layout_make(&l, r->w, r->h, &r->show);
	if (l.source.h < 1)
		r->show.pane = PANE_SOURCE;
}

static size_t current_line(const struct reader *r)
{
	long line = (long)r->show.scene->line - 1 + r->show.source_scroll;

	return (size_t)MAX(0, MIN(line, (long)count_lines(r) - 1));
}

static char *describe_line(const struct reader *r, size_t item)
{
	(void)r;
	return xasprintf(_("line %u"), (unsigned)item + 1);
}

/* ---- which of them ---- */

static const struct searched *find_searched(const struct reader *r)
{
	static const struct searched terms = {
		count_terms, term_matches, show_term, first_term,
		describe_term,
	};
	static const struct searched entries = {
		count_entries, entry_matches, show_entry, chosen_entry,
		describe_entry,
	};
	static const struct searched lines = {
		count_lines, line_matches, show_line, current_line,
		describe_line,
	};

	if (r->show.over == &overlay_glossary)
		return &terms;
	if (r->benchmark || r->drill || r->room || r->show.lesson.learned)
		return NULL;
	if (r->show.list)
		return r->list.count ? &entries : NULL;
	return r->show.scene && r->show.scene->source ? &lines : NULL;
}

bool can_search(const struct reader *r)
{
	return find_searched(r);
}

/* ---- searching ---- */

/* Shows the first item from `from` on that matches, going by 1 or -1 and on
 * from the other end. */
static void find_item(struct reader *r, size_t from, int by)
{
	const struct searched *s = find_searched(r);
	size_t n = s->count(r);
	char *words;

	snprintf(r->search.found, sizeof(r->search.found), "%s",
		 r->search.text[0] ? _("not found") : "");
	for (size_t i = 0; i < n && r->search.text[0]; i++) {
		size_t at = (from + n + (by < 0 ? n - i : i)) % n;

		if (!s->matches(r, at))
			continue;
		r->search.at = at;
		s->show(r, at);
		words = s->describe(r, at);
		snprintf(r->search.found, sizeof(r->search.found), "%s",
			 text_show(words));
		free(words);
		return;
	}
}

void act_search(struct reader *r, int arg)
{
	(void)arg;
	r->search.from = r->search.at = find_searched(r)->now(r);
	r->search.over_skip = r->show.over_skip;
	r->search.source_scroll = r->show.source_scroll;
	r->search.pane = r->show.pane;
	r->search.chosen = r->list.chosen;
	r->search.text[0] = r->search.found[0] = 0;
	r->show.search_text = r->search.text;
	r->show.search_found = r->search.found;
}

static bool on(const struct reader *r)
{
	return r->show.search_text;
}

static void act_close(struct reader *r, int arg)
{
	(void)arg;
	if (r->search.found[0])
		reader_say(r, false, "%s", r->search.found);
	r->show.search_text = NULL;
}

/* Returns to where the search began. */
static void act_leave(struct reader *r, int arg)
{
	(void)arg;
	r->show.search_text = NULL;
	r->show.over_skip = r->search.over_skip;
	r->show.source_scroll = r->search.source_scroll;
	r->show.pane = r->search.pane;
	if (r->show.list)
		r->list.chosen = r->search.chosen;
}

static void act_next(struct reader *r, int arg)
{
	size_t n = find_searched(r)->count(r);

	if (n)
		find_item(r, (r->search.at + n + (size_t)(arg + (int)n)) % n,
			  arg);
}

/* Removes the last character, with all its bytes. */
static void act_erase(struct reader *r, int arg)
{
	(void)arg;
	if (mode_erase_character(r->search.text))
		find_item(r, r->search.from, 1);
	else
		act_leave(r, 0);
}

static bool rest(struct reader *r, uint32_t key)
{
	if (mode_type_key(r->search.text, sizeof(r->search.text), key))
		find_item(r, r->search.from, 1);
	return true;
}

static const struct action actions[] = {
	{ .keys = { K_ENTER }, .run = act_close },
	{ .keys = { K_ESCAPE }, .run = act_leave },
	{ .keys = { K_BACKSPACE }, .run = act_erase },
	{ .keys = { K_DOWN, K_TAB }, .run = act_next, .arg = 1 },
	{ .keys = { K_UP, K_BACK_TAB }, .run = act_next, .arg = -1 },
};

const struct mode mode_search = {
	.on = on,
	.typing = true,
	.over = true,
	.actions = actions,
	.action_count = LENGTH(actions),
	.rest = rest,
};
