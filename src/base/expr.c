/*
 * An expression is compiled while it is read, to code for a small stack
 * machine. Evaluation then needs no recursion, so a chain of a thousand `+`
 * costs no C stack; only the parser's own nesting has to be limited.
 */
#include "base/expr.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define MAX_NESTING 200
#define MAX_ARGS 16
#define MAX_TEXT 65536	/* bytes of an expression */

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

/* Binary operators and how tightly they bind, as in C. */
static const struct { char text[3]; int level; } operators[OPERATORS] = {
	[OP_OR] = { "||", 1 }, [OP_AND] = { "&&", 2 }, [OP_BOR] = { "|", 3 },
	[OP_XOR] = { "^", 4 }, [OP_BAND] = { "&", 5 }, [OP_EQ] = { "==", 6 },
	[OP_NE] = { "!=", 6 }, [OP_LT] = { "<", 7 }, [OP_LE] = { "<=", 7 },
	[OP_GT] = { ">", 7 }, [OP_GE] = { ">=", 7 }, [OP_SHL] = { "<<", 8 },
	[OP_SHR] = { ">>", 8 }, [OP_ADD] = { "+", 9 }, [OP_SUB] = { "-", 9 },
	[OP_MUL] = { "*", 10 }, [OP_DIV] = { "/", 10 }, [OP_MOD] = { "%", 10 },
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

struct parser {
	const char *at;
	struct expr *x;
	size_t held;		/* values on the stack at this point */
	int depth;
	struct error *e;
};

/* ---- values ---- */

struct value value_int(int64_t i)
{
	return (struct value){ .kind = VALUE_INT, .i = i };
}

struct value value_real(double r)
{
	return (struct value){ .kind = VALUE_REAL, .r = r };
}

struct value value_text(const char *text)
{
	struct value v = { .kind = VALUE_TEXT };
	size_t n = strnlen(text, sizeof(v.text));

	/* Cut before a character, not inside one. */
	if (n == sizeof(v.text))
		for (n--; n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80; )
			n--;
	memcpy(v.text, text, n);
	return v;
}

bool value_true(const struct value *v)
{
	switch (v->kind) {
	case VALUE_INT:
		return v->i != 0;
	case VALUE_REAL:
		return v->r != 0;
	case VALUE_TEXT:
		return v->text[0] != '\0';
	default:
		return false;
	}
}

/* The fewest digits that read back as the same number. */
static void print_real(double r, char *buf, size_t size)
{
	char digits[40];
	int n = 0, exponent;

	if (!isfinite(r)) {
		snprintf(buf, size, "%g", r);
		return;
	}
	do
		snprintf(digits, sizeof(digits), "%.*e", n, r);
	while (strtod(digits, NULL) != r && ++n < 17);
	exponent = atoi(strchr(digits, 'e') + 1);
	if (exponent < -5 || exponent > 15)
		snprintf(buf, size, "%.*g", n + 1, r);
	else
		snprintf(buf, size, "%.*f", MAX(n - exponent, 0), r);
}

void value_print(const struct value *v, char *buf, size_t size)
{
	switch (v->kind) {
	case VALUE_INT:
		snprintf(buf, size, "%" PRId64, v->i);
		break;
	case VALUE_REAL:
		print_real(v->r, buf, size);
		break;
	case VALUE_TEXT:
		snprintf(buf, size, "%s", v->text);
		break;
	default:
		snprintf(buf, size, "none");
	}
}

/* ---- reading ---- */

/* The column counts characters from 1, as a reader does. */
static int trouble(struct error *e, const char *text, size_t at,
		   const char *what)
{
	size_t column = 1;

	for (size_t i = 0; i < at; i++)
		column += ((unsigned char)text[i] & 0xc0) != 0x80;
	return error_set(e, EXIT_INPUT, "column %zu: %s", column, what);
}

static int fail(struct parser *p, const char *what)
{
	return trouble(p->e, p->x->text, (size_t)(p->at - p->x->text), what);
}

static int expected(struct parser *p, const char *what)
{
	size_t n = 1;
	char got[8] = "";
	char message[120];

	if (*p->at) {
		while (n < 4 && ((unsigned char)p->at[n] & 0xc0) == 0x80)
			n++;
		memcpy(got, p->at, n);
	}
	snprintf(message, sizeof(message), *got ? "expected %s, not '%s'" :
		 "expected %s, but the expression ends here", what,
		 text_show(got));
	return fail(p, message);
}

static void skip_space(struct parser *p)
{
	p->at += strspn(p->at, " \t\r\n\f\v");
}

/* Takes the punctuation mark c if it comes next. */
static bool take(struct parser *p, char c)
{
	skip_space(p);
	if (*p->at != c)
		return false;
	p->at++;
	return true;
}

static int need(struct parser *p, char c)
{
	char what[4] = { '\'', c, '\'', '\0' };

	return take(p, c) ? 0 : expected(p, what);
}

static size_t emit(struct parser *p, enum code code, size_t arg, size_t count,
		   const char *at)
{
	struct expr *x = p->x;

	grow(&x->code, &x->code_capacity, x->length + 1, sizeof(*x->code));
	x->code[x->length] = (struct insn){
		.code = code, .arg = (uint32_t)arg, .count = (uint32_t)count,
		.at = (uint32_t)(at - x->text),
	};
	return x->length++;
}

static void hold(struct parser *p, size_t more)
{
	p->held += more;
	p->x->stack = MAX(p->x->stack, p->held);
}

static size_t pool_add(struct parser *p, struct value v)
{
	struct expr *x = p->x;

	grow(&x->pool, &x->pool_capacity, x->pool_length + 1,
	     sizeof(*x->pool));
	x->pool[x->pool_length] = v;
	return x->pool_length++;
}

static void emit_push(struct parser *p, struct value v, const char *at)
{
	emit(p, CODE_PUSH, pool_add(p, v), 0, at);
	hold(p, 1);
}

/* A jump to here. */
static void land(struct parser *p, size_t jump)
{
	p->x->code[jump].arg = (uint32_t)p->x->length;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static size_t digits(const char *s)
{
	return strspn(s, "0123456789");
}

/* Length of a number with a point or an exponent; 0 when it has neither. */
static size_t real_length(const char *s)
{
	size_t n = digits(s), whole = n, exponent;

	if (s[n] == '.')
		n += 1 + digits(s + n + 1);
	if (s[n] == 'e' || s[n] == 'E') {
		exponent = n + 1;
		exponent += s[exponent] == '+' || s[exponent] == '-';
		if (is_digit(s[exponent]))
			n = exponent + digits(s + exponent);
	}
	return n > whole ? n : 0;
}

static int parse_real(struct parser *p, size_t n)
{
	const char *start = p->at;
	double r = strtod(start, NULL);

	if (!isfinite(r))
		return fail(p, "the number is too large");
	p->at += n;
	p->at += *p->at == 'f' || *p->at == 'F';
	if (is_letter(*p->at) || is_digit(*p->at) || *p->at == '.')
		return expected(p, "the end of the number");
	emit_push(p, value_real(r), start);
	return 0;
}

static int parse_integer(struct parser *p)
{
	const char *start = p->at;
	bool hex = start[0] == '0' && (start[1] == 'x' || start[1] == 'X');
	unsigned long long u;
	char *end;

	if (!hex && start[0] == '0' && is_digit(start[1]))
		return fail(p, "a decimal number does not start with 0");
	errno = 0;
	u = strtoull(start, &end, hex ? 16 : 10);
	if (errno || u > INT64_MAX)
		return fail(p, "the number does not fit in 64 bits");
	p->at = end + strspn(end, "uUlL");
	if (is_letter(*p->at) || is_digit(*p->at) || *p->at == '.')
		return expected(p, "the end of the number");
	emit_push(p, value_int((int64_t)u), start);
	return 0;
}

static int parse_number(struct parser *p)
{
	size_t real = real_length(p->at);

	return real ? parse_real(p, real) : parse_integer(p);
}

static int parse_text(struct parser *p)
{
	const char *start = p->at++;
	struct str s = { 0 };

	for (; *p->at && *p->at != '"'; p->at++) {
		if (*p->at == '\\' && (p->at[1] == '"' || p->at[1] == '\\'))
			p->at++;
		str_addc(&s, *p->at);
	}
	emit_push(p, value_text(s.data ? s.data : ""), start);
	str_done(&s);
	return need(p, '"');
}

static int parse_choice(struct parser *p);

static int parse_args(struct parser *p, size_t *count)
{
	*count = 0;
	if (take(p, ')'))
		return 0;
	do {
		size_t start = p->x->length;

		if (++*count > MAX_ARGS)
			return fail(p, "too many arguments");
		if (parse_choice(p) < 0)
			return -1;
		if (p->x->length == start + 1 &&
		    p->x->code[start].code == CODE_NAME)
			p->x->code[start].code = CODE_NAME_OR_TEXT;
	} while (take(p, ','));
	return need(p, ')');
}

static int parse_call(struct parser *p, const char *name, const char *at)
{
	size_t function = pool_add(p, value_text(name)), count;

	if (parse_args(p, &count) < 0)
		return -1;
	emit(p, CODE_CALL, function, count, at);
	p->held -= count;
	hold(p, 1);
	return 0;
}

static int parse_subscripts(struct parser *p, const char *name, const char *at)
{
	size_t function = pool_add(p, value_text("[]")), count = 1;

	emit_push(p, value_text(name), at);
	do {
		if (count++ == MAX_ARGS)
			return fail(p, "too many subscripts");
		if (parse_choice(p) < 0 || need(p, ']') < 0)
			return -1;
	} while (take(p, '['));
	emit(p, CODE_CALL, function, count, at);
	p->held -= count;
	hold(p, 1);
	return 0;
}

/* A name with its members: threadIdx.x. */
static int read_name(struct parser *p, char *name, size_t size)
{
	const char *s = p->at;
	size_t n = 0;

	do {
		n += s[n] == '.';
		while (is_letter(s[n]) || is_digit(s[n]))
			n++;
	} while (s[n] == '.' && is_letter(s[n + 1]));
	if (n >= size)
		return fail(p, "the name is too long");
	memcpy(name, s, n);
	name[n] = '\0';
	p->at += n;
	return 0;
}

static int parse_name(struct parser *p)
{
	const char *start = p->at;
	char name[sizeof(((struct value *)NULL)->text)];

	if (read_name(p, name, sizeof(name)) < 0)
		return -1;
	if (!strcmp(name, "none"))
		emit_push(p, (struct value){ .kind = VALUE_NONE }, start);
	else if (take(p, '('))
		return parse_call(p, name, start);
	else if (take(p, '['))
		return parse_subscripts(p, name, start);
	else {
		emit(p, CODE_NAME, pool_add(p, value_text(name)), 0, start);
		hold(p, 1);
	}
	return 0;
}

static int parse_primary(struct parser *p)
{
	if (is_digit(*p->at) || (*p->at == '.' && is_digit(p->at[1])))
		return parse_number(p);
	if (is_letter(*p->at))
		return parse_name(p);
	if (*p->at == '"')
		return parse_text(p);
	if (take(p, '('))
		return parse_choice(p) < 0 ? -1 : need(p, ')');
	return expected(p, "a value");
}

static int deeper(struct parser *p)
{
	return ++p->depth > MAX_NESTING ? fail(p, "nested too deeply") : 0;
}

static int parse_unary(struct parser *p)
{
	static const char marks[] = "-+!~";
	static const enum operator means[] = { OP_SUB, OP_ADD, OP_NOT,
					       OP_INVERT };
	const char *start, *mark;

	skip_space(p);
	start = p->at;
	mark = *start ? strchr(marks, *start) : NULL;
	if (!mark)
		return parse_primary(p);
	p->at++;
	if (deeper(p) < 0 || parse_unary(p) < 0)
		return -1;
	p->depth--;
	emit(p, CODE_UNARY, means[mark - marks], 0, start);
	return 0;
}

static enum operator next_operator(struct parser *p)
{
	enum operator o = 0;

	skip_space(p);
	while (o < OPERATORS && strncmp(p->at, operators[o].text,
					strlen(operators[o].text)))
		o++;
	return o;
}

static int parse_binary(struct parser *p, int level);

/* The right side of && and ||, which may be left out. */
static int parse_lazy(struct parser *p, enum operator o, const char *at)
{
	size_t jump = emit(p, o == OP_AND ? CODE_AND : CODE_OR, 0, 0, at);

	p->held--;
	if (parse_binary(p, operators[o].level + 1) < 0)
		return -1;
	emit(p, CODE_TRUTH, 0, 0, at);
	land(p, jump);
	return 0;
}

/* Operators that bind at least as tightly as `level`. */
static int parse_binary(struct parser *p, int level)
{
	enum operator o;

	if (parse_unary(p) < 0)
		return -1;
	while ((o = next_operator(p)) < OPERATORS &&
	       operators[o].level >= level) {
		const char *at = p->at;

		p->at += strlen(operators[o].text);
		if (o == OP_AND || o == OP_OR) {
			if (parse_lazy(p, o, at) < 0)
				return -1;
			continue;
		}
		if (parse_binary(p, operators[o].level + 1) < 0)
			return -1;
		emit(p, CODE_BINARY, o, 0, at);
		p->held--;
	}
	return 0;
}

/* CONDITION ? A : B, of which only one side is evaluated. */
static int parse_sides(struct parser *p)
{
	size_t unless = emit(p, CODE_UNLESS, 0, 0, p->at), over;

	p->held--;
	if (parse_choice(p) < 0)
		return -1;
	over = emit(p, CODE_JUMP, 0, 0, p->at);
	if (need(p, ':') < 0)
		return -1;
	land(p, unless);
	p->held--;
	if (parse_choice(p) < 0)
		return -1;
	land(p, over);
	return 0;
}

static int parse_choice(struct parser *p)
{
	if (deeper(p) < 0 || parse_binary(p, 1) < 0)
		return -1;
	if (take(p, '?') && parse_sides(p) < 0)
		return -1;
	p->depth--;
	return 0;
}

struct expr *expr_parse(const char *text, struct error *e)
{
	struct parser p = { .e = e };

	if (strnlen(text, MAX_TEXT + 1) > MAX_TEXT) {
		error_set(e, EXIT_INPUT, "the expression is longer than %d "
			  "bytes", MAX_TEXT);
		return NULL;
	}
	p.x = xcalloc(1, sizeof(*p.x));
	p.at = p.x->text = xstrdup(text);
	if (parse_choice(&p) == 0) {
		skip_space(&p);
		if (!*p.at)
			return p.x;
		expected(&p, "an operator");
	}
	expr_free(p.x);
	return NULL;
}

void expr_free(struct expr *x)
{
	if (!x)
		return;
	free(x->text);
	free(x->code);
	free(x->pool);
	free(x);
}

/* ---- evaluating ---- */

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

static int divide(enum operator o, int64_t a, int64_t b, int64_t *out,
		  const char **why)
{
	if (b == 0)
		*why = "division by zero";
	else if (a == INT64_MIN && b == -1)
		*why = "the result does not fit in 64 bits";
	else
		*out = o == OP_DIV ? a / b : a % b;
	return *why ? -1 : 0;
}

static int compare(enum operator o, int order)
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
	return operators[o].level == 6 || operators[o].level == 7;
}

static const char *binary_int(enum operator o, int64_t a, int64_t b,
			      struct value *out)
{
	const char *why = NULL;
	int64_t r = 0;

	if (is_comparison(o))
		r = compare(o, (a > b) - (a < b));
	else if (o == OP_BOR)
		r = a | b;
	else if (o == OP_XOR)
		r = a ^ b;
	else if (o == OP_BAND)
		r = a & b;
	else if (o == OP_DIV || o == OP_MOD)
		divide(o, a, b, &r, &why);
	else if ((o == OP_SHL || o == OP_SHR) && (b < 0 || b > 63))
		why = "a shift must be by 0 to 63";
	else if (o == OP_SHR)
		r = a >> b;
	else if (!in_range(o, a, b, &r))
		why = "the result does not fit in 64 bits";
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
				 compare(o, (a > b) - (a < b)));
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
			return "division by zero";
		r = a / b;
		break;
	default:
		return "this operator needs whole numbers";
	}
	*out = value_real(r);
	return isinf(r) ? "the result is too large" : NULL;
}

static double real_of(const struct value *v)
{
	return v->kind == VALUE_INT ? (double)v->i : v->r;
}

static const char *binary_text(enum operator o, const struct value *a,
			       const struct value *b, struct value *out)
{
	if (a->kind != b->kind)
		return "a text and a number do not go together";
	if (!is_comparison(o))
		return "this operator needs numbers";
	*out = value_int(compare(o, strcmp(a->text, b->text)));
	return NULL;
}

/* *a = *a o *b; NULL, or what is wrong. */
static const char *binary(enum operator o, struct value *a,
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
			return "this operator needs whole numbers";
		v->r = o == OP_SUB ? -v->r : v->r;
	} else if (o == OP_INVERT) {
		v->i = ~v->i;
	} else if (o == OP_SUB) {
		if (v->i == INT64_MIN)
			return "the result does not fit in 64 bits";
		v->i = -v->i;
	}
	return NULL;
}

static const char *unary(enum operator o, struct value *v)
{
	if (v->kind == VALUE_NONE)
		return NULL;
	if (o == OP_NOT)
		*v = value_int(!value_true(v));
	else if (v->kind == VALUE_TEXT)
		return "this operator needs numbers";
	else
		return unary_number(o, v);
	return NULL;
}

static int name_value(struct machine *m, const char *name, struct error *e,
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
		if (name_value(m, name, &ignored, &v) < 0)
			v = m->x->pool[i->arg];
	} else if (name_value(m, name, m->e, &v) < 0) {
		return -1;
	}
	*m->top++ = v;
	return 0;
}

static int call(struct machine *m, const struct insn *i)
{
	const char *name = m->x->pool[i->arg].text;
	struct value v = { .kind = VALUE_NONE };

	m->top -= i->count;
	if (!m->env || !m->env->call)
		return trouble(m->e, m->x->text, i->at, "nothing can be "
			       "called or subscripted here");
	if (m->env->call(m->env->ctx, name, m->top, i->count, &v, m->e) < 0)
		return -1;
	*m->top++ = v;
	return 0;
}

/* && and ||: leaves the left side as the answer when it settles it. */
static bool settled(struct machine *m, enum code code)
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

/* 0, or -1; *pc is the instruction behind i and may be changed. */
static int step(struct machine *m, const struct insn *i, size_t *pc)
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
		return call(m, i);
	case CODE_JUMP:
		*pc = i->arg;
		break;
	case CODE_UNLESS:
		if (!value_true(--m->top))
			*pc = i->arg;
		break;
	case CODE_AND:
	case CODE_OR:
		if (settled(m, i->code))
			*pc = i->arg;
		break;
	case CODE_TRUTH:
		if (m->top[-1].kind != VALUE_NONE)
			m->top[-1] = value_int(value_true(m->top - 1));
		break;
	case CODE_UNARY:
		why = unary((enum operator)i->arg, m->top - 1);
		break;
	case CODE_BINARY:
		m->top--;
		why = binary((enum operator)i->arg, m->top - 1, m->top);
		break;
	}
	return why ? trouble(m->e, m->x->text, i->at, why) : 0;
}

int expr_eval(const struct expr *x, const struct expr_env *env,
	      struct value *out, struct error *e)
{
	struct value *stack = xcalloc(x->stack, sizeof(*stack));
	struct machine m = { .x = x, .env = env, .top = stack, .e = e };
	int status = 0;

	for (size_t pc = 0; pc < x->length && status == 0; ) {
		const struct insn *i = &x->code[pc++];

		status = step(&m, i, &pc);
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
