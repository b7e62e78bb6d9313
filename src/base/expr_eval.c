/*
 * expr_eval: the stack machine that expressions run on. See expr.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/expr_code.h"
#include "base/text.h"

struct machine {
	const struct expr *x;
	const struct expr_env *env;
	struct value *top;	/* behind the last value */
	struct error *e;
};

static bool in_range(enum operator o, int64_t a, int64_t b, int64_t *out)
{
	switch (o) {
	case OP_ADD:
		return !__builtin_add_overflow(a, b, out);
	case OP_SUB:
		return !__builtin_sub_overflow(a, b, out);
	case OP_MUL:
		return !__builtin_mul_overflow(a, b, out);
	case OP_SHL:
		/* As a multiplication, so that lost bits are noticed. */
		*out = (int64_t)((uint64_t)a << b);
		return *out >> b == a;
	default:
		return false;
	}
}

static int divide_int(enum operator o, int64_t a, int64_t b, int64_t *out,
		      const char **why)
{
	if (b == 0)
		*why = _("division by zero");
	else if (a == INT64_MIN && b == -1)
		*why = _("the result does not fit in 64 bits");
	else
		*out = o == OP_DIV ? a / b : a % b;
	return *why ? -1 : 0;
}

static int holds_order(enum operator o, int order)
{
	switch (o) {
	case OP_EQ:
		return order == 0;
	case OP_NE:
		return order != 0;
	case OP_LT:
		return order < 0;
	case OP_LE:
		return order <= 0;
	case OP_GT:
		return order > 0;
	default:
		return order >= 0;
	}
}

static bool is_comparison(enum operator o)
{
	return o == OP_EQ || o == OP_NE || o == OP_LT || o == OP_LE ||
	       o == OP_GT || o == OP_GE;
}

static const char *binary_int(enum operator o, int64_t a, int64_t b,
			      struct value *out)
{
	const char *why = NULL;
	int64_t r = 0;

	if (is_comparison(o))
		r = holds_order(o, (a > b) - (a < b));
	else if (o == OP_BOR)
		r = a | b;
	else if (o == OP_XOR)
		r = a ^ b;
	else if (o == OP_BAND)
		r = a & b;
	else if (o == OP_DIV || o == OP_MOD)
		divide_int(o, a, b, &r, &why);
	else if ((o == OP_SHL || o == OP_SHR) && (b < 0 || b > 63))
		why = _("a shift must be by 0 to 63");
	else if (o == OP_SHR)
		r = a >> b;
	else if (!in_range(o, a, b, &r))
		why = _("the result does not fit in 64 bits");
	*out = value_int(r);
	return why;
}

static const char *binary_real(enum operator o, double a, double b,
			       struct value *out)
{
	double r;

	if (is_comparison(o)) {
		bool apart = isnan(a) || isnan(b);

		*out = value_int(apart ? o == OP_NE :
					 holds_order(o, (a > b) - (a < b)));
		return NULL;
	}
	switch (o) {
	case OP_ADD:
		r = a + b;
		break;
	case OP_SUB:
		r = a - b;
		break;
	case OP_MUL:
		r = a * b;
		break;
	case OP_DIV:
		if (b == 0)
			return _("division by zero");
		r = a / b;
		break;
	default:
		return _("this operator needs whole numbers");
	}
	*out = value_real(r);
	return isinf(r) ? _("the result is too large") : NULL;
}

static double real_of(const struct value *v)
{
	return v->kind == VALUE_INT ? (double)v->i : v->r;
}

static const char *binary_text(enum operator o, const struct value *a,
			       const struct value *b, struct value *out)
{
	if (a->kind != b->kind)
		return _("a text cannot be combined with a number");
	if (!is_comparison(o))
		return _("this operator needs numbers");
	*out = value_int(holds_order(o, strcmp(a->text, b->text)));
	return NULL;
}

/* Sets *a to *a o *b. Returns NULL, or an error message. */
static const char *apply_binary(enum operator o, struct value *a,
				const struct value *b)
{
	bool none = a->kind == VALUE_NONE || b->kind == VALUE_NONE;

	if (none && (o == OP_EQ || o == OP_NE))
		*a = value_int((a->kind == b->kind) == (o == OP_EQ));
	else if (none)
		*a = (struct value){ .kind = VALUE_NONE };
	else if (a->kind == VALUE_TEXT || b->kind == VALUE_TEXT)
		return binary_text(o, a, b, a);
	else if (a->kind == VALUE_INT && b->kind == VALUE_INT)
		return binary_int(o, a->i, b->i, a);
	else
		return binary_real(o, real_of(a), real_of(b), a);
	return NULL;
}

static const char *unary_number(enum operator o, struct value *v)
{
	if (v->kind == VALUE_REAL) {
		if (o == OP_INVERT)
			return _("this operator needs whole numbers");
		v->r = o == OP_SUB ? -v->r : v->r;
	} else if (o == OP_INVERT) {
		v->i = ~v->i;
	} else if (o == OP_SUB) {
		if (v->i == INT64_MIN)
			return _("the result does not fit in 64 bits");
		v->i = -v->i;
	}
	return NULL;
}

static const char *apply_unary(enum operator o, struct value *v)
{
	if (v->kind == VALUE_NONE)
		return NULL;
	if (o == OP_NOT)
		*v = value_int(!value_true(v));
	else if (v->kind == VALUE_TEXT)
		return _("this operator needs numbers");
	else
		return unary_number(o, v);
	return NULL;
}

static int look_up_name(struct machine *m, const char *name, struct error *e,
			struct value *out)
{
	if (m->env && m->env->name)
		return m->env->name(m->env->ctx, name, out, e);
	return error_set(e, EXIT_INPUT, "unknown name '%s'", text_show(name));
}

static int push_name(struct machine *m, const struct insn *i)
{
	const char *name = m->x->pool[i->arg].text;
	struct value v = { .kind = VALUE_NONE };
	struct error ignored;

	if (i->code == CODE_NAME_OR_TEXT) {
		if (look_up_name(m, name, &ignored, &v) < 0)
			v = m->x->pool[i->arg];
	} else if (look_up_name(m, name, m->e, &v) < 0) {
		return -1;
	}
	*m->top++ = v;
	return 0;
}

static int call_function(struct machine *m, const struct insn *i)
{
	const char *name = m->x->pool[i->arg].text;
	struct value v = { .kind = VALUE_NONE };

	m->top -= i->count;
	if (!m->env || !m->env->call)
		return expr_trouble(m->e, m->x->text, i->at, "nothing can be "
				    "called or subscripted here");
	if (m->env->call(m->env->ctx, name, m->top, i->count, &v, m->e) < 0)
		return -1;
	*m->top++ = v;
	return 0;
}

/* Leaves the left side of && or || as the result when it decides alone. */
static bool is_decided(struct machine *m, enum code code)
{
	struct value *left = m->top - 1;

	if (left->kind == VALUE_NONE)
		return true;
	if (value_true(left) == (code == CODE_OR)) {
		*left = value_int(code == CODE_OR);
		return true;
	}
	m->top--;
	return false;
}

/* Executes instruction i. *pc is the index of the next one, and jumps change
 * it. -1 with e. */
static int execute_insn(struct machine *m, const struct insn *i, size_t *pc)
{
	const char *why = NULL;

	switch (i->code) {
	case CODE_PUSH:
		*m->top++ = m->x->pool[i->arg];
		break;
	case CODE_NAME:
	case CODE_NAME_OR_TEXT:
		return push_name(m, i);
	case CODE_CALL:
		return call_function(m, i);
	case CODE_JUMP:
		*pc = i->arg;
		break;
	case CODE_UNLESS:
		if (!value_true(--m->top))
			*pc = i->arg;
		break;
	case CODE_AND:
	case CODE_OR:
		if (is_decided(m, i->code))
			*pc = i->arg;
		break;
	case CODE_TRUTH:
		if (m->top[-1].kind != VALUE_NONE)
			m->top[-1] = value_int(value_true(m->top - 1));
		break;
	case CODE_UNARY:
		why = apply_unary((enum operator)i->arg, m->top - 1);
		break;
	case CODE_BINARY:
		m->top--;
		why = apply_binary((enum operator)i->arg, m->top - 1, m->top);
		break;
	}
	return why ? expr_trouble(m->e, m->x->text, i->at, why) : 0;
}

int expr_eval(const struct expr *x, const struct expr_env *env,
	      struct value *out, struct error *e)
{
	struct value *stack = xcalloc(x->stack, sizeof(*stack));
	struct machine m = { .x = x, .env = env, .top = stack, .e = e };
	int status = 0;

	for (size_t pc = 0; pc < x->length && status == 0; ) {
		const struct insn *i = &x->code[pc++];

		status = execute_insn(&m, i, &pc);
	}
	if (status == 0)
		*out = stack[0];
	free(stack);
	return status;
}

int expr_value(const char *text, const struct expr_env *env,
	       struct value *out, struct error *e)
{
	struct expr *x = expr_parse(text, e);
	int status = x ? expr_eval(x, env, out, e) : -1;

	expr_free(x);
	return status;
}
