/*
 * runner_web: a runner without a process: it fetches recordings from the shelf
 * (shelf.h) and does nothing else; see runner/runner.h.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/lang.h"
#include "runner/runner.h"
#include "web/shelf.h"

#define BAR 20			/* cells of the bar while a file comes */

struct runner {
	long last_id;
	long record_id;		/* of the job whose recording is to come; 0 */
	int order;		/* of the shelf */
	double seen;		/* bytes, at the last step */
	uint64_t signs;
	bool lost;
	struct error reason;
};

struct runner *runner_start(char *const *argv, struct error *e)
{
	(void)argv, (void)e;
	return xcalloc(1, sizeof(struct runner));
}

bool runner_repeats(void)
{
	return false;
}

void runner_want(struct runner *r, const char *on)
{
	(void)r, (void)on;
}

void runner_free(struct runner *r)
{
	free(r);
}

int runner_read_fd(const struct runner *r)
{
	(void)r;
	return -1;
}

int runner_write_fd(const struct runner *r)
{
	(void)r;
	return -1;
}

const char *runner_name(const struct runner *r)
{
	(void)r;
	return _("the recording");
}

const char *runner_on(const struct runner *r)
{
	(void)r;
	return NULL;
}

char *runner_words(const struct runner *r)
{
	const struct shelf_order *o = shelf_look(r->order);
	struct str words = { 0 };

	if (!r->record_id)
		return NULL;
	for (int i = 0; i < BAR; i++)
		str_add(&words, o->got * BAR > o->bytes * i ? "\u2588" :
							      "\u2591");
	str_addf(&words, " %.0f / %.0f kB", o->got / 1000, o->bytes / 1000);
	return str_take(&words);
}

uint64_t runner_signs(const struct runner *r)
{
	return r->signs;
}

double runner_patience(double otherwise)
{
	return otherwise;
}

void runner_silent(const struct runner *r, double seconds, struct error *e)
{
	(void)r;
	error_set(e, EXIT_RUNNER, _("%s has sent nothing for %g seconds%s%s"),
		  _("the recording"), seconds, "", "");
}

static void lose_runner_for(struct runner *r, const char *why)
{
	r->lost = true;
	error_set(&r->reason, EXIT_RUNNER, "%s", why);
}

long runner_send(struct runner *r, const struct job *job)
{
	r->last_id++;
	r->order = shelf_order(job, &r->reason);
	r->lost = r->order < 0;
	r->record_id = r->last_id;
	return r->last_id;
}

long runner_send_time(struct runner *r, const struct job_time *job)
{
	(void)job;
	lose_runner_for(r, _("A browser times no kernels: this is a "
			     "recording."));
	return ++r->last_id;
}

long runner_send_message(struct runner *r, json_t *message)
{
	json_decref(message);
	return ++r->last_id;
}

/* Reports the recording that has come, or why it has not. */
static void take_order(struct runner *r, const struct shelf_order *o,
		       struct runner_event *out)
{
	out->fd = o->error.text[0] ? -1 : open(o->path, O_RDONLY);
	if (out->fd >= 0) {
		out->kind = RUNNER_TRACE;
		out->id = r->record_id;
		r->record_id = 0;
		return;
	}
	r->lost = true;
	r->reason = o->error;
	if (!o->error.text[0])
		error_set(&r->reason, EXIT_INPUT, "%s: %m", o->path);
}

void runner_step(struct runner *r, struct runner_event *out)
{
	*out = (struct runner_event){ .kind = RUNNER_NOTHING, .fd = -1 };
	if (!r->lost && r->record_id) {
		const struct shelf_order *o = shelf_look(r->order);

		r->signs += o->got > r->seen;
		r->seen = o->got;
		if (o->come)
			take_order(r, o, out);
	}
	if (r->lost && out->kind == RUNNER_NOTHING) {
		out->kind = RUNNER_LOST;
		out->error = r->reason;
	}
}

struct trace *runner_trace(const struct runner *r, int fd, struct error *e)
{
	struct trace *t = trace_open_fd(fd, _("the recording"), e);

	(void)r;
	if (!t || !trace_check(t, e))
		return t;
	trace_close(t);
	return NULL;
}

int runner_wait(struct runner *r, long id, double seconds,
		struct runner_event *out)
{
	(void)id;
	runner_step(r, out);
	if (out->kind != RUNNER_NOTHING)
		return out->kind == RUNNER_LOST ? -1 : 0;
	runner_silent(r, seconds, &out->error);
	out->kind = RUNNER_LOST;
	return -1;
}
