/*
 * expr: integer, real and text expressions in C's notation, used by the access
 * calculator, the lessons' claims and the index expressions of the source pane.
 *
 * The operators have C's precedence: ?: || && | ^ & == != < <= > >= << >> + - *
 * / % unary - + ! ~ and parentheses. Operands are numbers (decimal, 0x, 1.5,
 * 1e3), "text", names with members (threadIdx.x), calls NAME(ARG, ...), and
 * subscripts NAME[EXPR][EXPR], which are passed to `call` as the function "[]"
 * with the name as text first. `none` is the missing value, that of an inactive
 * lane. An operation on none gives none (except ?:, == and !=). Integers have
 * 64 bits; overflow and division by zero are errors, as are shifts outside
 * 0..63. Nesting is limited to 200.
 */
#ifndef BASE_EXPR_H
#define BASE_EXPR_H

#include "base/base.h"
#include "base/value.h"

/*
 * The meaning of names. Each function returns 0 and sets *out, or returns -1
 * with e set. A bare name that is an argument of a call is first tried as a
 * variable; where that fails it is passed as text, so that sectors(A) works.
 */
struct expr_env {
	int (*name)(void *ctx, const char *name, struct value *out,
		    struct error *e);
	int (*call)(void *ctx, const char *name, const struct value *args,
		    size_t count, struct value *out, struct error *e);
	void *ctx;
};

struct expr;
/* Parses an expression; NULL with e, which names the column, when text is not
 * an expression. */
struct expr *expr_parse(const char *text, struct error *e);
int expr_eval(const struct expr *x, const struct expr_env *env,
	      struct value *out, struct error *e);
void expr_free(struct expr *x);
/* Parses and evaluates an expression. */
int expr_value(const char *text, const struct expr_env *env,
	       struct value *out, struct error *e);

#endif
