/*
 * benchmark_request: parses the request. See benchmark_request.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "kernels/kernels.h"
#include "base/text.h"
#include "gpu/race/benchmark_request.h"

static const char *const state_names[BENCHMARK_STATES] = {
	"waiting", "checking", "ready", "timed", "skipped", "failed",
};

static int fail_member(struct error *e, const char *name, const char *expected)
{
	return error_set(e, EXIT_USAGE, "bad request: \"%s\" must be %s", name,
			 _(expected));
}

/* Checks a list's length. */
static int list_check(json_t *v, const char *name, size_t most, struct error *e)
{
	size_t n = json_array_size(v);

	if (n > 0 && n <= most)
		return 0;
	return error_set(e, EXIT_USAGE, "bad request: \"%s\" must be a list "
			 "of 1 to %zu", name, most);
}

/* ---- cases ---- */

static int kernel_check(const json_t *v, struct error *e)
{
	const char *names[64], *near, *name = json_string_value(v);
	size_t n = 0;

	if (!name)
		return fail_member(e, "kernel", "a name");
	if (kernel_find(name))
		return 0;
	for (; n < kernel_count && n < LENGTH(names); n++)
		names[n] = kernels[n].name;
	near = nearest_name(name, names, n);
	return error_set(e, EXIT_USAGE,
			 near ? N_("there is no kernel %s; did you mean %s?") :
				N_("there is no kernel %s%s"),
			 text_show(name), near ? near : "");
}

static int baseline_check(const json_t *v, struct error *e)
{
	static const char *const names[] = { "cublas-fp32", "cublas-tf32",
					     "cublas-fp16", "cublas-bf16" };

	for (size_t i = 0; json_is_string(v) && i < LENGTH(names); i++)
		if (!strcmp(json_string_value(v), names[i]))
			return 0;
	return fail_member(e, "rival",
			   "\"cublas-fp32\", \"cublas-tf32\", "
			   "\"cublas-fp16\" or \"cublas-bf16\"");
}

static int case_check(json_t *o, struct error *e)
{
	static const char *const more[] = { "defines", "block", "grid",
					    "shared_bytes" };
	const json_t *kernel = json_object_get(o, "kernel");
	const json_t *source = json_object_get(o, "source");
	const json_t *baseline = json_object_get(o, "rival");
	const char *key;
	json_t *v;

	if (!kernel + !source + !baseline != 2)
		return fail_member(e, "entrants",
				   "a list of objects with one of "
				   "\"kernel\", \"source\" and \"rival\"");
	json_object_foreach(o, key, v) {
		size_t i = 0;

		if (v == kernel || v == source || v == baseline)
			continue;
		while (i < LENGTH(more) && strcmp(more[i], key) != 0)
			i++;
		if (i == LENGTH(more) || baseline)
			return error_set(e, EXIT_USAGE, "bad request: an "
					 "entrant has no \"%s\"",
					 text_show(key));
	}
	if (kernel)
		return kernel_check(kernel, e);
	if (baseline)
		return baseline_check(baseline, e);
	return 0;
}

static int cases_read(struct benchmark_request *r, json_t *v,
			 struct error *e)
{
	size_t i;
	json_t *o;

	if (list_check(v, "entrants", TIMING_MAX_CASES, e) < 0)
		return -1;
	r->case_count = json_array_size(v);
	r->cases = v;
	json_array_foreach(v, i, o)
		if (case_check(o, e) < 0)
			return -1;
	return 0;
}

/* ---- the other members ---- */

/* Reads the list of sizes. */
static int sizes_read(struct benchmark_request *r, json_t *v, struct error *e)
{
	if (list_check(v, "sizes", TIMING_MAX_SIZES, e) < 0)
		return -1;
	r->size_count = json_array_size(v);
	r->sizes = xcalloc(r->size_count, sizeof(*r->sizes));
	for (size_t i = 0; i < r->size_count; i++) {
		const json_t *size = json_array_get(v, i);
		json_int_t n[3];

		if (json_array_size(size) != LENGTH(n))
			return fail_member(e, "sizes",
					   "a list of lists of M, N, K");
		for (size_t d = 0; d < LENGTH(n); d++) {
			const json_t *x = json_array_get(size, d);

			n[d] = json_integer_value(x);
			if (!json_is_integer(x) ||
			    n[d] < BENCHMARK_SIZE_LOWEST ||
			    n[d] > BENCHMARK_SIZE_HIGHEST)
				return error_set(e, EXIT_USAGE,
						 "M, N and K "
						 "must be whole numbers from "
						 "%d to %d",
						 BENCHMARK_SIZE_LOWEST,
						 BENCHMARK_SIZE_HIGHEST);
		}
		r->sizes[i] = (struct problem_sizes){ (int)n[0], (int)n[1],
						       (int)n[2] };
	}
	return 0;
}

static int read_positive(const json_t *v, const char *name, double highest,
			 double *to, struct error *e)
{
	double n = json_number_value(v);

	if (!json_is_number(v) || !(n > 0) || !(n <= highest))
		return error_set(e, EXIT_USAGE, "bad request: \"%s\" must be "
				 "a number above 0, at most %g", name,
				 highest);
	*to = n;
	return 0;
}

static int member_read(struct benchmark_request *r, const char *key, json_t *v,
		       struct error *e)
{
	double n = 0;

	if (!strcmp(key, "type") || !strcmp(key, "id") ||
	    !strcmp(key, "resume"))
		return 0;
	if (!strcmp(key, "entrants"))
		return cases_read(r, v, e);
	if (!strcmp(key, "sizes"))
		return sizes_read(r, v, e);
	if (!strcmp(key, "tuned")) {
		r->tuned = v;
		return json_is_array(v) ?
			       0 :
			       fail_member(e, key, "a list of tables");
	}
	if (!strcmp(key, "seconds"))
		return read_positive(v, key, 3600, &r->seconds, e);
	if (!strcmp(key, "patience"))
		return read_positive(v, key, 3600, &r->patience, e);
	if (!strcmp(key, "repeat")) {
		if (!json_is_integer(v))
			return fail_member(e, key, "a whole number");
		if (read_positive(v, key, 1000000, &n, e) < 0)
			return -1;
		r->repeat = (long)n;
		return 0;
	}
	if (!strcmp(key, "seed")) {
		if (!json_is_integer(v) || json_integer_value(v) < 0)
			return fail_member(e, key, "a whole number from 0");
		r->seed = (uint64_t)json_integer_value(v);
		return 0;
	}
	return error_set(e, EXIT_USAGE, "bad request: unknown member \"%s\"",
			 text_show(key));
}

/* ---- what was done already ---- */

/* Reads the results that a lost worker had reported. */
static void resume_read(struct benchmark_request *r, const json_t *v)
{
	for (size_t i = 0; i < r->size_count * r->case_count; i++) {
		const json_t *one = json_array_get(v, i);

		r->results[i] = (struct benchmark_result){
			(enum benchmark_state)json_integer_value(
				json_array_get(one, 0)),
			(long)json_integer_value(json_array_get(one, 1)),
			json_number_value(json_array_get(one, 2)),
		};
	}
}

json_t *benchmark_request_resume(const struct benchmark_request *r)
{
	json_t *list = json_array();

	for (size_t i = 0; i < r->size_count * r->case_count; i++)
		json_array_append_new(list, json_pack("[i I f]",
			(int)r->results[i].state,
			(json_int_t)r->results[i].samples,
			r->results[i].seconds));
	return list;
}

int benchmark_request_read(struct benchmark_request *r, json_t *request,
			   struct error *e)
{
	const char *key;
	json_t *v;

	*r = (struct benchmark_request){ .repeat = 15,
					 .seconds = 1,
					 .patience = 20,
					 .seed = 1,
					 .request = json_incref(request) };
	json_object_foreach(request, key, v)
		if (member_read(r, key, v, e) < 0)
			return -1;
	if (!r->cases || !r->sizes)
		return error_set(e, EXIT_USAGE, "bad request: \"entrants\" "
				 "and \"sizes\" are needed");
	r->results =
		xcalloc(r->size_count * r->case_count, sizeof(*r->results));
	resume_read(r, json_object_get(request, "resume"));
	return 0;
}

void benchmark_request_done(struct benchmark_request *r)
{
	json_decref(r->request);
	free(r->sizes);
	free(r->results);
	memset(r, 0, sizeof(*r));
}

struct benchmark_result *benchmark_result(const struct benchmark_request *r,
					  size_t size, size_t index)
{
	return &r->results[size * r->case_count + index];
}

bool benchmark_request_ended(const struct benchmark_result *r)
{
	return r->state >= BENCHMARK_TIMED;
}

const char *benchmark_state_name(enum benchmark_state s)
{
	return state_names[s];
}

enum benchmark_state benchmark_state_from(const char *name)
{
	size_t i = 0;

	while (i < BENCHMARK_STATES &&
	       (!name || strcmp(state_names[i], name) != 0))
		i++;
	return (enum benchmark_state)i;
}
