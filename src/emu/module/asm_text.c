/*
 * asm_text: asm statements as calls. See asm_text.h.
 *
 *     asm volatile("PTX" : "=r"(x) : "r"(a), "r"(b) : "memory");
 *
 * becomes, with the struct of cuda/cuda_words.h,
 *
 *     gemmviz_asm ("PTX").out("=r",(x)).in("r",(a))  .in("r",(b)).run();
 */
#include <stdlib.h>
#include <string.h>

#include "base/cpp_words.h"
#include "emu/module/asm_text.h"

enum { TEMPLATE, OUTPUTS, INPUTS, CLOBBERS };

/* Maps each opening parenthesis, by its offset in the text, to the offset of
 * its closing one; 0: it is not closed. All are found in one pass: to search
 * for each of a million unclosed ones would scan to the end each time. */
struct groups {
	const char *text;
	size_t *ends;
};

/* Matches all parentheses of a text. The caller frees `ends`. */
static struct groups groups_find(const char *text)
{
	size_t length = strlen(text), capacity = 0, depth = 0, *open = NULL;
	struct cpp_text t = { text, text + length, false, false };
	struct groups g = { text, xcalloc(length + 1, sizeof(*g.ends)) };
	struct cpp_word w;

	for (w = cpp_next(&t); w.kind; w = cpp_next(&t)) {
		if (w.kind == '(') {
			grow(&open, &capacity, depth + 1, sizeof(*open));
			open[depth++] = (size_t)(w.at - text);
		} else if (w.kind == ')' && depth) {
			g.ends[open[--depth]] = (size_t)(w.at - text);
		}
	}
	free(open);
	return g;
}

/* Returns the parenthesis that closes `open` and moves t past it; NULL: it is
 * not closed. */
static const char *group_end(const struct groups *g,
			     const struct cpp_word *open, struct cpp_text *t)
{
	size_t end = g->ends[open->at - g->text];

	if (!end)
		return NULL;
	t->at = g->text + end + 1;
	return g->text + end;
}

static bool is_volatile(const struct cpp_word *w)
{
	return cpp_is(w, "volatile") || cpp_is(w, "__volatile__") ||
	       cpp_is(w, "__volatile");
}

/* Appends ".out(constraint,(expression))" or ".in(...)" for an operand and
 * moves t past its expression; appends nothing if no expression follows. */
static void operand_call(struct str *to, const struct groups *g,
			 const struct cpp_word *constraint,
			 struct cpp_text *t, int part)
{
	struct cpp_text after = *t;
	struct cpp_word open = cpp_next_code(&after);

	if (open.kind != '(' || !group_end(g, &open, &after))
		return;
	str_add(to, part == OUTPUTS ? ".out(" : ".in(");
	str_addn(to, constraint->at, constraint->length);
	str_addc(to, ',');
	str_addn(to, t->at, (size_t)(after.at - t->at));
	str_addc(to, ')');
	*t = after;
}

static void keep_newlines(struct str *to, const struct cpp_word *w)
{
	for (size_t i = 0; i < w->length; i++)
		if (w->at[i] == '\n')
			str_addc(to, '\n');
}

/* Converts what is between a statement's parentheses to calls. Clobbers are
 * dropped; newlines are kept. */
static void statement_call(struct str *to, const struct groups *g,
			   struct cpp_text t)
{
	struct cpp_word w;
	int part = TEMPLATE;

	for (w = cpp_next(&t); w.kind; w = cpp_next(&t)) {
		if (w.kind == ':')
			str_add(to, part++ == TEMPLATE ? ")" : " ");
		else if (w.kind == CPP_STRING &&
			 (part == OUTPUTS || part == INPUTS))
			operand_call(to, g, &w, &t, part);
		else if (part == TEMPLATE || w.kind == CPP_BLANK)
			str_addn(to, w.at, w.length);
		else
			keep_newlines(to, &w);
	}
	str_add(to, part == TEMPLATE ? ").run()" : ".run()");
}

/* Appends the text from s to `end` with all but blanks and newlines replaced by
 * spaces: what is between the word asm and its parenthesis. */
static void blank_add(struct str *to, const char *s, const char *end)
{
	for (; s < end; s++)
		str_addc(to, strchr(" \t\r\n\\", *s) ? *s : ' ');
}

/* Converts the statement whose word "asm" ends at t, and moves t past it.
 * Returns false, with t unchanged, if it is no statement. */
static bool statement_read(struct str *to, const struct groups *g,
			   struct cpp_text *t)
{
	struct cpp_text body, after = *t;
	struct cpp_word open = cpp_next_code(&after);

	if (is_volatile(&open))
		open = cpp_next_code(&after);
	body = after;
	body.end = open.kind == '(' ? group_end(g, &open, &after) : NULL;
	if (!body.end)
		return false;
	str_add(to, "gemmviz_asm");
	blank_add(to, t->at, open.at);
	str_addc(to, '(');
	statement_call(to, g, body);
	*t = after;
	return true;
}

static bool is_asm(const struct cpp_word *w)
{
	return cpp_is(w, "asm") || cpp_is(w, "__asm") || cpp_is(w, "__asm__");
}

char *asm_calls(const char *text)
{
	struct cpp_text t = { text, strchr(text, '\0'), false, false };
	struct groups g = groups_find(text);
	struct str to = { 0 };
	struct cpp_word w;

	for (w = cpp_next(&t); w.kind; w = cpp_next(&t))
		if (!is_asm(&w) || !statement_read(&to, &g, &t))
			str_addn(&to, w.at, w.length);
	free(g.ends);
	return str_take(&to);
}
