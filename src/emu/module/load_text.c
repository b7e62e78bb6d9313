/*
 * load_text: see load_text.h.
 */
#include "emu/module/load_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"

/* Brackets nested deeper than this are ranked from the left to the right. */
#define DEPTH_MOST 200

/* ---- words ---- */

static bool is_opening(int kind)
{
	return kind == '(' || kind == '[' || kind == '{';
}

static bool is_closing(int kind)
{
	return kind == ')' || kind == ']' || kind == '}';
}

/* Returns whether word i follows the word before it without a space. */
static bool touches_previous(const struct load_text *t, size_t i)
{
	return i > 0 && t->words[i - 1].at + t->words[i - 1].length ==
				t->words[i].at;
}

static bool is_pair(const struct load_text *t, size_t i, int a, int b)
{
	return i + 1 < t->count && t->words[i].kind == a &&
	       t->words[i + 1].kind == b && touches_previous(t, i + 1);
}

static void pairs_find(struct load_text *t)
{
	uint32_t *open = xcalloc(t->count + 1, sizeof(*open));
	size_t depth = 0;

	for (size_t i = 0; i < t->count; i++) {
		if (is_opening(t->words[i].kind))
			open[depth++] = (uint32_t)i;
		if (!is_closing(t->words[i].kind) || depth == 0)
			continue;
		t->pair[open[--depth]] = (uint32_t)i;
		t->pair[i] = open[depth];
	}
	free(open);
}

/* Returns the word that follows word i, or the bracket that it opens. */
static size_t skip_word(const struct load_text *t, size_t i, size_t end)
{
	if (is_opening(t->words[i].kind))
		return t->pair[i] ? MIN((size_t)t->pair[i] + 1, end) : end;
	return i + 1;
}

/* ---- ranks ---- */

static void rank_set(struct load_text *t, size_t i)
{
	const struct cpp_word *w = &t->words[i];

	t->last++;
	for (size_t k = 0; k < w->length; k++)
		t->rank[(size_t)(w->at - t->text) + k] = t->last;
}

/* Returns whether word i is the = of an assignment; *update: of +=, <<= and the
 * like. */
static bool is_assignment(const struct load_text *t, size_t i, bool *update)
{
	int before = touches_previous(t, i) ? t->words[i - 1].kind : 0;
	bool twice = i > 1 && before && touches_previous(t, i - 1) &&
		     t->words[i - 2].kind == before;

	*update = before && strchr("+-*/%&|^", before);
	if (t->words[i].kind != '=' || is_pair(t, i, '=', '=') ||
	    (before && strchr("=!", before)))
		return false;
	if (before == '<' || before == '>')
		return *update = twice;
	return true;
}

static bool is_cast(const struct load_text *t, size_t i)
{
	static const char end[] = "_cast";
	const struct cpp_word *w = &t->words[i];
	size_t n = strlen(end);

	return w->kind == CPP_WORD && w->length > n &&
	       !memcmp(w->at + w->length - n, end, n);
}

/* Returns the end of the unary expression that begins at word i, the operand of
 * the * before it. */
static size_t operand_end(const struct load_text *t, size_t i, size_t end)
{
	bool begun = false;	/* past the operators that stand before it */

	while (i < end) {
		int kind = t->words[i].kind;
		bool cast = is_cast(t, i);

		if (!begun && strchr("*&-+!~", kind)) {
			i++;
			continue;
		}
		begun = true;
		if (is_pair(t, i, '-', '>') || is_pair(t, i, ':', ':') ||
		    is_pair(t, i, '+', '+') || is_pair(t, i, '-', '-')) {
			i += 2;
			continue;
		}
		if (kind != CPP_WORD && kind != CPP_NUMBER && kind != '.' &&
		    kind != '(' && kind != '[')
			break;
		/* (float *)&x: what follows the cast is the operand. */
		begun = kind != '(' || !t->pair[i] ||
			t->words[t->pair[i] - 1].kind != '*';
		i = skip_word(t, i, end);
		for (int n = 0; cast && i < end; i++) {
			n += (t->words[i].kind == '<') -
			     (t->words[i].kind == '>');
			if (n == 0) {
				i++;
				break;
			}
		}
	}
	return i;
}

static void list_rank(struct load_text *t, size_t i, size_t end, int depth);

static void operands_rank(struct load_text *t, size_t i, size_t end, int depth)
{
	while (i < end) {
		int kind = t->words[i].kind;
		size_t next = skip_word(t, i, end);

		if (kind == '*' && depth < DEPTH_MOST) {
			next = operand_end(t, i + 1, end);
			operands_rank(t, i + 1, next, depth + 1);
			rank_set(t, i);
		} else if (is_opening(kind) && t->pair[i] &&
			   depth < DEPTH_MOST) {
			rank_set(t, i);
			list_rank(t, i + 1, next - 1, depth + 1);
			rank_set(t, next - 1);
		} else {
			next = i + 1;
			rank_set(t, i);
		}
		i = next;
	}
}

static void assignment_rank(struct load_text *t, size_t i, size_t end,
			    int depth)
{
	size_t at = i;
	bool update;

	while (at < end && !is_assignment(t, at, &update))
		at = skip_word(t, at, end);
	if (at >= end || depth >= DEPTH_MOST) {
		operands_rank(t, i, end, depth);
		return;
	}
	assignment_rank(t, at + 1, end, depth + 1);
	rank_set(t, at);
	operands_rank(t, i, at, depth);
	for (const char *p = t->words[i].at; update && p < t->words[at].at;
	     p++)
		t->updated[p - t->text] = true;
}

/* Returns whether a block of statements ends before word i. */
static bool is_behind_block(const struct load_text *t, size_t i)
{
	const struct cpp_word *before;

	if (i == 0 || t->words[i - 1].kind != '}' || t->pair[i - 1] == 0)
		return false;
	before = &t->words[t->pair[i - 1] - 1];
	return strchr(");{}", before->kind) || cpp_is(before, "else") ||
	       cpp_is(before, "do");
}

/* Visits expressions and statements one after the other, and ranks each. */
static void list_rank(struct load_text *t, size_t i, size_t end, int depth)
{
	while (i < end) {
		size_t to = i;

		while (to < end && !strchr(",;}", t->words[to].kind) &&
		       !(to > i && is_behind_block(t, to)))
			to = skip_word(t, to, end);
		assignment_rank(t, i, to, depth);
		i = to < end && strchr(",;}", t->words[to].kind) ? to + 1 : to;
	}
}

/* ---- a text ---- */

void load_text_init(struct load_text *t, const char *text)
{
	*t = (struct load_text) { .text = xstrdup(text) };
	t->length = strlen(text);
	t->words = cpp_code(t->text, t->length, true, &t->count);
	t->pair = xcalloc(t->count + 1, sizeof(*t->pair));
	t->rank = xcalloc(t->length + 1, sizeof(*t->rank));
	t->updated = xcalloc(t->length + 1, sizeof(*t->updated));
	for (size_t at = 0; at <= t->length;
	     at += strcspn(t->text + at, "\n") + 1) {
		grow(&t->line, &t->line_capacity, t->line_count + 1,
		     sizeof(*t->line));
		t->line[t->line_count++] = at;
	}
	pairs_find(t);
	list_rank(t, 0, t->count, 0);
}

void load_text_done(struct load_text *t)
{
	free(t->text);
	free(t->line);
	free(t->words);
	free(t->pair);
	free(t->rank);
	free(t->updated);
	*t = (struct load_text) { .text = NULL };
}

bool load_text_at(const struct load_text *t, uint32_t line, uint32_t column,
		  size_t *at)
{
	if (line == 0 || column == 0 || line > t->line_count)
		return false;
	*at = t->line[line - 1] + column - 1;
	return *at < (line < t->line_count ? t->line[line] : t->length);
}

/* ---- calls ---- */

static struct load_argument describe_argument(const struct load_text *t,
					      size_t i, size_t end)
{
	const struct cpp_word *last = &t->words[end - 1];
	struct load_argument a = { .last = last->at + last->length - 1 };
	int first = t->words[i].kind;

	a.may = operand_end(t, i, end) == end && last->kind != ')' &&
		last->kind != CPP_NUMBER;
	a.is_element = a.may && first != '(' && first != '&' &&
		       (last->kind == ']' || first == '*');
	for (const char *p = t->words[i].at; p <= a.last; p++)
		a.rank = MAX(a.rank, t->rank[p - t->text]);
	return a;
}

/* Returns the index of the word that begins at byte `at`. */
static size_t find_word_at(const struct load_text *t, size_t at)
{
	size_t lo = 0, hi = t->count;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if ((size_t)(t->words[mid].at - t->text) < at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

size_t load_text_arguments(const struct load_text *t, size_t at,
			   struct load_argument *to, size_t most)
{
	size_t i = find_word_at(t, at), end, n = 0;

	if (i >= t->count || t->words[i].kind != '(' || !t->pair[i])
		return 0;
	end = t->pair[i++];
	while (i < end && n < most) {
		size_t next = i;

		while (next < end && t->words[next].kind != ',')
			next = skip_word(t, next, end);
		if (next > i)
			to[n++] = describe_argument(t, i, next);
		i = next + 1;
	}
	return n;
}
