/*
 * expr: the parser. See expr.h.
 */
#include "base/lang.h"
#include "base/expr.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/expr_code.h"
#include "base/text.h"

#define MAX_NESTING 200
#define MAX_ARGS 16
#define MAX_TEXT 65536	/* bytes of an expression */

/* Binary operators and how tightly they bind, as in C. */
static const struct { char text[3]; int level; } operators[OPERATORS] = {
	[OP_OR] = { "||", 1 }, [OP_AND] = { "&&", 2 }, [OP_BOR] = { "|", 3 },
	[OP_XOR] = { "^", 4 }, [OP_BAND] = { "&", 5 }, [OP_EQ] = { "==", 6 },
	[OP_NE] = { "!=", 6 }, [OP_LT] = { "<", 7 }, [OP_LE] = { "<=", 7 },
	[OP_GT] = { ">", 7 }, [OP_GE] = { ">=", 7 }, [OP_SHL] = { "<<", 8 },
	[OP_SHR] = { ">>", 8 }, [OP_ADD] = { "+", 9 }, [OP_SUB] = { "-", 9 },
	[OP_MUL] = { "*", 10 }, [OP_DIV] = { "/", 10 }, [OP_MOD] = { "%", 10 },
};

struct expr_parser {
	const char *at;
	struct expr *x;
	size_t held;		/* values on the stack at this point */
	int depth;
	struct error *e;
};

/* Sets e to the message with its column, counted in characters from 1. Returns
 * -1. */
int expr_trouble(struct error *e, const char *text, size_t at,
		 const char *what)
{
	size_t column = 1;

	for (size_t i = 0; i < at; i++)
		column += ((unsigned char)text[i] & 0xc0) != 0x80;
	return error_set(e, EXIT_INPUT, "column %zu: %s", column, _(what));
}

static int fail_at(struct expr_parser *p, const char *what)
{
	return expr_trouble(p->e, p->x->text, (size_t)(p->at - p->x->text),
			    what);
}

static int fail_expected(struct expr_parser *p, const char *what)
{
	size_t n = 1;
	char got[8] = "";
	char message[120];

	if (*p->at) {
		while (n < 4 && ((unsigned char)p->at[n] & 0xc0) == 0x80)
			n++;
		memcpy(got, p->at, n);
	}
	snprintf(message, sizeof(message),
		 *got ? _("expected %s, not '%s'") :
			_("expected %s, but the expression ends here"),
		 _(what), text_show(got));
	return fail_at(p, message);
}

static void skip_expr_blanks(struct expr_parser *p)
{
	p->at += strspn(p->at, " \t\r\n\f\v");
}

/* Takes the punctuation mark c if it comes next. */
static bool accept_mark(struct expr_parser *p, char c)
{
	skip_expr_blanks(p);
	if (*p->at != c)
		return false;
	p->at++;
	return true;
}

static int require_mark(struct expr_parser *p, char c)
{
	char what[4] = { '\'', c, '\'', '\0' };

	return accept_mark(p, c) ? 0 : fail_expected(p, what);
}

static size_t emit_insn(struct expr_parser *p, enum code code, size_t arg,
			size_t count, const char *at)
{
	struct expr *x = p->x;

	grow(&x->code, &x->code_capacity, x->length + 1, sizeof(*x->code));
	x->code[x->length] = (struct insn){
		.code = code, .arg = (uint32_t)arg, .count = (uint32_t)count,
		.at = (uint32_t)(at - x->text),
	};
	return x->length++;
}

static void hold_values(struct expr_parser *p, size_t more)
{
	p->held += more;
	p->x->stack = MAX(p->x->stack, p->held);
}

static size_t pool_constant(struct expr_parser *p, struct value v)
{
	struct expr *x = p->x;

	grow(&x->pool, &x->pool_capacity, x->pool_length + 1,
	     sizeof(*x->pool));
	x->pool[x->pool_length] = v;
	return x->pool_length++;
}

static void emit_push(struct expr_parser *p, struct value v, const char *at)
{
	emit_insn(p, CODE_PUSH, pool_constant(p, v), 0, at);
	hold_values(p, 1);
}

/* Makes the jump land at the next instruction. */
static void patch_jump(struct expr_parser *p, size_t jump)
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

static size_t count_digits(const char *s)
{
	return strspn(s, "0123456789");
}

/* Returns the length of a number with a point or an exponent; 0 when it has
 * neither. */
static size_t real_length(const char *s)
{
	size_t n = count_digits(s), whole = n, exponent;

	if (s[n] == '.')
		n += 1 + count_digits(s + n + 1);
	if (s[n] == 'e' || s[n] == 'E') {
		exponent = n + 1;
		exponent += s[exponent] == '+' || s[exponent] == '-';
		if (is_digit(s[exponent]))
			n = exponent + count_digits(s + exponent);
	}
	return n > whole ? n : 0;
}

static int parse_real(struct expr_parser *p, size_t n)
{
	const char *start = p->at;
	double r = strtod(start, NULL);

	if (!isfinite(r))
		return fail_at(p, "the number is too large");
	p->at += n;
	p->at += *p->at == 'f' || *p->at == 'F';
	if (is_letter(*p->at) || is_digit(*p->at) || *p->at == '.')
		return fail_expected(p, "the end of the number");
	emit_push(p, value_real(r), start);
	return 0;
}

static int parse_integer(struct expr_parser *p)
{
	const char *start = p->at;
	bool hex = start[0] == '0' && (start[1] == 'x' || start[1] == 'X');
	unsigned long long u;
	char *end;

	if (!hex && start[0] == '0' && is_digit(start[1]))
		return fail_at(p, "a decimal number does not start with 0");
	errno = 0;
	u = strtoull(start, &end, hex ? 16 : 10);
	if (errno || u > INT64_MAX)
		return fail_at(p, "the number does not fit in 64 bits");
	p->at = end + strspn(end, "uUlL");
	if (is_letter(*p->at) || is_digit(*p->at) || *p->at == '.')
		return fail_expected(p, "the end of the number");
	emit_push(p, value_int((int64_t)u), start);
	return 0;
}

static int parse_literal(struct expr_parser *p)
{
	size_t real = real_length(p->at);

	return real ? parse_real(p, real) : parse_integer(p);
}

static int parse_quoted(struct expr_parser *p)
{
	const char *start = p->at++;
	struct str s = { 0 };

	for (; *p->at && *p->at != '"'; p->at++) {
		if (*p->at == '\\' && (p->at[1] == '"' || p->at[1] == '\\'))
			p->at++;
		str_addc(&s, *p->at);
	}
	if (s.len >= VALUE_TEXT_BYTES) {
		str_done(&s);
		return fail_at(p, "the text is too long");
	}
	emit_push(p, value_text(s.data ? s.data : ""), start);
	str_done(&s);
	return require_mark(p, '"');
}

static int parse_choice(struct expr_parser *p);

static int parse_args(struct expr_parser *p, size_t *count)
{
	*count = 0;
	if (accept_mark(p, ')'))
		return 0;
	do {
		size_t start = p->x->length;

		if (++*count > MAX_ARGS)
			return fail_at(p, "too many arguments");
		if (parse_choice(p) < 0)
			return -1;
		if (p->x->length == start + 1 &&
		    p->x->code[start].code == CODE_NAME)
			p->x->code[start].code = CODE_NAME_OR_TEXT;
	} while (accept_mark(p, ','));
	return require_mark(p, ')');
}

static int parse_call(struct expr_parser *p, const char *name, const char *at)
{
	size_t function = pool_constant(p, value_text(name)), count;

	if (parse_args(p, &count) < 0)
		return -1;
	emit_insn(p, CODE_CALL, function, count, at);
	p->held -= count;
	hold_values(p, 1);
	return 0;
}

static int parse_subscripts(struct expr_parser *p, const char *name,
			    const char *at)
{
	size_t function = pool_constant(p, value_text("[]")), count = 1;

	emit_push(p, value_text(name), at);
	do {
		if (count++ == MAX_ARGS)
			return fail_at(p, "too many subscripts");
		if (parse_choice(p) < 0 || require_mark(p, ']') < 0)
			return -1;
	} while (accept_mark(p, '['));
	emit_insn(p, CODE_CALL, function, count, at);
	p->held -= count;
	hold_values(p, 1);
	return 0;
}

/* A name with its members: threadIdx.x. */
static int read_name(struct expr_parser *p, char *name, size_t size)
{
	const char *s = p->at;
	size_t n = 0;

	do {
		n += s[n] == '.';
		while (is_letter(s[n]) || is_digit(s[n]))
			n++;
	} while (s[n] == '.' && is_letter(s[n + 1]));
	if (n >= size)
		return fail_at(p, "the name is too long");
	memcpy(name, s, n);
	name[n] = '\0';
	p->at += n;
	return 0;
}

static int parse_operand_name(struct expr_parser *p)
{
	const char *start = p->at;
	char name[sizeof(((struct value *)NULL)->text)];

	if (read_name(p, name, sizeof(name)) < 0)
		return -1;
	if (!strcmp(name, "none"))
		emit_push(p, (struct value){ .kind = VALUE_NONE }, start);
	else if (accept_mark(p, '('))
		return parse_call(p, name, start);
	else if (accept_mark(p, '['))
		return parse_subscripts(p, name, start);
	else {
		emit_insn(p, CODE_NAME, pool_constant(p, value_text(name)), 0,
			  start);
		hold_values(p, 1);
	}
	return 0;
}

static int parse_primary(struct expr_parser *p)
{
	if (is_digit(*p->at) || (*p->at == '.' && is_digit(p->at[1])))
		return parse_literal(p);
	if (is_letter(*p->at))
		return parse_operand_name(p);
	if (*p->at == '"')
		return parse_quoted(p);
	if (accept_mark(p, '('))
		return parse_choice(p) < 0 ? -1 : require_mark(p, ')');
	return fail_expected(p, "a value");
}

static int enter_nesting(struct expr_parser *p)
{
	return ++p->depth > MAX_NESTING ? fail_at(p, "nested too deeply") : 0;
}

static int parse_unary(struct expr_parser *p)
{
	static const char marks[] = "-+!~";
	static const enum operator means[] = { OP_SUB, OP_ADD, OP_NOT,
					       OP_INVERT };
	const char *start, *mark;

	skip_expr_blanks(p);
	start = p->at;
	mark = *start ? strchr(marks, *start) : NULL;
	if (!mark)
		return parse_primary(p);
	p->at++;
	if (enter_nesting(p) < 0 || parse_unary(p) < 0)
		return -1;
	p->depth--;
	emit_insn(p, CODE_UNARY, means[mark - marks], 0, start);
	return 0;
}

static enum operator next_operator(struct expr_parser *p)
{
	enum operator o = 0;

	skip_expr_blanks(p);
	while (o < OPERATORS && strncmp(p->at, operators[o].text,
					strlen(operators[o].text)))
		o++;
	return o;
}

static int parse_binary(struct expr_parser *p, int level);

/* Parses the right side of && and ||, which is evaluated only if the left side
 * does not decide. */
static int parse_lazy(struct expr_parser *p, enum operator o, const char *at)
{
	size_t jump = emit_insn(p, o == OP_AND ? CODE_AND : CODE_OR, 0, 0, at);

	p->held--;
	if (parse_binary(p, operators[o].level + 1) < 0)
		return -1;
	emit_insn(p, CODE_TRUTH, 0, 0, at);
	patch_jump(p, jump);
	return 0;
}

/* Parses operators that bind at least as tightly as `level`. */
static int parse_binary(struct expr_parser *p, int level)
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
		emit_insn(p, CODE_BINARY, o, 0, at);
		p->held--;
	}
	return 0;
}

/* Parses the A : B of CONDITION ? A : B, of which only one side is
 * evaluated. */
static int parse_sides(struct expr_parser *p)
{
	size_t unless = emit_insn(p, CODE_UNLESS, 0, 0, p->at), over;

	p->held--;
	if (parse_choice(p) < 0)
		return -1;
	over = emit_insn(p, CODE_JUMP, 0, 0, p->at);
	if (require_mark(p, ':') < 0)
		return -1;
	patch_jump(p, unless);
	p->held--;
	if (parse_choice(p) < 0)
		return -1;
	patch_jump(p, over);
	return 0;
}

static int parse_choice(struct expr_parser *p)
{
	if (enter_nesting(p) < 0 || parse_binary(p, 1) < 0)
		return -1;
	if (accept_mark(p, '?') && parse_sides(p) < 0)
		return -1;
	p->depth--;
	return 0;
}

struct expr *expr_parse(const char *text, struct error *e)
{
	struct expr_parser p = { .e = e };

	if (strnlen(text, MAX_TEXT + 1) > MAX_TEXT) {
		error_set(e, EXIT_INPUT, "the expression is longer than %d "
			  "bytes", MAX_TEXT);
		return NULL;
	}
	p.x = xcalloc(1, sizeof(*p.x));
	p.at = p.x->text = xstrdup(text);
	if (parse_choice(&p) == 0) {
		skip_expr_blanks(&p);
		if (!*p.at)
			return p.x;
		fail_expected(&p, "an operator");
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

