/* A benchmark as data, still empty: see timing_message.c and timing_file.c. */
#include "timing/timing.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "timing/baseline.h"
#include "timing/timing_parts.h"

static const char *baseline_label(const char *name)
{
	const struct baseline *b = baseline_find(name);

	return b ? b->label : name;
}

char *timing_defines(const struct job_defines *defines)
{
	struct str s = {0};

	for (size_t i = 0; defines && i < defines->count; i++) {
		char *word = xasprintf(" %s=%s", defines->list[i].name,
				       defines->list[i].value);
		char *clean = text_clean(word, strlen(word), 0);

		str_add(&s, clean);
		free(word);
		free(clean);
	}
	return str_take(&s);
}

/* Formats a case's label: "tiled" with TILE=32 gives "tiled TILE=32"; heap. */
static char *label_of(const char *name, const struct job_kernel *what)
{
	char *defines, *label;

	if (what->baseline)
		return xstrdup(baseline_label(name));
	defines = timing_defines(&what->defines);
	label = xasprintf("%s%s", name, defines);
	free(defines);
	return label;
}

#define COUNT_NAME(name) #name,
static const char *const count_names[] = { TIMING_COUNTS(COUNT_NAME) };
const size_t timing_count_count = LENGTH(count_names);

const char *timing_count_name(size_t i)
{
	return count_names[i];
}

double *timing_count(struct timing_counts *c, size_t i)
{
	return (double *)c + i;
}

void timing_add_case(struct timing *t, struct job_kernel *what)
{
	struct timing_case *n = &t->cases[t->case_count++];
	const char *name = what->baseline ? what->baseline :
			   what->name ? what->name : what->file;

	*n = (struct timing_case){
		.name = text_clean(name, MIN(strlen(name), 64), 0),
		.baseline = what->baseline != NULL,
		.what = *what,
		.intensity = xcalloc(t->size_count, sizeof(*n->intensity)),
		.counts = xcalloc(t->size_count, sizeof(*n->counts)),
	};
	n->label = label_of(n->name, what);
	for (size_t i = 0; i < t->size_count; i++) {
		n->intensity[i] = NA;
		for (size_t k = 0; k < timing_count_count; k++)
			*timing_count(&n->counts[i], k) = NA;
	}
}

static void machine_init(struct timing_machine *m)
{
	*m = (struct timing_machine){
		.sms = NA, .clock_mhz = NA, .memory_clock_mhz = NA,
		.bus_bits = NA, .fp32_lanes = NA, .memory_bytes = NA,
		.l2_bytes = NA,
	};
}

struct timing *timing_empty(size_t cases, size_t sizes)
{
	struct timing *t = xcalloc(1, sizeof(*t));

	machine_init(&t->machine);
	t->now_mhz = t->watts = t->celsius = NA;
	t->place = -1;
	t->cases = xcalloc(cases, sizeof(*t->cases));
	t->sizes = xcalloc(sizes, sizeof(*t->sizes));
	t->results = xcalloc(cases * sizes, sizeof(*t->results));
	for (size_t i = 0; i < cases * sizes; i++)
		t->results[i] = (struct timing_result){
			.error = NA, .bound = NA, .registers = NA,
			.shared_bytes = NA, .tried = NA,
			.clock_mhz = NA };
	return t;
}

struct timing *timing_new(const struct job_time *job)
{
	struct timing *t = timing_empty(job->case_count, job->size_count);
	time_t now = time(NULL);
	struct tm day;
	char date[32];

	for (size_t i = 0; i < job->size_count; i++)
		t->sizes[t->size_count++] = job->sizes[i];
	for (size_t i = 0; i < job->case_count; i++) {
		struct job_kernel what = job_kernel_copy(&job->cases[i]);

		timing_add_case(t, &what);
	}
	strftime(date, sizeof(date), "%Y-%m-%d", gmtime_r(&now, &day));
	t->date = xstrdup(date);
	return t;
}

void timing_free(struct timing *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->case_count; i++) {
		free(t->cases[i].name);
		free(t->cases[i].label);
		free(t->cases[i].text_hash);
		free(t->cases[i].intensity);
		free(t->cases[i].counts);
		job_kernel_done(&t->cases[i].what);
	}
	for (size_t i = 0; t->results && i < t->size_count * t->case_count;
	     i++) {
		free(t->results[i].why);
		free(t->results[i].reference);
		free(t->results[i].samples);
		free(t->results[i].date);
		free(t->results[i].from);
		job_defines_done(&t->results[i].defines);
	}
	free(t->machine.gpu);
	free(t->machine.compute);
	free(t->machine.driver);
	free(t->machine.cuda);
	free(t->machine.cublas);
	free(t->machine.uuid);
	free(t->cases);
	free(t->results);
	free(t->sizes);
	free(t->order);
	free(t->date);
	free(t->from);
	free(t);
}

struct timing_result *timing_result_at(const struct timing *t, size_t size,
				       size_t case_at)
{
	return &t->results[size * t->case_count + case_at];
}

const struct timing_result *timing_result(const struct timing *t, size_t size,
					  size_t case_at)
{
	return timing_result_at(t, size, case_at);
}

void timing_sampled(struct timing *t, size_t result)
{
	grow(&t->order, &t->order_capacity, t->order_count + 1,
	     sizeof(*t->order));
	t->order[t->order_count++] = (uint32_t)result;
}
