/*
 * asm_text: asm statements as calls. See asm.h.
 *
 *     asm volatile("PTX" : "=r"(x) : "r"(a), "r"(b) : "memory");
 *
 * becomes, with the struct of words/cuda_words.h,
 *
 *     gemmviz_asm ("PTX").out("=r",(x)).in("r",(a))  .in("r",(b)).run();
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "record/strip_host.h"
#include "emu/asm.h"

enum { TEMPLATE, OUTPUTS, INPUTS, CLOBBERS };

static bool word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Blanks, also where a line of a macro goes on in the next. */
static const char *blanks_end(const char *s)
{
	while (isspace((unsigned char)*s) || (*s == '\\' && s[1] == '\n'))
		s++;
	return s;
}

/* Behind the parenthesis that closes the one at s; NULL: none does. */
static const char *group_end(const char *s)
{
	int depth = 0;

	while (*s) {
		const char *next = strip_host_aside_end(s);

		if (next > s) {
			s = next;
			continue;
		}
		depth += (*s == '(') - (*s == ')');
		s++;
		if (depth == 0)
			return s;
	}
	return NULL;
}

static const char *qualifiers_end(const char *s)
{
	static const char *const words[] = { "volatile", "__volatile__",
					     "__volatile" };

	s = blanks_end(s);
	for (size_t i = 0; i < LENGTH(words); i++) {
		size_t n = strlen(words[i]);

		if (!strncmp(s, words[i], n) && !word_char(s[n]))
			return blanks_end(s + n);
	}
	return s;
}

/* The constraint at s, with its expression in parentheses: what is behind. */
static const char *operand_call(struct str *to, const char *s, int part)
{
	const char *literal = strip_host_aside_end(s),
		   *open = blanks_end(literal);
	const char *end = *open == '(' ? group_end(open) : NULL;

	if (!end)
		return literal;
	str_add(to, part == OUTPUTS ? ".out(" : ".in(");
	str_addn(to, s, (size_t)(literal - s));
	str_addc(to, ',');
	str_addn(to, literal, (size_t)(end - literal));
	str_addc(to, ')');
	return end;
}

/* What stands between the parentheses of a statement, from s to end. */
static void statement_call(struct str *to, const char *s, const char *end)
{
	int part = TEMPLATE;

	while (s < end) {
		const char *next = strip_host_aside_end(s),
			   *blanks = blanks_end(s);

		if (blanks > s) {
			str_addn(to, s, (size_t)(blanks - s));
			s = blanks;
		} else if (*s == ':') {
			str_add(to, part++ == TEMPLATE ? ")" : " ");
			s++;
		} else if (*s == '"' && (part == OUTPUTS || part == INPUTS)) {
			s = operand_call(to, s, part);
		} else {
			next = next > s ? next : s + 1;
			for (; s < next; s++)
				if (part == TEMPLATE || *s == '\n')
					str_addc(to, *s);
		}
	}
	str_add(to, part == TEMPLATE ? ").run()" : ".run()");
}

/* The statement whose word ends at s; NULL when it is none. */
static const char *statement_read(struct str *to, const char *s)
{
	const char *open = qualifiers_end(s);
	const char *end = *open == '(' ? group_end(open) : NULL;

	if (!end)
		return NULL;
	str_add(to, "gemmviz_asm");
	for (; s < open; s++)
		str_addc(to, isspace((unsigned char)*s) || *s == '\\' ? *s :
								 ' ');
	str_addc(to, '(');
	statement_call(to, open + 1, end - 1);
	return end;
}

static bool is_asm(const char *word, size_t n)
{
	return (n == 3 && !memcmp(word, "asm", n)) ||
	       (n == 5 && !memcmp(word, "__asm", n)) ||
	       (n == 7 && !memcmp(word, "__asm__", n));
}

char *asm_calls(const char *text)
{
	struct str to = { 0 };

	for (const char *s = text, *next; *s; s = next) {
		next = strip_host_aside_end(s);
		if (next == s) {
			next = s + 1;
			while (word_char(*s) && word_char(*next))
				next++;
		}
		if (is_asm(s, (size_t)(next - s))) {
			const char *end = statement_read(&to, next);

			if (end) {
				next = end;
				continue;
			}
		}
		str_addn(&to, s, (size_t)(next - s));
	}
	return str_take(&to);
}
