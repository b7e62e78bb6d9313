/* How a calibration is judged: by what an H200 and an H100 answered
 * (data/README.md, "calibration-h200.json"), the former also with something
 * changed. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "timing/calibration.h"
#include "tap.h"

static json_t *patterns, *answer;

static json_t *read_answer(const char *folder, const char *gpu)
{
	char *path = xasprintf("%s/data/calibration-%s.json", folder, gpu);
	json_t *o = json_load_file(path, 0, NULL);

	free(path);
	return o;
}

static void read_patterns(const char *folder)
{
	char *path = xasprintf("%s/data/access-h200.jsonl", folder);
	struct error e;

	patterns = calibration_patterns(path, &e);
	free(path);
}

static json_t *cycles_of(json_t *o, size_t way)
{
	return json_object_get(json_array_get(json_object_get(o, "patterns"),
					      way), "cycles");
}

static bool is_kind(size_t i, const char *space, const char *op, int size)
{
	const json_t *o = json_array_get(patterns, i);

	return !strcmp(json_string_value(json_object_get(o, "space")), space) &&
	       !strcmp(json_string_value(json_object_get(o, "op")), op) &&
	       (!size || json_integer_value(json_object_get(o, "size")) ==
			 size);
}

/* All of a kind take `times` as long, in each way. */
static struct calibration *with_kind(const char *space, const char *op,
				     int size, double times)
{
	json_t *o = json_deep_copy(answer);
	struct calibration *c;

	for (size_t way = 0; way < 2; way++) {
		json_t *list = cycles_of(o, way), *v;
		size_t i;

		json_array_foreach(list, i, v)
			if (is_kind(i, space, op, size))
				json_array_set_new(list, i, json_real(
					json_number_value(v) * times));
	}
	c = calibration_new(o, patterns, NULL);
	json_decref(o);
	return c;
}

static size_t count(const struct calibration *c, enum access_space space,
		    bool hidden)
{
	size_t n = 0;

	for (size_t i = 0; i < c->rule_count; i++)
		if (c->rules[i].space == space)
			n += hidden ? c->rules[i].hidden :
				      c->rules[i].patterns;
	return n;
}

static void test_agrees(const json_t *told, const char *gpu)
{
	struct calibration *c = calibration_new(told, patterns, NULL);
	double worst = 0, most = 0;

	for (size_t i = 0; i < c->rule_count; i++) {
		const struct calibration_rule *r = &c->rules[i];

		if (r->space == ACCESS_GLOBAL)
			continue;
		worst = MAX(worst, r->worst);
		most = MAX(most, r->each);
	}
	printf("# %zu patterns of global memory, %zu hidden; shared: worst "
	       "%.2f\n", count(c, ACCESS_GLOBAL, false),
	       count(c, ACCESS_GLOBAL, true), worst);
	tap_is(json_array_size(patterns), 3022, "3022 patterns");
	tap_is(count(c, ACCESS_GLOBAL, false) + count(c, ACCESS_SHARED, false) +
	       count(c, ACCESS_LDMATRIX, false), 3022, "all have a rule");
	tap_is(c->deviation_count, 0, "the %s agrees with all of them", gpu);
	for (size_t i = 0; i < MIN(c->deviation_count, 10); i++)
		printf("#   %d %d %u: %.2f model %d\n",
		       c->deviations[i].access.space, c->deviations[i].access.op,
		       c->deviations[i].access.bytes,
		       c->deviations[i].measured, c->deviations[i].model);
	tap_ok(worst < 0.2, "of shared memory to a fifth of a wavefront");
	tap_ok(most < 2.01, "which takes a cycle, or two where one waits for "
	       "the other");
	tap_is(count(c, ACCESS_SHARED, true) + count(c, ACCESS_LDMATRIX, true),
	       0, "none of shared memory is hidden");
	tap_ok(count(c, ACCESS_GLOBAL, true) < 275, "nor all loads of global "
	       "memory");
	tap_is(calibration_deviating(c), 0, "nor does anything else deviate");
	calibration_free(c);
}

/* One pattern that takes a wavefront more is named, as it was run. */
static void test_one(size_t which, double more, const char *name)
{
	json_t *o = json_deep_copy(answer);
	const json_t *row = json_array_get(patterns, which);
	struct calibration *c;
	const struct calibration_deviation *d;
	int lane = 0;

	for (size_t way = 0; way < 2; way++) {
		json_t *list = cycles_of(o, way);

		json_array_set_new(list, which, json_real(more +
			json_number_value(json_array_get(list, which))));
	}
	c = calibration_new(o, patterns, NULL);
	d = c->deviations;
	tap_is(c->deviation_count, 1, "one pattern of %s takes longer", name);
	while (lane < WARP_LANES && d && (!(d->access.mask >> lane & 1) ||
	       d->access.address[lane] == (uint64_t)json_integer_value(
		json_array_get(json_object_get(row, "addresses"),
			       (size_t)lane))))
		lane++;
	tap_is(lane, WARP_LANES, "and is named");
	calibration_free(c);
	json_decref(o);
}

static size_t first_of(const char *space, const char *op, int size)
{
	size_t i = 0;

	while (i < json_array_size(patterns) && !is_kind(i, space, op, size))
		i++;
	return i;
}

static void test_kind(const char *space, const char *op, int size,
		      double times)
{
	struct calibration *c = with_kind(space, op, size, times);

	tap_ok(c->deviation_count > 0, "%s %s %d takes %g times as long",
	       space, op, size, times);
	tap_ok(!c->deviation_count ||
	       ((c->deviations[0].access.bytes == (uint32_t)size || !size) &&
		(c->deviations[0].access.op == OP_ST) == !strcmp(op, "st")),
	       "which its own patterns show");
	calibration_free(c);
}

/* What every pattern agrees in is held to the model, too. */
static void test_whole(void)
{
	struct calibration *c = with_kind("shared", "ld", 0, 2);
	size_t rows = 0;

	for (size_t i = 0; i < c->row_count; i++)
		rows += calibration_row_deviates(&c->rows[i]);
	tap_is(rows, 1, "a shared memory of 16 banks' width: a wavefront is "
	       "two cycles");
	calibration_free(c);
}

/* A machine with other passes: of 16-byte loads, none merge. */
static void test_merging(void)
{
	json_t *o = json_deep_copy(answer), *list = cycles_of(o, 0), *v;
	struct calibration *c;
	size_t i;

	json_array_foreach(list, i, v)
		if (is_kind(i, "shared", "ld", 16) && json_number_value(v) < 4)
			json_array_set_new(list, i, json_real(4.06));
	c = calibration_new(o, patterns, NULL);
	tap_ok(c->deviation_count > 0 && c->deviations[0].access.bytes == 16 &&
	       c->deviations[0].model < 4, "passes that do not merge are seen");
	calibration_free(c);
	json_decref(o);
}

static double member(const json_t *o, const char *name)
{
	return json_number_value(json_object_get(o, name));
}

static void test_again(void)
{
	json_t *one = json_pack("{s{sfs[fff]}}", "clock", "mhz", 2.0,
				"mhz_samples", 1.0, 2.0, 3.0);
	json_t *two = json_pack("{s{sfs[ff]}}", "clock", "mhz", 9.0,
				"mhz_samples", 8.0, 9.0);
	json_t *clock = json_object_get(one, "clock");

	calibration_again(one, two);
	tap_is(json_array_size(json_object_get(clock, "mhz_samples")), 5,
	       "two answers' samples are one");
	tap_is(member(clock, "mhz"), 3, "which has its own median");
	json_decref(one);
	json_decref(two);
}

static void test_malformed(void)
{
	json_t *o = json_deep_copy(answer);
	struct error e = { .text = "" };

	json_array_remove(cycles_of(o, 1), 0);
	tap_ok(!calibration_new(o, patterns, &e), "a pattern without cycles "
	       "is no answer");
	tap_is(e.status, EXIT_RUNNER, "%s", e.text);
	json_decref(o);
}

int main(void)
{
	const char *srcdir = getenv("srcdir");
	const char *folder = srcdir ? srcdir : ".";
	json_t *h100 = read_answer(folder, "h100");

	answer = read_answer(folder, "h200");
	read_patterns(folder);
	tap_ok(answer && h100 && patterns, "the calibrations are there");
	if (!answer || !h100 || !patterns)
		return tap_done();
	test_agrees(answer, "H200");
	test_agrees(h100, "H100");
	json_decref(h100);
	test_one(first_of("shared", "ld", 8), 1, "8-byte loads");
	test_one(first_of("ldmatrix", "ld", 16), 2, "ldmatrix");
	test_kind("shared", "ld", 4, 2);
	test_kind("shared", "ld", 8, 2);
	test_kind("shared", "st", 16, 2);
	test_kind("ldmatrix", "ld", 0, 2);
	test_kind("global", "st", 4, 2);
	test_kind("global", "ld", 4, 2);
	test_whole();
	test_merging();
	test_again();
	test_malformed();
	json_decref(answer);
	json_decref(patterns);
	return tap_done();
}
