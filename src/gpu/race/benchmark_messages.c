/* benchmark_messages: sends and receives the worker's messages. See
 * benchmark_parts.h. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu/race/benchmark_parts.h"

#define GAUGE_SECONDS 0.5

static struct {
	char *buffer;			/* lines read and not yet used */
	size_t used, capacity;
} input;
static double gauged;

/* ---- words ---- */

void worker_say(const char *type, json_t *o)
{
	char *text;

	json_object_set_new(o, "type", json_string(type));
	text = json_dumps(o, JSON_COMPACT);
	json_decref(o);
	if (!text)
		fatal("an invalid message");
	if (write_all(worker.out, text, strlen(text)) < 0 ||
	    write_all(worker.out, "\n", 1) < 0)
		_exit(EXIT_DONE);
	free(text);
}

json_t *case_members(int case_at)
{
	return json_pack("{si sI}", "entrant", case_at, "size",
			 (json_int_t)worker.size);
}

void say_doing(int case_at)
{
	worker_say("doing", case_members(case_at));
}

void say_preparing(int case_at)
{
	json_t *o = case_members(case_at);

	json_object_set_new(o, "preparing", json_true());
	worker_say("doing", o);
}

_Noreturn void say_broken(int case_at, const struct error *e)
{
	json_t *o = case_members(case_at);

	json_object_set_new(o, "text", json_string(e->text));
	worker_say("broken", o);
	_exit(EXIT_RUNNER);
}

struct benchmark_result *result_of(int case_at)
{
	return benchmark_result(&worker.request, worker.size, (size_t)case_at);
}

void worker_say_state(int case_at, enum benchmark_state state, const char *text,
		      json_t *more)
{
	json_t *o = case_members(case_at);

	json_object_set_new(o, "state",
			    json_string(benchmark_state_name(state)));
	if (text)
		json_object_set_new(o, "text", json_string(text));
	if (more)
		json_object_update(o, more);
	json_decref(more);
	worker_say("entrant", o);
	result_of(case_at)->state = state;
}

void drop_case(int case_at, const struct error *e)
{
	if (cuda_sticky(cuda_last()))
		say_broken(case_at, e);
	worker_say_state(case_at,
			 e->status == EXIT_INPUT ? BENCHMARK_FAILED :
						   BENCHMARK_SKIPPED,
			 e->text, NULL);
}

bool is_waiting(int case_at)
{
	return !benchmark_request_ended(result_of(case_at));
}

int case_count(void)
{
	return (int)worker.request.case_count;
}
/* ---- what comes in ---- */

/* Takes the next line out of the buffer; heap, NULL: there is none. */
static char *line_take(void)
{
	char *newline = input.used ? memchr(input.buffer, '\n', input.used) :
				     NULL;
	size_t n;
	char *line;

	if (!newline)
		return NULL;
	n = (size_t)(newline - input.buffer);
	line = xstrndup(input.buffer, n);
	input.used -= n + 1;
	memmove(input.buffer, newline + 1, input.used);
	return line;
}

static void worker_input_read(void)
{
	ssize_t n;

	grow(&input.buffer, &input.capacity, input.used + 65536, 1);
	n = read(0, input.buffer + input.used, 65536);
	if (n == 0 || (n < 0 && errno != EINTR))
		_exit(EXIT_DONE);
	input.used += n > 0 ? (size_t)n : 0;
}

json_t *message_wait(void)
{
	json_t *o;
	char *line;

	while (!(line = line_take()))
		worker_input_read();
	o = json_loads(line, 0, NULL);
	if (!o)
		fatal("a line that is not a message");
	free(line);
	return o;
}

const char *message_type(const json_t *o)
{
	return json_string_value(json_object_get(o, "type"));
}

/* Looks whether to pause or to end; at most `ms`. */
static void input_look(int ms)
{
	struct pollfd p = { .fd = 0, .events = POLLIN };

	while (poll(&p, 1, ms) > 0) {
		char *line;

		worker_input_read();
		while ((line = line_take())) {
			json_t *o = json_loads(line, 0, NULL);

			if (!strcmp(message_type(o), "cancel"))
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

static void report_gauge(void)
{
	if (seconds_now() - gauged < GAUGE_SECONDS)
		return;
	worker_say("gauge", device_gauge(&worker.device));
	gauged = seconds_now();
}

bool may_continue(void)
{
	report_gauge();
	input_look(0);
	while (worker.paused && !worker.cancelled) {
		input_look((int)(GAUGE_SECONDS * 1000));
		report_gauge();
	}
	return !worker.cancelled;
}
