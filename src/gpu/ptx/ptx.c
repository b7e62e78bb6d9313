/*
 * ptx: goes through a module once, function by function. See ptx.h.
 */
#include <stdlib.h>
#include <string.h>

#include "gpu/ptx/ptx_job.h"

/* ---- lines ---- */

static uint64_t place_key(const struct ptx_place *p)
{
	return (uint64_t)p->file << 52 ^ (uint64_t)p->line << 20 ^ p->column;
}

static bool place_parse(const struct ptx_text *t, uint32_t first,
			struct ptx_place *p)
{
	uint64_t n[3];

	for (int i = 0; i < 3; i++)
		if (!ptx_number(t, first + i, &n[i]))
			return false;
	*p = (struct ptx_place) { n[0], n[1], n[2] };
	return true;
}

/* Sets the line of the following code. Inlined code belongs to the line of the
 * outermost call: the places between were listed before, each with its own
 * `inlined_at`. With -G nothing is inlined, but a header's code is of another
 * file than its function. */
static void line_set(struct ptx_job *j, const struct ptx_statement *s)
{
	struct ptx_place own, outer;
	uint64_t key;
	uint32_t known;

	if (!place_parse(j->t, s->first + 1, &own))
		return;
	outer = own;
	if (s->last > s->first + 3 && place_parse(j->t, s->last - 2, &outer)) {
		key = place_key(&outer);
		known = map_find(&j->inlined, &key, sizeof(key));
		if (known != MAP_NONE)
			outer = j->outer[known];
	}
	if (!outer.line)	/* the compiler's own: the line stays */
		return;
	if (!j->file)
		j->file = outer.file;
	if (outer.file != j->file)
		return;
	key = place_key(&own);
	known = map_add(&j->inlined, &key, sizeof(key));
	grow(&j->outer, &j->outer_capacity, j->inlined.count,
	     sizeof(*j->outer));
	j->outer[known] = j->place = outer;
}

/* ---- a function ---- */

/* Tests for a barrier of the whole block: one without a number of threads. */
static bool is_block_barrier(const struct ptx_instruction *in)
{
	size_t operands = ptx_has(in, "red") ? 3 : 1;

	return (ptx_opcode(in, "bar") || ptx_opcode(in, "barrier")) &&
	       (ptx_has(in, "sync") || ptx_has(in, "red")) &&
	       !ptx_has(in, "warp") && !ptx_has(in, "cluster") &&
	       in->operand_count <= operands;
}

static bool is_warp_barrier(const struct ptx_instruction *in)
{
	return ptx_opcode(in, "bar") && ptx_has(in, "warp") &&
	       ptx_has(in, "sync");
}

/* Tests for an instruction that makes earlier accesses visible to other
 * blocks. */
static bool is_fence(const struct ptx_instruction *in)
{
	bool block = ptx_has(in, "cta") || ptx_has(in, "cluster");

	if (ptx_opcode(in, "membar") || ptx_opcode(in, "fence"))
		return !block && !ptx_has(in, "proxy") &&
		       !ptx_has(in, "acquire");
	return (ptx_opcode(in, "st") || ptx_opcode(in, "atom") ||
		ptx_opcode(in, "red")) && !block &&
	       (ptx_has(in, "release") || ptx_has(in, "acq_rel"));
}

/* Records the memory accesses of an instruction, or of all instructions from it
 * on that store one structure. */
static int record_access(struct ptx_job *j, const struct ptx_statement *s,
			 const struct ptx_instruction *in)
{
	struct ptx_instruction stores[PTX_MEMBERS];
	size_t count;

	if (s < j->stored)
		return 0;
	count = ptx_whole(j, s, stores);
	if (!count)
		return ptx_access(j, in);
	j->stored = s + count;
	return ptx_access_whole(j, stores, count);
}

static int record_instruction(struct ptx_job *j, const struct ptx_statement *s)
{
	struct ptx_instruction in;

	if (!ptx_instruction(j->t, s, &in))
		return ptx_text_fail(j->t, s->first, EXIT_INPUT,
				     "not an instruction");
	if (is_block_barrier(&in))
		ptx_mark(j, ptx_site(j, PTX_BARRIER, PTX_GENERIC, 0, NULL),
			 &in);
	if (is_fence(&in))
		ptx_mark(j, ptx_site(j, PTX_FENCE, PTX_GENERIC, 0, NULL),
			 &in);
	if (is_warp_barrier(&in) ? ptx_sync(j, &in) : record_access(j, s, &in))
		return -1;
	ptx_copy_to(j, ptx_end_of(j->t, s));
	if (j->after.len)
		str_addn(&j->out, j->after.data, j->after.len);
	str_clear(&j->after);
	j->order++;
	return 0;
}

/* What is due before the next thing that runs. */
struct due_events {
	bool start, label;
	uint32_t first, last;		/* the function's tokens */
};

/* Records where variables begin whose addresses cannot be known otherwise: the
 * function's depot, and shared variables at their first use. */
static void start_record(struct ptx_job *j, const struct due_events *due)
{
	const struct ptx_text *t = j->t;
	const char *depot = j->p->functions[j->function].depot;

	if (*depot)
		ptx_begin(j, ptx_site(j, PTX_FRAME, PTX_LOCAL, 0, NULL),
			  depot);
	for (uint32_t i = due->first; i < due->last; i++) {
		struct ptx_name *n = t->tokens[i].name == PTX_NONE ? NULL :
				     &t->names[t->tokens[i].name];
		const struct ptx_symbol *s;
		uint32_t site;

		if (!n || n->symbol == PTX_NONE ||
		    n->place_function == j->function)
			continue;
		s = &j->p->symbols[n->symbol];
		if (s->space != PTX_SHARED)
			continue;
		n->place_function = j->function;
		site = ptx_site(j, PTX_PLACE, PTX_SHARED, 0, NULL);
		j->p->sites[site].symbol = s->name;
		ptx_begin(j, site, s->name);
	}
}

static void due_record(struct ptx_job *j, struct due_events *due,
		       const struct ptx_statement *s)
{
	ptx_copy_to(j, ptx_start_of(j->t, s));
	if (due->start)
		start_record(j, due);
	if (due->label)
		ptx_mark(j, ptx_site(j, PTX_LABEL, PTX_GENERIC, 0, NULL),
			 NULL);
	due->start = due->label = false;
}

static int instrument_statement(struct ptx_job *j, uint32_t i,
				struct due_events *due)
{
	const struct ptx_statement *s = &j->t->statements[i];

	ptx_registers_step(&j->r, s);
	ptx_returned_step(j, s);
	if (s->kind == PTX_LOC)
		line_set(j, s);
	if (s->kind == PTX_LABELLED && ptx_is_target(j, s))
		due->label = true;
	if (s->kind == PTX_INSTRUCTION || s->kind == PTX_CLOSE ||
	    j->call_before[i])
		due_record(j, due, s);
	if (j->call_before[i])
		ptx_call_record(j, j->call_before[i] - 1, PTX_CALL);
	if (s->kind == PTX_INSTRUCTION && record_instruction(j, s) < 0)
		return -1;
	if (ptx_unwanted(j->t, s))
		ptx_leave_out(j, s);
	if (j->call_after[i]) {
		ptx_copy_to(j, ptx_end_of(j->t, s));
		ptx_call_record(j, j->call_after[i] - 1, PTX_RETURN);
	}
	return 0;
}

/* Instruments a function, from its head to its last brace. *i becomes the next
 * statement. */
static int instrument_function(struct ptx_job *j, uint32_t *i)
{
	const struct ptx_text *t = j->t;
	const struct ptx_statement *all = t->statements;
	uint32_t head = *i, end = head + 1;
	size_t depth = 0;
	struct due_events due = { .start = true };
	int result = 0;

	j->function = t->names[t->tokens[ptx_function_name(t, &all[head],
						       &(bool) { false })]
			       .name].function;
	do {
		depth += all[end].kind == PTX_OPEN;
		depth -= all[end].kind == PTX_CLOSE;
		end++;
	} while (depth);
	ptx_targets(j, head, end);
	ptx_flow_init(&j->flow, &j->r, &all[head], &all[end], j->function);
	ptx_registers_start(&j->r, &all[head]);
	j->place = (struct ptx_place) { 0 };
	j->file = 0;
	due.first = all[head].first;
	due.last = all[end - 1].last;
	for (uint32_t s = head + 1; s < end && result == 0; s++)
		result = j->plain ? ptx_plain_statement(j, &all[s]) :
				    instrument_statement(j, s, &due);
	ptx_flow_done(&j->flow);
	*i = end;
	return result;
}

static int instrument_functions(struct ptx_job *j)
{
	const struct ptx_text *t = j->t;
	uint32_t i = 0;

	j->call_before = xcalloc(t->statement_count, sizeof(uint32_t));
	j->call_after = xcalloc(t->statement_count, sizeof(uint32_t));
	while (i < t->statement_count) {
		const struct ptx_statement *s = &t->statements[i];

		if (s->kind == PTX_FUNCTION) {
			if (instrument_function(j, &i) < 0)
				return -1;
			continue;
		}
		if (s->kind == PTX_HEAD || ptx_unwanted(t, s))
			ptx_leave_out(j, s);
		if (s->kind == PTX_DECLARE && ptx_is(t, s->first, ".global")) {
			ptx_copy_to(j, ptx_start_of(t, s));
			str_add(&j->out, ".visible ");
		}
		i++;
	}
	ptx_copy_to(j, t->length);
	return 0;
}

/* ---- all of it ---- */

static int instrument_module(struct ptx_job *j, struct ptx_own *own,
			     struct ptx_text *recorder)
{
	struct ptx_text *t = j->t;
	struct ptx_head head, recorders;

	if (ptx_head_find(&head, t) < 0 ||
	    ptx_head_find(&recorders, recorder) < 0)
		return -1;
	if (!head.wide)
		return ptx_text_fail(t, 0, EXIT_RUNNER,
				     "only 64-bit addresses are recorded");
	if (ptx_declarations(j, own) < 0 || ptx_debug_sections(t, j->p) < 0)
		return -1;
	ptx_head_write(j, &head, &recorders);
	j->t = recorder;
	ptx_body_copy(j);
	j->t = t;
	j->copied = 0;
	return instrument_functions(j);
}

static int write_plain(struct ptx_job *j, struct ptx_own *own)
{
	struct ptx_head head;

	if (ptx_head_find(&head, j->t) < 0 || ptx_declarations(j, own) < 0)
		return -1;
	ptx_head_write(j, &head, NULL);
	return instrument_functions(j);
}

static void ptx_job_done(struct ptx_job *j)
{
	ptx_registers_done(&j->r);
	map_done(&j->inlined);
	free(j->outer);
	str_done(&j->out);
	str_done(&j->after);
	free(j->call_before);
	free(j->call_after);
}

/* Makes the plain text, or with `recorder` the instrumented one. NULL with
 * e. */
static struct ptx *plain_or_instrumented(const char *text, size_t length,
					 const char *recorder,
					 struct error *e)
{
	struct ptx *p = xcalloc(1, sizeof(*p));
	struct ptx_own *own = xcalloc(1, sizeof(*own));
	struct ptx_text t, r = { 0 };
	struct ptx_job j = { .t = &t, .p = p, .r.t = &t,
			     .plain = !recorder };
	int result;

	p->own = own;
	if (ptx_text_init(&t, text, length, e) < 0 ||
	    (recorder &&
	     ptx_text_init(&r, recorder, strlen(recorder), e) < 0))
		result = -1;
	else
		result = recorder ? instrument_module(&j, own, &r) :
				    write_plain(&j, own);
	p->text = str_take(&j.out);
	own->names = t.names_by_text;
	t.names_by_text = (struct map) { 0 };
	ptx_job_done(&j);
	ptx_text_done(&t);
	ptx_text_done(&r);
	if (result == 0)
		return p;
	ptx_free(p);
	return NULL;
}

struct ptx *ptx_instrument(const char *text, size_t length,
			   const char *recorder, struct error *e)
{
	return plain_or_instrumented(text, length, recorder, e);
}

char *ptx_plain(const char *text, size_t length, struct error *e)
{
	struct ptx *p = plain_or_instrumented(text, length, NULL, e);
	char *plain = p ? p->text : NULL;

	if (p)
		p->text = NULL;
	ptx_free(p);
	return plain;
}

void ptx_free(struct ptx *p)
{
	struct ptx_own *own = p ? p->own : NULL;

	if (!p)
		return;
	for (size_t i = 0; i < own->path_count; i++)
		free(own->paths[i]);
	for (size_t i = 0; i < p->section_count; i++) {
		free(p->sections[i].bytes);
		free(p->sections[i].references);
	}
	map_done(&own->names);
	free(own->paths);
	free(own);
	free(p->text);
	free(p->sites);
	free(p->symbols);
	free(p->functions);
	free(p->files);
	free(p->sections);
	free(p);
}
