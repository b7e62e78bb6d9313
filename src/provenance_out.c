/* Where an element came from, as JSON for programs and a table for people. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "lang.h"
#include "pattern.h"
#include "provenance.h"
#include "text.h"

static struct trace_dim thread_of(const struct provenance *p, uint32_t thread)
{
	return dim_of(p->info->block, thread);
}

/* ---- for programs ---- */

static json_t *known_json(uint32_t n)
{
	return n ? json_integer(n) : json_null();
}

static json_t *dim_json(struct trace_dim d)
{
	return json_pack("[I,I,I]", (json_int_t)d.x, (json_int_t)d.y,
			 (json_int_t)d.z);
}

/* JSON has no NaN. */
static json_t *real_json(double v)
{
	json_t *j = json_real(v);

	return j ? j : json_null();
}

/* The subscripts of an element. */
static json_t *index_json(const struct trace_array *a, uint64_t element)
{
	uint64_t index[TRACE_MAX_RANK];
	json_t *list = json_array();

	array_coords(a, element * a->elem_bytes, index);
	for (uint32_t d = 0; d < a->rank; d++)
		json_array_append_new(list, json_integer(
			(json_int_t)index[d]));
	return list;
}

static json_t *shared_json(const struct provenance *p,
			   const struct provenance_operand *o)
{
	const struct trace_array *a = &p->info->arrays[o->array];
	char *name;
	json_t *j;

	if (!o->shared)
		return json_null();
	name = text_clean(a->name, strlen(a->name), 0);
	j = json_pack("{s:s, s:o, s:o, s:o, s:I}", "array", name,
		      "index", index_json(a, o->index),
		      "stored_by", dim_json(thread_of(p, o->stored_by)),
		      "line", known_json(o->store_line),
		      "request", (json_int_t)o->store_request);
	free(name);
	return j;
}

static json_t *operand_json(const struct provenance *p,
			    const struct provenance_operand *o)
{
	return json_pack("{s:[I,I], s:o, s:o, s:o, s:I, s:o, s:o, s:o, s:I}",
			 "element", (json_int_t)o->row, (json_int_t)o->col,
			 "value", real_json(o->value),
			 "loaded_by", dim_json(thread_of(p, o->loaded_by)),
			 "line", known_json(o->load_line),
			 "request", (json_int_t)o->load_request,
			 "shared", shared_json(p, o),
			 "read_by", dim_json(thread_of(p, o->read_by)),
			 "read_line", known_json(o->read_line),
			 "read_request", (json_int_t)o->read_request);
}

static json_t *steps_json(const struct provenance *p)
{
	json_t *list = json_array();

	for (size_t i = 0; i < p->step_count; i++) {
		const struct provenance_step *s = &p->steps[i];

		json_array_append_new(list, json_pack(
			"{s:I, s:I, s:o, s:o, s:o, s:o}",
			"k", (json_int_t)s->k,
			"phase", (json_int_t)s->phase + 1,
			"a", operand_json(p, &s->a),
			"b", operand_json(p, &s->b),
			"product", real_json(s->product),
			"sum", real_json(s->sum)));
	}
	return list;
}

static json_t *totals_json(const struct provenance *p)
{
	return json_pack("{s:I, s:I, s:I, s:I, s:I}",
			 "multiply_adds", (json_int_t)p->step_count,
			 "global_loads", (json_int_t)p->global_loads,
			 "global_loads_by_others",
			 (json_int_t)p->loads_by_others,
			 "shared_reads", (json_int_t)p->shared_reads,
			 "shared_reads_from_others",
			 (json_int_t)p->reads_from_others);
}

json_t *provenance_json(const struct provenance *p)
{
	char *kernel = text_clean(p->info->kernel, strlen(p->info->kernel), 0);
	json_t *findings = json_array(), *j;

	for (size_t i = 0; i < p->finding_count; i++)
		json_array_append_new(findings, json_string(p->findings[i]));
	j = json_pack("{s:s, s:[I,I], s:o, s:o, s:o, s:o, s:I, s:o, s:o, s:o}",
		      "kernel", kernel,
		      "element", (json_int_t)p->i, (json_int_t)p->j,
		      "value", real_json(p->value),
		      "thread", dim_json(thread_of(p, p->thread)),
		      "block", dim_json(dim_of(p->info->grid, p->block)),
		      "line", known_json(p->line),
		      "request", (json_int_t)p->request,
		      "steps", steps_json(p), "totals", totals_json(p),
		      "findings", findings);
	free(kernel);
	return j;
}

/* ---- for people ---- */

/* Of more steps than SHOWN these are shown, at the start and the end. */
enum { SHOWN = 16, SHOWN_FIRST = 8, SHOWN_LAST = 4 };

/* (x,y), and z where the block has it. */
static char *thread_text(struct trace_dim size, uint32_t linear)
{
	struct trace_dim d = dim_of(size, linear);

	return size.z > 1 ? xasprintf("(%u,%u,%u)", d.x, d.y, d.z) :
			    xasprintf("(%u,%u)", d.x, d.y);
}

static char *line_cell(uint32_t line)
{
	return line ? xasprintf("%" PRIu32, line) : xstrdup(_("n/a"));
}

static char *element_cell(const struct trace_array *a, uint64_t element)
{
	char name[120];

	array_element(a, element * a->elem_bytes, 1, name, sizeof(name));
	return xstrdup(name);
}

static void head_row(char **row, bool shared)
{
	int c = 0;

	row[c++] = xstrdup("k");
	row[c++] = xstrdup(_("phase"));
	row[c++] = xstrdup(_("element"));
	row[c++] = xstrdup(_("thread"));
	row[c++] = xstrdup(_("load"));
	if (shared) {
		row[c++] = xstrdup(_("shared"));
		row[c++] = xstrdup(_("put"));
		row[c++] = xstrdup(_("read"));
	}
	row[c++] = xstrdup(_("value"));
	row[c++] = xstrdup(_("sum"));
}

/* From the element's column on; returns the next one. */
static int operand_cells(const struct provenance *p, char **row, char matrix,
			 const struct provenance_operand *o)
{
	int c = 2;

	row[c++] = xasprintf("%c[%" PRIu32 "][%" PRIu32 "]", matrix, o->row,
			     o->col);
	row[c++] = thread_text(p->info->block, o->loaded_by);
	row[c++] = line_cell(o->load_line);
	if (!p->shared_reads)
		return c;
	row[c++] = o->shared ? element_cell(&p->info->arrays[o->array],
					    o->index) : xstrdup("");
	row[c++] = o->shared ? line_cell(o->store_line) : xstrdup("");
	row[c++] = o->shared ? line_cell(o->read_line) : xstrdup("");
	return c;
}

static void step_rows(const struct provenance *p, struct columns *t,
		      const struct provenance_step *s)
{
	char **row = columns_row(t);
	int c;

	row[0] = xasprintf("%" PRIu32, s->k);
	row[1] = xasprintf("%" PRIu32, s->phase + 1);
	c = operand_cells(p, row, 'A', &s->a);
	row[c] = xasprintf("%.9g", s->a.value);
	row = columns_row(t);
	row[0] = xstrdup("");
	row[1] = xstrdup("");
	c = operand_cells(p, row, 'B', &s->b);
	row[c] = xasprintf("* %.9g", s->b.value);
	row[c + 1] = xasprintf("%.9g", s->sum);
}

static void print_steps(const struct provenance *p, bool all, FILE *out)
{
	struct columns t = { .left = 1 << 2 };
	bool cut = !all && p->step_count > SHOWN;

	if (p->shared_reads)
		t.left |= 1 << 5;
	head_row(columns_row(&t), p->shared_reads);
	for (size_t i = 0; i < p->step_count; i++) {
		if (cut && i == SHOWN_FIRST) {
			columns_row(&t)[0] = xstrdup(lang_utf8() ?
						     "\xE2\x80\xA6" : "...");
			i = p->step_count - SHOWN_LAST;
		}
		step_rows(p, &t, &p->steps[i]);
	}
	if (p->step_count) {
		fputc('\n', out);
		columns_print(&t, out);
	}
	if (cut)
		fprintf(out, _("%1$zu of %2$zu multiply-adds are not shown; "
			       "--all shows them\n"),
			p->step_count - SHOWN_FIRST - SHOWN_LAST,
			p->step_count);
	columns_done(&t);
}

static void print_totals(const struct provenance *p, FILE *out)
{
	fprintf(out, _("\nmultiply-adds: %zu\n"), p->step_count);
	fprintf(out, _("loads from global memory: %1$zu, %2$zu of them by "
		       "other threads\n"), p->global_loads,
		p->loads_by_others);
	if (p->shared_reads)
		fprintf(out, _("reads of shared memory: %1$zu, %2$zu of them "
			       "of what other threads had put there\n"),
			p->shared_reads, p->reads_from_others);
	if (p->adds_up)
		fprintf(out, _("the products in this order add up to what was "
			       "stored: %.9g\n"), p->value);
	for (size_t i = 0; i < p->finding_count; i++)
		fprintf(out, _("wrong: %s\n"), p->findings[i]);
}

void provenance_print(const struct provenance *p, bool all, FILE *out)
{
	char *thread = thread_text(p->info->block, p->thread);
	char *block = thread_text(p->info->grid, p->block);
	char *line = line_cell(p->line);

	fprintf(out, _("C[%1$u][%2$u] = %3$.9g, stored by thread %4$s of "
		       "block %5$s, line %6$s\n"), p->i, p->j, p->value,
		thread, block, line);
	free(thread);
	free(block);
	free(line);
	if (p->by_warp)
		fputs(_("Its warp multiplied: what one lane read, another one "
			"used.\n"), out);
	print_steps(p, all, out);
	print_totals(p, out);
}
