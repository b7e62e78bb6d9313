/*
 * supervise_record: passes jobs to the recorder, a worker that stays, and its
 * answers on as they are.
 */
#include <string.h>

#include "gpu/supervisor.h"

/* Silence that is the compiler's or a disk's, besides the kernel's time. */
#define WORK_SECONDS 60.0
#define KERNEL_SECONDS 60.0	/* where a job says no "seconds" */
#define COPY_BYTES 65536

static struct peer recorder;

void supervise_record_done(void)
{
	peer_stop(&recorder);
}

/* Sets the error, a sentence for the client, that tells why the worker is
 * replaced. Stops the worker. */
static void stop_recorder(enum heard heard, double patience, struct error *e)
{
	struct error why;

	if (heard == HEARD_NOTHING) {
		error_set(e, EXIT_RUNNER, "the recording on the GPU was "
			  "stopped after %g seconds without a result; the "
			  "kernel may hang", patience);
	} else {
		child_epitaph(&recorder.child, &why);
		error_set(e, EXIT_RUNNER, "the recording on the GPU was lost: "
			  "%s", why.text);
	}
	peer_stop(&recorder);
}

/* Copies the bytes of a trace. */
static enum heard trace_pass(json_int_t bytes, double patience,
				struct error *e)
{
	char copy[COPY_BYTES];

	while (bytes > 0) {
		size_t n = peer_take(&recorder, copy,
				     (size_t)MIN(bytes, COPY_BYTES));
		enum heard heard;

		supervisor_put(copy, n);
		bytes -= (json_int_t)n;
		if (n || !bytes)
			continue;
		heard = supervisor_hear(&recorder,
					supervisor_now() + patience, NULL,
					NULL);
		if (heard == HEARD_END)
			return heard;
		if (heard == HEARD_LOST || heard == HEARD_NOTHING) {
			/* In the middle of a trace there are no messages: our
			 * own end says it. */
			stop_recorder(heard, patience, e);
			fprintf(stderr, "%s\n", e->text);
			return HEARD_END;
		}
	}
	return HEARD_LINE;
}

/* Passes a line of the worker on: returns HEARD_LINE when it was the answer's
 * last, else HEARD_NOTHING. */
static enum heard line_pass(const char *line, size_t n, double patience,
			       struct error *e)
{
	json_t *o = json_loadb(line, n, 0, NULL);
	const char *type = json_string_value(json_object_get(o, "type"));
	json_int_t bytes = json_integer_value(json_object_get(o, "bytes"));
	enum heard heard = HEARD_LINE;

	if (type && !strcmp(type, "hello")) {
		heard = HEARD_NOTHING;
	} else {
		supervisor_put(line, n);
		supervisor_put("\n", 1);
		if (type && !strcmp(type, "progress"))
			heard = HEARD_NOTHING;
		else if (type && !strcmp(type, "trace"))
			heard = trace_pass(bytes, patience, e);
	}
	json_decref(o);
	return heard;
}

static enum heard answer_pass(json_int_t id, double patience)
{
	struct error e;

	for (;;) {
		const char *line;
		size_t n;
		enum heard heard = supervisor_hear(
			&recorder, supervisor_now() + patience, &line, &n);

		if (heard == HEARD_LOST || heard == HEARD_NOTHING) {
			stop_recorder(heard, patience, &e);
			supervisor_say_error(id, &e);
			return HEARD_NOTHING;
		}
		if (heard == HEARD_LINE)
			heard = line_pass(line, n, patience, &e);
		if (heard == HEARD_LINE || heard == HEARD_END)
			return heard;
	}
}

/* Starts the recorder if needed. One that has ended after its last answer is
 * replaced without a message. */
static int recorder_ready(const struct workers *w, struct error *e)
{
	const char *line;
	size_t n;

	if (recorder.there && supervisor_hear(&recorder, 0, &line, &n) ==
			      HEARD_LOST)
		peer_stop(&recorder);
	return peer_start(&recorder, w->recorder, e);
}

enum heard supervise_record(const struct workers *w, const json_t *request,
			       json_int_t id)
{
	const json_t *seconds = json_object_get(request, "seconds");
	double kernel = json_is_number(seconds) ? json_number_value(seconds) :
						  KERNEL_SECONDS;
	struct error e;

	if (recorder_ready(w, &e) < 0) {
		supervisor_say_error(id, &e);
		return HEARD_NOTHING;
	}
	peer_send_message(&recorder, json_incref((json_t *)request));
	return answer_pass(id, kernel + WORK_SECONDS);
}
