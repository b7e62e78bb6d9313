/* lesson_model: functions of expressions on the machine, which need no
 * trace. */
#include "lesson/lesson_query.h"

#include <stdlib.h>
#include <string.h>

#include "base/expr.h"
#include "base/lang.h"
#include "base/text.h"
#include "hardware/fragment.h"
#include "hardware/occupancy.h"
#include "timing/benchmark.h"
#include "timing/ladder.h"
#include "timing/streams.h"

/* ---- accesses ---- */

/* One lane of an access: what the names in its index are. */
struct model_lane { const struct query *q; int64_t lane; };

static int lane_name(void *ctx, const char *name, struct value *out,
		     struct error *e)
{
	const struct model_lane *l = ctx;

	if (strcmp(name, "lane"))
		return lesson_name(l->q->s, name, out, e);
	*out = value_int(l->lane);
	return 0;
}

static int lane_call(void *ctx, const char *name, const struct value *args,
		     size_t count, struct value *out, struct error *e)
{
	(void)ctx, (void)args, (void)count, (void)out;
	return error_set(e, EXIT_INPUT, _("an index calls no function such as "
					  "'%s'"), text_show(name));
}

/* Computes each lane's address; a lane whose index is n/a is inactive. */
static int find_lane_addresses(struct query *q, const struct expr *index,
			       struct access *a, struct error *e)
{
	struct model_lane l = { .q = q };
	const struct expr_env env = { lane_name, lane_call, &l };
	struct value v;

	for (; l.lane < WARP_LANES; l.lane++) {
		if (expr_eval(index, &env, &v, e) < 0)
			return -1;
		if (v.kind == VALUE_NONE)
			continue;
		if (v.kind != VALUE_INT || v.i < 0 || v.i > INT32_MAX)
			return error_set(e, EXIT_INPUT,
					 _("the index of lane %d is not an "
					   "integer from 0 up"), (int)l.lane);
		a->mask |= UINT32_C(1) << l.lane;
		a->address[l.lane] = (uint64_t)(v.i * q->i[0]);
	}
	return 0;
}

/* Writes an index with the numbers that were drawn in place of their names. */
static void write_index(const struct lesson_drawn *d, const char *index,
			char *out, size_t size)
{
	size_t used = 0;

	while (*index && used + 1 < size) {
		size_t n = strspn(index, "abcdefghijklmnopqrstuvwxyz_"
					 "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
		size_t i = 0, count = d->question ? d->question->draw_count :
						    0;

		for (; n && i < count; i++)
			if (strlen(d->question->draws[i].name) == n &&
			    !strncmp(index, d->question->draws[i].name, n))
				break;
		if (n && i < count)
			used += (size_t)snprintf(out + used, size - used,
						 "%lld",
						 (long long)d->value[i]);
		else
			used += (size_t)snprintf(out + used, size - used,
						 "%.*s", (int)MAX(n, 1),
						 index);
		index += MAX(n, 1);
	}
	out[MIN(used, size - 1)] = 0;
}

static void note_access(struct query *q, const struct access *a)
{
	struct lesson_model *m = q->s->traces->model;

	if (!m)
		return;
	m->accesses++;
	m->access = *a;
	write_index(&q->s->traces->drawn, q->text[0], m->index,
		    sizeof(m->index));
}

int query_model(struct query *q, struct value *out, struct error *e)
{
	bool global = q->which == COST_SECTORS || q->which == COST_LINES ||
		      q->which == COST_IDEAL_SECTORS;
	struct expr *index = expr_parse(q->text[0], e);
	struct access_cost cost;
	struct access a = {
		.space = global ? ACCESS_GLOBAL : ACCESS_SHARED,
		.op = q->op < 0 ? OP_LD : (enum op)q->op,
		.bytes = (uint32_t)MAX(0, MIN(q->i[0], INT32_MAX)),
	};
	int status = index ? find_lane_addresses(q, index, &a, e) : -1;

	expr_free(index);
	if (status < 0 || access_cost(&a, &cost, e) < 0)
		return -1;
	note_access(q, &a);
	*out = value_int(query_cost_field(&cost, q->which));
	return 0;
}

/* ---- fragments ---- */

int query_fragment(struct query *q, struct value *out, struct error *e)
{
	struct fragment_wish w = { .name = q->text[0],
				   .operand = q->text[1][0] };
	struct fragment_spelling spelling;
	struct fragment_place p = { 0 };
	struct fragment f;
	int64_t v;

	fragment_spelled(w.name, &w, &spelling);
	if (fragment_find(&w, &f, e) < 0)
		return -1;
	if (q->i[0] < 0 || q->i[0] >= f.rows || q->i[1] < 0 ||
	    q->i[1] >= f.cols)
		return error_set(e, EXIT_INPUT,
				 _("%s has no element [%lld][%lld]"),
				 text_show(q->text[1]), (long long)q->i[0],
				 (long long)q->i[1]);
	p.row = (int)q->i[0];
	p.col = (int)q->i[1];
	fragment_holder(&f, &p);
	v = q->which == HOLDER_LANE ? p.lane : p.element;
	if (q->which == HOLDER_REGISTER)
		v = v * f.bits / 32;
	*out = value_int(v);
	return 0;
}

/* ---- occupancy ---- */

static int to_int(int64_t v, int highest)
{
	return (int)MAX(0, MIN(v, highest));
}

int query_occupancy(struct query *q, struct value *out, struct error *e)
{
	struct occupancy_launch launch = {
		.threads = to_int(q->i[0], OCCUPANCY_MOST_THREADS),
		.registers = to_int(q->i[1], OCCUPANCY_MOST_REGISTERS),
		.shared = to_int(q->i[2], OCCUPANCY_MOST_SHARED),
	};
	struct occupancy_arch arch;
	struct occupancy o;

	if (launch.threads < 1)
		return error_set(e, EXIT_INPUT, _("a block has 1 thread or "
						  "more"));
	if (occupancy_arch_get(&arch, q->text[0], 0, e) < 0)
		return -1;
	/* More than a block may have by itself is dynamic, opted in. */
	launch.dynamic = launch.shared > arch.block_shared;
	occupancy_of(&arch, &launch, &o);
	if (q->s->traces->model) {
		q->s->traces->model->launches++;
		q->s->traces->model->launch = launch;
	}
	*out = q->which == FILL_BLOCKS ? value_int(o.active_blocks) :
	       q->which == FILL_WARPS ? value_int(o.active_warps) :
					value_real(o.occupancy);
	return 0;
}

/* ---- levels of memory ---- */

/* Returns the figures of a level of memory, or NULL. */
static const struct memory_figures *
find_memory_level(const struct memory_measured *m, const char *name)
{
	static const char *const names[MEMORY_LEVELS] = {
		"registers", "shared", "l2", "dram",
	};

	for (int i = 0; i < MEMORY_LEVELS; i++)
		if (!strcmp(name, names[i]))
			return &m->level[i];
	return strcmp(name, "l1") ? NULL : &m->cache;
}

int query_memory(struct query *q, struct value *out, struct error *e)
{
	const struct memory_measured *m = memory_shown(benchmark_gpu());
	const struct memory_figures *f;
	double v;

	if (!m)
		return error_set(e, EXIT_INPUT, _("no GPU's memory was "
						  "measured"));
	if (q->which == LEVEL_GPU) {
		*out = value_text(m->gpu);
		return 0;
	}
	f = find_memory_level(m, q->text[0]);
	if (!f)
		return error_set(e, EXIT_INPUT,
				 _("no level '%s' (registers, shared, l1, l2 "
				   "or dram)"), text_show(q->text[0]));
	v = q->which == LEVEL_CYCLES ? f->cycles :
	    q->which == LEVEL_BANDWIDTH ? f->bandwidth : f->bytes;
	*out = q->which == LEVEL_BYTES ? value_int((int64_t)v) :
					 value_real(v);
	if (v == NA)
		*out = (struct value){ .kind = VALUE_NONE };
	return 0;
}

/* ---- several streams and GPUs ---- */

/* Gets the time of several streams, in ms. */
int query_streams(struct query *q, struct value *out, struct error *e)
{
	double seconds = streams_seconds(benchmark_gpu(), q->text[0]);

	if (seconds == NA)
		return error_set(e, EXIT_INPUT, _("no time of streams '%s' was "
						  "measured"),
				 text_show(q->text[0]));
	*out = value_real(seconds * 1000);
	return 0;
}
