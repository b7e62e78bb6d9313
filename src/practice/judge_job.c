/* judge_job: a rung's calls as a job for a recorder. See judge_parts.h. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/encode.h"
#include "base/lang.h"
#include "base/text.h"
#include "practice/judge_input.h"
#include "practice/judge_parts.h"
#include "protocol/headers.h"
#include "protocol/job.h"

/* The most by which a loaded machine lengthens a limit. */
#define LOAD_MOST 3.0
#define REFERENCE_FILE "gemmviz-reference.cu"

size_t judge_calls(const struct judging *j)
{
	return j->options.costs_only ? 1 : j->rung->size_count + 1;
}

size_t judge_size_of(const struct rung *r, size_t call)
{
	return MIN(call, r->size_count - 1);
}

/* Returns an array's contents as hex; heap. */
static char *make_input_hex(const struct rung *r, uint64_t seed, size_t call,
			size_t a, uint64_t count)
{
	enum elem elem = r->arguments[a].elem;
	unsigned char *bytes = xcalloc(count, elem_size(elem));
	char *hex;

	for (uint64_t i = 0; i < count; i++)
		judge_encode(elem, judge_input(r, seed, call, a, i),
			     bytes + i * elem_size(elem));
	hex = hex_encode(bytes, count * elem_size(elem));
	free(bytes);
	return hex;
}

/* Returns an argument of a call; NULL with e. */
static json_t *make_argument(const struct rung *r, uint64_t seed, size_t call,
			     size_t a, struct error *e)
{
	const struct rung_argument *of = &r->arguments[a];
	const struct problem_sizes *size = &r->sizes[judge_size_of(r, call)];
	int64_t count;
	char *hex;
	json_t *o;

	if (of->size)
		return json_pack("{ss si}", "name", of->name, "value",
				 problem_size(size, of->size));
	count = rung_elements(r, of, size, e);
	if (count < 0)
		return NULL;
	if (count * elem_size(of->elem) > JUDGED_BYTES_MOST) {
		error_set(e, EXIT_INPUT, _("%s: %s has more than %d bytes"),
			  text_show(r->path), text_show(of->name),
			  JUDGED_BYTES_MOST);
		return NULL;
	}
	hex = of->output ? NULL :
			   make_input_hex(r, seed, call, a, (uint64_t)count);
	o = json_pack("{ss ss sI ss*}", "name", of->name, "elem",
		      elem_name(of->elem), "bytes",
		      (json_int_t)(count * elem_size(of->elem)), "hex", hex);
	free(hex);
	return o;
}

static json_t *make_calls(const struct judging *j, uint64_t seed,
			  struct error *e)
{
	const struct rung *r = j->rung;
	json_t *calls = json_array();

	for (size_t call = 0; call < judge_calls(j); call++) {
		json_t *list = json_array();

		json_array_append_new(calls, list);
		for (size_t a = 0; a < r->argument_count; a++) {
			json_t *o = make_argument(r, seed, call, a, e);

			if (!o) {
				json_decref(calls);
				return NULL;
			}
			json_array_append_new(list, o);
		}
	}
	return calls;
}

/* Adds what computes the reference: a file of its own, where the learner's macros
 * do not reach it. */
static void add_reference(struct job_kernel *k, const struct rung *r)
{
	char *text = xasprintf("namespace gemmviz_judge {\n%s}\n",
			       r->reference);

	job_define(&k->headers, REFERENCE_FILE, text);
	job_define(&k->program.files, REFERENCE_FILE, "");
	free(text);
}

/* Adds the words of a line as a program's arguments. */
static void add_run_arguments(struct job_program *p, const char *words)
{
	char *copy = xstrdup(words);

	for (char *w = strtok(copy, " "); w; w = strtok(NULL, " "))
		job_program_argument(p, w);
	free(copy);
}

/* Returns how many times longer something takes here than on idle processors, as
 * far as the system's load tells. */
static double measure_load(void)
{
	double load;
	long cores = sysconf(_SC_NPROCESSORS_ONLN);

	if (cores < 1 || getloadavg(&load, 1) != 1)
		return 1;
	return MAX(1, MIN(load / (double)cores, LOAD_MOST));
}

int judge_job_make(const struct judging *j, uint64_t seed, struct job *job,
		   struct error *e)
{
	const struct rung *r = j->rung;
	struct job_kernel *k = &job->kernel;
	double load = measure_load();
	json_t *calls = NULL;

	job_init(job, JOB_RECORD);
	k->file = xstrdup(file_base(j->path));
	k->text = xstrdup(j->text);
	k->text_length = strlen(k->text);
	k->program.run = true;
	job->size = (struct problem_sizes){ 1, 1, 1 };
	job->values = false;
	job->seconds = JUDGE_SECONDS * load;
	job->timeout = JUDGE_COMPILE_SECONDS * load;
	job->memory = JUDGE_MEMORY;
	job->max_events = JUDGE_EVENTS;
	headers_find(k, j->path);
	if (r->kind == RUNG_REFERENCE)
		add_reference(k, r);
	if (r->kind == RUNG_PROGRAM) {
		size_t run = j->round < r->run_count ? j->round : 0;

		add_run_arguments(&k->program, r->runs[run].arguments);
		k->program.unread = true;
		k->program.mute = j->round == r->run_count;
		if (j->round > r->run_count)
			k->program.fail =
				(uint32_t)(j->round - r->run_count);
		return 0;
	}
	calls = make_calls(j, seed, e);
	if (!calls)
		return -1;
	k->program.judge = json_pack("{ss so}", "function", "launch", "calls",
				     calls);
	return 0;
}
