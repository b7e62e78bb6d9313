/*
 * trace_tables: reads and checks tables and index of an untrusted trace.
 */
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "trace/finding.h"
#include "trace/trace_file.h"

/* ---- tables ---- */

static struct trace_dim in_dim(struct in *in)
{
	struct trace_dim d;

	d.x = in_u32(in);
	d.y = in_u32(in);
	d.z = in_u32(in);
	return d;
}

static void in_array(struct in *in, struct trace_array *a)
{
	const char *wrong;

	a->name = in_string(in);
	a->space = in_u32(in);
	a->elem = in_u32(in);
	a->elem_bytes = in_u32(in);
	a->rank = in_limited(in, TRACE_MAX_RANK, _("1 to 4 dimensions"));
	for (uint32_t i = 0; i < a->rank; i++)
		a->dims[i] = in_varint(in);
	a->base = in_varint(in);
	wrong = trace_array_wrong(a);
	if (wrong)
		in_wrong(in, wrong);
}

static struct trace_tile in_tile(struct in *in)
{
	struct trace_tile t;

	t.parts = in_u32(in);
	t.rows = in_u32(in);
	t.columns = in_u32(in);
	t.bytes = in_u32(in);
	t.next = in_u32(in);
	t.pitch = in_u32(in);
	t.swizzle = in_u32(in);
	t.blocks = in_u32(in);
	if (!t.rows)
		in_wrong(in, _("a tile of at least one row"));
	return t;
}

static void in_site(struct in *in, struct trace_site *s, size_t arrays)
{
	uint32_t array, code;
	const char *wrong;

	s->line = in_u32(in);
	s->column = in_u32(in);
	code = in_u32(in);
	trace_site_decode(s, code & ~GVT_TILE);
	array = in_u32(in);
	s->array = array ? array - 1 : TRACE_NO_ARRAY;
	s->bytes = in_u32(in);
	if (code & GVT_TILE)
		s->tile = in_tile(in);
	wrong = trace_site_wrong(s, arrays);
	if (wrong)
		in_wrong(in, wrong);
}

static void in_access(struct in *in, struct finding_access *a)
{
	a->line = in_u32(in);
	a->column = in_u32(in);
	a->op = in_u32(in);
	a->bytes = in_u32(in);
	a->block = in_u32(in);
	a->thread = in_u32(in);
}

static double in_double(struct in *in)
{
	uint64_t bits = in_varint(in);
	double v;

	memcpy(&v, &bits, sizeof(v));
	return v;
}

/* Reads the rest of a finding after its cause. */
static void in_cause(struct in *in, struct trace_finding *f)
{
	uint32_t array;

	f->kind = finding_cause(f->cause)->kind;
	in_access(in, &f->access);
	in_access(in, &f->other);
	array = in_u32(in);
	f->array = array ? array - 1 : TRACE_NO_ARRAY;
	f->offset = (int64_t)zigzag_decode(in_varint(in));
	f->word = in_string(in);
	f->other_word = in_string(in);
	for (size_t i = 0; i < finding_numbers(f->cause); i++)
		f->number[i] = in_varint(in);
	f->expected = in_double(in);
	f->got = in_double(in);
	f->count = in_varint(in);
}

static void in_finding(struct in *in, struct trace_finding *f)
{
	uint32_t code = in_limited(in, GVT_CAUSE + CAUSE_COUNT - 1,
				   _("a known finding"));

	if (code > GVT_CAUSE) {
		f->cause = code - GVT_CAUSE;
		in_cause(in, f);
		return;
	}
	f->kind = code;
	f->array = TRACE_NO_ARRAY;
	f->count = 1;
	f->access.line = in_u32(in);
	f->text = in_string(in);
}

/* Counts grow with their entries, so that all that is counted can be freed
 * at any point. */
static void in_lists(struct in *in, struct trace_info *info)
{
	size_t n = in_count(in, TRACE_MAX_DEFINES, 2);

	info->defines = xcalloc(n, sizeof(*info->defines));
	for (; !in->wrong && info->define_count < n; info->define_count++) {
		struct trace_define *d = &info->defines[info->define_count];

		d->name = in_string(in);
		d->value = in_string(in);
	}
	n = in_count(in, TRACE_MAX_ARRAYS, 7);
	info->arrays = xcalloc(n, sizeof(*info->arrays));
	for (; !in->wrong && info->array_count < n; info->array_count++)
		in_array(in, &info->arrays[info->array_count]);
	n = in_count(in, TRACE_MAX_SITES, 5);
	info->sites = xcalloc(n, sizeof(*info->sites));
	for (; !in->wrong && info->site_count < n; info->site_count++)
		in_site(in, &info->sites[info->site_count], info->array_count);
	n = in_count(in, TRACE_MAX_FINDINGS, 3);
	info->findings = xcalloc(n, sizeof(*info->findings));
	for (; !in->wrong && info->finding_count < n; info->finding_count++)
		in_finding(in, &info->findings[info->finding_count]);
}

static void in_argument(struct in *in, struct trace_argument *a)
{
	uint32_t array;

	a->name = in_string(in);
	a->type = in_string(in);
	array = in_u32(in);
	a->array = array ? array - 1 : TRACE_NO_ARRAY;
	a->decided = in_u32(in);
	a->value = in_string(in);
	a->size = in_u32(in);
	a->before = in_varint(in);
	a->low = in_double(in);
	a->high = in_double(in);
	a->filled = in_u32(in);
}

static void in_work(struct in *in, struct trace_work *w)
{
	w->kind = in_u32(in);
	w->device = in_u32(in) - 1;
	w->from = in_u32(in) - 1;
	w->stream = in_u32(in);
	w->turn = in_u32(in);
	w->group = in_u32(in);
	w->line = in_u32(in);
	w->m = in_u32(in);
	w->n = in_u32(in);
	w->k = in_u32(in);
	w->bytes = in_varint(in);
	w->what = in_string(in);
	w->name = in_string(in);
}

static void in_works(struct in *in, struct trace_info *info)
{
	const char *wrong;
	size_t n;

	info->devices = in_u32(in);
	info->own = in_u32(in);
	n = in_count(in, TRACE_MAX_WORKS, 13);
	info->works = xcalloc(n, sizeof(*info->works));
	for (; !in->wrong && info->work_count < n; info->work_count++)
		in_work(in, &info->works[info->work_count]);
	wrong = in->wrong ? NULL : trace_works_wrong(info);
	if (!info->devices)
		wrong = _("at least one device");
	if (wrong)
		in_wrong(in, wrong);
}

/* What traces of today have behind the lists. */
static void in_problem(struct in *in, struct trace_info *info)
{
	const char *wrong = NULL;
	size_t n;

	info->problem = in_string(in);
	info->check = in_string(in);
	if (in->wrong || in->p == in->end)
		return;
	n = in_count(in, TRACE_MAX_ARGUMENTS, 10);
	info->arguments = xcalloc(n, sizeof(*info->arguments));
	for (; !in->wrong && info->argument_count < n; info->argument_count++)
		in_argument(in, &info->arguments[info->argument_count]);
	for (size_t i = 0; !wrong && i < info->argument_count; i++)
		wrong = trace_argument_wrong(&info->arguments[i],
					     info->array_count);
	if (wrong)
		in_wrong(in, wrong);
	if (!in->wrong && in->p != in->end)
		in_works(in, info);
}

static void in_tables(struct in *in, struct trace_info *info)
{
	const char *wrong;

	info->kernel = in_string(in);
	info->file = in_string(in);
	info->text = in_string(in);
	info->on = in_string(in);
	info->device = in_string(in);
	info->m = in_u32(in);
	info->n = in_u32(in);
	info->k = in_u32(in);
	info->grid = in_dim(in);
	info->block = in_dim(in);
	info->seed = in_varint(in);
	info->partial = in_limited(in, 1, _("0 or 1"));
	info->spaces = in_u32(in);
	in_lists(in, info);
	if (!in->wrong && in->p != in->end)
		in_problem(in, info);
	wrong = trace_launch_wrong(info);
	for (size_t i = 0; !wrong && i < info->finding_count; i++)
		wrong = trace_finding_wrong(info, &info->findings[i]);
	if (wrong)
		in_wrong(in, wrong);
	if (in->p != in->end)
		in_wrong(in, _("the tables to end"));
}

int trace_tables_read(struct trace *t, struct error *e)
{
	ssize_t n = trace_block_read(t, t->tables, GVT_TABLES,
				     t->index - t->tables, TABLES_RAW_MAX, e);
	struct in in;

	if (n < 0)
		return -1;
	in = (struct in){ t->raw, t->raw + n, NULL };
	in_tables(&in, &t->info);
	if (in.wrong)
		return trace_bad(t, e, t->tables, _("tables with %s"),
				 in.wrong);
	t->plans = xcalloc(t->info.site_count, sizeof(*t->plans));
	t->last = xcalloc(t->info.site_count, sizeof(*t->last));
	for (size_t i = 0; i < t->info.site_count; i++)
		t->plans[i] = trace_site_plan(&t->info, i);
	return 0;
}

/* ---- index ---- */

/* Reads the index of a warp's chunks. Their phases are set later, by the
 * barriers. */
static void in_chunks(struct in *in, struct trace *t, struct warp_entry *w,
		      size_t *capacity, uint64_t *offset)
{
	for (size_t i = 0; i < w->chunk_count && !in->wrong; i++) {
		struct chunk_entry c = { .offset = *offset,
					 .warp = t->warp_count,
					 .first = w->warp.requests };

		c.bytes = in_limited(in, t->tables - *offset,
				     _("chunks that end before the tables"));
		c.count = in_limited(in, CHUNK_REQUESTS,
				     _("chunks of at most 4096 requests"));
		c.events = in_limited(in, (uint64_t)c.count * WARP_LANES,
				      _("at most 32 events a request"));
		/* Also what keeps a small file from listing many chunks. */
		if (c.bytes <= GVT_BLOCK || c.events < c.count || !c.count)
			in_wrong(in, _("chunks that are not empty"));
		if (__builtin_add_overflow(w->warp.requests, c.count,
					   &w->warp.requests))
			in_wrong(in, _("fewer than 2^32 requests a warp"));
		if (in->wrong)
			return;
		w->warp.events += c.events;
		*offset += c.bytes;
		grow(&t->entries, capacity, t->entry_count + 1,
		     sizeof(*t->entries));
		t->entries[t->entry_count++] = c;
	}
}

static void in_barriers(struct in *in, struct trace *t, struct warp_entry *w,
			size_t count, size_t *capacity)
{
	uint64_t next = 0;

	grow(&t->barriers, capacity, t->barrier_count + count,
	     sizeof(*t->barriers));
	for (size_t i = 0; i < count && !in->wrong; i++) {
		uint64_t at = next + in_u32(in);

		if (at >= w->warp.requests) {
			in_wrong(in, _("barriers among the requests"));
			return;
		}
		t->barriers[t->barrier_count++] = (uint32_t)at;
		next = at + 1;
	}
	w->warp.phases = (uint32_t)count + 1;
}

static void chunk_phases(struct trace *t, const struct warp_entry *w)
{
	uint32_t phase = 0;

	for (size_t i = 0; i < w->chunk_count; i++) {
		struct chunk_entry *c = &t->entries[w->chunk + i];

		while (phase + 1 < w->warp.phases &&
		       t->barriers[w->barrier + phase] < c->first)
			phase++;
		c->phase = phase;
	}
}

static void in_warp_entry(struct in *in, struct trace *t,
			  size_t *chunk_capacity, size_t *barrier_capacity,
			  uint64_t *offset)
{
	struct warp_entry *w = &t->warps[t->warp_count];
	const struct trace_warp *before = t->warp_count ? &w[-1].warp : NULL;
	uint64_t block = (before ? before->block : 0) + (uint64_t)in_u32(in);
	size_t barriers;

	w->warp.warp = in_u32(in);
	w->warp.block = (uint32_t)block;
	if (block >= trace_blocks(&t->info) ||
	    !trace_warp_lanes(&t->info, w->warp.warp))
		in_wrong(in, _("warps of the launch"));
	if (before && before->block == block &&
	    before->warp >= w->warp.warp)
		in_wrong(in, _("warps in ascending order"));
	w->chunk = t->entry_count;
	w->barrier = t->barrier_count;
	w->chunk_count = in_count(in, SIZE_MAX, 3);
	barriers = in_count(in, UINT32_MAX - 1, 1);
	in_chunks(in, t, w, chunk_capacity, offset);
	in_barriers(in, t, w, barriers, barrier_capacity);
	if (in->wrong)
		return;
	chunk_phases(t, w);
	t->requests += w->warp.requests;
	t->events += w->warp.events;
	t->warp_count++;
}

int trace_index_read(struct trace *t, struct error *e)
{
	uint64_t end = t->size - GVT_TRAILER, offset = GVT_HEADER;
	ssize_t n = trace_block_read(t, t->index, GVT_INDEX, end - t->index,
				     INDEX_RAW_MAX, e);
	size_t warps, chunk_capacity = 0, barrier_capacity = 0;
	struct in in;

	if (n < 0)
		return -1;
	in = (struct in){ t->raw, t->raw + n, NULL };
	warps = in_count(&in, TRACE_MAX_WARPS, 4);
	t->warps = xcalloc(warps, sizeof(*t->warps));
	while (!in.wrong && t->warp_count < warps)
		in_warp_entry(&in, t, &chunk_capacity, &barrier_capacity,
			      &offset);
	if (!in.wrong && in.p != in.end)
		in_wrong(&in, _("an end"));
	if (in.wrong)
		return trace_bad(t, e, t->index, _("an index with %s"),
				 in.wrong);
	if (offset != t->tables)
		return trace_bad(t, e, offset, _("the tables after the last "
						 "chunk of the index"));
	return 0;
}
