/*
 * locals: a thread's local variables of integer type. Its block is run again,
 * and they are read before each of its accesses; at -O0 they are all in the
 * thread's frame.
 */
#include <stdlib.h>
#include <string.h>

#include "emu/hooks.h"
#include "emu/launch.h"

/* Cells of the answer; more would not fit in a message. */
#define CELLS_MAX 1000000

static struct {
	uint64_t first, end;
	char **names;
	size_t name_count, name_capacity;
	json_t *rows;
	uint64_t cells;
} out;

/* ---- one variable ---- */

/*
 * Returns whether the variable exists at the access: it does from the end of
 * its declaration on, and between that and the access the text has a semicolon,
 * or the brace of a body.
 */
static bool declared_before(const struct debug_var *v, const struct access_site *s)
{
	if (v->parameter)
		return true;
	if (v->line > s->line ||
	    (v->line == s->line && v->column >= s->raw_column))
		return false;
	for (uint32_t l = v->line; l <= s->line && l <= rec.line_count; l++) {
		const char *text = rec.lines[l - 1];
		size_t n = strlen(text);
		size_t from = l == v->line ? MIN(v->column, n) : 0;
		size_t to = l == s->line ? MIN(s->raw_column, n) : n;

		for (size_t i = from; i < to; i++)
			if (text[i] == ';' || text[i] == '{')
				return true;
	}
	return false;
}

static bool is_local(const struct debug_var *v)
{
	return v->home == DEBUG_FRAME && v->type.kind == DEBUG_INTEGER &&
	       v->type.bytes >= 1 && v->type.bytes <= 8;
}

static json_int_t read_integer(const struct debug_var *v, uintptr_t cfa)
{
	const void *p = (const void *)(cfa + (uintptr_t)v->at);
	unsigned shift = 64 - 8 * (unsigned)v->type.bytes;
	uint64_t raw = 0;

	memcpy(&raw, p, v->type.bytes);
	if (v->type.is_signed)
		return (json_int_t)((int64_t)(raw << shift) >> shift);
	return (json_int_t)raw;
}

/* ---- a row ---- */

static size_t find_column(const char *name)
{
	size_t i;

	for (i = 0; i < out.name_count; i++)
		if (!strcmp(out.names[i], name))
			return i;
	grow(&out.names, &out.name_capacity, out.name_count + 1,
	     sizeof(*out.names));
	out.names[out.name_count++] = xstrdup(name);
	return i;
}

static void row_set(json_t *row, size_t column, json_int_t value)
{
	while (json_array_size(row) <= column)
		json_array_append_new(row, json_null());
	json_array_set_new(row, column, json_integer(value));
}

/* Reads the variables that are in scope at an access. Scopes come from the
 * outside in: of several variables of one name the innermost is read last, and
 * stays. */
static json_t *row_read(const struct thread *t, const struct access_site *s)
{
	const struct frame *f = &t->frames[t->depth - 1];
	uint64_t at = s->pc + rec.text - rec.load - 1;
	json_t *row = json_array();

	for (size_t i = 0; f->function && i < f->function->var_count; i++) {
		const struct debug_var *v = &f->function->vars[i];

		if (is_local(v) && debug_in_scope(v, at) &&
		    declared_before(v, s))
			row_set(row, find_column(v->name),
				read_integer(v, f->cfa));
	}
	return row;
}

static void watch(struct thread *t, const struct access_site *s)
{
	uint64_t number = t->seen++;

	if (number >= out.end || out.cells >= CELLS_MAX) {
		rec.stop = true;
		thread_stop();
	}
	if (number < out.first || t->depth == 0)
		return;
	json_array_append_new(out.rows, row_read(t, s));
	out.cells += out.name_count + 1;
}

/* ---- the answer ---- */

static json_t *answer_make(uint64_t first)
{
	json_t *names = json_array(), *row;
	size_t i;

	json_array_foreach(out.rows, i, row)
		while (json_array_size(row) < out.name_count)
			json_array_append_new(row, json_null());
	for (i = 0; i < out.name_count; i++) {
		json_array_append_new(names, json_string(out.names[i]));
		free(out.names[i]);
	}
	free(out.names);
	return json_pack("{s:I, s:o, s:o}", "first", (json_int_t)first,
			 "names", names, "rows", out.rows);
}

static int locals_check(const struct launch *l, const struct job *job,
			struct error *e)
{
	if (!l->entry)
		return error_set(e, EXIT_USAGE,
				 "bad request: nothing was recorded yet");
	if (job->locals_block >= plan_blocks(&l->plan) ||
	    job->locals_thread >= plan_threads(&l->plan))
		return error_set(e, EXIT_USAGE,
				 "bad request: there is no such thread");
	return 0;
}

json_t *launch_locals(struct launch *l, const struct job *job,
		      struct error *e)
{
	uint32_t warps = l->plan.job.warps, rank;

	if (locals_check(l, job, e) < 0)
		return NULL;
	recorder_reset();
	if (launch_bind(l, e) < 0 || block_begin(l, e) < 0)
		return NULL;
	memset(&out, 0, sizeof(out));
	out.first = job->first;
	out.end = job->first + job->count;
	out.rows = json_array();
	rec.watch = watch;
	rank = job->locals_block % rec.cluster;
	rec.watched = &rec.blocks[rank].threads[job->locals_thread];
	l->plan.job.warps = 1u << job->locals_thread / WARP_LANES;
	cluster_run(job->locals_block - rank, 1u << rank);
	l->plan.job.warps = warps;
	rec.watched = NULL;
	return answer_make(job->first);
}
