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
	struct benchmark_request trial;
	struct benchmark_case *cases;
	double *launch;			/* seconds a launch takes, about */
	struct matrices matrices;
	CUevent start, stop;
	double gauged;
	size_t size;			/* that is being done */
} racer;

/* ---- words ---- */

static void say(const char *type, json_t *o)
{
	char *text;

	json_object_set_new(o, "type", json_string(type));
	text = json_dumps(o, JSON_COMPACT);
	json_decref(o);
	if (!text)
		fatal("a message that is none");
	if (write_all(racer.out, text, strlen(text)) < 0 ||
	    write_all(racer.out, "\n", 1) < 0)
		_exit(EXIT_DONE);
	free(text);
}

static json_t *about(int entrant)
{
	return json_pack("{si sI}", "entrant", entrant, "size",
			 (json_int_t)racer.size);
}

static void say_doing(int entrant)
{
	say("doing", about(entrant));
}

static void alive(void)
{
	say_doing(NOBODY);
}

/* Not yet a launch: it may take a compiler's time. */
static void say_preparing(int entrant)
{
	json_t *o = about(entrant);

	json_object_set_new(o, "preparing", json_true());
	say("doing", o);
}

/* The GPU is lost to this process: another one goes on. */
_Noreturn static void say_broken(int entrant, const struct error *e)
{
	json_t *o = about(entrant);

	json_object_set_new(o, "text", json_string(e->text));
	say("broken", o);
	_exit(EXIT_RUNNER);
}

static struct benchmark_result *result_of(int entrant)
{
	return benchmark_result(&racer.trial, racer.size, (size_t)entrant);
}

/* `more` (or NULL) has what else there is to say. */
static void say_state(int entrant, enum benchmark_state state, const char *text,
		      json_t *more)
{
	json_t *o = about(entrant);

	json_object_set_new(o, "state",
			    json_string(benchmark_state_name(state)));
	if (text)
		json_object_set_new(o, "text", json_string(text));
	if (more)
		json_object_update(o, more);
	json_decref(more);
	say("entrant", o);
	result_of(entrant)->state = state;
}

/* An entrant that goes no further: what is lost, what is wrong, what cannot
 * be. */
static void give_up(int entrant, const struct error *e)
{
	if (cuda_sticky(cuda_last()))
		say_broken(entrant, e);
	say_state(entrant, e->status == EXIT_INPUT ? BENCHMARK_FAILED :
						     BENCHMARK_SKIPPED,
		  e->text, NULL);
}

static bool waits(int entrant)
{
	return !benchmark_request_ended(result_of(entrant));
}

static int case_count(void)
{
	return (int)racer.trial.case_count;
}

/* ---- what comes in ---- */

/* Takes the next line out of the buffer; heap, NULL: there is none. */
static char *line_take(void)
{
	char *newline = racer.used ? memchr(racer.buffer, '\n', racer.used) :
				     NULL;
	size_t n;
	char *line;

	if (!newline)
		return NULL;
	n = (size_t)(newline - racer.buffer);
	line = xstrndup(racer.buffer, n);
	racer.used -= n + 1;
	memmove(racer.buffer, newline + 1, racer.used);
	return line;
}

static void input_read(void)
{
	ssize_t n;

	grow(&racer.buffer, &racer.capacity, racer.used + 65536, 1);
	n = read(0, racer.buffer + racer.used, 65536);
	if (n == 0 || (n < 0 && errno != EINTR))
		_exit(EXIT_DONE);
	racer.used += n > 0 ? (size_t)n : 0;
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
				racer.cancelled = true;
			else
				racer.paused = json_is_true(
					json_object_get(o, "paused"));
			json_decref(o);
			free(line);
		}
		ms = 0;
	}
}

static void gauge(void)
{
	if (seconds_now() - racer.gauged < GAUGE_SECONDS)
		return;
	say("gauge", device_gauge(&racer.device));
	racer.gauged = seconds_now();
}

/* Between two launches. */
static bool goes_on(void)
{
	gauge();
	input_look(0);
	while (racer.paused && !racer.cancelled) {
		input_look((int)(GAUGE_SECONDS * 1000));
		gauge();
	}
	return !racer.cancelled;
}

/* ---- launches ---- */

/* `count` launches between two events; seconds of one. */
static int launches_time(int entrant, int count, double *seconds,
			 struct error *e)
{
	float ms;

	if (CUDA_TRY(e, EventRecord, racer.start, NULL) < 0)
		return -1;
	for (int i = 0; i < count; i++)
		if (benchmark_case_launch(&racer.cases[entrant],
					  &racer.matrices, e) < 0)
			return -1;
	if (CUDA_TRY(e, EventRecord, racer.stop, NULL) < 0 ||
	    CUDA_TRY(e, EventSynchronize, racer.stop) < 0 ||
	    CUDA_TRY(e, EventElapsedTime, &ms, racer.start, racer.stop) < 0)
		return -1;
	*seconds = ms / 1e3 / count;
	return 0;
}

/* ---- checking ---- */

static json_t *details(int entrant, double error, double bound)
{
	const struct benchmark_case *t = &racer.cases[entrant];
	json_t *o = json_pack("{sf ss}", "bound", bound, "reference",
			      racer.matrices.reference_by);

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

static void say_wrong(int entrant, double error, double bound, double nans)
{
	double all = problem_elements(&problem_gemm,
		racer.matrices.size.m, racer.matrices.size.n,
		racer.matrices.size.k);
	char *text;

	if (nans > 0)
		text = xasprintf("the answer is wrong: %.0f of %.0f elements "
				 "of C were never written or are NaN", nans,
				 all);
	else
		text = xasprintf("the answer is wrong: its relative error is "
				 "%.2g, and rounding explains %.2g at most",
				 error, bound);
	say_state(entrant, BENCHMARK_FAILED, text,
		  details(entrant, error, bound));
	free(text);
}

/* The answer's error where C's bytes were that before. */
static int check_launch(int entrant, uint8_t before, double *error,
			double *nans, struct error *e)
{
	const struct benchmark_case *t = &racer.cases[entrant];

	if (matrices_fill(&racer.matrices, t->out, before, e) < 0 ||
	    launches_time(entrant, 1, &racer.launch[entrant], e) < 0 ||
	    benchmark_case_unpad(t, &racer.matrices, e) < 0)
		return -1;
	return matrices_error(&racer.matrices, t->out, error, nans, e);
}

static void check(int entrant)
{
	struct benchmark_case *t = &racer.cases[entrant];
	double error, nans, bound, added, none;
	struct error e;

	say_state(entrant, BENCHMARK_CHECKING, NULL, NULL);
	say_doing(NOBODY);
	if (matrices_refer(&racer.matrices, t->in, alive, &e) < 0) {
		if (cuda_sticky(cuda_last()))
			say_broken(NOBODY, &e);
		give_up(entrant, &e);
		return;
	}
	say_doing(entrant);
	if (benchmark_case_place(t, &racer.matrices, &e) < 0 ||
	    check_launch(entrant, 0xff, &error, &nans, &e) < 0 ||
	    (nans > 0 && check_launch(entrant, 0, &added, &none, &e) < 0)) {
		give_up(entrant, &e);
		return;
	}
	bound = matrices_bound(racer.trial.sizes[racer.size].k, t->precision,
			       t->out);
	/* It may add to what C holds. */
	if (nans > 0 && added <= bound)
		error = added;
	if (!(error <= bound))
		say_wrong(entrant, error, bound, nans);
	else
		say_state(entrant, BENCHMARK_READY, NULL,
			  details(entrant, error, bound));
}

/* One type of inputs after the other: there is one reference at a time. */
static void check_all(void)
{
	for (int r = 0; r < REALS; r++)
		for (int i = 0; i < case_count(); i++)
			if (waits(i) && (int)racer.cases[i].in == r &&
			    goes_on())
				check(i);
	matrices_forget(&racer.matrices);
}

/* ---- timing ---- */

/* Launches enough for a sample; seconds of one. */
static int sample_time(int entrant, int *count, double *seconds,
		       struct error *e)
{
	double about_one = MAX(racer.launch[entrant], 1e-6);

	*count = (int)ceil(SAMPLE_SECONDS / about_one);
	if (about_one < LEAD_SECONDS &&
	    benchmark_case_launch(&racer.cases[entrant], &racer.matrices, e) <
		    0)
		return -1;
	return launches_time(entrant, *count, seconds, e);
}

/* The first launch was slower than those that come. */
static void warm_up(int entrant)
{
	struct error e;
	int count;

	say_doing(entrant);
	if (sample_time(entrant, &count, &racer.launch[entrant], &e) < 0)
		give_up(entrant, &e);
}

static void settle(void)
{
	double begun = seconds_now();
	bool more = true;

	while (more && seconds_now() - begun < SETTLE_SECONDS) {
		more = false;
		for (int i = 0; i < case_count(); i++) {
			if (!waits(i) || racer.launch[i] > SETTLE_SECONDS ||
			    !goes_on())
				continue;
			warm_up(i);
			more = true;
		}
	}
}

static int sample_take(int entrant, struct error *e)
{
	struct benchmark_result *r = result_of(entrant);
	double seconds;
	json_t *o;
	int count;

	if (sample_time(entrant, &count, &seconds, e) < 0)
		return -1;
	r->samples++;
	r->seconds += seconds * count;
	o = about(entrant);
	json_object_set_new(o, "seconds", json_real(seconds));
	say("sample", o);
	return 0;
}

static void sample(int entrant)
{
	const struct benchmark_result *r = result_of(entrant);
	struct error e;

	say_doing(entrant);
	if (sample_take(entrant, &e) < 0)
		give_up(entrant, &e);
	else if (r->samples >= racer.trial.repeat ||
		 r->seconds >= racer.trial.seconds)
		say_state(entrant, BENCHMARK_TIMED, NULL, NULL);
}

/* Rounds over all that still wait, each begun by another. */
static void time_all(void)
{
	bool more = true;

	settle();
	for (int round = 0; more; round++) {
		more = false;
		for (int i = 0; i < case_count(); i++) {
			int entrant = (i + round) % case_count();

			if (!waits(entrant))
				continue;
			if (!goes_on())
				return;
			sample(entrant);
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
		if (benchmark_case_prepare(&racer.cases[i], &racer.device,
					   &racer.trial.sizes[racer.size],
					   &e) < 0)
			give_up(i, &e);
	}
}

/* The types of the matrices that somebody waits for, a bit each. */
static unsigned wanted(void)
{
	unsigned reals = 0;

	for (int i = 0; i < case_count(); i++) {
		const struct benchmark_case *t = &racer.cases[i];

		if (waits(i))
			reals |= 1u << t->in | 1u << t->out;
	}
	return reals;
}

static void size_do(void)
{
	const struct problem_sizes *s = &racer.trial.sizes[racer.size];
	struct error e;
	unsigned reals;

	prepare_all();
	reals = wanted();
	if (!reals || racer.cancelled)
		return;
	say_doing(NOBODY);
	if (matrices_make(&racer.matrices, s, reals,
			  racer.trial.seed, &e) < 0) {
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
		benchmark_case_release(&racer.cases[i]);
	matrices_done(&racer.matrices);
}

/* It ends with what there is. */
static void cancel_rest(void)
{
	for (racer.size = 0; racer.size < racer.trial.size_count; racer.size++)
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
	if (benchmark_request_read(&racer.trial, request, e) < 0 ||
	    device_open(&racer.device, e) < 0 ||
	    device_begin(&racer.device, e) < 0)
		return -1;
	/* More than malloc() does: tensor maps are aligned. */
	racer.cases =
		aligned_alloc(_Alignof(struct benchmark_case),
			      racer.trial.case_count * sizeof(*racer.cases));
	if (!racer.cases)
		fatal("out of memory");
	racer.launch = xcalloc(racer.trial.case_count, sizeof(*racer.launch));
	for (int i = 0; i < case_count(); i++)
		benchmark_case_init(
			&racer.cases[i],
			json_array_get(racer.trial.cases, (size_t)i),
			racer.trial.tuned);
	if (CUDA_TRY(e, EventCreate, &racer.start, CU_EVENT_DEFAULT) < 0)
		return -1;
	return CUDA_TRY(e, EventCreate, &racer.stop, CU_EVENT_DEFAULT);
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
	for (racer.size = 0; racer.size < racer.trial.size_count &&
			     !racer.cancelled; racer.size++)
		size_do();
	if (racer.cancelled)
		cancel_rest();
	say("timed", json_object());
}

static void do_machine(void)
{
	struct error e;

	if (device_open(&racer.device, &e) < 0)
		say_error(&e);
	else
		say("machine", device_machine(&racer.device));
}

int benchmark_worker_main(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* Standard output may be a kernel's: what it prints goes elsewhere. */
	racer.out = fcntl(1, F_DUPFD_CLOEXEC, 3);
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
