/* practice_hints: what the hints of a rung say. See reader_practice.h. */
#include <stdlib.h>
#include <string.h>

#include "analysis/advice.h"
#include "app/reader_practice.h"
#include "base/lang.h"
#include "base/text.h"

/* Columns of a line of the source, at most. */
#define LINE_MOST 48

char *practice_hint_lesson(const struct rung *r)
{
	if (!r->lesson_name)
		return xstrdup(_("no lesson teaches this; read the task again "
				 "(t)"));
	return r->lesson_step ?
	       xasprintf(_("lesson %1$s, step %2$d teaches it (l opens it)"),
			 r->lesson_name, r->lesson_step) :
	       xasprintf(_("lesson %s teaches it (l opens it)"),
			 r->lesson_name);
}

/* ---- the place ---- */

/* Returns a line of the text that was judged, without its indentation and what ends
 * it; heap; "": there is none. */
static char *copy_hint_line(const char *text, uint32_t line)
{
	size_t n;

	for (; text && *text && line > 1; line--) {
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	if (!text || !line)
		return xstrdup("");
	text += strspn(text, " \t");
	n = MIN(strcspn(text, "\n"), LINE_MOST);
	while (n && strchr("; {\r", text[n - 1]))
		n--;
	return text_clean(text, n, 0);
}

static size_t count_wrong(const struct judgement *v)
{
	size_t n = 0;

	for (size_t i = 0; i < v->size_count; i++)
		n += v->sizes[i].verdict == VERDICT_WRONG;
	return n;
}

/* Returns the sizes that were tried and are wrong, or that nothing was found at;
 * heap; "": none. */
static char *join_tried(const struct judgement *v, bool wrong)
{
	struct str s = { 0 };

	for (size_t i = 0; i < v->size_count; i++) {
		bool is_wrong = v->sizes[i].verdict == VERDICT_WRONG;

		if (is_wrong == wrong && (is_wrong || v->sizes[i].seconds >= 0))
			str_addf(&s, "%s%s", s.len ? ", " : "",
				 v->sizes[i].text);
	}
	return s.len ? str_take(&s) : xstrdup("");
}

/* Adds a part of a hint; takes `part`. */
static void add_hint_part(struct str *to, char *part)
{
	str_addf(to, "%s%s", to->len ? _("; ") : "", part);
	free(part);
}

char *practice_hint_place(const struct reader_practice *p)
{
	const struct judgement *v = &p->verdict;
	char *line = copy_hint_line(p->judged_text, v->line);
	char *wrong = join_tried(v, true), *good = join_tried(v, false);
	struct str s = { 0 };

	if (v->line && *line)
		add_hint_part(&s, xasprintf(_("look at line %1$u, %2$s"), v->line,
				       line));
	if (*wrong && *good)
		add_hint_part(&s, xasprintf(_("it happens at %1$s, not at %2$s"),
				       wrong, good));
	else if (*wrong && v->size_count > 1)
		add_hint_part(&s, xstrdup(count_wrong(v) == v->size_count ?
				     _("it happens at each size") :
				     _("it happens at the first size that is "
				       "tried")));
	if (v->trace)
		add_hint_part(&s, xstrdup(_("v shows the picture of the launch")));
	if (!s.len)
		add_hint_part(&s, xstrdup(_("nothing was recorded yet")));
	free(line);
	free(wrong);
	free(good);
	return str_take(&s);
}

/* ---- what to do ---- */

/* Returns the advice that changes least: its kinds are in that order. */
static const struct advice *find_shown_advice(const struct advice_list *l)
{
	const struct advice *best = &l->list[0];

	for (size_t i = 1; i < l->count; i++)
		if (l->list[i].kind < best->kind)
			best = &l->list[i];
	return best;
}

/* What helps against what a verdict names. */
static const struct { const char *word, *advice; } helps[] = {
	{ "compile", N_("begin with the first error: later ones often follow "
			"from it") },
	{ "none", N_("write kernel<<<grid, block>>>(arguments), with at least "
		     "one block at each size") },
	{ "launch-limit", N_("round the number of blocks up: (N + 15) / 16 "
			     "blocks of 16 threads cover N columns") },
	{ "exit", N_("let launch() return after its launches, at each size") },
	{ "out-of-bounds", N_("compare each index with its size before the "
			      "access: a grid of whole blocks reaches past the "
			      "ends") },
	{ "race", N_("put a barrier between a store and other threads' loads "
		     "of it, and another one before the next store") },
	{ "barrier", N_("let each thread of the block reach each barrier: put "
			"the condition around the accesses, not before the "
			"barrier") },
	{ "read-before-write", N_("set it before it is read: a sum begins as "
				  "0, and what other threads store needs a "
				  "barrier") },
	{ "endless", N_("find what changes the loop's condition, and whether "
			"each round changes it") },
	{ "wrong-result", N_("take thread (1,0) of block (1,0), and work out "
			     "which element it stores and which ones it "
			     "reads") },
	{ "host-copy", N_("let kernels alone read and write the arrays: they "
			  "are the device's") },
	{ "unchecked", N_("compare what each call returns with cudaSuccess, "
			  "and call cudaGetLastError() after a launch") },
	{ "leak", N_("free all that was allocated, also before an early "
		     "return") },
};

/* Returns the word under which a verdict's help stands. */
static const char *help_word(const char *word)
{
	static const struct { const char *word, *as; } same[] = {
		{ "cap", "endless" }, { "host-access", "host-copy" },
		{ "host-variable", "host-copy" }, { "carried", "host-copy" },
		{ "host-memory", "host-copy" }, { "output", "wrong-result" },
		{ "silent", "unchecked" }, { "status", "unchecked" },
	};

	for (size_t i = 0; i < LENGTH(same); i++)
		if (!strcmp(same[i].word, word))
			return same[i].as;
	return word;
}

char *practice_hint_advice(const struct reader_practice *p)
{
	const struct judgement *v = &p->verdict;
	struct advice_list list = { .count = 0 };
	struct advice_machine machine = { NULL, 0 };
	struct error e;

	if (v->trace && v->stage == JUDGE_COSTS &&
	    advice_find(v->trace, &machine, &list, &e) == 0 && list.count)
		return advice_text(trace_info(v->trace),
				   find_shown_advice(&list));
	for (size_t i = 0; v->word && i < LENGTH(helps); i++)
		if (!strcmp(helps[i].word, help_word(v->word)))
			return xstrdup(_(helps[i].advice));
	return xstrdup(_("the lesson shows the way"));
}
