/*
 * tap: a Test Anything Protocol producer, just enough of it.
 *
 * Unlike cmocka's, a skipped test counts as passed for the harness.
 */
#ifndef TAP_H
#define TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int tap_count, tap_failed;

#define tap_ok(cond, ...) \
	tap_result(!!(cond), #cond, __FILE__, __LINE__, __VA_ARGS__)
#define tap_is(got, want, ...) \
	tap_is_int((long long)(got), (long long)(want), __FILE__, __LINE__, \
		   __VA_ARGS__)
#define tap_str(got, want, ...) \
	tap_is_str(got, want, __FILE__, __LINE__, __VA_ARGS__)

/* Returns whether the next of many like cases is tried in this run: every nth,
 * another nth with each commit (TEST_TURN; .ci/run), all of them with TEST_ALL. */
__attribute__((unused))
static bool tap_in_turn(unsigned n)
{
	static unsigned turn;
	const char *first = getenv("TEST_TURN");

	return getenv("TEST_ALL") ||
	       ((first ? (unsigned)atoi(first) : 0) + ++turn) % n == 0;
}

__attribute__((format(printf, 5, 6), unused))
static bool tap_result(bool pass, const char *cond, const char *file, int line,
		       const char *fmt, ...)
{
	va_list ap;

	printf("%sok %d - ", pass ? "" : "not ", ++tap_count);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
	if (!pass) {
		tap_failed++;
		printf("#   at %s:%d: %s\n", file, line, cond);
	}
	fflush(stdout);
	return pass;
}

__attribute__((format(printf, 5, 6), unused))
static bool tap_is_int(long long got, long long want, const char *file,
		       int line, const char *fmt, ...)
{
	char what[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	if (!tap_result(got == want, "equal", file, line, "%s", what))
		printf("#   got %lld, want %lld\n", got, want);
	return got == want;
}

__attribute__((format(printf, 5, 6), unused))
static bool tap_is_str(const char *got, const char *want, const char *file,
		       int line, const char *fmt, ...)
{
	char what[512];
	bool same = got && want ? !strcmp(got, want) : got == want;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	if (!tap_result(same, "equal", file, line, "%s", what))
		printf("#   got  '%s'\n#   want '%s'\n", got ? got : "(null)",
		       want ? want : "(null)");
	return same;
}

__attribute__((unused))
static void tap_skip(const char *what, const char *why)
{
	printf("ok %d - %s # SKIP %s\n", ++tap_count, what, why);
}

/* Ends main: prints the plan. */
__attribute__((unused))
static int tap_done(void)
{
	printf("1..%d\n", tap_count);
	return tap_failed != 0;
}

#endif
