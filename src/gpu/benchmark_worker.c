/*
 * benchmark_worker: prepare, check, time. See benchmark_worker.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "gpu/benchmark_case.h"
#include "gpu/benchmark_worker.h"

/* A sample lasts at least so long, as many launches as it takes: a GPU that
 * has come to its limit of power slows down within milliseconds, and a sample
 * is to be of that. */
#define SAMPLE_SECONDS 10e-3
/* Below it a launch goes ahead of the sample, so that the GPU is at work when
 * the clock starts. */
#define LEAD_SECONDS 5e-3
/* So long all take turns before it counts, so that clocks have settled to
 * what all of them together draw; a launch that is longer than that does not
 * take part. */
#define SETTLE_SECONDS 0.25
#define GAUGE_SECONDS 0.5
#define NOBODY (-1)

static struct {
	int out;
	char *buffer;			/* lines read and not yet used */
	size_t used, capacity;
	bool paused, cancelled;
	struct device device;
	struct benchmark_request request;
	struct benchmark_case *cases;
	double *launch;			/* seconds a launch takes, about */
	struct matrices matrices;
	CUevent start, stop;
	double gauged;
	size_t size;			/* that is being done */
} worker;

/* ---- words ---- */

static void say(const char *type, json_t *o)
{
	char *text;

	json_object_set_new(o, "type", json_string(type));
	text = json_dumps(o, JSON_COMPACT);
	json_decref(o);
	if (!text)
		fatal("a message that is none");
	if (write_all(worker.out, text, strlen(text)) < 0 ||
	    write_all(worker.out, "\n", 1) < 0)
		_exit(EXIT_DONE);
	free(text);
}

static json_t *about(int case_at)
{
	return json_pack("{si sI}", "entrant", case_at, "size",
			 (json_int_t)worker.size);
}

static void say_doing(int case_at)
{
	say("doing", about(case_at));
}

static void alive(void)
{
	say_doing(NOBODY);
}

/* Not yet a launch: it may take a compiler's time. */
static void say_preparing(int case_at)
{
	json_t *o = about(case_at);

	json_object_set_new(o, "preparing", json_true());
	say("doing", o);
}

/* The GPU is lost to this process: another one goes on. */
_Noreturn static void say_broken(int case_at, const struct error *e)
{
	json_t *o = about(case_at);

	json_object_set_new(o, "text", json_string(e->text));
	say("broken", o);
	_exit(EXIT_RUNNER);
}

static struct benchmark_result *result_of(int case_at)
{
	return benchmark_result(&worker.request, worker.size, (size_t)case_at);
}

/* `more` (or NULL) has what else there is to say. */
static void say_state(int case_at, enum benchmark_state state, const char *text,
		      json_t *more)
{
	json_t *o = about(case_at);

	json_object_set_new(o, "state",
			    json_string(benchmark_state_name(state)));
	if (text)
		json_object_set_new(o, "text", json_string(text));
	if (more)
		json_object_update(o, more);
	json_decref(more);
	say("entrant", o);
	result_of(case_at)->state = state;
}

/* A case that goes no further: what is lost, what is wrong, what cannot
 * be. */
static void give_up(int case_at, const struct error *e)
{
	if (cuda_sticky(cuda_last()))
		say_broken(case_at, e);
	say_state(case_at, e->status == EXIT_INPUT ? BENCHMARK_FAILED :
						     BENCHMARK_SKIPPED,
		  e->text, NULL);
}

static bool waits(int case_at)
{
	return !benchmark_request_ended(result_of(case_at));
}

static int case_count(void)
{
	return (int)worker.request.case_count;
}

/* ---- what comes in ---- */

/* Takes the next line out of the buffer; heap, NULL: there is none. */
static char *line_take(void)
{
	char *newline = worker.used ? memchr(worker.buffer, '\n', worker.used) :
				     NULL;
	size_t n;
	char *line;

	if (!newline)
		return NULL;
	n = (size_t)(newline - worker.buffer);
	line = xstrndup(worker.buffer, n);
	worker.used -= n + 1;
	memmove(worker.buffer, newline + 1, worker.used);
	return line;
}

static void input_read(void)
{
	ssize_t n;

	grow(&worker.buffer, &worker.capacity, worker.used + 65536, 1);
	n = read(0, worker.buffer + worker.used, 65536);
	if (n == 0 || (n < 0 && errno != EINTR))
		_exit(EXIT_DONE);
	worker.used += n > 0 ? (size_t)n : 0;
}

static json_t *message_wait(void)
{
	json_t *o;
	char *line;

	while (!(line = line_take()))
		input_read();
	o = json_loads(line, 0, NULL);
	if (!o)
		fatal("a line that is no message");
	free(line);
	return o;
}

static const char *type_of(const json_t *o)
{
	return json_string_value(json_object_get(o, "type"));
}

/* Looks whether to pause or to end; at most `ms`. */
static void input_look(int ms)
{
	struct pollfd p = { .fd = 0, .events = POLLIN };

	while (poll(&p, 1, ms) > 0) {
		char *line;

		input_read();
		while ((line = line_take())) {
			json_t *o = json_loads(line, 0, NULL);

			if (!strcmp(type_of(o), "cancel"))
				worker.cancelled = true;
			else
				worker.paused = json_is_true(
					json_object_get(o, "paused"));
			json_decref(o);
			free(line);
		}
		ms = 0;
	}
}

static void gauge(void)
{
	if (seconds_now() - worker.gauged < GAUGE_SECONDS)
		return;
	say("gauge", device_gauge(&worker.device));
	worker.gauged = seconds_now();
}

/* Between two launches. */
static bool goes_on(void)
{
	gauge();
	input_look(0);
	while (worker.paused && !worker.cancelled) {
		input_look((int)(GAUGE_SECONDS * 1000));
		gauge();
	}
	return !worker.cancelled;
}

/* ---- launches ---- */

/* `count` launches between two events; seconds of one. */
static int launches_time(int case_at, int count, double *seconds,
			 struct error *e)
{
	float ms;

	if (CUDA_TRY(e, EventRecord, worker.start, NULL) < 0)
		return -1;
	for (int i = 0; i < count; i++)
		if (benchmark_case_launch(&worker.cases[case_at],
					  &worker.matrices, e) < 0)
			return -1;
	if (CUDA_TRY(e, EventRecord, worker.stop, NULL) < 0 ||
	    CUDA_TRY(e, EventSynchronize, worker.stop) < 0 ||
	    CUDA_TRY(e, EventElapsedTime, &ms, worker.start, worker.stop) < 0)
		return -1;
	*seconds = ms / 1e3 / count;
	return 0;
}

/* ---- checking ---- */

static json_t *details(int case_at, double error, double bound)
{
	const struct benchmark_case *t = &worker.cases[case_at];
	json_t *o = json_pack("{sf ss}", "bound", bound, "reference",
			      worker.matrices.reference_by);

	/* NaN is no number of JSON's; the text says it. */
	if (isfinite(error))
		json_object_set_new(o, "error", json_real(error));
	if (t->baseline)
		return o;
	if (t->registers != NA)
		json_object_set_new(o, "registers",
				    json_integer(t->registers));
	if (t->shared_bytes != NA)
		json_object_set_new(o, "shared_bytes",
				    json_integer(t->shared_bytes));
	if (t->defines)
		json_object_set(o, "defines", t->defines);
	json_object_set_new(o, "text_hash", json_sprintf("%016" PRIx64,
		hash_bytes(t->plan.text, t->plan.length)));
	return o;
}

static void say_wrong(int case_at, double error, double bound, double nans)
{
	double all = problem_elements(&problem_gemm,
		worker.matrices.size.m, worker.matrices.size.n,
		worker.matrices.size.k);
	char *text;

	if (nans > 0)
		text = xasprintf("the answer is wrong: %.0f of %.0f elements "
				 "of C were never written or are NaN", nans,
				 all);
	else
		text = xasprintf("the answer is wrong: its relative error is "
				 "%.2g, and rounding explains %.2g at most",
				 error, bound);
	say_state(case_at, BENCHMARK_FAILED, text,
		  details(case_at, error, bound));
	free(text);
}

/* The answer's error where C's bytes were that before. */
static int check_launch(int case_at, uint8_t before, double *error,
			double *nans, struct error *e)
{
	const struct benchmark_case *t = &worker.cases[case_at];

	if (matrices_fill(&worker.matrices, t->out, before, e) < 0 ||
	    launches_time(case_at, 1, &worker.launch[case_at], e) < 0 ||
	    benchmark_case_unpad(t, &worker.matrices, e) < 0)
		return -1;
	return matrices_error(&worker.matrices, t->out, error, nans, e);
}

static void check(int case_at)
{
	struct benchmark_case *t = &worker.cases[case_at];
	double error, nans, bound, added, none;
	struct error e;

	say_state(case_at, BENCHMARK_CHECKING, NULL, NULL);
	say_doing(NOBODY);
	if (matrices_refer(&worker.matrices, t->in, alive, &e) < 0) {
		if (cuda_sticky(cuda_last()))
			say_broken(NOBODY, &e);
		give_up(case_at, &e);
		return;
	}
	say_doing(case_at);
	if (benchmark_case_place(t, &worker.matrices, &e) < 0 ||
	    check_launch(case_at, 0xff, &error, &nans, &e) < 0 ||
	    (nans > 0 && check_launch(case_at, 0, &added, &none, &e) < 0)) {
		give_up(case_at, &e);
		return;
	}
	bound = matrices_bound(worker.request.sizes[worker.size].k, t->precision,
			       t->out);
	/* It may add to what C holds. */
	if (nans > 0 && added <= bound)
		error = added;
	if (!(error <= bound))
		say_wrong(case_at, error, bound, nans);
	else
		say_state(case_at, BENCHMARK_READY, NULL,
			  details(case_at, error, bound));
}

/* One type of inputs after the other: there is one reference at a time. */
static void check_all(void)
{
	for (int r = 0; r < REALS; r++)
		for (int i = 0; i < case_count(); i++)
			if (waits(i) && (int)worker.cases[i].in == r &&
			    goes_on())
				check(i);
	matrices_forget(&worker.matrices);
}

/* ---- timing ---- */

/* Launches enough for a sample; seconds of one. */
static int sample_time(int case_at, int *count, double *seconds,
		       struct error *e)
{
	double about_one = MAX(worker.launch[case_at], 1e-6);

	*count = (int)ceil(SAMPLE_SECONDS / about_one);
	if (about_one < LEAD_SECONDS &&
	    benchmark_case_launch(&worker.cases[case_at], &worker.matrices, e) <
		    0)
		return -1;
	return launches_time(case_at, *count, seconds, e);
}

/* The first launch was slower than those that come. */
static void warm_up(int case_at)
{
	struct error e;
	int count;

	say_doing(case_at);
	if (sample_time(case_at, &count, &worker.launch[case_at], &e) < 0)
		give_up(case_at, &e);
}

static void settle(void)
{
	double begun = seconds_now();
	bool more = true;

	while (more && seconds_now() - begun < SETTLE_SECONDS) {
		more = false;
		for (int i = 0; i < case_count(); i++) {
			if (!waits(i) || worker.launch[i] > SETTLE_SECONDS ||
			    !goes_on())
				continue;
			warm_up(i);
			more = true;
		}
	}
}

static int sample_take(int case_at, struct error *e)
{
	struct benchmark_result *r = result_of(case_at);
	double seconds;
	json_t *o;
	int count;

	if (sample_time(case_at, &count, &seconds, e) < 0)
		return -1;
	r->samples++;
	r->seconds += seconds * count;
	o = about(case_at);
	json_object_set_new(o, "seconds", json_real(seconds));
	say("sample", o);
	return 0;
}

static void sample(int case_at)
{
	const struct benchmark_result *r = result_of(case_at);
	struct error e;

	say_doing(case_at);
	if (sample_take(case_at, &e) < 0)
		give_up(case_at, &e);
	else if (r->samples >= worker.request.repeat ||
		 r->seconds >= worker.request.seconds)
		say_state(case_at, BENCHMARK_TIMED, NULL, NULL);
}

/* Rounds over all that still wait, each begun by another. */
static void time_all(void)
{
	bool more = true;

	settle();
	for (int round = 0; more; round++) {
		more = false;
		for (int i = 0; i < case_count(); i++) {
			int case_at = (i + round) % case_count();

			if (!waits(case_at))
				continue;
			if (!goes_on())
				return;
			sample(case_at);
			more = true;
		}
	}
}

/* ---- a size ---- */

static void prepare_all(void)
{
	struct error e;

	for (int i = 0; i < case_count(); i++) {
		if (!waits(i) || !goes_on())
			continue;
		say_preparing(i);
		cuda_check(NULL, "", CUDA_SUCCESS);
		if (benchmark_case_prepare(&worker.cases[i], &worker.device,
					   &worker.request.sizes[worker.size],
					   &e) < 0)
			give_up(i, &e);
	}
}

/* The types of the matrices that somebody waits for, a bit each. */
static unsigned wanted(void)
{
	unsigned reals = 0;

	for (int i = 0; i < case_count(); i++)
		if (waits(i))
			reals |= 1u << worker.cases[i].in |
				 1u << worker.cases[i].out;
	return reals;
}

static void size_do(void)
{
	const struct problem_sizes *s = &worker.request.sizes[worker.size];
	struct error e;
	unsigned reals;

	prepare_all();
	reals = wanted();
	if (!reals || worker.cancelled)
		return;
	say_doing(NOBODY);
	if (matrices_make(&worker.matrices, s, reals,
			  worker.request.seed, &e) < 0) {
		if (cuda_sticky(cuda_last()))
			say_broken(NOBODY, &e);
		for (int i = 0; i < case_count(); i++)
			if (waits(i))
				give_up(i, &e);
	} else {
		check_all();
		time_all();
	}
	for (int i = 0; i < case_count(); i++)
		benchmark_case_release(&worker.cases[i]);
	matrices_done(&worker.matrices);
}

/* It ends with what there is. */
static void cancel_rest(void)
{
	for (worker.size = 0; worker.size < worker.request.size_count;
	     worker.size++)
		for (int i = 0; i < case_count(); i++) {
			if (!waits(i))
				continue;
			if (result_of(i)->samples > 0)
				say_state(i, BENCHMARK_TIMED, NULL, NULL);
			else
				say_state(i, BENCHMARK_SKIPPED, "cancelled",
					  NULL);
		}
}

/* ---- a race ---- */

static int race_begin(json_t *request, struct error *e)
{
	struct benchmark_request *r = &worker.request;

	if (benchmark_request_read(r, request, e) < 0 ||
	    device_open(&worker.device, e) < 0 ||
	    device_begin(&worker.device, e) < 0)
		return -1;
	/* More than malloc() does: tensor maps are aligned. */
	worker.cases = aligned_alloc(_Alignof(struct benchmark_case),
				     r->case_count * sizeof(*worker.cases));
	if (!worker.cases)
		fatal("out of memory");
	worker.launch = xcalloc(r->case_count, sizeof(*worker.launch));
	for (size_t i = 0; i < r->case_count; i++)
		benchmark_case_init(&worker.cases[i],
				    json_array_get(r->cases, i), r->tuned);
	if (CUDA_TRY(e, EventCreate, &worker.start, CU_EVENT_DEFAULT) < 0)
		return -1;
	return CUDA_TRY(e, EventCreate, &worker.stop, CU_EVENT_DEFAULT);
}

static void say_error(const struct error *e)
{
	say("error", json_pack("{si ss}", "status", (int)e->status, "message",
			       e->text));
}

static void do_time(json_t *request)
{
	struct error e;

	if (race_begin(request, &e) < 0) {
		say_error(&e);
		return;
	}
	for (worker.size = 0; worker.size < worker.request.size_count &&
			     !worker.cancelled; worker.size++)
		size_do();
	if (worker.cancelled)
		cancel_rest();
	say("timed", json_object());
}

static void do_machine(void)
{
	struct error e;

	if (device_open(&worker.device, &e) < 0)
		say_error(&e);
	else
		say("machine", device_machine(&worker.device));
}

int benchmark_worker_main(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* Standard output may be a kernel's: what it prints goes elsewhere. */
	worker.out = fcntl(1, F_DUPFD_CLOEXEC, 3);
	dup2(2, 1);
	for (;;) {
		json_t *o = message_wait();
		const char *type = type_of(o);

		if (!strcmp(type, "machine"))
			do_machine();
		else if (!strcmp(type, "time"))
			do_time(o);
		json_decref(o);
	}
}
