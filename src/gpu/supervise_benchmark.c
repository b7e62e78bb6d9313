/*
 * supervise_benchmark: supervises one benchmark from its place in the queue to
 * its end, with as many workers as it takes.
 */
#include <string.h>

#include "base/lang.h"
#include "base/text.h"
#include "gpu/device/queue.h"
#include "gpu/supervisor.h"
#include "gpu/race/benchmark_request.h"

/* What a GPU may take to wake up, and what all need to be made. */
#define BEGIN_SECONDS 60.0
#define QUEUE_SECONDS 0.2
/* What a worker may take to end when the race is cancelled. */
#define CANCEL_SECONDS 1.0
/* Losses at one size that are nobody's own fault. */
#define LOSSES_MOST 2
#define PAUSE_SECONDS 3600.0
#define NOBODY (-1)

static struct {
	const struct workers *workers;
	struct peer worker;
	struct benchmark_request request;
	json_int_t id;
	bool begun;			/* the machine was told */
	/* What the worker is doing: NOBODY, and which size. */
	int case_at;
	bool preparing;
	size_t size;
	size_t losses, losses_size;
} race;

/* ---- telling ---- */

static void report_state(int case_at, size_t size, enum benchmark_state state,
			 const char *text)
{
	benchmark_result(&race.request, size, (size_t)case_at)->state = state;
	supervisor_say(race.id,
		       json_pack("{ss si sI ss ss*}", "type", "entrant",
				 "entrant", case_at, "size", (json_int_t)size,
				 "state", benchmark_state_name(state), "text",
				 text));
}

/* Sets the state of all waiting cases of `count` sizes, from size `from` on. */
static void end_waiting(size_t from, size_t count, enum benchmark_state state,
			const char *text)
{
	for (size_t s = from; s < from + count; s++)
		for (size_t i = 0; i < race.request.case_count; i++) {
			struct benchmark_result *r =
				benchmark_result(&race.request, s, i);

			if (benchmark_request_ended(r))
				continue;
			if (state == BENCHMARK_SKIPPED && r->samples > 0)
				report_state((int)i, s, BENCHMARK_TIMED, NULL);
			else
				report_state((int)i, s, state, text);
		}
}

static void say_timed(void)
{
	supervisor_say(race.id, json_pack("{ss}", "type", "timed"));
}

/* ---- losing a worker ---- */

/* Attributes the worker's loss to the case that it was running, or to the size.
 * The benchmark can continue with another worker. */
static void blame_worker(const char *text)
{
	peer_stop(&race.worker);
	if (race.case_at != NOBODY) {
		struct benchmark_result *r = benchmark_result(
			&race.request, race.size, (size_t)race.case_at);

		if (!benchmark_request_ended(r))
			report_state(race.case_at, race.size, BENCHMARK_FAILED,
				     text);
		race.case_at = NOBODY;
		return;
	}
	if (race.losses_size != race.size)
		race.losses = 0;
	race.losses_size = race.size;
	if (++race.losses >= LOSSES_MOST) {
		end_waiting(race.size, 1, BENCHMARK_FAILED, text);
		race.losses = 0;
	}
}

/* Returns the seconds that the worker may be silent. */
static double worker_patience(void)
{
	if (supervisor_control.cancelled)
		return CANCEL_SECONDS;
	if (supervisor_control.paused)
		return PAUSE_SECONDS;
	return race.case_at == NOBODY || race.preparing ?
	       MAX(race.request.patience, BEGIN_SECONDS) : race.request.patience;
}

static void blame_silence(void)
{
	char *text =
		xasprintf(_("%s: it was ended after %g seconds"),
			  race.preparing ? _("compiling it takes too long") :
			  race.case_at == NOBODY ? _("the GPU does nothing") :
						   _("the kernel hangs"),
			  worker_patience());

	blame_worker(text);
	free(text);
}

static void blame_end(void)
{
	struct error why;
	char *text;

	child_epitaph(&race.worker.child, &why);
	text = xasprintf(_("the process that ran it was lost: %s"), why.text);
	blame_worker(text);
	free(text);
}

/* ---- messages of the worker ---- */

/* Reads the case and size of a worker's message. */
static bool pair_take(const json_t *o, int *case_at, size_t *size)
{
	json_int_t e = json_integer_value(json_object_get(o, "entrant"));
	json_int_t s = json_integer_value(json_object_get(o, "size"));

	if (e < NOBODY || e >= (json_int_t)race.request.case_count || s < 0 ||
	    s >= (json_int_t)race.request.size_count)
		return false;
	*case_at = (int)e;
	*size = (size_t)s;
	return true;
}

static void pass_message(json_t *o)
{
	supervisor_say(race.id, json_incref(o));
}

/* Passes a case's new state on, unless another worker had reported it. */
static void take_case(json_t *o, struct benchmark_result *r)
{
	enum benchmark_state state = benchmark_state_from(
		json_string_value(json_object_get(o, "state")));

	if (state == BENCHMARK_STATES || state <= r->state)
		return;
	r->state = state;
	pass_message(o);
}

static void take_sample(json_t *o, struct benchmark_result *r)
{
	r->samples++;
	r->seconds += json_number_value(json_object_get(o, "seconds"));
	pass_message(o);
}

/* Handles a worker's message; true at the benchmark's end. */
static bool take_worker_message(json_t *o)
{
	const char *type = json_string_value(json_object_get(o, "type"));
	const char *text = json_string_value(json_object_get(o, "text"));
	int case_at;
	size_t size;

	if (!type)
		return false;
	if (!strcmp(type, "timed"))
		return true;
	if (!strcmp(type, "gauge")) {
		pass_message(o);
		return false;
	}
	if (!pair_take(o, &case_at, &size))
		return false;
	if (!strcmp(type, "doing") || !strcmp(type, "broken")) {
		race.case_at = case_at;
		race.size = size;
		race.preparing = json_is_true(
			json_object_get(o, "preparing"));
	}
	if (!strcmp(type, "broken"))
		blame_worker(text ? text : "");
	else if (case_at != NOBODY && !strcmp(type, "entrant"))
		take_case(o, benchmark_result(&race.request, size,
						 (size_t)case_at));
	else if (case_at != NOBODY && !strcmp(type, "sample"))
		take_sample(o, benchmark_result(&race.request, size,
						(size_t)case_at));
	return false;
}

/* ---- pause and cancel ---- */

/* Passes pause and cancel on to the worker. */
static void control_pass(void)
{
	if (supervisor_control.cancelled)
		peer_send_message(&race.worker,
				  json_pack("{ss}", "type", "cancel"));
	else
		peer_send_message(&race.worker,
				  json_pack("{ss sb}", "type", "pause",
					    "paused",
					    supervisor_control.paused));
}

/* ---- the race ---- */

/* Handles a worker's message that it cannot work: there is no GPU, or no longer
 * one. */
static enum heard end_without_gpu(const json_t *o)
{
	const char *text = json_string_value(json_object_get(o, "message"));
	struct error e;
	char *lost;

	error_set(&e, (enum exit_status)json_integer_value(
			  json_object_get(o, "status")),
		  "%s", text ? text : "");
	if (!race.begun) {
		supervisor_say_error(race.id, &e);
		return HEARD_LINE;
	}
	lost = xasprintf(_("the GPU is lost: %s"), e.text);
	end_waiting(0, race.request.size_count, BENCHMARK_FAILED, lost);
	free(lost);
	say_timed();
	return HEARD_LINE;
}

static bool is_type(const json_t *o, const char *type)
{
	const char *t = json_string_value(json_object_get(o, "type"));

	return t && !strcmp(t, type);
}

static enum heard worker_hear(double deadline, json_t **o)
{
	const char *line;
	size_t n;
	enum heard heard =
		supervisor_hear(&race.worker, deadline, &line, &n);

	*o = heard == HEARD_LINE ? json_loadb(line, n, 0, NULL) : NULL;
	return heard;
}

static int worker_begin(json_t *message, struct error *e)
{
	race.case_at = NOBODY;
	race.preparing = false;
	if (peer_start(&race.worker, race.workers->benchmark, e) < 0) {
		json_decref(message);
		return -1;
	}
	peer_send_message(&race.worker, message);
	return 0;
}

/* Runs one worker. HEARD_LINE: the benchmark is over; HEARD_NOTHING: another
 * worker is needed. */
static enum heard worker_run(void)
{
	double heard_at = supervisor_now();

	while (race.worker.there) {
		json_t *o;
		enum heard heard =
			worker_hear(heard_at + worker_patience(), &o);

		heard_at = supervisor_now();
		if (heard == HEARD_END)
			return heard;
		if (heard == HEARD_CONTROL)
			control_pass();
		else if (heard == HEARD_LOST)
			blame_end();
		else if (heard == HEARD_NOTHING &&
			 supervisor_control.cancelled)
			peer_stop(&race.worker);
		else if (heard == HEARD_NOTHING && !supervisor_control.paused)
			blame_silence();
		if (is_type(o, "error")) {
			heard = end_without_gpu(o);
			json_decref(o);
			return heard;
		}
		if (o && take_worker_message(o)) {
			json_decref(o);
			say_timed();
			return HEARD_LINE;
		}
		json_decref(o);
	}
	return HEARD_NOTHING;
}

static json_t *race_message(void)
{
	json_t *o = json_copy(race.request.request);

	json_object_set_new(o, "resume",
			    benchmark_request_resume(&race.request));
	return o;
}

static bool all_ended(void)
{
	const struct benchmark_request *t = &race.request;

	for (size_t i = 0; i < t->size_count * t->case_count; i++)
		if (!benchmark_request_ended(&t->results[i]))
			return false;
	return true;
}

static enum heard race_run(void)
{
	struct error e;
	enum heard heard = HEARD_NOTHING;

	while (heard == HEARD_NOTHING) {
		if (supervisor_control.cancelled)
			end_waiting(0, race.request.size_count,
				    BENCHMARK_SKIPPED, "cancelled");
		if (all_ended()) {
			say_timed();
			return HEARD_LINE;
		}
		if (worker_begin(race_message(), &e) < 0) {
			end_waiting(0, race.request.size_count, BENCHMARK_FAILED,
				    e.text);
			continue;
		}
		if (supervisor_control.paused)
			control_pass();
		heard = worker_run();
	}
	return heard;
}

/* ---- before the race ---- */

/* Asks the worker for the machine; NULL: it is over (*heard). */
static json_t *machine_ask(enum heard *heard)
{
	double deadline = supervisor_now() + BEGIN_SECONDS;
	struct error e;
	json_t *o;

	*heard = HEARD_LINE;
	if (worker_begin(json_pack("{ss}", "type", "machine"), &e) < 0) {
		supervisor_say_error(race.id, &e);
		return NULL;
	}
	do
		*heard = worker_hear(deadline, &o);
	while (*heard == HEARD_CONTROL);
	if (is_type(o, "machine"))
		return o;
	if (is_type(o, "error")) {
		end_without_gpu(o);
	} else if (*heard == HEARD_LOST) {
		child_epitaph(&race.worker.child, &e);
		supervisor_say_error(race.id, &e);
	} else if (*heard != HEARD_END) {
		error_set(&e, EXIT_GPU, "no GPU: the driver has not answered "
			  "for %g seconds", BEGIN_SECONDS);
		supervisor_say_error(race.id, &e);
	}
	json_decref(o);
	return NULL;
}

/* Waits for our turn: HEARD_NOTHING: it is. */
static enum heard queue_wait(struct queue *q)
{
	int told = -1;

	while (!supervisor_control.cancelled) {
		int place = queue_place(q);
		enum heard heard;

		if (place != told)
			supervisor_say(race.id, json_pack("{ss si}", "type",
				"queue", "place", place));
		told = place;
		if (place == 0)
			break;
		heard = supervisor_hear(NULL, supervisor_now() + QUEUE_SECONDS,
					NULL, NULL);
		if (heard == HEARD_END)
			return heard;
	}
	return HEARD_NOTHING;
}

static enum heard begin_race(void)
{
	enum heard heard;
	json_t *machine = machine_ask(&heard);
	const char *uuid = json_string_value(json_object_get(machine, "uuid"));
	struct queue *q;
	struct error e;

	if (!machine)
		return heard;
	q = queue_enter(race.workers->queues, uuid ? uuid : "GPU", &e);
	if (!q) {
		supervisor_say_error(race.id, &e);
		json_decref(machine);
		return HEARD_LINE;
	}
	heard = queue_wait(q);
	if (heard == HEARD_NOTHING) {
		supervisor_say(race.id, machine);
		race.begun = true;
		heard = race_run();
	} else {
		json_decref(machine);
	}
	peer_stop(&race.worker);
	queue_leave(q);
	return heard;
}

enum heard supervise_race(const struct workers *w, json_t *request,
			     json_int_t id)
{
	enum heard heard = HEARD_LINE;
	struct error e;

	memset(&race, 0, sizeof(race));
	race.workers = w;
	race.id = id;
	json_object_del(request, "resume");
	supervisor_control = (struct control) { .racing = true };
	if (benchmark_request_read(&race.request, request, &e) < 0)
		supervisor_say_error(id, &e);
	else
		heard = begin_race();
	peer_stop(&race.worker);
	benchmark_request_done(&race.request);
	supervisor_control = (struct control) { .racing = false };
	return heard;
}
