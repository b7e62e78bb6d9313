/*
 * A runner that times nothing: it speaks the protocol of gemmviz-gpu, with a
 * machine and with times that are made up by a formula and named so. What is
 * done against the protocol is asked for by a word:
 *
 *   fake_gpu [delay=MICROSECONDS] [WORD ...]
 *
 *   queue  two runs are before it at first
 *   no-gpu  says that there is none     version  speaks protocol 2
 *   uncounted  says nothing of DRAM traffic unless it is asked for
 *   no-counters, count-dies  cannot count; dies of it
 *   wrong  the first kernel's result is wrong; the second one is skipped
 *   garbage, stranger, negative, early  nonsense of four kinds
 *   stall  says nothing any more, in the middle
 *   tries  of the first kernel the second of two shapes was the fastest, and a
 *     launch starts while the one before it ends
 *   deviates  a shared memory in which one pattern takes longer
 *   die=N  is killed behind its Nth message
 */
#include <config.h>

#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hardware/access.h"

static char **words;
static json_int_t run_id;
static long said, die = -1, delay;
static bool paused, cancelled;
static const json_t *tuned;

static bool has(const char *word)
{
	for (char **w = words; *w; w++)
		if (!strcmp(*w, word))
			return true;
	return false;
}

static long number_of(const char *name, long otherwise)
{
	size_t n = strlen(name);

	for (char **w = words; *w; w++)
		if (!strncmp(*w, name, n))
			return atol(*w + n);
	return otherwise;
}

static void say(json_t *message)
{
	if (run_id && !json_object_get(message, "id"))
		json_object_set_new(message, "id", json_integer(run_id));
	json_dumpf(message, stdout, JSON_COMPACT | JSON_REAL_PRECISION(6));
	putchar('\n');
	fflush(stdout);
	json_decref(message);
	if (++said == die)
		raise(SIGKILL);
}

static json_t *hear(void)
{
	char *line = NULL;
	size_t size = 0;
	ssize_t n = getline(&line, &size, stdin);
	json_t *m = n > 0 ? json_loads(line, 0, NULL) : NULL;

	free(line);
	return m;
}

/* What came in the meantime; while paused, waits for more. */
static void listen(void)
{
	struct pollfd in = { .fd = 0, .events = POLLIN };

	while (!cancelled && poll(&in, 1, paused ? -1 : 0) > 0) {
		json_t *m = hear();
		const char *type = json_string_value(json_object_get(m,
								     "type"));

		if (!m)
			exit(0);
		if (!strcmp(type, "pause"))
			paused = json_is_true(json_object_get(m, "paused"));
		cancelled |= !strcmp(type, "cancel");
		json_decref(m);
	}
}

static void say_machine(void)
{
	say(json_pack("{ss ss ss sn sn sn sn si si si si si}", "type",
		      "machine", "gpu", "test machine (made up)", "compute",
		      "0.0", "driver", "cuda", "cublas", "uuid", "sms", 100,
		      "clock_mhz", 1000, "memory_clock_mhz", 1000, "bus_bits",
		      4096, "fp32_lanes", 128));
	say(json_pack("{ss si sf sn}", "type", "gauge", "clock_mhz", 1000,
		      "watts", 250.5, "celsius"));
}

static void say_state(int case_at, int size, const char *state)
{
	say(json_pack("{ss si si ss}", "type", "entrant", "entrant", case_at,
		      "size", size, "state", state));
}

/* FLOP/s, by the case's place alone. */
static double speed_of(int case_at, bool rival)
{
	return rival ? 20e12 * (case_at + 1) / 8 :
		       1e12 * (1 + case_at * case_at % 17);
}

static void say_samples(int case_at, int size, const json_t *dims, bool rival,
			int repeat)
{
	double flop = 2;

	for (size_t i = 0; i < 3; i++)
		flop *= (double)json_integer_value(json_array_get(dims, i));
	for (int i = 0; i < repeat && !cancelled; i++) {
		double jitter = 1 + (i * 7 % 10 - 5) * 0.004 * (case_at % 4);

		say(json_pack("{ss si si sf}", "type", "sample", "entrant",
			      case_at, "size", size, "seconds",
			      flop / speed_of(case_at, rival) * jitter));
		usleep((useconds_t)delay);
		listen();
	}
}

/* As if the first entry for a kernel were of this machine. */
static json_t *tuned_defines(const json_t *what)
{
	const json_t *kernel = json_object_get(what, "kernel");
	json_t *table, *entry;
	size_t i, k;

	if (json_object_size(json_object_get(what, "defines")))
		return NULL;
	json_array_foreach(tuned, i, table)
		json_array_foreach(table, k, entry)
			if (json_equal(json_object_get(entry, "kernel"),
				       kernel))
				return json_incref(json_object_get(entry,
						   "defines"));
	return NULL;
}

static void run_one(int case_at, const json_t *what, int size,
		    const json_t *dims, int repeat)
{
	bool rival = json_object_get(what, "rival") != NULL;
	bool bad = has("wrong") && case_at == 0;
	bool tries = has("tries") && case_at == 0;

	say_state(case_at, size, "checking");
	if (has("wrong") && case_at == 1) {
		say(json_pack("{ss si si ss ss}", "type", "entrant",
			      "entrant", case_at, "size", size, "state",
			      "skipped", "text",
			      "this size does not suit it"));
		return;
	}
	say(json_pack("{ss si si ss sf sf ss si si so* so* so*}", "type", "entrant",
		      "entrant", case_at, "size", size, "state", "ready",
		      "error", bad ? 0.5 : 3.1e-7, "bound", 2e-6, "reference",
		      "float64", "registers", 32 + case_at, "shared_bytes",
		      1024 * case_at, "defines", tries ?
		      json_pack("{ss}", "BM", "64") : tuned_defines(what),
		      "tried", tries ? json_integer(2) : NULL, "early",
		      tries ? json_true() : NULL));
	/* Of every third nobody knows the traffic. */
	if (case_at % 3 != 2)
		say(json_pack("{ss si si ss so ss}", "type", "entrant",
			      "entrant", case_at, "size", size, "state",
			      "ready", "intensity", has("uncounted") ?
			      json_null() : json_real(1.5 * (1 << case_at)),
			      "text_hash", "0123456789abcdef"));
	if (has("stall"))
		for (;;)
			pause();
	say_samples(case_at, size, dims, rival, repeat);
	if (!cancelled)
		say_state(case_at, size, "timed");
}

static void nonsense(void)
{
	if (has("garbage"))
		printf("\033[2J what? {\n"), fflush(stdout);
	if (has("stranger"))
		say_state(1000, 0, "checking");
	if (has("early"))
		say(json_pack("{ss si si sf}", "type", "sample", "entrant", 0,
			      "size", 0, "seconds", 1.0));
	if (has("negative")) {
		say_state(0, 0, "ready");
		say(json_pack("{ss si si sf}", "type", "sample", "entrant", 0,
			      "size", 0, "seconds", -1.0));
	}
}

static void run(const json_t *request)
{
	json_t *cases = json_object_get(request, "entrants");
	json_t *sizes = json_object_get(request, "sizes"), *what, *dims;
	size_t e, s;

	run_id = json_integer_value(json_object_get(request, "id"));
	tuned = json_object_get(request, "tuned");
	if (has("no-gpu")) {
		say(json_pack("{ss si ss}", "type", "error", "status", 6,
			      "message", "no CUDA device"));
		return;
	}
	for (int place = has("queue") ? 2 : 0; place >= 0; place--) {
		say(json_pack("{ss si}", "type", "queue", "place", place));
		usleep((useconds_t)delay * (place ? 50 : 0));
	}
	say_machine();
	nonsense();
	json_array_foreach(sizes, s, dims)
		json_array_foreach(cases, e, what)
			if (!cancelled)
				run_one((int)e, what, (int)s, dims,
					(int)json_integer_value(
						json_object_get(request,
								"repeat")));
	say(json_pack("{ss}", "type", "timed"));
}

/* A byte for each 32 operations. */
static void count(const json_t *request)
{
	static const char *const sides[] = { "m", "n", "k" };
	double flop = 2;

	run_id = json_integer_value(json_object_get(request, "id"));
	for (size_t i = 0; i < 3; i++)
		flop *= (double)json_integer_value(json_object_get(request,
								   sides[i]));
	usleep((useconds_t)delay);
	if (has("count-dies"))
		raise(SIGKILL);
	if (has("no-counters"))
		say(json_pack("{ss si ss}", "type", "error", "status", 5,
			      "message", "no permission to count"));
	else
		say(json_pack("{ss s{sf sn}}", "type", "counters", "counters",
			      "dram_bytes", flop / 32, "seconds"));
}

/* ---- what calibrates ---- */

/* Fifteen samples, some of them a little off. */
static void add_samples(json_t *o, const char *name, double v)
{
	char all[64];
	json_t *list = json_array();

	for (int i = 0; i < 15; i++)
		json_array_append_new(list, json_real(v *
						      (1 + 0.01 * (i % 3))));
	snprintf(all, sizeof(all), "%s_samples", name);
	json_object_set_new(o, name, json_real(v * 1.01));
	json_object_set_new(o, all, list);
}

/* Each level takes ten times as long as the one above, and gives a tenth. */
static json_t *levels(void)
{
	static const char *const names[] = { "registers", "shared", "l1",
					     "l2", "dram" };
	json_t *list = json_array();
	double cycles = 1, rate = 1e14;

	for (size_t i = 0; i < 5; i++) {
		json_t *o = json_pack("{ss si ss}", "name", names[i], "bytes",
				      1 << (18 + 3 * (int)i), "of",
				      i < 3 ? "sm" : "gpu");

		add_samples(o, "cycles", cycles *= 4);
		add_samples(o, "ns", cycles);
		add_samples(o, "bytes_per_second", rate /= 4);
		json_array_append_new(list, o);
	}
	return list;
}

/* The sector is one of 32 bytes. */
static json_t *fetched(void)
{
	json_t *list = json_array();

	for (int at = 8; at <= 128; at += 8)
		json_array_append_new(list, json_pack("{si sf}", "offset", at,
			"cycles", at < 32 ? 300.0 : 540.0));
	return list;
}

/* What the model says of a pattern in its space. */
static double cycles_of(const json_t *o)
{
	const char *space = json_string_value(json_object_get(o, "space"));
	const char *op = json_string_value(json_object_get(o, "op"));
	struct access a = {
		.space = !strcmp(space, "global") ? ACCESS_GLOBAL :
			 !strcmp(space, "shared") ? ACCESS_SHARED :
						    ACCESS_LDMATRIX,
		.op = !strcmp(op, "st") ? OP_ST : OP_LD,
		.bytes = (uint32_t)
			json_integer_value(json_object_get(o, "size")),
	};
	struct access_cost cost;
	const json_t *v;
	size_t i;

	json_array_foreach(json_object_get(o, "addresses"), i, v)
		if (json_is_integer(v)) {
			a.mask |= UINT32_C(1) << i;
			a.address[i] = (uint64_t)json_integer_value(v);
		}
	return access_cost(&a, &cost, NULL) < 0 ? 0 : cost.cycles;
}

/* Two cycles more; "deviates": that, and once three more. */
static json_t *pattern_cycles(const json_t *patterns)
{
	json_t *list = json_array(), *o;
	size_t i;

	json_array_foreach(patterns, i, o)
		json_array_append_new(list, json_real(2 + cycles_of(o) +
			(has("deviates") && i == 7 ? 3 : 0)));
	return list;
}

static void calibrate(const json_t *request)
{
	json_t *o = json_pack("{ss s{ss ss si si si}}", "type", "calibration",
			      "machine", "gpu", "test machine (made up)",
			      "compute", "9.0", "sms", 100, "clock_mhz", 1000,
			      "fp32_lanes", 128);
	json_t *clock = json_object(), *launch = json_object(), *patterns;

	run_id = json_integer_value(json_object_get(request, "id"));
	if (has("no-gpu")) {
		say(json_pack("{ss si ss}", "type", "error", "status", 6,
			      "message", "no CUDA device"));
		json_decref(o);
		return;
	}
	add_samples(clock, "one_sm_mhz", 990);
	add_samples(clock, "all_sms_mhz", 950);
	add_samples(launch, "queued_seconds", 2e-6);
	add_samples(launch, "waited_seconds", 5e-6);
	json_object_set_new(o, "clock", clock);
	json_object_set_new(o, "launch", launch);
	json_object_set_new(o, "levels", levels());
	json_object_set_new(o, "fetched", fetched());
	json_object_set_new(o, "limits", json_pack("{si}", "threads", 2048));
	patterns = pattern_cycles(json_object_get(request, "patterns"));
	json_object_set_new(o, "patterns", json_pack("[{si sO} {si so}]",
		"window", 131072, "cycles", patterns, "window", 131072,
		"cycles", patterns));
	say(json_pack("{ss si si si}", "type", "progress", "events", 0,
		      "blocks", 1, "of", 2));
	say(o);
}

int main(int argc, char **argv)
{
	json_t *request;

	(void)argc;
	words = argv + 1;
	die = number_of("die=", -1);
	delay = number_of("delay=", 0);
	setvbuf(stdin, NULL, _IONBF, 0);
	say(json_pack("{ss si ss ss ss}", "type", "hello", "protocol",
		      has("version") ? 2 : 1, "program", "fake_gpu",
		      "version", PACKAGE_VERSION, "on", "gpu"));
	while ((request = hear())) {
		if (!strcmp(json_string_value(json_object_get(request,
							      "type")),
			    "time"))
			run(request);
		else if (!strcmp(json_string_value(json_object_get(request,
								   "type")),
				 "counters"))
			count(request);
		else if (!strcmp(json_string_value(json_object_get(request,
								   "type")),
				 "calibrate"))
			calibrate(request);
		json_decref(request);
	}
	return 0;
}
