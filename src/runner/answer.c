#include "runner/answer.h"

#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/text.h"
#include "runner/runner.h"

/* ---- what must be in one ---- */

json_int_t answer_whole(const json_t *message, const char *member,
			json_int_t low, json_int_t high)
{
	const json_t *v = json_object_get(message, member);
	json_int_t i = json_integer_value(v);

	return json_is_integer(v) && i >= low && i <= high ? i : -1;
}

/* Checks an error's members. Its text comes from outside the program: makes it
 * safe to show, and fills in a missing one. */
static const char *error_wrong(json_t *message)
{
	const json_t *words = json_object_get(message, "message");
	char *clean;

	if (answer_whole(message, "status", 0, 255) < 0 ||
	    !json_is_string(words))
		return _("expected an error's status and message");
	clean = text_clean(json_string_value(words), json_string_length(words),
			   0);
	json_object_set_new(message, "message", json_string(
		clean[strspn(clean, " ")] ? clean :
		_("the recorder failed and gave no reason")));
	free(clean);
	return NULL;
}

static const char *locals_wrong(json_t *message)
{
	json_t *names = json_object_get(message, "names");
	json_t *rows = json_object_get(message, "rows"), *v;
	bool good = json_is_array(names) && json_is_array(rows) &&
		    answer_whole(message, "first", 0, INT64_MAX) >= 0;
	size_t i;

	json_array_foreach(names, i, v)
		good = good && json_is_string(v);
	json_array_foreach(rows, i, v)
		good = good && json_array_size(v) == json_array_size(names);
	return good ? NULL : _("expected \"first\", \"names\" and "
			       "\"rows\" in locals");
}

static const char *progress_wrong(json_t *message)
{
	return answer_whole(message, "events", 0, INT64_MAX) >= 0 ?
	       NULL : _("expected \"events\" in progress");
}

static const char *output_wrong(json_t *message)
{
	return json_is_string(json_object_get(message, "text")) ?
	       NULL : _("expected \"text\" in output");
}

static const char *counters_wrong(json_t *message)
{
	json_t *counters = json_object_get(message, "counters"), *v;
	const char *name;
	bool good = json_is_object(counters);

	json_object_foreach(counters, name, v)
		good = good && (json_is_number(v) || json_is_null(v));
	return good ? NULL : _("expected numbers in \"counters\"");
}

/* Checks that a calibration has its parts; timing/calibration.h checks the
 * figures. */
static const char *calibration_wrong(json_t *message)
{
	return json_is_object(json_object_get(message, "machine")) &&
	       json_is_array(json_object_get(message, "patterns")) ?
	       NULL : _("expected \"machine\" and \"patterns\" in a "
			"calibration");
}

/* Checks a launch's samples: seconds, all positive. */
static bool samples_good(const json_t *o)
{
	const json_t *list = json_object_get(o, "samples"), *v;
	bool good = json_is_array(list);
	size_t i;

	json_array_foreach(list, i, v)
		good = good && json_is_number(v) && json_number_value(v) > 0 &&
		       json_number_value(v) < 1e9;
	return good;
}

static bool dims_good(const json_t *list)
{
	bool good = json_array_size(list) == 3;
	const json_t *v;
	size_t i;

	json_array_foreach(list, i, v)
		good = good && json_is_integer(v) && json_integer_value(v) > 0 &&
		       json_integer_value(v) <= INT32_MAX;
	return good;
}

static bool product_good(const json_t *o)
{
	return !o || json_is_null(o) ||
	       (answer_whole(o, "m", 1, INT32_MAX) > 0 &&
		answer_whole(o, "n", 1, INT32_MAX) > 0 &&
		answer_whole(o, "k", 1, INT32_MAX) > 0 &&
		json_is_string(json_object_get(o, "baseline")) &&
		samples_good(o));
}

static bool launch_good(const json_t *o)
{
	return answer_whole(o, "launch", 1, INT32_MAX) > 0 &&
	       answer_whole(o, "count", 1, INT64_MAX) > 0 &&
	       json_is_string(json_object_get(o, "kernel")) &&
	       dims_good(json_object_get(o, "grid")) &&
	       dims_good(json_object_get(o, "block")) &&
	       (json_is_string(json_object_get(o, "why")) || samples_good(o)) &&
	       product_good(json_object_get(o, "product"));
}

static const char *launches_wrong(json_t *message)
{
	const json_t *list = json_object_get(message, "launches"), *v;
	bool good = json_is_object(json_object_get(message, "machine")) &&
		    json_is_object(json_object_get(message, "program")) &&
		    json_is_array(list);
	size_t i;

	json_array_foreach(list, i, v)
		good = good && launch_good(v);
	return good ? NULL : _("expected \"machine\", \"program\" and "
			       "\"launches\"");
}

static const char *machine_wrong(json_t *message)
{
	return json_is_string(json_object_get(message, "text")) &&
	       json_is_string(json_object_get(message, "entry")) &&
	       answer_whole(message, "arch", 1, 999) > 0 ?
	       NULL : _("expected \"text\", \"entry\" and \"arch\" of "
			"machine code");
}

/* What "time" is told before it ends timing looks at more closely. */
static const struct answer_kind answers[] = {
	{ "progress", NULL, false, false, progress_wrong },
	{ "error", NULL, true, false, error_wrong },
	{ "trace", "record", true, false, NULL },
	{ "output", "record", false, true, output_wrong },
	{ "program", "record", false, true, NULL },
	{ "locals", "locals", true, false, locals_wrong },
	{ "queue", "time", false, false, NULL },
	{ "machine", "time", false, false, NULL },
	{ "entrant", "time", false, false, NULL },
	{ "sample", "time", false, false, NULL },
	{ "gauge", "time", false, false, NULL },
	{ "timed", "time", true, false, NULL },
	{ "counters", "counters", true, false, counters_wrong },
	{ "calibration", "calibrate", true, false, calibration_wrong },
	{ "launches", "launches", true, false, launches_wrong },
	{ "machine", "machine", true, false, machine_wrong },
	{ "tools", "tools", true, false, NULL },
};

const struct answer_kind *answer_find(const char *type, const char *job,
				      bool program)
{
	for (size_t i = 0; i < LENGTH(answers); i++)
		if (!strcmp(answers[i].type, type) &&
		    (!answers[i].job || !strcmp(answers[i].job, job)) &&
		    (!answers[i].of_program || program))
			return &answers[i];
	return NULL;
}

/* ---- what an event says ---- */

/* Frees an event's message. */
void runner_event_done(struct runner_event *ev)
{
	json_decref(ev->message);
	ev->message = NULL;
}

const char *runner_event_type(const struct runner_event *ev)
{
	const char *type = json_string_value(json_object_get(ev->message,
							     "type"));

	return type ? type : "";
}

/* Returns the exit status that a recorder sent; EXIT_RUNNER, which tells only
 * that it failed, for a status that is not one of ours. */
static enum exit_status known_status(json_int_t status)
{
	return (status >= EXIT_CHECK && status <= EXIT_REFUSED) ||
	       status == EXIT_BUG ? (enum exit_status)status : EXIT_RUNNER;
}

bool runner_refused(const struct runner_event *ev, struct error *e)
{
	json_int_t status = json_integer_value(json_object_get(ev->message,
							       "status"));

	if (strcmp(runner_event_type(ev), "error") != 0)
		return false;
	error_set(e, known_status(status), "%s",
		  json_string_value(json_object_get(ev->message, "message")));
	return true;
}

void runner_progress(const struct runner_event *ev, int64_t *blocks,
		     int64_t *of)
{
	*blocks = MAX(0, answer_whole(ev->message, "blocks", 0, INT64_MAX));
	*of = MAX(0, answer_whole(ev->message, "of", 0, INT64_MAX));
}

int64_t runner_program_bytes(const struct runner_event *ev)
{
	const json_t *traces = json_object_get(ev->message, "traces");

	return MAX(0, answer_whole(json_array_get(traces, 0), "bytes", 0,
				   INT64_MAX));
}

struct locals *runner_locals(const struct runner_event *ev)
{
	const json_t *names = json_object_get(ev->message, "names");
	const json_t *rows = json_object_get(ev->message, "rows");
	size_t n = json_array_size(names), count = json_array_size(rows);
	struct locals *l = locals_new(n, count);

	l->first = (uint64_t)answer_whole(ev->message, "first", 0, INT64_MAX);
	for (size_t i = 0; i < n; i++)
		l->names[i] = xstrdup(json_string_value(
			json_array_get(names, i)));
	for (size_t i = 0; i < count * n; i++) {
		const json_t *v = json_array_get(json_array_get(rows, i / n),
						 i % n);

		l->values[i].known = json_is_integer(v);
		l->values[i].v = json_integer_value(v);
	}
	return l;
}

double runner_counter(const struct runner_event *ev, const char *name)
{
	const json_t *v = json_object_get(json_object_get(ev->message,
							  "counters"), name);

	return json_is_number(v) ? json_number_value(v) : NA;
}
