/* Races as data: what a runner may say, the figures, files and playing. */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "tap.h"
#include "timing/timing_json.h"

/* JSON with ' for ". */
static json_t *json(const char *text)
{
	char *copy = xstrdup(text);
	json_error_t e;
	json_t *j;

	for (char *p = copy; *p; p++)
		if (*p == '\'')
			*p = '"';
	j = json_loads(copy, 0, &e);
	if (!j)
		fatal("%s: %s", text, e.text);
	free(copy);
	return j;
}

static struct timing *fresh(void)
{
	struct job_kernel naive = { .name = xstrdup("naive") };
	struct job_kernel tiled = { .name = xstrdup("tiled") };
	struct job_kernel cublas = { .baseline = xstrdup("cublas-fp32") };
	struct job_time job;
	struct timing *t;

	job_define(&tiled.defines, "TILE", "32");
	job_time_init(&job);
	job_time_case(&job, &naive);
	job_time_case(&job, &tiled);
	job_time_case(&job, &cublas);
	job_time_size(&job, (struct problem_sizes){ 64, 64, 64 });
	job_time_size(&job, (struct problem_sizes){ 128, 64, 256 });
	t = timing_new(&job);
	job_time_done(&job);
	return t;
}

/* 0: taken; -1: nonsense; 1: none of a race. */
static int tell(struct timing *t, const char *message)
{
	json_t *m = json(message);
	struct error e;
	int rc = 0;

	if (!timing_take(t, m, &rc, &e))
		rc = 1;
	json_decref(m);
	return rc;
}

static void sample(struct timing *t, int case_at, int size, double seconds)
{
	char *m = xasprintf("{'type':'sample','entrant':%d,'size':%d,"
			    "'seconds':%.9g}", case_at, size, seconds);

	if (tell(t, m))
		fatal("%s", m);
	free(m);
}

static struct timing *sampled(void)
{
	struct timing *t = fresh();
	static const double times[] = { 5, 1, 2, 4, 3, 6, 8, 7, 9, 10, 11 };

	tell(t, "{'type':'machine','gpu':'G','sms':10,'clock_mhz':1000,"
	     "'fp32_lanes':128,'memory_clock_mhz':2000,'bus_bits':512}");
	for (int i = 0; i < 3; i++) {
		char *m = xasprintf("{'type':'entrant','entrant':%d,'size':1,"
			"'state':'ready','error':1e-7,'bound':1e-6,"
			"'intensity':%d.5,'text_hash':'00ff'}", i, i + 1);

		tell(t, m);
		free(m);
	}
	for (size_t i = 0; i < LENGTH(times); i++) {
		sample(t, 0, 1, times[i]);
		if (i < 2)
			sample(t, 2, 1, 0.5);
	}
	tell(t, "{'type':'entrant','entrant':0,'size':1,'state':'timed',"
	     "'clock_mhz':1755}");
	tell(t, "{'type':'entrant','entrant':1,'size':0,'state':'skipped',"
	     "'text':'too small'}");
	tell(t, "{'type':'timed'}");
	return t;
}

/* Of fp32 and fp16 in one race, each is held to the cuBLAS of its own kind, and
 * a cuBLAS is all of itself. */
static void test_kinds(void)
{
	static const double seconds[] = { 10, 2, 5, 4, 1 };
	static const double shares[] = { 0.5, 0.5, 1, 1, 1 };
	struct job_kernel cases[] = {
		{ .name = xstrdup("naive") }, { .name = xstrdup("hgemm") },
		{ .baseline = xstrdup("cublas-fp32") },
		{ .baseline = xstrdup("cublas-tf32") },
		{ .baseline = xstrdup("cublas-fp16") },
	};
	struct job_time job;
	struct timing *t;

	job_time_init(&job);
	for (size_t i = 0; i < LENGTH(cases); i++)
		job_time_case(&job, &cases[i]);
	job_time_size(&job, (struct problem_sizes){ 256, 256, 256 });
	t = timing_new(&job);
	job_time_done(&job);
	tell(t, "{'type':'machine','gpu':'G'}");
	for (int i = 0; i < (int)LENGTH(cases); i++) {
		char *m = xasprintf("{'type':'entrant','entrant':%d,'size':0,"
				    "'state':'ready'}", i);

		tell(t, m);
		free(m);
		sample(t, i, 0, seconds[i]);
	}
	for (size_t i = 0; i < LENGTH(cases); i++)
		tap_ok(timing_share(t, 0, i) == shares[i],
		       "%s is %.0f %% of the cuBLAS of its kind",
		       t->cases[i].label, shares[i] * 100);
	timing_free(t);
}

static void test_figures(void)
{
	struct timing *t = sampled();
	struct timing_figures f = timing_figures(t, 1, 0);

	tap_str(t->cases[1].label, "tiled TILE=32", "a label of kernel and "
		"parameters");
	tap_ok(f.median == 6 && f.low == 2 && f.high == 10 &&
	       f.fastest == 1 && f.slowest == 11, "median, 10th and 90th "
	       "percentile, fastest and slowest of samples in any order");
	tap_ok(f.flops == 2.0 * 128 * 64 * 256 / 6, "FLOP/s are 2 M N K over "
	       "the median");
	tap_ok(timing_share(t, 1, 0) == 0.5 / 6 &&
	       timing_share(t, 1, 2) == 1, "the share of cuBLAS");
	tap_ok(timing_figures(t, 0, 0).median == NA &&
	       timing_share(t, 0, 0) == NA && timing_share(t, 1, 1) == NA,
	       "without samples nothing is known");
	tap_ok(timing_peak_flops(&t->machine) == 10 * 128 * 2 * 1e9,
	       "the peak of fp32");
	tap_ok(timing_peak_bytes(&t->machine) == 2e9 * 2 * 64,
	       "the peak of DRAM");
	tap_ok(t->done && t->results[1].state == TIMING_SKIPPED &&
	       !strcmp(t->results[1].why, "too small"), "a skipped one says "
	       "why, and the end is the end");
	timing_free(t);
	t = fresh();
	tap_ok(timing_peak_flops(&t->machine) == NA &&
	       timing_peak_bytes(&t->machine) == NA, "a machine that says "
	       "nothing has no peaks");
	timing_free(t);
}

/* Of an even number of samples the median is none of them. */
static void test_between(void)
{
	struct timing *t = fresh();
	struct timing_figures f;

	tell(t, "{'type':'entrant','entrant':0,'size':0,'state':'ready',"
	     "'error':1e-7,'bound':1e-6,'intensity':1.5,'text_hash':'00ff'}");
	for (int i = 0; i < 4; i++)
		sample(t, 0, 0, 1 << i);
	f = timing_figures(t, 0, 0);
	tap_ok(f.median == 3 && fabs(f.low - 1.3) < 1e-9 &&
	       fabs(f.high - 6.8) < 1e-9, "figures lie between samples");
	timing_free(t);
}

/* Times of which neither is the shorter. */
static void test_ties(void)
{
	struct timing *t = sampled();

	tap_ok(timing_result(t, 1, 0)->clock_mhz == 1755 &&
	       timing_result(t, 1, 2)->clock_mhz == NA,
	       "the clock that the samples ran at, where it is known");
	tap_ok(!timing_tied(t, 1, 0), "2 to 10 s is slower than 0.5 s");
	sample(t, 2, 1, 3);
	sample(t, 2, 1, 3);
	tap_ok(timing_tied(t, 1, 0), "2 to 10 s is not told from 0.5 to 3 s");
	tap_ok(!timing_tied(t, 1, 2) && !timing_tied(t, 1, 1),
	       "nothing is tied with itself, or without samples");
	timing_free(t);
}

/* The TFLOP/s that NVIDIA's papers and data sheets give for dense halves with
 * sums in fp32, at the boost clock that they give. */
static void test_tensor_cores(void)
{
	static struct {
		char gpu[32], compute[8];
		double sms, mhz, tflops;
	} cards[] = {
		{ "Tesla V100-SXM2-16GB", "7.0", 80, 1530, 125 },
		{ "Tesla T4", "7.5", 40, 1590, 65 },
		{ "NVIDIA A100-SXM4-40GB", "8.0", 108, 1410, 312 },
		{ "NVIDIA GeForce RTX 3090", "8.6", 82, 1695, 71 },
		{ "NVIDIA A40", "8.6", 84, 1740, 149.7 },
		{ "NVIDIA GeForce RTX 4090", "8.9", 128, 2520, 165.2 },
		{ "NVIDIA H100 80GB HBM3", "9.0", 132, 1830, 989.4 },
		{ "NVIDIA GeForce RTX 5090", "12.0", 170, 2407, 209.5 },
	};
	struct timing_machine none = { .sms = 10, .clock_mhz = 1000 };

	for (size_t i = 0; i < LENGTH(cards); i++) {
		struct timing_machine m = {
			.gpu = cards[i].gpu, .compute = cards[i].compute,
			.sms = cards[i].sms, .clock_mhz = cards[i].mhz,
		};

		tap_ok(fabs(timing_tensor_flops(&m) / 1e12 / cards[i].tflops -
			    1) < 0.01, "tensor cores of %s", cards[i].gpu);
	}
	tap_ok(timing_tensor_flops(&none) == NA,
	       "a machine that says nothing has no tensor cores");
}

static void test_nonsense(void)
{
	static const char *const bad[] = {
		"{'type':'queue'}", "{'type':'queue','place':-1}",
		"{'type':'queue','place':'first'}",
		"{'type':'machine','sms':'many'}",
		"{'type':'machine','sms':-1}", "{'type':'machine','gpu':1}",
		"{'type':'entrant','entrant':3,'size':0,'state':'ready'}",
		"{'type':'entrant','entrant':-1,'size':0,'state':'ready'}",
		"{'type':'entrant','entrant':0,'size':2,'state':'ready'}",
		"{'type':'entrant','entrant':0.5,'size':0,'state':'ready'}",
		"{'type':'entrant','entrant':0,'size':0}",
		"{'type':'entrant','entrant':0,'size':0,'state':'winning'}",
		"{'type':'entrant','entrant':0,'size':0,'state':'ready',"
		"'error':-1}",
		"{'type':'entrant','entrant':0,'size':0,'state':'ready',"
		"'registers':'x'}",
		"{'type':'sample','entrant':1,'size':0,'seconds':1}",
		"{'type':'sample','entrant':0,'size':0}",
		"{'type':'sample','entrant':0,'size':0,'seconds':null}",
		"{'type':'sample','entrant':0,'size':0,'seconds':0}",
		"{'type':'sample','entrant':0,'size':0,'seconds':-1}",
		"{'type':'sample','entrant':0,'size':0,'seconds':1e9}",
		"{'type':'sample','entrant':9,'size':0,'seconds':1}",
		"{'type':'gauge','watts':-5}",
	};
	struct timing *t;
	json_t *m;
	int rc = 0;
	struct error e;

	for (size_t i = 0; i < LENGTH(bad); i++) {
		t = fresh();
		tell(t, "{'type':'entrant','entrant':0,'size':0,"
		     "'state':'ready'}");
		tap_is(tell(t, bad[i]), -1, "nonsense: %s", bad[i]);
		tap_is(t->order_count, 0, "and no sample of it is kept");
		timing_free(t);
	}
	t = fresh();
	tap_is(tell(t, "{'type':'progress','events':1}"), 1,
	       "another message is left to others");
	tell(t, "{'type':'entrant','entrant':0,'size':0,'state':'ready'}");
	m = json("{'type':'sample','entrant':0,'size':0,'seconds':1}");
	for (int i = 0; i < TIMING_MAX_SAMPLES && !rc; i++)
		timing_take(t, m, &rc, &e);
	tap_is(rc, 0, "many samples are taken");
	timing_take(t, m, &rc, &e);
	tap_is(rc, -1, "one more is too many");
	json_decref(m);
	tap_is(tell(t, "{'type':'entrant','entrant':0,'size':0,"
		    "'state':'failed','text':'\\u001b[2Jhung'}"), 0, "failed");
	tap_str(t->results[0].why, "\xe2\x90\x9b[2Jhung", "its words are made "
		"safe");
	tap_ok(timing_figures(t, 0, 0).median == NA, "what failed has no "
	       "figures");
	timing_free(t);
}

static void test_wrong(void)
{
	struct timing *t = fresh();

	tell(t, "{'type':'entrant','entrant':0,'size':0,'state':'ready',"
	     "'error':0.5,'bound':1e-6}");
	tap_is(t->results[0].state, TIMING_FAILED, "an error above its bound "
	       "has failed, whatever the runner calls it");
	tap_is(tell(t, "{'type':'sample','entrant':0,'size':0,'seconds':1}"),
	       0, "what is said of it later is let go");
	tap_is(tell(t, "{'type':'entrant','entrant':0,'size':0,"
		    "'state':'timed'}"), 0, "even that it is timed");
	tap_ok(t->results[0].state == TIMING_FAILED &&
	       !t->results[0].sample_count, "and it stays so");
	tell(t, "{'type':'gauge','clock_mhz':1980,'watts':null}");
	tap_ok(t->now_mhz == 1980 && t->watts == NA && t->celsius == NA,
	       "a gauge that is null is not known");
	tell(t, "{'type':'queue','place':2}");
	tap_is(t->place, 2, "a place in the queue");
	tell(t, "{'type':'queue','place':0}");
	tap_is(t->place, -1, "and out of it");
	timing_free(t);
}

static char *dump(const struct timing *t)
{
	json_t *j = timing_json(t);
	char *text = json_dumps(j, JSON_COMPACT | JSON_SORT_KEYS);

	json_decref(j);
	return text;
}

static struct timing *read_text(const char *text, struct error *e)
{
	char path[] = "/tmp/timing_test_XXXXXX";
	int fd = mkstemp(path);
	struct timing *t;

	if (fd < 0 || write_all(fd, text, strlen(text)))
		fatal("%s: %m", path);
	close(fd);
	t = timing_read(path, e);
	unlink(path);
	return t;
}

static void test_files(void)
{
	struct timing *t = sampled(), *back;
	char *text = dump(t), *again;
	struct error e;

	back = read_text(text, &e);
	tap_ok(back != NULL, "what was written can be read");
	again = back ? dump(back) : NULL;
	tap_str(again, text, "and is the same");
	tap_ok(strstr(text, "\"sizes\":[[64,64,64],") &&
	       strstr(text, "\"sms\":10,"), "whole numbers without a point");
	free(again);
	free(text);
	timing_free(back);
	timing_free(t);
}

/* A file with one thing replaced must be refused with a sentence. */
static void refuse(const char *from, const char *to, const char *words)
{
	struct timing *t = sampled();
	char *text = dump(t), *at = strstr(text, from), *bad;
	struct error e = { .text = "" };

	if (!at)
		fatal("no %s in %s", from, text);
	bad = xasprintf("%.*s%s%s", (int)(at - text), text, to,
			at + strlen(from));
	timing_free(t);
	t = read_text(bad, &e);
	tap_ok(!t && e.status == EXIT_INPUT && strstr(e.text, words),
	       "refused: %s instead of %s", to, from);
	if (!strstr(e.text, words))
		printf("#   got '%s'\n", e.text);
	timing_free(t);
	free(bad);
	free(text);
}

static void test_bad_files(void)
{
	refuse("{", "", "not JSON");
	refuse("\"gemmviz\"", "\"other\"", "a race that gemmviz wrote");
	refuse("\"sizes\":[[64,", "\"sizes\":[[0,", "sizes");
	refuse("\"sizes\":[[64,64,64],", "\"sizes\":[[64,64],", "sizes");
	refuse("\"kernel\":\"naive\"", "\"colonel\":\"naive\"", "kernel");
	refuse("\"entrant\":0", "\"entrant\":7", "no such entrant");
	refuse("[5.0,1.0", "[-5.0,1.0", "invalid launch time");
	refuse("[[3,1],[5,1]", "[[3,1],[5,9]", "order");
	refuse("\"state\":\"timed\"", "\"state\":\"won\"", "won");
	refuse("\"date\":", "\"day\":", "date");
}

/* Any byte of a file may be another one: read or refused, nothing else. */
static void test_any_bytes(void)
{
	struct timing *t = sampled();
	char *text = dump(t);
	size_t n = strlen(text);
	unsigned seed = 3;
	int refused = 0;

	timing_free(t);
	for (int i = 0; i < 1000; i++) {
		char *bad = xstrdup(text);
		struct error e;

		for (int k = 0; k < 1 + i % 3; k++) {
			seed = seed * 1103515245 + 12345;
			bad[(seed >> 8) % n] = "0123456789-\",:[]{}e."
				[(seed >> 4) % 20];
		}
		t = read_text(bad, &e);
		refused += !t;
		if (t)
			free(dump(t));
		timing_free(t);
		free(bad);
	}
	tap_ok(refused > 500 && refused < 1000, "1000 files with wrong bytes: "
	       "%d refused", refused);
	free(text);
}

static void test_play(void)
{
	struct timing *whole = sampled(), *t = timing_replay(whole), *part;
	bool cases[] = { true, false, true }, sizes[] = { false, true };
	char *want, *got;
	size_t n = 0;

	tap_ok(!t->order_count && !t->done &&
	       t->results[3].state == TIMING_WAITING, "a recording begins "
	       "with nothing");
	tap_is(t->results[1].state, TIMING_SKIPPED, "but what never ran");
	tap_ok(timing_replay_next(t, whole) && t->order[0] == 3 &&
	       t->results[3].samples[0] == 5 &&
	       t->results[3].state == TIMING_READY, "the first sample first");
	timing_replay_next(t, whole);
	tap_is(t->order[1], 5, "then whose came then");
	while (timing_replay_next(t, whole))
		n++;
	tap_is(n + 2, whole->order_count, "all of them");
	want = dump(whole);
	got = dump(t);
	tap_str(got, want, "at the end all is as it was");
	tap_ok(t->done, "and it is the end");
	free(want);
	free(got);
	part = timing_select(whole, cases, sizes);
	tap_ok(part->case_count == 2 && part->size_count == 1 &&
	       part->order_count == whole->order_count &&
	       part->order[1] == 1 && part->results[0].sample_count == 11 &&
	       part->cases[1].intensity[0] == 3.5, "a part of it");
	timing_free(part);
	timing_free(t);
	timing_free(whole);
}

int main(void)
{
	test_figures();
	test_kinds();
	test_between();
	test_ties();
	test_tensor_cores();
	test_nonsense();
	test_wrong();
	test_files();
	test_bad_files();
	test_any_bytes();
	test_play();
	return tap_done();
}
