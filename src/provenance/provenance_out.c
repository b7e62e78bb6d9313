/* provenance_out: the provenance as JSON, and as a table. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/columns.h"
#include "base/lang.h"
#include "analysis/pattern.h"
#include "provenance/provenance.h"
#include "base/text.h"

static struct trace_dim thread_coords(const struct provenance *p,
				      uint32_t thread)
{
	return dim_of(p->info->block, thread);
}

/* ---- JSON ---- */

static json_t *json_line_or_null(uint32_t n)
{
	return n ? json_integer(n) : json_null();
}

static json_t *json_dim(struct trace_dim d)
{
	return json_pack("[I,I,I]", (json_int_t)d.x, (json_int_t)d.y,
			 (json_int_t)d.z);
}

/* Returns a JSON number; null for NaN, which JSON does not have. */
static json_t *json_of_double(double v)
{
	json_t *j = json_real(v);

	return j ? j : json_null();
}

static json_t *name_json(const struct trace_array *a)
{
	char *name = text_clean(a->name, strlen(a->name), 0);
	json_t *j = json_string(name);

	free(name);
	return j;
}

/* Returns the subscripts of an element as a JSON array. */
static json_t *json_of_subscripts(const struct trace_array *a, uint64_t element)
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

	if (!o->shared)
		return json_null();
	return json_pack("{s:o, s:o, s:I, s:o, s:o, s:I}",
			 "array", name_json(a),
			 "index", json_of_subscripts(a, o->index),
			 "address", (json_int_t)(a->base +
						 o->index * a->elem_bytes),
			 "stored_by", json_dim(thread_coords(p, o->stored_by)),
			 "line", json_line_or_null(o->store_line),
			 "request", (json_int_t)o->store_request);
}

/* Returns the position in the tile that wgmma reads, without the swizzle. */
static json_t *tile_json(const struct provenance_operand *o)
{
	return o->read->op == OP_WGMMA ?
	       json_pack("[I,I]", (json_int_t)o->tile_row,
			 (json_int_t)o->tile_col) : json_null();
}

static json_t *operand_json(const struct provenance *p,
			    const struct provenance_operand *o)
{
	return json_pack("{s:[I,I], s:o, s:o, s:o, s:s, s:o, s:I, s:o, s:o, "
			 "s:s, s:o, s:I, s:o}",
			 "element", (json_int_t)o->row, (json_int_t)o->col,
			 "value", json_of_double(o->value),
			 "loaded_by", json_dim(thread_coords(p, o->loaded_by)),
			 "block", json_dim(dim_of(p->info->grid,
						  o->load_block)),
			 "loaded_with", op_name(o->load_op),
			 "line", json_line_or_null(o->load_line),
			 "request", (json_int_t)o->load_request,
			 "shared", shared_json(p, o),
			 "read_by", json_dim(thread_coords(p, o->read_by)),
			 "read_with", trace_site_word(o->read),
			 "read_line", json_line_or_null(o->read_line),
			 "read_request", (json_int_t)o->read_request,
			 "tile", tile_json(o));
}

static json_t *steps_json(const struct provenance *p)
{
	json_t *list = json_array();

	for (size_t i = 0; i < p->step_count; i++) {
		const struct provenance_step *s = &p->steps[i];

		json_array_append_new(list, json_pack(
			"{s:I, s:o, s:I, s:o, s:o, s:o, s:o}",
			"k", (json_int_t)s->k,
			"block", json_dim(dim_of(p->info->grid, s->block)),
			"phase", (json_int_t)s->phase + 1,
			"a", operand_json(p, &s->a),
			"b", operand_json(p, &s->b),
			"product", json_of_double(s->product),
			"sum", json_of_double(s->sum)));
	}
	return list;
}

static json_t *sum_json(const struct provenance *p)
{
	const struct provenance_sum *s = &p->sum;
	const struct trace_array *a = &p->info->arrays[s->array];

	if (!s->known)
		return json_null();
	return json_pack("{s:o, s:o, s:o, s:I, s:I, s:o}",
			 "array", name_json(a),
			 "index", json_of_subscripts(a, s->index),
			 "thread", json_dim(thread_coords(p, s->thread)),
			 "warp", (json_int_t)s->thread / WARP_LANES,
			 "lane", (json_int_t)s->thread % WARP_LANES,
			 "line", json_line_or_null(s->line));
}

static const char *way_word(const struct provenance_way *w)
{
	return w->matrix ? "stmatrix" : op_name(OP_ST);
}

static json_t *way_json(const struct provenance *p)
{
	const struct provenance_way *w = &p->way;
	const struct trace_array *a = &p->info->arrays[w->array];

	if (!w->known)
		return json_null();
	return json_pack("{s:o, s:o, s:I, s:o, s:s, s:o, s:I}",
			 "array", name_json(a),
			 "index", json_of_subscripts(a, w->index),
			 "address", (json_int_t)(a->base +
						 w->index * a->elem_bytes),
			 "stored_by", json_dim(thread_coords(p, w->put_by)),
			 "stored_with", way_word(w),
			 "line", json_line_or_null(w->line),
			 "request", (json_int_t)w->request);
}

static json_t *totals_json(const struct provenance *p)
{
	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}",
			 "multiply_adds", (json_int_t)p->step_count,
			 "multiply_adds_by_other_blocks",
			 (json_int_t)p->steps_by_blocks,
			 "global_loads", (json_int_t)p->global_loads,
			 "global_loads_by_others",
			 (json_int_t)p->loads_by_others,
			 "tma_loads", (json_int_t)p->tma_loads,
			 "tma_loads_by_other_blocks",
			 (json_int_t)p->loads_by_blocks,
			 "shared_reads", (json_int_t)p->shared_reads,
			 "shared_reads_from_others",
			 (json_int_t)p->reads_from_others);
}

json_t *provenance_json(const struct provenance *p)
{
	char *kernel = text_clean(p->info->kernel, strlen(p->info->kernel), 0);
	json_t *findings = json_array(), *columns = json_array(), *j;

	for (size_t i = 0; i < p->finding_count; i++)
		json_array_append_new(findings, json_string(p->findings[i]));
	for (int i = 0; i < 3; i++)
		if (p->by_columns >> i & 1)
			json_array_append_new(columns,
					      json_stringn(&"ABC"[i], 1));
	j = json_pack("{s:s, s:o, s:[I,I], s:o, s:o, s:o, s:o, s:I, s:o, s:o, "
		      "s:o, s:o, s:o}",
		      "kernel", kernel, "by_columns", columns,
		      "element", (json_int_t)p->i, (json_int_t)p->j,
		      "value", json_of_double(p->value),
		      "thread", json_dim(thread_coords(p, p->thread)),
		      "block", json_dim(dim_of(p->info->grid, p->block)),
		      "line", json_line_or_null(p->line),
		      "request", (json_int_t)p->request,
		      "through", way_json(p), "register", sum_json(p),
		      "steps", steps_json(p), "totals", totals_json(p),
		      "findings", findings);
	free(kernel);
	return j;
}

/* ---- for people ---- */

/* If there are more than SHOWN steps, only the first and the last are shown. */
enum { SHOWN = 16, SHOWN_FIRST = 8, SHOWN_LAST = 4 };

/* Returns the thread as "(x,y)", with z if the block has it; the caller frees
 * it. */
static char *thread_text(struct trace_dim size, uint32_t linear)
{
	struct trace_dim d = dim_of(size, linear);

	return size.z > 1 ? xasprintf("(%u,%u,%u)", d.x, d.y, d.z) :
			    xasprintf("(%u,%u)", d.x, d.y);
}

static char *get_line_cell(uint32_t line)
{
	return line ? xasprintf("%" PRIu32, line) : xstrdup(_("n/a"));
}

static char *element_cell(const struct trace_array *a, uint64_t element)
{
	char name[120];

	array_element(a, element * a->elem_bytes, 1, name, sizeof(name));
	return xstrdup(name);
}

/* Returns the cell of a load's line, with "TMA" if it is a box. */
static char *load_cell(const struct provenance_operand *o)
{
	return o->load_op == OP_TMA_LD && o->load_line ?
		       xasprintf("TMA %" PRIu32, o->load_line) :
		       get_line_cell(o->load_line);
}

static char *loader_cell(const struct provenance *p,
			 const struct provenance_operand *o)
{
	char *thread = thread_text(p->info->block, o->loaded_by);
	char *block = thread_text(p->info->grid, o->load_block);
	char *cell = o->load_block == p->block ? xstrdup(thread) :
		     xasprintf(_("%1$s of %2$s"), thread, block);

	free(thread);
	free(block);
	return cell;
}

/* Returns the cell of the store's line; for wgmma the position in the tile, for
 * the store is the TMA load. */
static char *put_cell(const struct provenance *p,
		      const struct provenance_operand *o)
{
	return p->by_group ? xasprintf("%" PRIu32 ",%" PRIu32, o->tile_row,
				       o->tile_col) :
			     get_line_cell(o->store_line);
}

static void write_table_head(const struct provenance *p, char **row)
{
	int c = 0;

	row[c++] = xstrdup("k");
	row[c++] = xstrdup(_("phase"));
	row[c++] = xstrdup(_("element"));
	row[c++] = xstrdup(_("thread"));
	row[c++] = xstrdup(_("load"));
	if (p->shared_reads) {
		row[c++] = xstrdup(_("shared"));
		row[c++] = xstrdup(p->by_group ? _("in tile") : _("put"));
		row[c++] = xstrdup(_("read"));
	}
	row[c++] = xstrdup(_("value"));
	row[c++] = xstrdup(_("sum"));
}

/* Fills an operand's cells, from the element's column on. Returns the next
 * column. */
static int operand_cells(const struct provenance *p, char **row, char matrix,
			 const struct provenance_operand *o)
{
	int c = 2;

	row[c++] = xasprintf("%c[%" PRIu32 "][%" PRIu32 "]", matrix, o->row,
			     o->col);
	row[c++] = loader_cell(p, o);
	row[c++] = load_cell(o);
	if (!p->shared_reads)
		return c;
	row[c++] = o->shared ? element_cell(&p->info->arrays[o->array],
					    o->index) : xstrdup("");
	row[c++] = o->shared ? put_cell(p, o) : xstrdup("");
	row[c++] = o->shared ? get_line_cell(o->read_line) : xstrdup("");
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

static void print_product_steps(const struct provenance *p, bool all, FILE *out)
{
	struct columns t = { .left = 1 << 2 };
	bool cut = !all && p->step_count > SHOWN;

	if (p->shared_reads)
		t.left |= 1 << 5;
	write_table_head(p, columns_row(&t));
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

static void print_provenance_totals(const struct provenance *p, FILE *out)
{
	fprintf(out, _("\nmultiply-adds: %zu\n"), p->step_count);
	if (p->steps_by_blocks)
		fprintf(out, _("of these, by other blocks, which handed their "
			       "sums on: %zu\n"), p->steps_by_blocks);
	fprintf(out, _("loads from global memory: %1$zu, %2$zu of them by "
		       "other threads\n"), p->global_loads,
		p->loads_by_others);
	if (p->tma_loads)
		fprintf(out, _("of these, in TMA boxes: %1$zu, %2$zu of them "
			       "by another block of the cluster\n"),
			p->tma_loads, p->loads_by_blocks);
	if (p->shared_reads)
		fprintf(out, _("reads of shared memory: %1$zu, %2$zu of them "
			       "of values stored by other threads\n"),
			p->shared_reads, p->reads_from_others);
	if (p->adds_up)
		fprintf(out, _("the products in this order add up to what was "
			       "stored: %.9g\n"), p->value);
	for (size_t i = 0; i < p->finding_count; i++)
		fprintf(out, _("wrong: %s\n"), p->findings[i]);
}

static void print_sum(const struct provenance *p, FILE *out)
{
	const struct provenance_sum *s = &p->sum;
	char *name, *thread;

	if (!s->known)
		return;
	name = element_cell(&p->info->arrays[s->array], s->index);
	thread = thread_text(p->info->block, s->thread);
	fprintf(out, _("Its sum was in %1$s of thread %2$s: warp %3$u, lane "
		       "%4$u.\n"), name, thread, s->thread / WARP_LANES,
		s->thread % WARP_LANES);
	free(name);
	free(thread);
}

static void print_way(const struct provenance *p, FILE *out)
{
	const struct provenance_way *w = &p->way;
	char *name, *line;

	if (!w->known)
		return;
	name = element_cell(&p->info->arrays[w->array], w->index);
	line = get_line_cell(w->line);
	fprintf(out, _("TMA took it from %1$s, put there by %2$s in line "
		       "%3$s.\n"), name, way_word(w), line);
	free(name);
	free(line);
}

static const char *who_multiplied(const struct provenance *p)
{
	if (p->by_group)
		return _("wgmma multiplied, for four warps at once; it reads "
			 "shared memory itself.\n");
	return p->by_warp ? _("The warp multiplied together: what one lane "
			      "read, another used.\n") : "";
}

static void print_turned(const struct provenance *p, FILE *out)
{
	char names[10] = "";

	for (int i = 0; i < 3; i++)
		if (p->by_columns >> i & 1)
			sprintf(names + strlen(names), "%s%c", *names ? ", " :
				"", 'A' + i);
	if (*names)
		fprintf(out, _("Stored by columns: %s. By rows, the result "
			       "would not match.\n"), names);
}

void provenance_print(const struct provenance *p, bool all, FILE *out)
{
	char *thread = thread_text(p->info->block, p->thread);
	char *block = thread_text(p->info->grid, p->block);
	char *line = get_line_cell(p->line);

	fprintf(out, _("C[%1$u][%2$u] = %3$.9g, stored by thread %4$s of "
		       "block %5$s, line %6$s\n"), p->i, p->j, p->value,
		thread, block, line);
	free(thread);
	free(block);
	free(line);
	print_turned(p, out);
	print_way(p, out);
	print_sum(p, out);
	fputs(who_multiplied(p), out);
	print_product_steps(p, all, out);
	print_provenance_totals(p, out);
}
