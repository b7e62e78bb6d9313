/* machine: see machine.h. */
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "machine/machine_parts.h"

void machine_code_done(struct machine_code *c)
{
	sass_free(c->sass);
	free(c->compiler);
	for (int i = 0; i < RUN_BANKS; i++)
		free(c->bank_data[i]);
	*c = (struct machine_code){ .registers = NA };
}

/* ---- what keeps it from being run ---- */

/* Finds an instruction that is not interpreted, and is no mere padding. */
char *machine_unknown(const struct sass *s)
{
	for (uint32_t i = 0; i < s->count; i++)
		if (!run_knows(&s->code[i])) {
			char *name = sass_name(&s->code[i]);
			char *why = xasprintf(_("%s is not interpreted"),
					      name);

			free(name);
			return why;
		}
	return NULL;
}

/* Finds the bytes of shared memory of the trace's arrays. */
static uint32_t shared_bytes(const struct machine_code *c,
			     const struct trace_info *info)
{
	uint64_t most = c->shared;

	for (size_t i = 0; i < info->array_count; i++) {
		const struct trace_array *a = &info->arrays[i];

		if (a->space == SPACE_SHARED)
			most = MAX(most, a->base + trace_array_bytes(a));
	}
	return (uint32_t)MIN(most, 1u << 20);
}

/* Counts the warps of the block that begins at a warp of the trace. */
static size_t count_block_warps(struct trace *t, size_t first)
{
	size_t n = 1;

	while (first + n < trace_warp_count(t) &&
	       trace_warp(t, first + n)->block == trace_warp(t, first)->block)
		n++;
	return n;
}

/* Checks that the recording has all that a run must agree with. */
static char *check_trace(struct trace *t)
{
	const struct trace_info *info = trace_info(t);
	uint64_t threads = (uint64_t)info->block.x * info->block.y *
			   info->block.z;
	size_t warps = (size_t)((threads + WARP_LANES - 1) / WARP_LANES);
	uint32_t both = 1u << SPACE_GLOBAL | 1u << SPACE_SHARED;

	if (!trace_warp_count(t))
		return xstrdup(_("nothing was recorded"));
	if ((info->spaces & both) != both)
		return xstrdup(_("global and shared memory must both be "
				 "recorded"));
	for (size_t w = 0; w < trace_warp_count(t);) {
		size_t n = count_block_warps(t, w);

		if (n != warps)
			return xstrdup(_("only some warps of a block were "
					 "recorded"));
		w += n;
	}
	return NULL;
}

void machine_begin(struct machine_launch *m)
{
	for (uint32_t i = 0; i < m->code.sass->count; i++)
		m->spill_accesses += m->code.sass->code[i].spill;
}

/* ---- the run ---- */

/* Runs each recorded block. Returns why it could not; NULL. -1 in *rc with e:
 * the trace is damaged. */
static char *run_blocks(struct running *g, struct trace *t, struct cover *cover,
			int *rc, struct error *e)
{
	size_t w = 0;

	while (w < trace_warp_count(t)) {
		size_t n = count_block_warps(t, w);
		struct error stop;

		if (cover_block(cover, t, w, n, e) < 0) {
			*rc = -1;
			return NULL;
		}
		if (run_block(g->run, trace_warp(t, w)->block, cover_seen,
			      cover, &stop) < 0)
			return xstrdup(stop.text);
		cover_end(cover);
		w += n;
	}
	return NULL;
}

char *running_begin(struct running *g, struct trace *t, int *rc,
		    struct error *e)
{
	struct machine_code *c = g->code;
	const struct trace_info *info = trace_info(t);
	struct run_launch l = {
		.sass = c->sass, .arch = c->arch, .grid = info->grid,
		.block = info->block, .parameters = g->parameters,
		.parameter_bytes = c->parameter_bytes,
		.steps_most = STEPS_MOST,
		.local_bytes = MIN(c->stack, LOCAL_MOST),
		.shared_bytes = shared_bytes(c, info),
	};
	struct error why;
	char *words = NULL;

	if (c->parameter_bytes > sizeof(g->parameters))
		return xstrdup(_("its parameters are damaged"));
	*rc = image_make(&g->image, t, &words, e);
	if (*rc != 0)
		return words;
	words = image_parameters(&g->image, c, g->parameters);
	if (words)
		return words;
	l.memory = g->image.memory;
	l.memory_count = g->image.count;
	memcpy(l.banks, c->banks, sizeof(l.banks));
	g->run = run_new(&l, &why);
	return g->run ? NULL : xstrdup(why.text);
}

void running_done(struct running *g)
{
	run_free(g->run);
	image_done(&g->image);
}

/* ---- the counts ---- */

static void add_access(struct machine_launch *m, const struct machine_run *r,
		       const struct cover *c, uint32_t instruction, bool async)
{
	const struct sass_instruction *i = &m->code.sass->code[instruction];
	struct machine_access a = { .instruction = instruction,
				    .bytes = sass_bytes(i), .async = async };

	if (!run_access_space(i, &a.space, &a.op))
		return;
	a.count = run_counts(r, instruction)[async];
	if (!a.count.requests)
		return;
	a.space = a.count.space;
	if (async)
		a.op = OP_ST;
	a.matrix = !strcmp(i->opcode, "LDSM") || !strcmp(i->opcode, "STSM");
	a.bytes = a.matrix ? MATRIX_ROW_BYTES : a.bytes;
	a.atomic = sass_is_atomic(i);
	if (c)
		cover_sites(c, &a);
	m->accesses = xrealloc(m->accesses, m->access_count + 1,
			       sizeof(*m->accesses));
	m->accesses[m->access_count++] = a;
}

static void add_total(struct machine_totals *t, const struct machine_access *a)
{
	bool is_store = a->op == OP_ST;

	if (a->atomic || a->async)
		return;
	if (a->space == RUN_GLOBAL) {
		*(is_store ? &t->global_store_requests :
			     &t->global_load_requests) +=
			(int64_t)a->count.requests;
		*(is_store ? &t->global_store_sectors :
			     &t->global_load_sectors) +=
			(int64_t)a->count.sectors;
	} else if (a->space == RUN_SHARED) {
		if (!a->matrix)
			*(is_store ? &t->shared_store_requests :
				     &t->shared_load_requests) +=
				(int64_t)a->count.requests;
		*(is_store ? &t->shared_store_wavefronts :
			     &t->shared_load_wavefronts) +=
			(int64_t)a->count.wavefronts;
	}
}

void machine_take(struct machine_launch *m, const struct machine_run *r,
		  const struct cover *c)
{
	uint32_t n = m->code.sass->count;

	m->executed = xcalloc(n + 1, sizeof(*m->executed));
	for (uint32_t i = 0; i < n; i++) {
		m->executed[i] = run_executed(r, i);
		add_access(m, r, c, i, false);
		add_access(m, r, c, i, true);
	}
	for (size_t i = 0; i < m->access_count; i++)
		add_total(&m->totals, &m->accesses[i]);
}

/* Compares the run with the recording: its answer, or where products of tensor
 * cores or values are missing its addresses. */
static char *hold_run(struct machine_launch *m, const struct running *g,
		      const struct cover *cover)
{
	bool values = g->image.info->values && !run_left_out(g->run);
	char *why = values ? image_compare(&g->image) :
			     cover_difference(cover);

	if (!why)
		m->held = values ? MACHINE_ANSWER : MACHINE_ADDRESSES;
	return why;
}

/* Runs the code and takes its counts, or m->why. -1 with e: the trace is
 * damaged. */
static int run_held(struct machine_launch *m, struct trace *t, struct error *e)
{
	struct running g = { .code = &m->code };
	struct cover *cover = NULL;
	int rc = 0;

	m->why = running_begin(&g, t, &rc, e);
	if (!m->why && rc == 0) {
		cover = cover_new(&g.image, &m->code);
		m->why = run_blocks(&g, t, cover, &rc, e);
	}
	if (!m->why && rc == 0)
		m->why = hold_run(m, &g, cover);
	if (!m->why && rc == 0)
		machine_take(m, g.run, cover);
	m->steps = g.run ? run_steps(g.run) : 0;
	cover_free(cover);
	running_done(&g);
	return rc < 0 ? -1 : 0;
}

int machine_make(struct machine_launch *m, struct machine_code *code,
		 struct trace *t, struct error *e)
{
	*m = (struct machine_launch){ .code = *code };
	*code = (struct machine_code){ .registers = NA };
	machine_begin(m);
	m->why = machine_unknown(m->code.sass);
	if (!m->why)
		m->why = check_trace(t);
	if (m->why || run_held(m, t, e) == 0)
		return 0;
	machine_done(m);
	return -1;
}

void machine_done(struct machine_launch *m)
{
	machine_code_done(&m->code);
	free(m->why);
	free(m->accesses);
	free(m->executed);
	*m = (struct machine_launch){ .code = { .registers = NA } };
}

static void add_count(struct run_count *to, const struct run_count *c)
{
	to->requests += c->requests;
	to->lanes += c->lanes;
	to->sectors += c->sectors;
	to->ideal_sectors += c->ideal_sectors;
	to->wavefronts += c->wavefronts;
	to->ideal_wavefronts += c->ideal_wavefronts;
	to->max_way = MAX(to->max_way, c->max_way);
}

struct machine_sum machine_sum(const struct machine_launch *m,
			       const struct trace_info *info,
			       machine_is_site *is_site, const void *ctx)
{
	struct machine_sum sum = { 0 };

	for (size_t i = 0; i < m->access_count; i++) {
		const struct machine_access *a = &m->accesses[i];
		bool is = false;
		char *name;

		for (uint32_t n = 0; n < a->site_count && !is; n++)
			is = is_site(ctx, &info->sites[a->sites[n]]);
		if (!is)
			continue;
		name = sass_name(&m->code.sass->code[a->instruction]);
		sum.mixed |= sum.name && strcmp(sum.name, name) != 0;
		sum.bytes = sum.name ? sum.bytes : a->bytes;
		sum.instructions++;
		add_count(&sum.count, &a->count);
		if (sum.name)
			free(name);
		else
			sum.name = name;
	}
	return sum;
}
