/* Expressions: what they are worth, and what is wrong with those that fail. */
#include <stdlib.h>
#include <string.h>

#include "base/expr.h"
#include "tap.h"

static char called[256];	/* what `call` was asked last */

static int name(void *ctx, const char *word, struct value *out,
		struct error *e)
{
	if (!strcmp(word, "lane"))
		*out = value_int(*(int *)ctx);
	else if (!strcmp(word, "threadIdx.x"))
		*out = value_int(7);
	else if (!strcmp(word, "half"))
		*out = value_real(0.5);
	else
		return error_set(e, EXIT_INPUT, "unknown name '%s'", word);
	return 0;
}

static int call(void *ctx, const char *word, const struct value *args,
		size_t count, struct value *out, struct error *e)
{
	(void)ctx;
	snprintf(called, sizeof(called), "%s", word);
	for (size_t i = 0; i < count; i++) {
		char text[80];
		size_t n = strlen(called);

		value_print(&args[i], text, sizeof(text));
		snprintf(called + n, sizeof(called) - n, "|%s", text);
	}
	if (!strcmp(word, "bad"))
		return error_set(e, EXIT_INPUT, "bad call");
	*out = value_int((int64_t)count);
	return 0;
}

static int lane = 5;
static const struct expr_env env = { name, call, &lane };

/* The printed value, or "error: ...". */
static const char *value(const char *text)
{
	static char buf[700];
	struct value v;
	struct error e = { 0 };

	if (expr_value(text, &env, &v, &e) < 0)
		snprintf(buf, sizeof(buf), "error: %s", e.text);
	else
		value_print(&v, buf, sizeof(buf));
	return buf;
}

static void is(const char *text, const char *want)
{
	tap_str(value(text), want, "%s", text);
}

static void test_arithmetic(void)
{
	is("1 + 2 * 3", "7");
	is("(1 + 2) * 3", "9");
	is("10 - 4 - 3", "3");
	is("-7 / 2", "-3");
	is("-7 % 3", "-1");
	is("2 * -3", "-6");
	is("- - -1", "-1");
	is("+4", "4");
	is("~5", "-6");
	is("!5 + !0", "1");
	is("1 << 4 >> 2", "4");
	is("-8 >> 1", "-4");
	is("1 + 1 << 2", "8");
	is("6 & 3 | 8 ^ 1", "11");
	is("1 | 6 ^ 2 & 3", "5");
	is("4 & 4 == 4", "0");
	is("0x1F + 0xff", "286");
	is("12u + 3UL", "15");
	is("lane*128 + 4*threadIdx.x", "668");
}

static void test_reals(void)
{
	is("1.5 * 2", "3");
	is("1e3", "1000");
	is("1 / 4", "0");
	is("1 / 4.0", "0.25");
	is(".5 + half", "1");
	is("0.1 + 0.2", "0.30000000000000004");
	is("0.1", "0.1");
	is("2.5f", "2.5");
	is("1e20", "1e+20");
	is("1e-9", "1e-09");
	is("123456.75", "123456.75");
	is("-0.5 < 0", "1");
	is("1 == 1.0", "1");
	is("5.5 % 2", "error: column 5: this operator needs whole numbers");
	is("~1.5", "error: column 1: this operator needs whole numbers");
	is("1e308 * 10", "error: column 7: the result is too large");
}

static void test_logic(void)
{
	is("1 < 2", "1");
	is("2 <= 1", "0");
	is("3 >= 3", "1");
	is("3 > 3", "0");
	is("3 != 3", "0");
	is("2 && 3", "1");
	is("0 || 0.0", "0");
	is("0 || 5", "1");
	is("1 || 0 && 0", "1");
	is("0 && 1 / 0", "0");
	is("1 || 1 / 0", "1");
	is("1 ? 2 : 1 / 0", "2");
	is("0 ? 1 / 0 : 3", "3");
	is("0 ? 1 : 0 ? 2 : 3", "3");
	is("1 ? 0 ? 1 : 2 : 3", "2");
	is("lane & 1 ? lane : -lane", "5");
}

static void test_text(void)
{
	is("\"A\"", "A");
	is("\"a\" == \"a\"", "1");
	is("\"a\" < \"b\"", "1");
	is("\"say \\\"hi\\\"\"", "say \"hi\"");
	is("\"\" ? 1 : 2", "2");
	is("\"a\" + \"b\"", "error: column 5: this operator needs numbers");
	is("\"a\" == 1", "error: column 5: a text cannot be combined with a "
	   "number");
	is("-\"a\"", "error: column 1: this operator needs numbers");
}

static void test_none(void)
{
	is("none", "none");
	is("none + 1", "none");
	is("4 * -none", "none");
	is("!none", "none");
	is("none < 1", "none");
	is("none == none", "1");
	is("none != none", "0");
	is("none == 0", "0");
	is("0 != none", "1");
	is("none ? 1 : 2", "2");
	is("1 ? none : 2", "none");
	is("1 && none", "none");
	is("none || 1", "none");
	is("0 && none", "0");
	is("lane < 4 ? lane * 8 : none", "none");
}

static void called_as(const char *text, const char *want)
{
	called[0] = '\0';
	value(text);
	tap_str(called, want, "%s calls", text);
}

static void test_calls(void)
{
	called_as("f()", "f");
	called_as("f(1, 2 + 3, \"x\")", "f|1|5|x");
	called_as("sectors(A)", "sectors|A");
	called_as("sectors(lane)", "sectors|5");
	called_as("f(none)", "f|none");
	called_as("A[lane]", "[]|A|5");
	called_as("s.tile[lane][1 + 1]", "[]|s.tile|5|2");
	called_as("A[B[3]]", "[]|A|2");
	is("f(1, 2) + g(A)", "3");
	is("f(A + 1)", "error: unknown name 'A'");
	is("A[i]", "error: unknown name 'i'");
	is("1 + bad(2)", "error: bad call");
	is("f(1,)", "error: column 5: expected a value, not ')'");
	is("f(1 2)", "error: column 5: expected ')', not '2'");
}

static void test_limits(void)
{
	static const char fits[] = ": the result does not fit in 64 bits";
	char want[80];

	is("9223372036854775807", "9223372036854775807");
	is("-9223372036854775807 - 1", "-9223372036854775808");
	is("9223372036854775808", "error: column 1: the number does not fit "
	   "in 64 bits");
	is("1e999", "error: column 1: the number is too large");
	snprintf(want, sizeof(want), "error: column 21%s", fits);
	is("9223372036854775807 + 1", want);
	is("9223372036854775807 * 2", want);
	snprintf(want, sizeof(want), "error: column 22%s", fits);
	is("-9223372036854775807 - 2", want);
	snprintf(want, sizeof(want), "error: column 28%s", fits);
	is("(-9223372036854775807 - 1) / -1", want);
	is("(-9223372036854775807 - 1) % -1", want);
	snprintf(want, sizeof(want), "error: column 1%s", fits);
	is("-(-9223372036854775807 - 1)", want);
	snprintf(want, sizeof(want), "error: column 3%s", fits);
	is("1 << 63", want);
	is("3 << 62", want);
	is("1 << 62", "4611686018427387904");
	is("-1 << 63", "-9223372036854775808");
	is("1 << 64", "error: column 3: a shift must be by 0 to 63");
	is("1 >> -1", "error: column 3: a shift must be by 0 to 63");
	is("1 / 0", "error: column 3: division by zero");
	is("1 % (lane - 5)", "error: column 3: division by zero");
	is("1 / 0.0", "error: column 3: division by zero");
}

static void test_malformed(void)
{
	is("", "error: column 1: expected a value, but the expression ends "
	   "here");
	is("1 +", "error: column 4: expected a value, but the expression "
	   "ends here");
	is("1 2", "error: column 3: expected an operator, not '2'");
	is("1 = 2", "error: column 3: expected an operator, not '='");
	is("(1", "error: column 3: expected ')', but the expression ends "
	   "here");
	is("1)", "error: column 2: expected an operator, not ')'");
	is("A[1", "error: column 4: expected ']', but the expression ends "
	   "here");
	is("1 ? 2", "error: column 6: expected ':', but the expression ends "
	   "here");
	is("\"abc", "error: column 5: expected '\"', but the expression ends "
	   "here");
	is("012", "error: column 1: a decimal number does not start with 0");
	is("0x", "error: column 2: expected the end of the number, not 'x'");
	is("1.2.3", "error: column 4: expected the end of the number, not "
	   "'.'");
	is("3lanes", "error: column 3: expected the end of the number, not "
	   "'a'");
	is("1 + $", "error: column 5: expected a value, not '$'");
	is("\"\303\244\" $", "error: column 5: expected an operator, not '$'");
	is("nothing", "error: unknown name 'nothing'");
}

static const char *nested(char open, int depth, char close)
{
	static char text[1024];

	memset(text, open, (size_t)depth);
	text[depth] = '1';
	memset(text + depth + 1, close, close ? (size_t)depth : 1);
	text[close ? 2 * depth + 1 : depth + 1] = '\0';
	return value(text);
}

static void test_depth(void)
{
	char *chain = calloc(1, 70000);

	tap_str(nested('(', 199, ')'), "1", "199 parentheses");
	tap_str(nested('(', 200, ')'), "error: column 201: nested too deeply",
		"200 parentheses inside the whole");
	tap_str(nested('!', 199, 0), "0", "199 times not");
	tap_str(nested('-', 400, 0), "error: column 201: nested too deeply",
		"400 times minus");
	for (int i = 0; i < 20000; i++)
		memcpy(chain + 2 * i, "1+", 2);
	strcat(chain, "1");
	tap_str(value(chain), "20001", "a long sum is not nested");
	memset(chain, ' ', 65537);
	tap_str(value(chain), "error: the expression is longer than 65536 "
		"bytes", "an endless one is refused");
	free(chain);
}

static void test_values(void)
{
	char text[VALUE_TEXT_BYTES + 4], buf[VALUE_TEXT_BYTES + 10], *quoted;
	struct expr *x = expr_parse("lane * 2", NULL);
	struct value v;

	memset(text, '0', sizeof(text));
	strcpy(text + VALUE_TEXT_BYTES - 2, "\303\274z");
	v = value_text(text);
	value_print(&v, buf, sizeof(buf));
	tap_is(strlen(buf), VALUE_TEXT_BYTES - 2,
	       "a long text is cut between characters");
	quoted = xasprintf("\"%s\"", text);
	tap_ok(!expr_parse(quoted, NULL), "one in an expression is refused");
	free(quoted);
	tap_ok(!expr_parse("1 +", NULL), "nobody need listen to the error");
	tap_ok(expr_value("lane", NULL, &v, NULL) < 0, "no names: an error");
	tap_ok(expr_value("f()", NULL, &v, NULL) < 0, "no calls: an error");
	for (lane = 0; lane < 3; lane++)
		tap_ok(expr_eval(x, &env, &v, NULL) == 0 && v.i == 2 * lane,
		       "read once, evaluated for lane %d", lane);
	lane = 5;
	expr_free(x);
	expr_free(NULL);
}

int main(void)
{
	test_arithmetic();
	test_reals();
	test_logic();
	test_text();
	test_none();
	test_calls();
	test_limits();
	test_malformed();
	test_depth();
	test_values();
	return tap_done();
}
