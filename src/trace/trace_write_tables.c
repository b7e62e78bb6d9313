/*
 * trace_write_tables: writes the tables that trace_tables.c reads.
 */
#include <string.h>

#include "base/lang.h"
#include "trace/finding.h"
#include "trace/trace_writer.h"

static void put_dim(struct bytes *b, struct trace_dim d)
{
	put_varint(b, d.x);
	put_varint(b, d.y);
	put_varint(b, d.z);
}

static void put_array(struct bytes *b, const struct trace_array *a)
{
	put_string(b, a->name);
	put_varint(b, a->space);
	put_varint(b, a->elem);
	put_varint(b, a->elem_bytes);
	put_varint(b, a->rank);
	for (uint32_t i = 0; i < a->rank; i++)
		put_varint(b, a->dims[i]);
	put_varint(b, a->base);
}

static void put_tile(struct bytes *b, const struct trace_tile *t)
{
	put_varint(b, t->parts);
	put_varint(b, t->rows);
	put_varint(b, t->columns);
	put_varint(b, t->bytes);
	put_varint(b, t->next);
	put_varint(b, t->pitch);
	put_varint(b, t->swizzle);
	put_varint(b, t->blocks);
}

static void put_access(struct bytes *b, const struct finding_access *a)
{
	put_varint(b, a->line);
	put_varint(b, a->column);
	put_varint(b, a->op);
	put_varint(b, a->bytes);
	put_varint(b, a->block);
	put_varint(b, a->thread);
}

static void put_double(struct bytes *b, double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof(bits));
	put_varint(b, bits);
}

static void put_finding(struct bytes *b, const struct trace_finding *f)
{
	if (f->cause == CAUSE_TOLD) {
		put_varint(b, f->kind);
		put_varint(b, f->access.line);
		put_string(b, f->text);
		return;
	}
	put_varint(b, GVT_CAUSE + f->cause);
	put_access(b, &f->access);
	put_access(b, &f->other);
	put_varint(b, f->array == TRACE_NO_ARRAY ? 0 :
		      (uint64_t)f->array + 1);
	put_varint(b, zigzag_encode((uint64_t)f->offset));
	put_string(b, f->word);
	put_string(b, f->other_word);
	for (size_t i = 0; i < finding_numbers(f->cause); i++)
		put_varint(b, f->number[i]);
	put_double(b, f->expected);
	put_double(b, f->got);
	put_varint(b, f->count);
}

static void put_argument(struct bytes *b, const struct trace_argument *a)
{
	put_string(b, a->name);
	put_string(b, a->type);
	put_varint(b, a->array == TRACE_NO_ARRAY ? 0 :
		      (uint64_t)a->array + 1);
	put_varint(b, a->decided);
	put_string(b, a->value);
	put_varint(b, a->size);
	put_varint(b, a->before);
	put_double(b, a->low);
	put_double(b, a->high);
	put_varint(b, a->filled);
}

/* Writes one piece of work. Devices are stored plus 1, so that the host is
 * 0. */
static void put_work(struct bytes *b, const struct trace_work *w)
{
	put_varint(b, w->kind);
	put_varint(b, (uint32_t)(w->device + 1));
	put_varint(b, (uint32_t)(w->from + 1));
	put_varint(b, w->stream);
	put_varint(b, w->turn);
	put_varint(b, w->group);
	put_varint(b, w->line);
	put_varint(b, w->m);
	put_varint(b, w->n);
	put_varint(b, w->k);
	put_varint(b, w->bytes);
	put_string(b, w->what);
	put_string(b, w->name);
}

static void put_works(struct bytes *b, const struct trace_info *info)
{
	put_varint(b, info->devices);
	put_varint(b, info->own);
	put_varint(b, info->work_count);
	for (size_t i = 0; i < info->work_count; i++)
		put_work(b, &info->works[i]);
}

static void put_lists(struct bytes *b, const struct trace_info *info)
{
	put_varint(b, info->define_count);
	for (size_t i = 0; i < info->define_count; i++) {
		put_string(b, info->defines[i].name);
		put_string(b, info->defines[i].value);
	}
	put_varint(b, info->array_count);
	for (size_t i = 0; i < info->array_count; i++)
		put_array(b, &info->arrays[i]);
	put_varint(b, info->site_count);
	for (size_t i = 0; i < info->site_count; i++) {
		const struct trace_site *s = &info->sites[i];

		put_varint(b, s->line);
		put_varint(b, s->column);
		put_varint(b, trace_site_code(s) +
			      (s->tile.rows ? GVT_TILE : 0));
		put_varint(b, s->array == TRACE_NO_ARRAY ? 0 :
			      (uint64_t)s->array + 1);
		put_varint(b, s->bytes);
		if (s->tile.rows)
			put_tile(b, &s->tile);
	}
	put_varint(b, info->finding_count);
	for (size_t i = 0; i < info->finding_count; i++)
		put_finding(b, &info->findings[i]);
}

void trace_put_tables(struct bytes *b, const struct trace_info *info)
{
	put_string(b, info->kernel);
	put_string(b, info->file);
	put_string(b, info->text);
	put_string(b, info->on);
	put_string(b, info->device);
	put_varint(b, info->m);
	put_varint(b, info->n);
	put_varint(b, info->k);
	put_dim(b, info->grid);
	put_dim(b, info->block);
	put_varint(b, info->seed);
	put_varint(b, info->partial);
	put_varint(b, info->spaces);
	put_lists(b, info);
	if (!info->problem || !info->check)
		return;
	put_string(b, info->problem);
	put_string(b, info->check);
	put_varint(b, info->argument_count);
	for (size_t i = 0; i < info->argument_count; i++)
		put_argument(b, &info->arguments[i]);
	if (info->devices)
		put_works(b, info);
}

const char *trace_tables_wrong(const struct trace_info *info)
{
	const char *wrong = trace_launch_wrong(info);

	if (info->define_count > TRACE_MAX_DEFINES ||
	    info->array_count > TRACE_MAX_ARRAYS ||
	    info->site_count > TRACE_MAX_SITES ||
	    info->argument_count > TRACE_MAX_ARGUMENTS ||
	    info->finding_count > TRACE_MAX_FINDINGS ||
	    info->work_count > TRACE_MAX_WORKS)
		return _("smaller tables");
	for (size_t i = 0; !wrong && i < info->argument_count; i++)
		wrong = trace_argument_wrong(&info->arguments[i],
					     info->array_count);
	for (size_t i = 0; !wrong && i < info->array_count; i++)
		wrong = trace_array_wrong(&info->arrays[i]);
	for (size_t i = 0; !wrong && i < info->site_count; i++)
		wrong = trace_site_wrong(&info->sites[i], info->array_count);
	for (size_t i = 0; !wrong && i < info->finding_count; i++)
		wrong = trace_finding_wrong(info, &info->findings[i]);
	return wrong ? wrong : trace_works_wrong(info);
}
