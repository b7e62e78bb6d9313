/*
 * emu_ask: asking gemmviz-emu through its pipe, for tests.
 */
#ifndef TESTS_EMU_ASK_H
#define TESTS_EMU_ASK_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/kernels.h"
#include "runner/runner.h"
#include "analysis/finding_text.h"
#include "tap.h"

static struct runner *runner;

/* ---- asking ---- */

struct reply {
	json_t *message;
	struct trace *trace;
	char error[700];
	int status;
};

static inline void reply_done(struct reply *r)
{
	json_decref(r->message);
	if (r->trace)
		trace_close(r->trace);
	memset(r, 0, sizeof(*r));
}

/* A finding in words; a static ring. */
static inline const char *finding_words(const struct trace_info *i, size_t n)
{
	static char *ring[4];
	static unsigned next;
	char **at = &ring[next++ % LENGTH(ring)];

	free(*at);
	*at = finding_text(i, &i->findings[n]);
	return *at;
}

/* Takes the reference. */
static inline struct reply ask(json_t *request)
{
	struct reply r = { 0 };
	struct runner_event ev;
	struct error e;

	if (!runner)
		runner = runner_start(NULL, &e);
	if (!runner) {
		snprintf(r.error, sizeof(r.error), "%s", e.text);
		return r;
	}
	runner_wait(runner, runner_send_message(runner, request), 60, &ev);
	if (ev.kind == RUNNER_LOST) {
		snprintf(r.error, sizeof(r.error), "lost: %s", ev.error.text);
		runner_free(runner);
		runner = NULL;
		return r;
	}
	if (ev.kind == RUNNER_TRACE) {
		r.trace = trace_open_fd(ev.fd, "answer", &e);
		if (!r.trace)
			snprintf(r.error, sizeof(r.error), "%s", e.text);
	}
	r.message = ev.message;
	if (ev.kind == RUNNER_MESSAGE && r.message &&
	    !strcmp(json_string_value(json_object_get(r.message, "type")),
		    "error")) {
		snprintf(r.error, sizeof(r.error), "%s", json_string_value(
			json_object_get(r.message, "message")));
		r.status = (int)json_integer_value(
			json_object_get(r.message, "status"));
	}
	return r;
}

static inline json_t *kernel_request(const char *kernel, int m, int n, int k)
{
	return json_pack("{s:s,s:s,s:i,s:i,s:i}", "type", "record", "kernel",
			 kernel, "m", m, "n", n, "k", k);
}

static inline json_t *text_request(const char *file, const char *text,
			    const char *entry, const char *shape)
{
	int b[3] = { 1, 1, 1 }, g[3] = { 1, 1, 1 };
	json_t *o;

	sscanf(shape, "%dx%dx%d %dx%dx%d", &b[0], &b[1], &b[2], &g[0], &g[1],
	       &g[2]);
	o = json_pack("{s:s,s:{s:s,s:s},s:i,s:i,s:i,s:[iii],s:[iii]}",
		      "type", "record", "source", "file", file, "text", text,
		      "m", 20, "n", 20, "k", 20,
		      "block", b[0], b[1], b[2], "grid", g[0], g[1], g[2]);
	if (entry)
		json_object_set_new(json_object_get(o, "source"), "entry",
				    json_string(entry));
	return o;
}

/* A kernel of tests/kernels. */
static inline json_t *file_request(const char *name, const char *shape)
{
	const char *top = getenv("srcdir");
	char *path = xasprintf("%s/tests/kernels/%s.cu",
			       top ? top : ABS_SRCDIR, name);
	char *file = xasprintf("%s.cu", name);
	struct error e = { 0 };
	size_t len;
	char *text = file_read(path, 65536, &len, &e);
	json_t *o = text_request(file, text ? text : e.text, name, shape);

	free(text);
	free(file);
	free(path);
	return o;
}

static inline json_t *with(json_t *o, const char *name, json_t *value)
{
	json_object_set_new(o, name, value);
	return o;
}

/* "TILE=16 GROUP=8" as an object. */
static inline json_t *defines_of(const char *words)
{
	json_t *d = json_object();
	char *copy = xstrdup(words);

	for (char *w = strtok(copy, " "); w; w = strtok(NULL, " ")) {
		char *value = strchr(w, '=');

		*value = '\0';
		json_object_set_new(d, w, json_string(value + 1));
	}
	free(copy);
	return d;
}

/* A kernel's launch, recorded; NULL, and says why. */
static inline struct trace *recorded(const char *kernel, const char *defines,
				     int m, int n, int k)
{
	struct reply r = ask(with(kernel_request(kernel, m, n, k), "defines",
				  defines_of(defines)));
	struct trace *t = r.trace;

	r.trace = NULL;
	if (!t)
		printf("# %s %dx%dx%d %s is not recorded: %s\n", kernel, m, n,
		       k, defines, r.error);
	reply_done(&r);
	return t;
}

static inline void check_refused(json_t *request, int status, const char *want)
{
	struct reply r = ask(request);

	tap_str(r.error, want, "refused: %s", want);
	tap_is(r.status, status, "with its status");
	reply_done(&r);
}

/* ---- looking into traces ---- */

typedef void (*visit)(void *ctx, const struct trace_info *info,
		      const struct trace_warp *w,
		      const struct trace_request *r);

static inline bool each_request(struct trace *t, visit f, void *ctx)
{
	struct trace_request r;
	struct error e;

	for (size_t w = 0; t && w < trace_warp_count(t); w++) {
		const struct trace_warp *tw = trace_warp(t, w);

		for (uint32_t i = 0; i < tw->requests; i++) {
			if (trace_get(t, w, i, &r, &e) < 0)
				return false;
			f(ctx, trace_info(t), tw, &r);
		}
	}
	return true;
}

static inline char *dump(struct trace *t)
{
	char *text = NULL;
	size_t size;
	struct error e;
	FILE *f = open_memstream(&text, &size);

	if (!t || trace_dump(t, f, &e) < 0)
		fputs("no dump", f);
	fclose(f);
	return text;
}

/* ---- the answer ---- */

/* The matrices as the trace shows them: what was read of A and B, what was
 * written to C. */
struct matrices {
	float *at[3];
	bool *seen[3];
};

static inline void matrices_visit(void *ctx, const struct trace_info *info,
			   const struct trace_warp *w,
			   const struct trace_request *r)
{
	const struct trace_site *s = &info->sites[r->site];
	const struct trace_array *a = &info->arrays[s->array];
	struct matrices *m = ctx;

	(void)w;
	if (!op_is_access(s->op) || s->array > 2)
		return;
	for (uint32_t l = 0; l < WARP_LANES; l++) {
		uint64_t first = r->offset[l] / a->elem_bytes;

		for (uint32_t i = 0; r->mask >> l & 1 &&
		     i < s->bytes / a->elem_bytes; i++) {
			double v = 0;

			element_value(a->elem, &r->value[l * 4],
				      i * a->elem_bytes, &v);
			m->at[s->array][first + i] = (float)v;
			m->seen[s->array][first + i] = true;
		}
	}
}

/* `unit`: the relative error that each addition may have. */
static inline bool product_is_right(const struct matrices *x, int m, int n,
				    int k, double unit)
{
	for (int i = 0; i < m; i++)
		for (int j = 0; j < n; j++) {
			double sum = 0, size = 0;

			for (int p = 0; p < k; p++) {
				if (!x->seen[0][i * k + p] ||
				    !x->seen[1][p * n + j])
					return false;
				sum += (double)x->at[0][i * k + p] *
				       x->at[1][p * n + j];
				size += fabs((double)x->at[0][i * k + p] *
					     x->at[1][p * n + j]);
			}
			if (!x->seen[2][i * n + j] ||
			    !(fabs(x->at[2][i * n + j] - sum) <=
			      unit * size))
				return false;
		}
	return true;
}

/* Of the matrices as they were launched, padded ones with their zeros. */
static inline bool answer_is_right(struct trace *t)
{
	const struct trace_array *a = trace_info(t)->arrays;
	int m = (int)a[0].dims[0], k = (int)a[0].dims[1];
	int n = (int)a[1].dims[1];
	const size_t sizes[] = { (size_t)m * k, (size_t)k * n,
				 (size_t)m * n };
	struct matrices x;
	bool right;

	for (int i = 0; i < 3; i++) {
		x.at[i] = xcalloc(sizes[i], sizeof(float));
		x.seen[i] = xcalloc(sizes[i], sizeof(bool));
	}
	right = each_request(t, matrices_visit, &x) &&
		product_is_right(&x, m, n, k, recorded_fractions(trace_info(t)) ?
				 a[2].elem == ELEM_F16 ? 0x1p-9 : 0x1p-20 : 0);
	for (int i = 0; i < 3; i++) {
		free(x.at[i]);
		free(x.seen[i]);
	}
	return right;
}

#endif
