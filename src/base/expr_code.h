/*
 * expr_code: an expression as code for a small stack machine, to which the
 * parser compiles it. Evaluation then needs no recursion, so a chain of a
 * thousand `+` costs no C stack; only the parser's own nesting must be limited.
 * For expr*.c only.
 */
#ifndef BASE_EXPR_CODE_H
#define BASE_EXPR_CODE_H

#include "base/expr.h"

enum code {
	CODE_PUSH,		/* push pool[arg] */
	CODE_NAME,		/* push the value of the name pool[arg] */
	CODE_NAME_OR_TEXT,	/* the same; if it has no value, the name */
	CODE_CALL,		/* call function pool[arg] on `count` values */
	CODE_JUMP,		/* go to arg */
	CODE_UNLESS,		/* pop; if it was false, go to arg */
	CODE_AND,		/* none or false: keep, go to arg; else pop */
	CODE_OR,		/* none or true: keep, go to arg; else pop */
	CODE_TRUTH,		/* convert to 0 or 1 */
	CODE_UNARY,		/* arg is an enum operator */
	CODE_BINARY,
};

enum operator {
	/* Of two operators that start alike the longer comes first. */
	OP_OR, OP_AND, OP_SHL, OP_SHR, OP_LE, OP_GE, OP_EQ, OP_NE,
	OP_BOR, OP_XOR, OP_BAND, OP_LT, OP_GT, OP_ADD, OP_SUB, OP_MUL,
	OP_DIV, OP_MOD, OPERATORS,
	/* unary only */
	OP_NOT = OPERATORS, OP_INVERT,
};

struct insn {
	enum code code;
	uint32_t arg, count;
	uint32_t at;		/* byte offset in the text */
};

struct expr {
	char *text;
	struct insn *code;
	size_t length, code_capacity;
	struct value *pool;	/* constants and names */
	size_t pool_length, pool_capacity;
	size_t stack;		/* greatest depth of the stack */
};

/* Sets e to the column of byte `at` of the text and to what is wrong there;
 * returns -1. */
int expr_trouble(struct error *e, const char *text, size_t at,
		 const char *what);

#endif
