/*
 * asm_lines: the compiler's assembly text as lines, of which some are replaced.
 * The text is what g++ writes at -O0 for x86-64, in AT&T syntax.
 */
#ifndef EMU_MODULE_ASM_LINES_H
#define EMU_MODULE_ASM_LINES_H

#include "base/base.h"

/* A part of the text, which is not copied. */
struct asm_part {
	const char *at;
	size_t length;
};

enum asm_kind { ASM_OTHER, ASM_CODE, ASM_TARGET };

struct asm_line {
	struct asm_part text; /* without its newline */
	enum asm_kind kind;   /* ASM_TARGET: a label to jump to */
	/* Of code: the instruction and up to three operands. */
	struct asm_part op, operand[3];
	uint32_t operands;
	char *instead; /* heap; NULL: the line as it is */
};

struct asm_lines {
	struct asm_line *list;
	size_t count;
	uint32_t labels; /* that asm_label() gave */
};

/* Splits a text into lines; the text must outlive them. */
void asm_lines_split(struct asm_lines *lines, const char *text, size_t length);
void asm_lines_done(struct asm_lines *lines);
/* Returns the text with the lines that replace others; heap. */
char *asm_lines_join(const struct asm_lines *lines, size_t *length);

/* Returns a number that no other call returned, for a label of its own. */
uint32_t asm_label(struct asm_lines *lines);
/* Tests whether a part of the text is this word. */
bool asm_is(struct asm_part part, const char *word);
/* Tests whether a part of the text contains this word. */
bool asm_has(struct asm_part part, const char *word);
/* Returns the index of the next line of code or label after `from`, or of the
 * one before it; lines->count: there is none. Debugger's labels do not count.
 */
size_t asm_next(const struct asm_lines *lines, size_t from);
size_t asm_before(const struct asm_lines *lines, size_t from);

/* For "%.*s". */
#define ASM_PART(part) (int)(part).length, (part).at

#endif
