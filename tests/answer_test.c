/*
 * answer_test: what a recorder's answer must contain. A recorder may run a
 * stranger's file, so that each member is tried with what it must not be.
 */
#include <stdlib.h>
#include <string.h>

#include "runner/answer.h"
#include "runner/runner.h"
#include "tap.h"

static json_t *json(const char *text)
{
	json_t *o = json_loads(text, 0, NULL);

	if (!o)
		fatal("not JSON: %s", text);
	return o;
}

/* Returns whether this answer to that job is as it must be. */
static bool is_good(const char *type, const char *job, const char *text)
{
	const struct answer_kind *a = answer_find(type, job, true);
	json_t *message = json(text);
	bool good = a && (!a->wrong || !a->wrong(message));

	json_decref(message);
	return good;
}

static void test_types(void)
{
	tap_ok(answer_find("error", "record", false) &&
	       answer_find("error", "time", false), "any job may fail");
	tap_ok(answer_find("trace", "record", false)->last &&
	       !answer_find("progress", "record", false)->last,
	       "a trace is the last answer, progress is not");
	tap_ok(!answer_find("trace", "time", false) &&
	       !answer_find("sample", "record", false) &&
	       !answer_find("none", "record", false), "answers of other jobs");
	tap_ok(answer_find("output", "record", true) &&
	       !answer_find("output", "record", false) &&
	       !answer_find("program", "record", false),
	       "a program's answers need a program");
}

static void test_whole(void)
{
	json_t *o = json("{\"a\":0,\"b\":7,\"c\":7.0,\"d\":\"7\",\"e\":-1}");

	tap_ok(answer_whole(o, "a", 0, 7) == 0 && answer_whole(o, "b", 0, 7) == 7,
	       "whole numbers at their bounds");
	tap_ok(answer_whole(o, "a", 1, 7) == -1 &&
	       answer_whole(o, "b", 0, 6) == -1 &&
	       answer_whole(o, "c", 0, 7) == -1 &&
	       answer_whole(o, "d", 0, 7) == -1 &&
	       answer_whole(o, "e", 0, 7) == -1 &&
	       answer_whole(o, "f", 0, 7) == -1, "others are none");
	json_decref(o);
}

/* The good answers come first, then those that are wrong in one member. */
static const struct { const char *type, *job, *text; bool good; } answers[] = {
	{ "error", "record", "{\"status\":0,\"message\":\"a\"}", true },
	{ "error", "record", "{\"status\":255,\"message\":\"a\"}", true },
	{ "error", "record", "{\"status\":256,\"message\":\"a\"}", false },
	{ "error", "record", "{\"status\":-1,\"message\":\"a\"}", false },
	{ "error", "record", "{\"status\":1}", false },
	{ "error", "record", "{\"message\":\"a\"}", false },
	{ "error", "record", "{\"status\":1,\"message\":1}", false },
	{ "progress", "record", "{\"events\":0}", true },
	{ "progress", "record", "{\"events\":-1}", false },
	{ "progress", "record", "{}", false },
	{ "output", "record", "{\"text\":\"\"}", true },
	{ "output", "record", "{\"text\":1}", false },
	{ "counters", "counters", "{\"counters\":{\"a\":1,\"b\":null}}", true },
	{ "counters", "counters", "{\"counters\":{\"a\":\"1\"}}", false },
	{ "counters", "counters", "{\"counters\":{\"a\":\"1\",\"b\":1}}",
	  false },
	{ "counters", "counters", "{\"counters\":[]}", false },
	{ "calibration", "calibrate", "{\"machine\":{},\"patterns\":[]}",
	  true },
	{ "calibration", "calibrate", "{\"machine\":{}}", false },
	{ "calibration", "calibrate", "{\"patterns\":[]}", false },
	{ "locals", "locals",
	  "{\"first\":0,\"names\":[\"a\"],\"rows\":[[1],[null]]}", true },
	{ "locals", "locals", "{\"first\":-1,\"names\":[],\"rows\":[]}",
	  false },
	{ "locals", "locals",
	  "{\"first\":0,\"names\":[1],\"rows\":[[1]]}", false },
	{ "locals", "locals",
	  "{\"first\":0,\"names\":[\"a\"],\"rows\":[[1,2],[1]]}", false },
	{ "locals", "locals",
	  "{\"first\":0,\"names\":[\"a\"],\"rows\":[[1],[]]}", false },
	{ "locals", "locals", "{\"first\":0,\"names\":[\"a\"]}", false },
	{ "locals", "locals", "{\"first\":0,\"rows\":[]}", false },
};

static void test_answers(void)
{
	for (size_t i = 0; i < LENGTH(answers); i++)
		tap_is(is_good(answers[i].type, answers[i].job,
			       answers[i].text), answers[i].good,
		       "%s %s", answers[i].type, answers[i].text);
}

/* ---- launches that were timed ---- */

#define LAUNCH "{\"launch\":1,\"count\":1,\"kernel\":\"k\"," \
	"\"grid\":[1,1,1],\"block\":[32,1,2147483647],\"samples\":[1e-9,1]," \
	"\"product\":{\"m\":1,\"n\":1,\"k\":1,\"baseline\":\"b\"," \
	"\"samples\":[0.5]}}"

/* Checks an answer of a good launch and one in which one member at a path such
 * as "product.m" is another, which stands first or last. */
static void check_launch(const char *path, const char *value, bool good)
{
	const char *dot = strchr(path, '.');
	bool result[2];

	for (int first = 0; first < 2; first++) {
		json_t *other = json(LAUNCH), *at = other, *list = json_array();
		json_t *message = json("{\"machine\":{},\"program\":{}}");
		char *text;

		if (dot)
			at = json_object_get(other, "product");
		json_object_set_new(at, dot ? dot + 1 : path,
				    json_loads(value, JSON_DECODE_ANY, NULL));
		json_array_append_new(list, json(LAUNCH));
		json_array_insert_new(list, first ? 0 : 1, other);
		json_object_set_new(message, "launches", list);
		text = json_dumps(message, 0);
		result[first] = is_good("launches", "launches", text);
		free(text);
		json_decref(message);
	}
	tap_ok(result[0] == good && result[1] == good, "%s: %s is %s", path,
	       value, good ? "good" : "wrong");
}

static void test_launches(void)
{
	static const struct { const char *path, *good, *wrong[5]; } of[] = {
		{ "launch", "2147483647", { "0", "2147483648", "1.5" } },
		{ "count", "9223372036854775807", { "0", "-1", "null" } },
		{ "kernel", "\"\"", { "1", "null" } },
		{ "grid", "[2147483647,1,1]", { "[1,1]", "[1,1,1,1]",
		  "[1,0,1]", "[2147483648,1,1]", "[1,1,1.5]" } },
		{ "block", "[1,1,1]", { "1", "[1,1,0]", "[]" } },
		{ "samples", "[]", { "[0]", "[-1,1]", "[1e9]", "[\"1\",1]",
		  "{}" } },
		{ "product", "null", { "1", "{}" } },
		{ "product.m", "2147483647", { "0", "2147483648", "null" } },
		{ "product.n", "2147483647", { "0", "2147483648", "null" } },
		{ "product.k", "2147483647", { "0", "2147483648", "null" } },
		{ "product.baseline", "\"\"", { "1" } },
		{ "product.samples", "[1]", { "[0]", "null" } },
	};

	for (size_t i = 0; i < LENGTH(of); i++) {
		check_launch(of[i].path, of[i].good, true);
		for (size_t n = 0; n < LENGTH(of[i].wrong); n++)
			if (of[i].wrong[n])
				check_launch(of[i].path, of[i].wrong[n], false);
	}
	tap_ok(is_good("launches", "launches", "{\"machine\":{},"
		       "\"program\":{},\"launches\":[{\"launch\":1,\"count\":1,"
		       "\"kernel\":\"k\",\"grid\":[1,1,1],\"block\":[1,1,1],"
		       "\"why\":\"not timed\"}]}"), "a reason or samples");
	tap_ok(!is_good("launches", "launches", "{\"machine\":{},"
			"\"launches\":[]}") &&
	       !is_good("launches", "launches", "{\"program\":{},"
			"\"launches\":[]}") &&
	       !is_good("launches", "launches", "{\"machine\":{},"
			"\"program\":{}}"), "all three members are needed");
}

/* ---- errors ---- */

/* Checks the status that an error's event leads to; -1: it is no error. */
static void check_status(const char *text, int want)
{
	struct runner_event ev = { .message = json(text) };
	struct error e = { 0 };
	bool refused = runner_refused(&ev, &e);

	tap_is(refused ? (int)e.status : -1, want, "%s", text);
	runner_event_done(&ev);
}

static void test_status(void)
{
	for (int status = EXIT_CHECK; status <= EXIT_REFUSED; status++) {
		char *text = xasprintf("{\"type\":\"error\",\"status\":%d,"
				       "\"message\":\"a\"}", status);

		check_status(text, status);
		free(text);
	}
	check_status("{\"type\":\"error\",\"status\":70,\"message\":\"a\"}",
		     EXIT_BUG);
	check_status("{\"type\":\"error\",\"status\":0,\"message\":\"a\"}",
		     EXIT_RUNNER);
	check_status("{\"type\":\"error\",\"status\":9,\"message\":\"a\"}",
		     EXIT_RUNNER);
	check_status("{\"type\":\"trace\",\"status\":3,\"message\":\"a\"}", -1);
	check_status("{\"status\":3,\"message\":\"a\"}", -1);
}

int main(void)
{
	test_types();
	test_whole();
	test_answers();
	test_launches();
	test_status();
	return tap_done();
}
