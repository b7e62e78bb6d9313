/* asm_lines: see asm_lines.h. */
#include "emu/module/asm_lines.h"

#include <stdlib.h>
#include <string.h>

bool asm_is(struct asm_part part, const char *word)
{
	return part.length == strlen(word) &&
	       !memcmp(part.at, word, part.length);
}

bool asm_has(struct asm_part part, const char *word)
{
	return memmem(part.at, part.length, word, strlen(word)) != NULL;
}

/* Splits "OP A, B" of a line, whose commas within parentheses are part of an
 * operand. */
static void split_code(struct asm_line *l)
{
	const char *p = l->text.at + 1, *end = l->text.at + l->text.length;
	const char *start = p;
	int depth = 0;

	while (p < end && *p != '\t' && *p != ' ')
		p++;
	l->op = (struct asm_part){ start, (size_t)(p - start) };
	while (p < end && l->operands < LENGTH(l->operand)) {
		while (p < end && (*p == ' ' || *p == '\t' || *p == ','))
			p++;
		start = p;
		for (; p < end && (depth || *p != ','); p++)
			depth += (*p == '(') - (*p == ')');
		if (p > start)
			l->operand[l->operands++] =
				(struct asm_part){ start, (size_t)(p - start) };
	}
}

/* Sorts a line. Code begins with a tab and a letter; the labels that code jumps
 * to are ".L" and a number. */
static void sort_line(struct asm_line *l)
{
	const char *t = l->text.at;
	size_t n = l->text.length;

	if (n > 1 && t[0] == '\t' && t[1] >= 'a' && t[1] <= 'z') {
		l->kind = ASM_CODE;
		split_code(l);
	} else if (n > 3 && t[0] == '.' && t[1] == 'L' && t[2] >= '0' &&
		   t[2] <= '9') {
		l->kind = ASM_TARGET;
	}
}

void asm_lines_split(struct asm_lines *lines, const char *text, size_t length)
{
	const char *end = text + length;
	size_t capacity = 0;

	*lines = (struct asm_lines){ .list = NULL };
	for (const char *p = text, *next; p < end; p = next) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));

		next = stop ? stop + 1 : end;
		grow(&lines->list, &capacity, lines->count + 1,
		     sizeof(*lines->list));
		lines->list[lines->count] = (struct asm_line){
			.text = { p, (size_t)((stop ? stop : end) - p) }
		};
		sort_line(&lines->list[lines->count++]);
	}
}

void asm_lines_done(struct asm_lines *lines)
{
	for (size_t i = 0; i < lines->count; i++)
		free(lines->list[i].instead);
	free(lines->list);
}

char *asm_lines_join(const struct asm_lines *lines, size_t *length)
{
	struct str s = { 0 };

	for (size_t i = 0; i < lines->count; i++) {
		const struct asm_line *l = &lines->list[i];

		if (l->instead) {
			str_add(&s, l->instead);
			continue;
		}
		str_addn(&s, l->text.at, l->text.length);
		str_addc(&s, '\n');
	}
	*length = s.len;
	return str_take(&s);
}

uint32_t asm_label(struct asm_lines *lines)
{
	return lines->labels++;
}

size_t asm_next(const struct asm_lines *lines, size_t from)
{
	for (from++; from < lines->count; from++)
		if (lines->list[from].kind != ASM_OTHER)
			return from;
	return lines->count;
}

size_t asm_before(const struct asm_lines *lines, size_t from)
{
	while (from-- > 0)
		if (lines->list[from].kind != ASM_OTHER)
			return from;
	return lines->count;
}
