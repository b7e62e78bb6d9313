#include "reader/session.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "kernels/kernels.h"

/* Rows of locals asked for at once, and how many of them behind us. */
#define LOCALS_ROWS 1024
#define LOCALS_BEHIND 128
/* Seconds without a sign of life before a recorder counts as hung. */
#define PATIENCE 120
/* A kernel's text is a page or ten; a megabyte is no kernel. */
#define SOURCE_MAX (1u << 20)

json_t *session_request(const char *kernel, int m, int n, int k,
			const struct trace_define *defines, size_t count)
{
	json_t *r = json_object(), *d = json_object();

	json_object_set_new(r, "type", json_string("record"));
	if (kernel)
		json_object_set_new(r, "kernel", json_string(kernel));
	json_object_set_new(r, "m", json_integer(m));
	json_object_set_new(r, "n", json_integer(n));
	json_object_set_new(r, "k", json_integer(k));
	for (size_t i = 0; i < count; i++)
		json_object_set_new(d, defines[i].name,
				    json_string(defines[i].value));
	json_object_set_new(r, "defines", d);
	return r;
}

/* A file's text goes along in the message: the recorder may be elsewhere. */
json_t *session_source(const char *path, const char *entry, struct error *e)
{
	const char *slash = strrchr(path, '/');
	char *name = text_utf8(slash ? slash + 1 : path);
	json_t *source = NULL;
	size_t len;
	char *text = file_read(path, SOURCE_MAX, &len, e);

	if (text) {
		source = json_pack("{s:s, s:s#, s:s*}", "file", name, "text",
				   text, (int)len, "entry", entry);
		if (!source)
			error_set(e, EXIT_INPUT, "%s is not UTF-8 text",
				  text_show(path));
	}
	free(text);
	free(name);
	return source;
}

static void recording_lost(struct recording *r, const struct error *e)
{
	runner_free(r->runner);
	r->runner = NULL;
	r->record_id = r->locals_id = 0;
	r->fresh = true;
	/* With the trace there, only the locals are gone; what was wrong with
	 * it says more than what came behind it. */
	if (r->trace)
		r->gone = *e;
	else if (!r->error.text[0])
		r->error = *e;
}

static void recording_start(struct recording *r, char *const *argv,
			    const char *on, json_t *request)
{
	r->runner = runner_start(argv, &r->error);
	if (!r->runner) {
		json_decref(request);
		r->fresh = true;
		return;
	}
	runner_want(r->runner, on);
	r->record_id = runner_send(r->runner, request);
}

static json_t *dim_json(struct trace_dim d)
{
	return json_pack("[I,I,I]", (json_int_t)d.x, (json_int_t)d.y,
			 (json_int_t)d.z);
}

/* What a lesson records; NULL with e when its file cannot be read. */
static json_t *record_request(const struct lesson_record *r, struct error *e)
{
	json_t *source, *request = session_request(r->file ? NULL : r->kernel,
						   r->m, r->n, r->k,
						   r->defines,
						   r->define_count);

	if (!r->file)
		return request;
	source = session_source(r->file, r->entry, e);
	if (!source) {
		json_decref(request);
		return NULL;
	}
	json_object_set_new(request, "source", source);
	json_object_set_new(request, "block", dim_json(r->block));
	json_object_set_new(request, "grid", dim_json(r->grid));
	json_object_set_new(request, "shared_bytes",
			    json_integer(r->shared_bytes));
	return request;
}

void session_lesson(struct session *s, const struct lesson *l,
		    char *const *argv, const char *on)
{
	*s = (struct session){ .count = l->record_count };
	for (size_t i = 0; i < l->record_count; i++) {
		struct recording *r = &s->recordings[i];
		json_t *request = record_request(&l->records[i], &r->error);

		if (request)
			recording_start(r, argv, on, request);
		else
			r->fresh = true;
	}
}

void session_trace(struct session *s, struct trace *t, char *const *argv)
{
	const struct trace_info *i = trace_info(t);
	struct recording *r = &s->recordings[0];

	*s = (struct session){ .count = 1 };
	r->trace = t;
	r->stage = stage_new(t);
	if (!i->partial && !strcmp(i->on, "cpu") && kernel_find(i->kernel))
		recording_start(r, argv, "cpu",
				session_request(i->kernel, (int)i->m,
						(int)i->n, (int)i->k,
						i->defines,
						i->define_count));
	r->gone = r->error;	/* nothing is lost but the locals */
	r->error.text[0] = 0;
}

void session_done(struct session *s)
{
	for (size_t i = 0; i < s->count; i++) {
		runner_free(s->recordings[i].runner);
		stage_free(s->recordings[i].stage);
		trace_close(s->recordings[i].trace);
	}
	*s = (struct session){0};
}

size_t session_fds(const struct session *s, struct pollfd *fds)
{
	size_t n = 0;

	for (size_t i = 0; i < s->count; i++) {
		const struct runner *r = s->recordings[i].runner;

		if (!r)
			continue;
		fds[n++] = (struct pollfd){ .fd = runner_read_fd(r),
					    .events = POLLIN };
		fds[n++] = (struct pollfd){ .fd = runner_write_fd(r),
					    .events = POLLOUT };
	}
	return n;
}

static void take_trace(struct recording *r, int fd)
{
	struct trace *t = runner_trace(r->runner, fd, &r->error);

	r->record_id = 0;
	if (r->trace) {		/* made again, for its locals only */
		trace_close(t);
		r->error.text[0] = 0;
		return;
	}
	r->trace = t;
	if (t)
		r->stage = stage_new(t);
	/* A GPU has no locals to tell, and others may be waiting for it. */
	if (!strcmp(runner_on(r->runner), "gpu")) {
		runner_free(r->runner);
		r->runner = NULL;
	}
}

/* The columns and rows of a message of type "locals", which the runner has
 * found to be whole. */
static struct locals *read_locals(const struct recording *r, const json_t *m)
{
	const json_t *names = json_object_get(m, "names");
	const json_t *rows = json_object_get(m, "rows");
	size_t n = json_array_size(names), count = json_array_size(rows);
	struct locals *l = locals_new(n, count);

	l->warp = r->locals_warp;
	l->lane = r->locals_lane;
	l->first = (uint64_t)json_integer_value(json_object_get(m, "first"));
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

static void take_message(struct recording *r, json_t *m)
{
	const char *type = json_string_value(json_object_get(m, "type"));
	json_int_t id = json_integer_value(json_object_get(m, "id"));

	if (!type)
		return;
	if (!strcmp(type, "locals") && id == r->locals_id) {
		r->locals_id = 0;
		if (r->stage)
			stage_locals(r->stage, read_locals(r, m));
	} else if (!strcmp(type, "error") && id == r->locals_id) {
		r->locals_id = 0;
	} else if (!strcmp(type, "error") && id == r->record_id) {
		const char *text = json_string_value(
			json_object_get(m, "message"));
		json_int_t status = json_integer_value(
			json_object_get(m, "status"));

		r->record_id = 0;
		if (!r->trace)
			error_set(&r->error, status > 0 && status < 256 ?
				  (enum exit_status)status : EXIT_RUNNER,
				  "%s", text ? text : "no reason given");
	}
}

static bool recording_step(struct recording *r)
{
	struct runner_event ev;
	bool any = false;

	while (r->runner) {
		runner_step(r->runner, &ev);
		if (ev.kind == RUNNER_NOTHING)
			break;
		any = true;
		if (ev.kind == RUNNER_LOST) {
			recording_lost(r, &ev.error);
		} else if (ev.kind == RUNNER_TRACE) {
			take_trace(r, ev.fd);
		} else {
			take_message(r, ev.message);
			json_decref(ev.message);
		}
	}
	any |= r->fresh;
	r->fresh = false;
	if (r->runner && r->record_id && runner_signs(r->runner) != r->signs) {
		r->signs = runner_signs(r->runner);
		any = true;
	}
	return any;
}

bool session_step(struct session *s)
{
	bool any = false;

	for (size_t i = 0; i < s->count; i++)
		any |= recording_step(&s->recordings[i]);
	return any;
}

void session_want_locals(struct recording *r, const struct cursor *p)
{
	const struct trace_warp *w;
	uint32_t ordinal, first;
	json_t *m;

	if (!r->runner || !r->stage || r->record_id || r->locals_id ||
	    !stage_wants_locals(r->stage, p))
		return;
	w = trace_warp(r->trace, p->warp);
	ordinal = stage_ordinal(r->stage, p->warp, p->request, p->lane);
	first = ordinal > LOCALS_BEHIND ? ordinal - LOCALS_BEHIND : 0;
	if (r->locals_asked && r->locals_warp == p->warp &&
	    r->locals_lane == p->lane && r->locals_first == first)
		return;
	m = json_object();
	json_object_set_new(m, "type", json_string("locals"));
	json_object_set_new(m, "block", json_integer(w->block));
	json_object_set_new(m, "thread", json_integer(w->warp * WARP_LANES +
						      p->lane));
	json_object_set_new(m, "first", json_integer(first));
	json_object_set_new(m, "count", json_integer(LOCALS_ROWS));
	r->locals_warp = p->warp;
	r->locals_lane = p->lane;
	r->locals_first = first;
	r->locals_asked = true;
	r->locals_id = runner_send(r->runner, m);
}

/* Those that we wait for are given up. */
static void give_up(struct session *s, double patience)
{
	for (size_t i = 0; i < s->count; i++) {
		struct recording *r = &s->recordings[i];
		struct error e;

		if (!r->record_id && !r->locals_id)
			continue;
		runner_silent(r->runner, patience, &e);
		recording_lost(r, &e);
	}
}

void session_wait(struct session *s)
{
	double patience = runner_patience(PATIENCE);

	for (;;) {
		struct pollfd fds[2 * LESSON_MAX_RECORDS];
		bool busy = false;

		session_step(s);
		for (size_t i = 0; i < s->count; i++)
			busy |= s->recordings[i].record_id ||
				s->recordings[i].locals_id;
		if (!busy)
			return;
		if (!poll(fds, session_fds(s, fds), (int)(patience * 1000)))
			give_up(s, patience);
	}
}

const struct error *session_error(const struct session *s)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->recordings[i].error.text[0])
			return &s->recordings[i].error;
	return NULL;
}
