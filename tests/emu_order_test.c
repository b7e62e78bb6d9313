/*
 * emu_order_test: order between blocks by atomics, as the recorder on the CPU
 * has it: kernels that are right, and the same with one thing left out; waits
 * that end and that never do; variables of the module.
 * sanitized: nightly
 */
#include <stdlib.h>
#include <string.h>

#include "emu_ask.h"
#include "scene/scene.h"

#define HAND_OVER "64x1x1 4x1x1"
static const char nothing[] = "";

static json_t *request_of(const char *entry, const char *shape,
			  const char *define)
{
	json_t *o = file_request("hand_over", shape);

	json_object_set_new(json_object_get(o, "source"), "entry",
			    json_string(entry));
	if (*define)
		json_object_set_new(o, "defines", json_pack("{s:s}", define,
							    "1"));
	return o;
}

/* The first finding has these words, or there is none. */
static void check(const char *entry, const char *shape, const char *define,
		  const char *order, const char *want)
{
	struct reply r = ask(with(request_of(entry, shape, define), "order",
				  json_string(order)));
	const struct trace_info *i = r.trace ? trace_info(r.trace) : NULL;
	const char *text = !i ? r.error : i->finding_count ?
			   finding_words(i, 0) : nothing;

	if (!tap_ok(i && (*want ? strstr(text, want) != NULL : !*text),
		    "%s %s %s: %s", entry, define, order,
		    *want ? want : "nothing to find"))
		printf("# %s\n", text);
	reply_done(&r);
}

static void check_right(const char *entry, const char *shape,
			const char *define)
{
	static const char *const orders[] = { "forward", "reverse",
					      "shuffle" };

	for (size_t i = 0; i < LENGTH(orders); i++)
		check(entry, shape, define, orders[i], nothing);
}

static void test_right(void)
{
	check_right("hand_over", HAND_OVER, nothing);
	check_right("hand_over", HAND_OVER, "FENCE_BY_ONE");
	check_right("hand_over_volatile", HAND_OVER, nothing);
	check_right("last_adds", "32x1x1 6x1x1", nothing);
	check_right("chain", "1x1x1 4x1x1", nothing);
}

static void test_wrong(void)
{
	static const struct { const char *entry, *shape, *define, *finding; }
		all[] = {
		{ "hand_over", HAND_OVER, "NO_WAIT",
		  "of block 0 writes C[63] in line 23 and thread 0 of block 1 "
		  "reads it in line 20: nothing orders the two blocks" },
		{ "hand_over", HAND_OVER, "NO_FENCE",
		  "of block 0 writes C[63] in line 23" },
		{ "hand_over", HAND_OVER, "NO_BARRIER_BEFORE",
		  "of block 0 writes C[63] in line 23" },
		{ "hand_over", HAND_OVER, "NO_BARRIER_BEHIND",
		  "of block 0 writes C[62] in line 23 and thread 1 of block 1 "
		  "reads it in line 20" },
		{ "hand_over", HAND_OVER, "LATE",
		  "of block 0 writes C[64] in line 35" },
		{ "hand_over_volatile", HAND_OVER, "NO_FENCE",
		  "of block 0 writes C[63] in line 57" },
		{ "last_adds", "32x1x1 6x1x1", "NO_FENCE",
		  "of block 0 writes C[1] in line 77 and thread 0 of block 5 "
		  "reads it in line 85" },
		{ "chain", "1x1x1 4x1x1", "SKIP",
		  "of block 0 writes C[0] in line 94 and thread 0 of block 3 "
		  "reads it in line 98" },
	};

	for (size_t i = 0; i < LENGTH(all); i++)
		check(all[i].entry, all[i].shape, all[i].define, "forward",
		      all[i].finding);
}

static void test_waits(void)
{
	check_right("within", "64x1x1 1x1x1", nothing);
	check_right("too_early", "32x1x1 2x1x1", nothing);
	check("too_early", "32x1x1 1x1x1", nothing, "forward",
	      "thread 0 of block 0 spins on flags[1] in line 127, which "
	      "will not change: no thread that is resident at the same time "
	      "writes it");
}

/* What one launch leaves there, the next does not find. */
static void test_variables(void)
{
	static const char again[] = "the same when it is asked twice";
	struct reply first = ask(request_of("counts", "4x1x1 1x1x1",
					    nothing));
	struct reply next = ask(request_of("counts", "4x1x1 1x1x1",
					   nothing));
	char *a = dump(first.trace), *b = dump(next.trace);
	const struct trace_info *i = first.trace ? trace_info(first.trace) :
						   NULL;
	size_t n = 0;

	tap_str(a, b, "%s", again);
	while (i && n < i->array_count && strcmp(i->arrays[n].name, "kept"))
		n++;
	tap_ok(i && n < i->array_count &&
	       i->arrays[n].space == SPACE_GLOBAL && i->arrays[n].rank == 2 &&
	       i->arrays[n].dims[0] == 2 && i->arrays[n].dims[1] == 4 &&
	       i->arrays[n].elem == ELEM_F32,
	       "a __device__ array is in global memory, with its dimensions");
	free(a);
	free(b);
	reply_done(&first);
	reply_done(&next);
	check("counts", "8x1x1 1x1x1", "BEYOND", "forward",
	      "thread 0 of block 0 reads kept[8]; kept has 8 elements; line "
	      "141");
	check("counts", "8x1x1 1x1x1", "BEYOND_ATOMIC", "forward",
	      "thread 0 of block 0 reads kept[8]; kept has 8 elements; line "
	      "144");
}

/* ---- atomics beside other accesses ---- */

static void check_sums(const char *entry, const char *shape,
		       const char *define, const char *order, bool race)
{
	json_t *o = file_request("sums", shape);
	struct reply r;
	const struct trace_info *i;
	bool found = false;

	json_object_set_new(json_object_get(o, "source"), "entry",
			    json_string(entry));
	json_object_set_new(o, "order", json_string(order));
	if (*define)
		json_object_set_new(o, "defines", json_pack("{s:s}", define,
							    "1"));
	r = ask(o);
	i = r.trace ? trace_info(r.trace) : NULL;
	for (size_t n = 0; i && n < i->finding_count; n++)
		found |= i->findings[n].kind == FINDING_RACE;
	tap_ok(i && found == race, "%s %s %s: %s", entry, define, order,
	       race ? "a race" : "no race");
	reply_done(&r);
}

/* What an atomic of the same thread, or of another one, came after is not
 * forgotten, whichever thread runs first. */
static void test_atomics_and_stores(void)
{
	static const char *const orders[] = { "forward", "reverse",
					      "shuffle" };
	static const struct {
		const char *entry, *shape, *define;
		bool race;
	} all[] = {
		{ "last_block", "32x1x1 4x1x1", nothing, false },
		{ "clear_first", "64x1x1 1x1x1", nothing, false },
		{ "clear_first", "64x1x1 1x1x1", "NO_BARRIER", true },
		{ "clear_first", "64x1x1 1x1x1", "READ_EARLY", true },
		{ "last_thread", "64x1x1 1x1x1", nothing, false },
	};

	for (size_t i = 0; i < LENGTH(all); i++)
		for (size_t k = 0; k < LENGTH(orders); k++)
			check_sums(all[i].entry, all[i].shape, all[i].define,
				   orders[k], all[i].race);
	check_sums("last_block", "32x1x1 4x1x1", "RESULT_UNUSED", "forward",
		   true);
}

int main(void)
{
	test_right();
	test_atomics_and_stores();
	test_wrong();
	test_waits();
	test_variables();
	if (runner)
		runner_free(runner);
	return tap_done();
}
