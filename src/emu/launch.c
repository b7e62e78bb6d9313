/*
 * launch: prepare, run, write. See launch.h.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../text.h"
#include "../warp.h"
#include "fibre.h"
#include "hooks.h"
#include "launch.h"

#define TEXT_MAX (1u << 20)
/* Multiplications that checking the answer may take. */
#define COMPARE_MOST 20e9

/* ---- the kernel and its parameters ---- */

static int kernel_choose(struct launch *l, struct error *e)
{
	const char *names[64], *near;
	size_t n = 0;

	l->kernel = kernel_find(l->request.kernel);
	if (l->kernel)
		return 0;
	while (n < kernel_count && n < LENGTH(names)) {
		names[n] = kernels[n].name;
		n++;
	}
	near = nearest_name(l->request.kernel, names, n);
	return error_set(e, EXIT_USAGE, "there is no kernel %s%s%s%s",
			 text_show(l->request.kernel),
			 near ? "; did you mean " : "", near ? near : "",
			 near ? "?" : "");
}

static const struct kernel_param *param_find(const struct kernel *k,
					     const char *name, size_t *index)
{
	for (size_t i = 0; i < LENGTH(k->params) && k->params[i].name; i++) {
		if (strcmp(k->params[i].name, name) != 0)
			continue;
		*index = i;
		return &k->params[i];
	}
	return NULL;
}

/* The parameters' values: what was defined, else the defaults. */
static int params_read(const struct launch *l, int *p, struct error *e)
{
	const struct kernel *k = l->kernel;

	for (size_t i = 0; i < LENGTH(k->params) && k->params[i].name; i++)
		p[i] = k->params[i].values[0];
	for (size_t i = 0; i < l->request.define_count; i++) {
		const struct trace_define *d = &l->request.defines[i];
		const struct kernel_param *kp;
		size_t index;
		long v;

		kp = param_find(k, d->name, &index);
		if (!kp)
			return error_set(e, EXIT_USAGE, "%s has no parameter "
					 "%s", k->name, text_show(d->name));
		if (!parse_int(d->value, kp->lowest, kp->highest, &v))
			return error_set(e, EXIT_USAGE, "%s must be a whole "
					 "number from %d to %d", kp->name,
					 kp->lowest, kp->highest);
		p[index] = (int)v;
	}
	return 0;
}

static int table_shape(struct launch *l, struct error *e)
{
	const struct request *r = &l->request;
	int p[LENGTH(l->kernel->params)] = { 0 };
	const char *refuses;

	if (params_read(l, p, e) < 0)
		return -1;
	if (l->kernel->refuses) {
		refuses = l->kernel->refuses(p, r->m, r->n, r->k);
		if (refuses)
			return error_set(e, EXIT_USAGE, "%s", refuses);
	}
	l->block = r->has_block ? r->block : l->kernel->block(p);
	l->grid = r->has_grid ? r->grid :
		  l->kernel->grid(p, r->m, r->n, r->k);
	return 0;
}

/* True when the text has the word: a parameter that it doesn't have changes
 * the launch alone. */
static bool text_has(const char *text, const char *word)
{
	size_t n = strlen(word);

	for (const char *s = strstr(text, word); s; s = strstr(s + 1, word))
		if ((s == text || (!isalnum((unsigned char)s[-1]) &&
				   s[-1] != '_')) &&
		    !isalnum((unsigned char)s[n]) && s[n] != '_')
			return true;
	return false;
}

/* ---- the module ---- */

/* File name of a module that make has built, if it has. */
static char *built_path(const struct launch *l)
{
	const struct kernel *k = l->kernel;
	struct str s = { 0 };

	str_addf(&s, "%s/%s", paths()->modules, k->name);
	for (size_t i = 0; i < LENGTH(k->params) && k->params[i].name; i++) {
		const char *value = NULL;

		if (!text_has(l->text, k->params[i].name))
			continue;
		for (size_t d = 0; d < l->request.define_count; d++)
			if (!strcmp(l->request.defines[d].name,
				    k->params[i].name))
				value = l->request.defines[d].value;
		if (value)
			str_addf(&s, "-%s%s", k->params[i].name, value);
		else
			str_addf(&s, "-%s%d", k->params[i].name,
				 k->params[i].values[0]);
	}
	str_add(&s, ".so");
	return str_take(&s);
}

static char *key_of(const struct launch *l)
{
	struct str s = { 0 };

	str_addf(&s, "%s %016" PRIx64,
		 l->kernel ? l->kernel->name : l->request.file,
		 hash_bytes(l->text, l->length));
	for (size_t i = 0; i < l->request.define_count; i++)
		str_addf(&s, " %s=%s", l->request.defines[i].name,
			 l->request.defines[i].value);
	return str_take(&s);
}

static int module_make(struct launch *l, struct error *e)
{
	const struct request *r = &l->request;
	char *built;

	if (l->kernel) {
		built = built_path(l);
		if (access(built, R_OK) == 0)
			l->module = module_open(built, e);
		free(built);
		if (l->module)
			return 0;
	}
	l->module = module_compile(r->file, l->text, l->length, r->defines,
				   r->define_count, e);
	return l->module ? 0 : -1;
}

static void text_lines(const char *text)
{
	char *copy = xstrdup(text);
	size_t capacity = 0;

	if (rec.lines)
		free(rec.lines[0]);
	free(rec.lines);
	rec.lines = NULL;
	rec.line_count = 0;
	for (char *next, *l = copy; l; l = next) {
		next = strchr(l, '\n');
		if (next)
			*next++ = '\0';
		grow(&rec.lines, &capacity, rec.line_count + 1,
		     sizeof(*rec.lines));
		rec.lines[rec.line_count++] = l;
	}
}

static void module_use(struct launch *l)
{
	free(rec.slots);
	rec.load = l->module->load;
	rec.text = l->module->text;
	rec.text_bytes = l->module->text_bytes;
	rec.debug = l->module->debug;
	rec.slots = xcalloc(rec.text_bytes + 1, sizeof(*rec.slots));
	text_lines(l->text);
}

static int module_choose(struct launch *l, struct error *e)
{
	char *key = key_of(l);

	if (l->module && l->module_key && !strcmp(key, l->module_key)) {
		free(key);
		return 0;
	}
	recorder_reset();
	module_free(l->module);
	l->module = NULL;
	free(l->module_key);
	l->module_key = key;
	if (module_make(l, e) < 0)
		return -1;
	module_use(l);
	return 0;
}

/* ---- preparing ---- */

static int text_take(struct launch *l, struct error *e)
{
	char *path;

	free(l->text);
	l->text = NULL;
	if (!l->kernel) {
		l->text = xstrdup(l->request.text);
		l->length = l->request.text_length;
		return 0;
	}
	path = xasprintf("%s/%s.cu", paths()->kernels, l->kernel->name);
	l->text = file_read(path, TEXT_MAX, &l->length, e);
	free(path);
	free(l->request.file);
	l->request.file = xasprintf("%s.cu", l->kernel->name);
	return l->text ? 0 : -1;
}

static int filter_check(const struct launch *l, struct error *e)
{
	for (size_t i = 0; i < l->request.block_count; i++) {
		const struct trace_dim *b = &l->request.blocks[i];

		if (b->x >= l->grid.x || b->y >= l->grid.y ||
		    b->z >= l->grid.z)
			return error_set(e, EXIT_USAGE, "there is no block "
					 "(%" PRIu32 ",%" PRIu32 ",%" PRIu32
					 "): the grid is %" PRIu32 "x%" PRIu32
					 "x%" PRIu32, b->x, b->y, b->z,
					 l->grid.x, l->grid.y, l->grid.z);
	}
	return 0;
}

int launch_prepare(struct launch *l, struct request *r, struct error *e)
{
	request_done(&l->request);
	l->request = *r;
	memset(r, 0, sizeof(*r));
	l->kernel = NULL;
	l->entry = NULL;
	if (l->request.kernel) {
		if (kernel_choose(l, e) < 0 || table_shape(l, e) < 0)
			return -1;
	} else {
		l->block = l->request.block;
		l->grid = l->request.grid;
	}
	if (filter_check(l, e) < 0 || text_take(l, e) < 0 ||
	    module_choose(l, e) < 0)
		return -1;
	l->entry = module_entry(l->module, l->kernel ? l->kernel->entry :
				l->request.entry, e);
	return l->entry ? 0 : -1;
}

void launch_done(struct launch *l)
{
	recorder_reset();
	fibres_done();
	module_free(l->module);
	free(l->module_key);
	free(l->text);
	request_done(&l->request);
	memset(l, 0, sizeof(*l));
}

/* ---- writing ---- */

struct output {
	struct launch *launch;
	struct trace_writer *writer;
	struct trace_info info;
	size_t array_capacity, site_capacity;
};

static uint32_t array_number(struct output *o, struct array *a)
{
	struct trace_info *i = &o->info;

	if (a->number != TRACE_NO_ARRAY)
		return a->number;
	grow(&i->arrays, &o->array_capacity, i->array_count + 1,
	     sizeof(*i->arrays));
	i->arrays[i->array_count] = a->info;
	i->arrays[i->array_count].name = xstrdup(a->info.name);
	a->number = (uint32_t)i->array_count++;
	return a->number;
}

static uint32_t site_number(struct output *o, const struct slot *s)
{
	struct trace_info *i = &o->info;
	struct trace_site site = {
		.line = s->line, .column = s->column, .op = s->op,
		.array = s->array ? array_number(o, s->array) :
				    TRACE_NO_ARRAY,
		.bytes = s->bytes,
	};

	for (size_t n = 0; n < i->site_count; n++) {
		const struct trace_site *t = &i->sites[n];

		if (t->line == site.line && t->column == site.column &&
		    t->op == site.op && t->array == site.array &&
		    t->bytes == site.bytes)
			return (uint32_t)n;
	}
	grow(&i->sites, &o->site_capacity, i->site_count + 1,
	     sizeof(*i->sites));
	i->sites[i->site_count] = site;
	return (uint32_t)i->site_count++;
}

/*
 * Gives sites their numbers in the order of the threads, not of their running:
 * so that the trace is the same whatever thread ran first.
 */
static void sites_number(struct output *o)
{
	size_t left = 0;

	for (size_t i = 0; i < rec.point_count; i++)
		left += rec.points[i].kind == WARP_ACCESS &&
			rec.points[i].site == NO_SITE;
	for (uint32_t t = 0; t < rec.thread_count && left; t++) {
		const struct thread *th = &rec.threads[t];

		for (size_t i = 0; i < th->count && left; i++) {
			struct warp_point *p = &rec.points[th->id[i]];

			if (p->kind != WARP_ACCESS || p->site != NO_SITE)
				continue;
			p->site = site_number(o, rec.point_slot[th->id[i]]);
			left--;
		}
	}
}

static int sink(void *ctx, const struct trace_request *r, struct error *e)
{
	struct output *o = ctx;

	return trace_writer_add(o->writer, &o->info, r, e);
}

static int warp_write(struct output *o, uint32_t block, uint32_t warp,
		      struct error *e)
{
	struct warp_lane lanes[WARP_LANES] = { { 0 } };

	for (uint32_t l = 0; l < WARP_LANES; l++) {
		const struct thread *t = &rec.threads[warp * WARP_LANES + l];

		if (warp * WARP_LANES + l >= rec.thread_count)
			break;
		lanes[l].id = t->id;
		lanes[l].offset = t->offset;
		lanes[l].value = rec.values ? t->value : NULL;
		lanes[l].count = t->count;
	}
	if (trace_writer_warp(o->writer, block, warp, e) < 0)
		return -1;
	return warp_merge(lanes, rec.points, &o->info, sink, o, e);
}

static int block_write(struct output *o, uint32_t block, struct error *e)
{
	uint32_t warps = (rec.thread_count + WARP_LANES - 1) / WARP_LANES;

	sites_number(o);
	for (uint32_t w = 0; w < warps; w++)
		if (o->launch->request.warps >> w & 1 &&
		    warp_write(o, block, w, e) < 0)
			return -1;
	return 0;
}

static void defines_copy(const struct request *r, struct trace_info *i)
{
	i->defines = xcalloc(r->define_count + 1, sizeof(*i->defines));
	for (size_t d = 0; d < r->define_count; d++) {
		i->defines[d].name = xstrdup(r->defines[d].name);
		i->defines[d].value = xstrdup(r->defines[d].value);
	}
	i->define_count = r->define_count;
}

static void info_begin(struct output *o)
{
	const struct launch *l = o->launch;
	const struct request *r = &l->request;
	struct trace_info *i = &o->info;

	i->kernel = xstrdup(l->kernel ? l->kernel->name : l->entry->name);
	i->file = xstrdup(r->file);
	i->text = xstrndup(l->text, l->length);
	i->on = xstrdup("cpu");
	i->device = xstrdup("");
	i->m = (uint32_t)r->m;
	i->n = (uint32_t)r->n;
	i->k = (uint32_t)r->k;
	i->grid = l->grid;
	i->block = l->block;
	i->seed = r->seed;
	i->values = r->values;
	i->spaces = r->spaces;
	defines_copy(r, i);
	/* The matrices are there whether they are touched or not. */
	for (size_t a = 0; a < LENGTH(l->array); a++)
		if (l->array[a])
			array_number(o, l->array[a]);
}

/* ---- running ---- */

static int by_number(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* The numbers of the blocks chosen, ascending, each once; NULL: all. */
static uint32_t *blocks_chosen(const struct launch *l, uint64_t *count)
{
	const struct request *r = &l->request;
	uint32_t *numbers;
	size_t n = 0;

	*count = (uint64_t)l->grid.x * l->grid.y * l->grid.z;
	if (r->block_count == 0)
		return NULL;
	numbers = xcalloc(r->block_count, sizeof(*numbers));
	for (size_t i = 0; i < r->block_count; i++)
		numbers[i] = r->blocks[i].x + l->grid.x *
			     (r->blocks[i].y + l->grid.y * r->blocks[i].z);
	qsort(numbers, r->block_count, sizeof(*numbers), by_number);
	for (size_t i = 0; i < r->block_count; i++)
		if (i == 0 || numbers[i] != numbers[i - 1])
			numbers[n++] = numbers[i];
	*count = n;
	return numbers;
}

/* True when threads or blocks are missing from the trace. */
static bool is_partial(const struct launch *l, uint64_t blocks, bool stopped)
{
	uint32_t threads = l->block.x * l->block.y * l->block.z;
	uint32_t warps = (threads + WARP_LANES - 1) / WARP_LANES;
	uint32_t all = warps == 32 ? UINT32_MAX : (1u << warps) - 1;

	return stopped || (l->request.warps & all) != all ||
	       l->request.spaces != (1u << SPACE_COUNT) - 1 ||
	       blocks != (uint64_t)l->grid.x * l->grid.y * l->grid.z;
}

static bool answer_known(const struct launch *l, uint64_t blocks, bool stopped)
{
	double work = (double)l->request.m * l->request.n * l->request.k;

	return l->kernel && !stopped && work <= COMPARE_MOST &&
	       blocks == (uint64_t)l->grid.x * l->grid.y * l->grid.z;
}

static int blocks_run(struct output *o, struct error *e)
{
	struct launch *l = o->launch;
	uint64_t count;
	uint32_t *chosen = blocks_chosen(l, &count);
	bool tainted = false;
	int rc = 0;

	for (uint64_t i = 0; i < count && !rc && !rec.stop; i++) {
		uint32_t b = chosen ? chosen[i] : (uint32_t)i;

		block_run(l, b);
		tainted = tainted || rec.tainted;
		if (l->stop == STOP_GONE)
			rc = error_set(e, EXIT_RUNNER, "cancelled");
		else
			rc = block_write(o, b, e);
	}
	if (rec.stop)
		block_stopped(l);
	o->info.partial = is_partial(l, count, tainted || rec.stop);
	if (!rc && answer_known(l, count, tainted || rec.stop))
		launch_compare(l);
	free(chosen);
	return rc;
}

int launch_record(struct launch *l, int fd, launch_progress progress,
		  struct error *e)
{
	struct output o = { .launch = l };
	int rc;

	recorder_reset();
	if (launch_bind(l, e) < 0 || block_begin(l, progress, e) < 0)
		return -1;
	info_begin(&o);
	o.writer = trace_writer_new(fd, l->request.values);
	rc = blocks_run(&o, e);
	if (rc == 0) {
		findings_take(&rec.findings, &o.info);
		rc = trace_writer_finish(o.writer, &o.info, e);
	} else {
		trace_writer_free(o.writer);
	}
	trace_info_done(&o.info);
	return rc;
}
