#include "analysis/advice_finder.h"

#include <stdlib.h>
#include <string.h>

#include "trace/finding.h"

static const struct advice_finder *const finders[] = {
#define ADVICE_FINDER(name) &advice_##name,
	ADVICE_FINDERS(ADVICE_FINDER)
#undef ADVICE_FINDER
};

const char *advice_kind_name(enum advice_kind k)
{
	static const char *const names[] = {
#define ADVICE_KIND(kind, word) word,
		ADVICE_KINDS(ADVICE_KIND)
#undef ADVICE_KIND
	};

	return names[k];
}

const char *advice_unit_name(enum advice_unit u)
{
	static const char *const names[] = {
#define ADVICE_UNIT(unit, word) word,
		ADVICE_UNITS(ADVICE_UNIT)
#undef ADVICE_UNIT
	};

	return names[u];
}

bool advice_enough(int64_t saves, int64_t whole)
{
	return saves > 0 && saves >= whole / 20;
}

void advice_add(struct advice_search *s, const struct advice *a)
{
	grow(&s->found, &s->capacity, s->count + 1, sizeof(*s->found));
	s->found[s->count++] = *a;
}

bool advice_access(const struct trace_info *info,
		   const struct trace_request *r,
		   const struct trace_site **site,
		   const struct trace_array **array)
{
	*site = &info->sites[r->site];
	if (!op_is_access((*site)->op) || (*site)->array >= info->array_count)
		return false;
	*array = &info->arrays[(*site)->array];
	return true;
}

bool advice_is_async(const struct trace_info *info)
{
	for (size_t i = 0; i < info->site_count; i++)
		if (!op_is_access(info->sites[i].op) &&
		    info->sites[i].op != OP_BARRIER)
			return true;
	return false;
}

static bool is_array_used(const struct trace_info *info, size_t array)
{
	for (size_t i = 0; i < info->site_count; i++)
		if (info->sites[i].array == array)
			return true;
	return false;
}

uint64_t advice_shared_bytes(const struct trace_info *info)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < info->array_count; i++) {
		const struct trace_array *a = &info->arrays[i];
		uint64_t size = a->elem_bytes;

		if (a->space != SPACE_SHARED || !is_array_used(info, i))
			continue;
		for (uint32_t d = 0; d < a->rank; d++)
			size *= a->dims[d];
		sum += size;
	}
	return sum;
}

/* ---- all requests, one after another ---- */

struct advice_walk {
	struct trace *trace;
	const struct trace_info *info;
	void *state[LENGTH(finders)];
};

static int take_warp(struct advice_walk *w, size_t index, uint64_t times,
		     struct error *e)
{
	const struct trace_warp *warp = trace_warp(w->trace, index);
	struct advice_at at = { warp->warp, (int64_t)times, 0, true };
	struct trace_request r;

	for (uint32_t i = 0; i < warp->requests; i++) {
		if (trace_get(w->trace, index, i, &r, e) < 0)
			return -1;
		for (size_t f = 0; f < LENGTH(finders); f++)
			if (w->state[f] && finders[f]->take)
				finders[f]->take(w->state[f], &at, &r);
		at.phase += w->info->sites[r.site].op == OP_BARRIER;
		at.first = false;
	}
	return 0;
}

static uint32_t launch_warps(const struct trace_info *i)
{
	uint64_t threads = (uint64_t)i->block.x * i->block.y * i->block.z;

	return (uint32_t)((threads + WARP_LANES - 1) / WARP_LANES);
}

static int walk_all(struct advice_walk *w, struct error *e)
{
	uint32_t all = launch_warps(w->info);
	size_t kinds;
	const struct trace_kind *k = trace_kinds(w->trace, &kinds);

	for (size_t i = 0; i < kinds; i++) {
		for (size_t n = 0; n < k[i].warps; n++)
			if (take_warp(w, k[i].warp + n, k[i].times, e))
				return -1;
		for (size_t f = 0; f < LENGTH(finders); f++)
			if (w->state[f] && finders[f]->block)
				finders[f]->block(w->state[f],
						  k[i].warps == all);
	}
	return 0;
}

/* ---- the best of them ---- */

/* Returns the rank of a piece: 0 what may be wrong, 1 what costs, 2 what an SM
 * holds. */
static int rank_advice(const struct advice *a)
{
	if (a->kind == ADVICE_BARRIER_MISSING)
		return 0;
	return a->counts[0].unit == ADVICE_WARPS ? 2 : 1;
}

static int order(const void *a, const void *b)
{
	const struct advice *p = a, *q = b;

	if (rank_advice(p) != rank_advice(q))
		return rank_advice(p) - rank_advice(q);
	if (p->saves != q->saves)
		return p->saves > q->saves ? -1 : 1;
	if (p->kind != q->kind)
		return p->kind < q->kind ? -1 : 1;
	return (p->line > q->line) - (p->line < q->line);
}

static void choose_advice(struct advice_search *s, struct advice_list *out)
{
	if (s->count)
		qsort(s->found, s->count, sizeof(*s->found), order);
	out->count = MIN(s->count, ADVICE_MOST);
	for (size_t i = 0; i < out->count; i++)
		out->list[i] = s->found[i];
}

int advice_find(struct trace *t, const struct advice_machine *machine,
		struct advice_list *out, struct error *e)
{
	const struct trace_info *info = trace_info(t);
	struct advice_search s = { .info = info, .machine = machine,
				   .memo = cost_memo_new(info),
				   .events = trace_event_count(t) };
	struct advice_walk w = { .trace = t, .info = info };
	/* Requests without the lanes that a fault has stopped cost too little,
	 * or too much. */
	bool stopped = findings_stop_lanes(info);
	int status;

	*out = (struct advice_list){ .count = 0 };
	for (size_t f = 0; f < LENGTH(finders); f++)
		w.state[f] = stopped && finders[f] != &advice_race ?
				     NULL : finders[f]->start(&s);
	status = walk_all(&w, e);
	for (size_t f = 0; f < LENGTH(finders); f++)
		if (w.state[f])
			finders[f]->finish(w.state[f], &s);
	if (!status)
		choose_advice(&s, out);
	cost_memo_free(s.memo);
	free(s.found);
	return status;
}
