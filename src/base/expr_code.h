/*
 * expr_code: an expression as code for a small stack machine, which it is
 * compiled to while it is read. Evaluation then needs no recursion, so a chain
 * of a thousand `+` costs no C stack; only the parser's own nesting has to be
 * limited. For expr*.c alone.
 */
#ifndef BASE_EXPR_CODE_H
#define BASE_EXPR_CODE_H

#include "base/expr.h"

enum code {
	CODE_PUSH,		/* pool[arg] */
	CODE_NAME,		/* what the name pool[arg] means */
	CODE_NAME_OR_TEXT,	/* the same; if it means nothing, the name */
	CODE_CALL,		/* the function pool[arg] of `count` values */
	CODE_JUMP,		/* to arg */
	CODE_UNLESS,		/* pop; if it was false, to arg */
	CODE_AND,		/* none or false: keep it and go to arg; pop */
	CODE_OR,		/* none or true: keep it and go to arg; pop */
	CODE_TRUTH,		/* to 0 or 1 */
	CODE_UNARY,		/* arg is an enum operator */
	CODE_BINARY,
};

enum operator {
	/* The longer of two that start alike stands first. */
	OP_OR, OP_AND, OP_SHL, OP_SHR, OP_LE, OP_GE, OP_EQ, OP_NE,
	OP_BOR, OP_XOR, OP_BAND, OP_LT, OP_GT, OP_ADD, OP_SUB, OP_MUL,
	OP_DIV, OP_MOD, OPERATORS,
	/* unary only */
	OP_NOT = OPERATORS, OP_INVERT,
};

struct insn {
	enum code code;
	uint32_t arg, count;
	uint32_t at;		/* where in the text */
};

struct expr {
	char *text;
	struct insn *code;
	size_t length, code_capacity;
	struct value *pool;	/* constants and names */
	size_t pool_length, pool_capacity;
	size_t stack;		/* most values held at once */
};

/* Fills in e: the column of byte `at` of the text, and what is wrong; -1. */
int expr_trouble(struct error *e, const char *text, size_t at,
		 const char *what);

#endif
