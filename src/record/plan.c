/*
 * plan: makes a launch from the request. See plan.h.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/cpp_words.h"
#include "base/text.h"
#include "record/plan.h"
#include "trace/trace_format.h"

#define TEXT_MAX (1u << 20)
/* Clusters of a persistent kernel that a recorder runs: a second, so that
 * tiles are shared out, and no more, so that there are several for each. */
#define RESIDENT_CLUSTERS 2

/* ---- the kernel and its parameters ---- */

/* Finds the requested kernel in the table. -1 with e, which suggests a similar
 * name. */
static int kernel_choose(struct plan *p, struct error *e)
{
	const char *names[64], *near;
	size_t n = 0;

	p->kernel = kernel_find(p->job.kernel.name);
	if (p->kernel)
		return 0;
	while (n < kernel_count && n < LENGTH(names)) {
		names[n] = kernels[n].name;
		n++;
	}
	near = nearest_name(p->job.kernel.name, names, n);
	return error_set(e, EXIT_USAGE,
			 near ? N_("there is no kernel %s; did you mean %s?") :
				N_("there is no kernel %s%s"),
			 text_show(p->job.kernel.name), near ? near : "");
}

/* Sets the parameters' values: those defined, else the defaults. */
static int read_kernel_params(struct plan *p, struct error *e)
{
	const struct kernel *k = p->kernel;

	kernel_defaults(k, p->params);
	for (size_t i = 0; i < p->job.kernel.defines.count; i++) {
		const struct trace_define *d = &p->job.kernel.defines.list[i];
		const struct kernel_param *kp = kernel_param(k, d->name);
		long v;

		if (!kp)
			return error_set(e, EXIT_USAGE, "%s has no parameter "
					 "%s", k->name, text_show(d->name));
		if (!parse_int(d->value, kp->lowest, kp->highest, &v))
			return error_set(e, EXIT_USAGE, "%s must be a whole "
					 "number from %d to %d", kp->name,
					 kp->lowest, kp->highest);
		p->params[kp - k->params] = (int)v;
	}
	return 0;
}

static int round_to_tile(int size, int tile)
{
	return (size + tile - 1) / tile * tile;
}

uint32_t plan_cluster(const struct plan *p)
{
	return p->kernel && p->kernel->cluster ?
		p->kernel->cluster(p->params) : 1;
}

void plan_spread(struct plan *p, uint32_t resident)
{
	const struct kernel *k = p->kernel;
	uint32_t cluster = plan_cluster(p);

	if (!k || p->job.kernel.has_grid)
		return;
	p->grid = k->grid(p->params, p->job.size.m, p->job.size.n,
			  p->job.size.k);
	p->grid.x = (p->grid.x + cluster - 1) / cluster * cluster;
	if (k->persistent)
		p->grid.x = MIN(p->grid.x,
				MAX(resident / cluster, 1) * cluster);
}

int plan_shape(struct plan *p, struct error *e)
{
	const struct job *job = &p->job;
	const char *refuses;

	if (read_kernel_params(p, e) < 0)
		return -1;
	if (p->kernel->refuses) {
		refuses = p->kernel->refuses(p->params, job->size.m,
					     job->size.n, job->size.k);
		if (refuses)
			return error_set(e, EXIT_USAGE, "%s", refuses);
	}
	if (p->kernel->pad) {
		struct problem_sizes to = p->kernel->pad(p->params);

		p->size.m = round_to_tile(job->size.m, to.m);
		p->size.n = round_to_tile(job->size.n, to.n);
		p->size.k = round_to_tile(job->size.k, to.k);
	}
	p->block = job->kernel.has_block ? job->kernel.block :
					   p->kernel->block(p->params);
	if (job->kernel.has_grid)
		p->grid = job->kernel.grid;
	else
		plan_spread(p, RESIDENT_CLUSTERS * plan_cluster(p));
	return 0;
}

bool plan_show(struct plan *p, const struct shown_names *set)
{
	const uint32_t from = p->job.kernel.shown;
	struct shown_launch shown;
	bool good = true;

	p->passed_count = 0;
	if (!(from & SHOWN_ARGUMENTS))
		return true;
	shown_launch_find(&shown, &p->job, set, !(from & SHOWN_LITERAL) ? 0 :
			  p->job.open);
	memcpy(p->passed, shown.passed, sizeof(p->passed));
	p->passed_count = shown.passed_count;
	if (set && from & SHOWN_GRID) {
		good = shown.has_grid;
		p->grid = good ? shown.grid : p->grid;
	}
	if (set && from & SHOWN_BLOCK) {
		good = good && shown.has_block;
		p->block = shown.has_block ? shown.block : p->block;
	}
	if (set && from & SHOWN_SHARED && shown.has_shared)
		p->job.kernel.shared_bytes = shown.shared;
	shown_launch_done(&shown);
	return good && plan_threads(p) <= 1024;
}

/* ---- preparing ---- */

char *plan_text_file(const struct kernel *k, size_t *length, struct error *e)
{
	char *path = xasprintf("%s/%s.cu", paths()->kernels, k->name);
	char *text = file_read(path, TEXT_MAX, length, e);

	free(path);
	return text;
}

static int text_take(struct plan *p, plan_text text_of, struct error *e)
{
	if (!p->kernel) {
		p->text = xstrdup(p->job.kernel.text);
		p->length = p->job.kernel.text_length;
		return 0;
	}
	p->text = text_of(p->kernel, &p->length, e);
	free(p->job.kernel.file);
	p->job.kernel.file = xasprintf("%s.cu", p->kernel->name);
	return p->text ? 0 : -1;
}

static int filter_check(const struct plan *p, struct error *e)
{
	for (size_t i = 0; i < p->job.block_count; i++) {
		const struct trace_dim *b = &p->job.blocks[i];

		if (b->x >= p->grid.x || b->y >= p->grid.y ||
		    b->z >= p->grid.z)
			return error_set(e, EXIT_USAGE, "there is no block "
					 "(%" PRIu32 ",%" PRIu32 ",%" PRIu32
					 "): the grid is %" PRIu32 "x%" PRIu32
					 "x%" PRIu32, b->x, b->y, b->z,
					 p->grid.x, p->grid.y, p->grid.z);
	}
	return 0;
}

int plan_make(struct plan *p, struct job *job, plan_text text_of,
	      struct error *e)
{
	plan_done(p);
	p->job = *job;
	memset(job, 0, sizeof(*job));
	p->size = p->job.size;
	if (p->job.problem)
		p->problem = problem_find(p->job.problem);
	if (p->job.kernel.name) {
		if (kernel_choose(p, e) < 0 || plan_shape(p, e) < 0)
			return -1;
		p->problem = p->kernel->problem;
	} else {
		p->block = p->job.kernel.block;
		p->grid = p->job.kernel.grid;
	}
	p->held = p->problem != NULL;
	if (!p->held)
		p->problem = &problem_unknown;
	if (!p->kernel && !p->job.kernel.program.run)
		plan_show(p, NULL);
	if (filter_check(p, e) < 0)
		return -1;
	return text_take(p, text_of, e);
}

void plan_done(struct plan *p)
{
	free(p->text);
	job_done(&p->job);
	memset(p, 0, sizeof(*p));
}

/* ---- what it is called ---- */

/* Returns a line of the text, as a text that ends at the newline. */
static struct cpp_text line_find(const struct plan *p, uint32_t line)
{
	const char *s = p->text;

	while (line-- > 1 && *s)
		s = strchrnul(s, '\n') + (*strchrnul(s, '\n') != '\0');
	return (struct cpp_text) { s, strchrnul(s, '\n'), false, false };
}

uint32_t plan_column(const struct plan *p, uint32_t line, const char *word,
		     uint32_t nth)
{
	struct cpp_text t = line_find(p, line);
	const char *at[16], *start = t.at;
	size_t count = 0;
	struct cpp_word w;

	if (!line)
		return 0;
	for (w = cpp_next(&t); w.kind && count < LENGTH(at); w = cpp_next(&t))
		if (cpp_is(&w, word))
			at[count++] = w.at;
	return count ? (uint32_t)(at[nth % count] - start) + 1 : 0;
}

/* Tests whether a define belongs to the text. A kernel's parameter that its
 * text does not mention changes only the launch. */
static bool is_of_text(const struct plan *p, const char *define)
{
	return !p->kernel || !kernel_param(p->kernel, define) ||
	       cpp_has(p->text, p->length, define);
}

char *plan_build(const struct plan *p)
{
	const struct kernel *k = p->kernel;
	struct str s = { 0 };

	str_add(&s, k->name);
	for (size_t i = 0; i < kernel_params(k); i++)
		if (p->params[i] != k->params[i].values[0] &&
		    is_of_text(p, k->params[i].name))
			str_addf(&s, "-%s.%d", k->params[i].name,
				 p->params[i]);
	return str_take(&s);
}

char *plan_key(const struct plan *p)
{
	struct str s = { 0 };

	str_addf(&s, "%s %016" PRIx64,
		 p->kernel ? p->kernel->name : p->job.kernel.file,
		 hash_bytes(p->text, p->length));
	for (size_t i = 0; i < p->job.kernel.defines.count; i++) {
		const struct trace_define *d = &p->job.kernel.defines.list[i];

		if (is_of_text(p, d->name))
			str_addf(&s, " %s=%s", d->name, d->value);
	}
	if (p->job.kernel.entry)
		str_addf(&s, " %s", p->job.kernel.entry);
	for (size_t i = 0; i < p->job.kernel.headers.count; i++) {
		const struct trace_define *h = &p->job.kernel.headers.list[i];

		str_addf(&s, " %s %016" PRIx64, h->name,
			 hash_bytes(h->value, strlen(h->value)));
	}
	return str_take(&s);
}

/* ---- what of it is recorded ---- */

/* Returns the threads of a block. */
uint32_t plan_threads(const struct plan *p)
{
	return p->block.x * p->block.y * p->block.z;
}

uint64_t plan_blocks(const struct plan *p)
{
	return (uint64_t)p->grid.x * p->grid.y * p->grid.z;
}

static int by_number(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Draws one block at random from each of n equal stretches of the grid: blocks
 * at equal distances could all lie in one column. */
static uint32_t *blocks_drawn(const struct plan *p, uint64_t n)
{
	uint64_t of = plan_blocks(p), seed = (uint64_t)p->job.seed << 32;
	uint32_t *numbers = xcalloc(n, sizeof(*numbers));

	for (uint64_t i = 0; i < n; i++) {
		uint64_t from = i * of / n, to = (i + 1) * of / n;

		numbers[i] = (uint32_t)(from + random_at(seed, i) %
					       (to - from));
	}
	return numbers;
}

uint32_t *plan_chosen(const struct plan *p, uint64_t *count)
{
	const struct job *job = &p->job;
	uint32_t *numbers;
	size_t n = 0;

	*count = plan_blocks(p);
	if (job->block_count == 0) {
		if (job->sample == 0 || (uint64_t)job->sample >= *count)
			return NULL;
		*count = (uint64_t)job->sample;
		return blocks_drawn(p, *count);
	}
	numbers = xcalloc(job->block_count, sizeof(*numbers));
	for (size_t i = 0; i < job->block_count; i++)
		numbers[i] = job->blocks[i].x + p->grid.x *
			     (job->blocks[i].y + p->grid.y * job->blocks[i].z);
	qsort(numbers, job->block_count, sizeof(*numbers), by_number);
	for (size_t i = 0; i < job->block_count; i++)
		if (i == 0 || numbers[i] != numbers[i - 1])
			numbers[n++] = numbers[i];
	*count = n;
	return numbers;
}

/* Returns a mask with a bit for each warp of a block. */
static uint32_t warps_all(const struct plan *p)
{
	uint32_t warps = (plan_threads(p) + WARP_LANES - 1) / WARP_LANES;

	return warps == 32 ? UINT32_MAX : (1u << warps) - 1;
}

/* Counts the warps of a block that are to be recorded. */
static uint32_t warps_chosen(const struct plan *p)
{
	return (uint32_t)__builtin_popcount(p->job.warps & warps_all(p));
}

uint64_t plan_blocks_most(const struct plan *p)
{
	return TRACE_MAX_WARPS / MAX(warps_chosen(p), 1u);
}

int plan_fits(const struct plan *p, struct error *e)
{
	uint64_t blocks;

	free(plan_chosen(p, &blocks));
	if (blocks <= plan_blocks_most(p))
		return 0;
	return error_set(e, EXIT_USAGE, "%" PRIu64 " blocks of %u warps are "
			 "too many for a trace (%u warps): choose some with "
			 "--sample or --blocks", blocks,
			 warps_chosen(p), TRACE_MAX_WARPS);
}

bool plan_partial(const struct plan *p)
{
	uint32_t all = warps_all(p);
	uint64_t blocks;

	free(plan_chosen(p, &blocks));
	return (p->job.warps & all) != all ||
	       p->job.spaces != (1u << SPACE_COUNT) - 1 ||
	       blocks != plan_blocks(p);
}

uint32_t plan_shared(const struct plan *p)
{
	if (!p->kernel)
		return p->job.kernel.shared_bytes;
	return p->kernel->shared ? p->kernel->shared(p->params) : 0;
}

int plan_shared_missing(const char *name, struct error *e)
{
	return error_set(e, EXIT_USAGE, "%s is dynamic shared memory: set its "
			 "size with --shared BYTES", text_show(name));
}

void plan_info(const struct plan *p, const char *on, const char *device,
	       const char *entry, struct trace_info *i)
{
	const struct job *job = &p->job;

	memset(i, 0, sizeof(*i));
	i->kernel = xstrdup(p->kernel ? p->kernel->name : entry);
	i->file = xstrdup(job->kernel.file);
	i->text = xstrndup(p->text, p->length);
	i->on = xstrdup(on);
	i->device = xstrdup(device);
	i->problem = xstrdup(p->problem->name);
	i->m = (uint32_t)job->size.m;
	i->n = (uint32_t)job->size.n;
	i->k = (uint32_t)job->size.k;
	i->grid = p->grid;
	i->block = p->block;
	i->seed = job->seed;
	i->values = job->values;
	i->spaces = job->spaces;
	i->partial = plan_partial(p);
	i->defines =
		xcalloc(job->kernel.defines.count + 1, sizeof(*i->defines));
	for (size_t d = 0; d < job->kernel.defines.count; d++) {
		i->defines[d].name = xstrdup(job->kernel.defines.list[d].name);
		i->defines[d].value =
			xstrdup(job->kernel.defines.list[d].value);
	}
	i->define_count = job->kernel.defines.count;
}
