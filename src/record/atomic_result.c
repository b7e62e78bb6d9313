/*
 * atomic_result: see atomic_result.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cpp_words.h"
#include "record/atomic_result.h"

/* Tests for a keyword whose condition's ')' is followed by a statement. */
static bool takes_statement(const struct cpp_word *w)
{
	static const char *const words[] = { "if", "while", "for", "switch" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (cpp_is(w, words[i]))
			return true;
	return false;
}

/* Finds the word before the '(' that w[close] closes; NULL when there is
 * none. */
static const struct cpp_word *before_parentheses(const struct cpp_word *w,
						 size_t close)
{
	int depth = 0;

	for (size_t i = close + 1; i-- > 0;) {
		depth += (w[i].kind == ')') - (w[i].kind == '(');
		if (depth == 0)
			return i > 0 ? &w[i - 1] : NULL;
	}
	return NULL;
}

/* Tests whether a statement begins at w[i]. */
static bool begins_statement(const struct cpp_word *w, size_t i)
{
	const struct cpp_word *last, *head;

	if (i == 0)
		return true;
	last = &w[i - 1];
	if (last->kind == ')') {
		head = before_parentheses(w, i - 1);
		return head && takes_statement(head);
	}
	return last->kind == ';' || last->kind == '{' || last->kind == '}' ||
	       last->kind == CPP_DIRECTIVE || cpp_is(last, "else") ||
	       cpp_is(last, "do");
}

static bool is_atomic(const struct cpp_word *w)
{
	return w->kind == CPP_WORD && w->length > strlen("atomic") &&
	       !strncmp(w->at, "atomic", strlen("atomic"));
}

bool atomic_result_used(const char *text, uint32_t line)
{
	size_t count;
	struct cpp_word *w = cpp_code(text, strlen(text), true, &count);
	const char *at = text;
	uint32_t now = 1;
	bool found = false, used = false;

	for (size_t i = 0; i < count && now <= line; i++) {
		for (; at < w[i].at; at++)
			now += *at == '\n';
		if (now != line || !is_atomic(&w[i]))
			continue;
		found = true;
		used |= !begins_statement(w, i);
	}
	free(w);
	return used || !found;
}
