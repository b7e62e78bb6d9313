/*
 * expr: integer, real and text expressions in C's notation, as used by the
 * access calculator, the lessons' claims and the index expressions of the
 * source pane.
 *
 * Operators with C's precedence: ?: || && | ^ & == != < <= > >= << >> + -
 * * / % unary - + ! ~ and parentheses; numbers (decimal, 0x, 1.5, 1e3),
 * "text", names with members (threadIdx.x), calls NAME(ARG, ...), and
 * subscripts NAME[EXPR][EXPR], which are handed to `call` under the name
 * "[]" with the name as text first. `none` is the value of nothing: an
 * inactive lane. An operation on none gives none (but for ?: and == and !=).
 * Integers are 64 bit, overflow and division by zero are errors, as are
 * shifts outside 0..63. Nesting is limited to 200.
 */
#ifndef BASE_EXPR_H
#define BASE_EXPR_H

#include "base/base.h"
#include "base/value.h"

/*
 * What names mean. Each returns 0 and sets *out, or -1 with e set. A bare
 * name that is an argument of a call is first tried as a variable; where
 * that fails it is passed as text, so that sectors(A) works.
 */
struct expr_env {
	int (*name)(void *ctx, const char *name, struct value *out,
		    struct error *e);
	int (*call)(void *ctx, const char *name, const struct value *args,
		    size_t count, struct value *out, struct error *e);
	void *ctx;
};

struct expr;
/* NULL with e (naming the column) when text is no expression. */
struct expr *expr_parse(const char *text, struct error *e);
int expr_eval(const struct expr *x, const struct expr_env *env,
	      struct value *out, struct error *e);
void expr_free(struct expr *x);
/* Parse and evaluate in one go. */
int expr_value(const char *text, const struct expr_env *env,
	       struct value *out, struct error *e);

#endif
