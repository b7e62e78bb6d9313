/* machine_steps: the accesses of one warp in order, and the recorded requests
 * that each serves. See machine.h. */
#include <stdlib.h>
#include <string.h>

#include "machine/machine_parts.h"

/* What is needed of a recorded request. */
struct served {
	bool access, done;
	enum space space;
	enum op op;
	uint32_t bytes, mask, phase;
	uint64_t address[WARP_LANES];
};

struct following {
	struct machine_steps *to;
	uint64_t shared_first;
};

/* Keeps an access; a run_seen. */
static void keep_step(void *ctx, const struct run_event *e)
{
	struct following *f = ctx;
	struct machine_steps *to = f->to;
	struct machine_step *s;

	if (e->space == RUN_LOCAL)
		return;
	grow(&to->list, &to->capacity, to->count + 1, sizeof(*to->list));
	s = &to->list[to->count++];
	*s = (struct machine_step){
		.instruction = e->instruction, .space = e->space, .op = e->op,
		.matrix = e->matrix, .atomic = e->atomic, .bytes = e->bytes,
		.mask = e->mask, .phase = e->phase,
	};
	for (uint32_t mask = e->mask; mask; mask &= mask - 1) {
		int l = __builtin_ctz(mask);

		s->address[l] = e->base + e->offset[l] -
				(e->space == RUN_SHARED ? f->shared_first : 0);
	}
}

/* Reads the warp's requests. NULL with e: the trace is damaged. */
static struct served *read_served(const struct image *m,
				  const struct machine_code *c,
				  struct trace *t, size_t warp, struct error *e)
{
	uint32_t n = trace_warp(t, warp)->requests, phase = 0;
	struct served *list = xcalloc(n + 1, sizeof(*list));

	for (uint32_t i = 0; i < n; i++) {
		struct served *s = &list[i];
		const struct trace_site *site;
		const struct trace_array *a;
		struct trace_request r;

		if (trace_get_lanes(t, warp, i, &r, e) < 0) {
			free(list);
			return NULL;
		}
		site = &m->info->sites[r.site];
		phase += site->op == OP_BARRIER;
		s->phase = phase;
		s->access = op_is_access(site->op);
		if (!s->access)
			continue;
		a = &m->info->arrays[site->array];
		s->space = a->space;
		s->op = site->op;
		s->bytes = site->matrix ? MATRIX_ROW_BYTES : site->bytes;
		s->mask = r.mask;
		for (int l = 0; l < WARP_LANES; l++)
			s->address[l] = r.offset[l] +
				(a->space == SPACE_SHARED ?
				 image_shared_base(m, c, site->array) :
				 m->base[site->array]);
	}
	return list;
}

static uint32_t count_phases(const struct served *list, uint32_t count)
{
	return count ? list[count - 1].phase : 0;
}

/* Tests whether an access moves what a request asks for, by the first lane that
 * both have. */
static bool serves_request(const struct machine_step *s, const struct served *r)
{
	uint32_t both = s->mask & r->mask;
	int l = both ? __builtin_ctz(both) : 0;

	return both && r->access && !r->done && r->op == s->op &&
	       r->space == (s->space == RUN_SHARED ? SPACE_SHARED :
						     SPACE_GLOBAL) &&
	       r->address[l] >= s->address[l] &&
	       r->address[l] + r->bytes <= s->address[l] + s->bytes;
}

/* Gives each access the requests that it serves: the first that is left, from
 * the phase of the last one on, and others of the same phase. No access of shared
 * memory moves across a barrier: `phases` are those of both. */
static void serve_requests(struct machine_steps *to, struct served *list,
			   uint32_t count, bool phases)
{
	uint32_t from[RUN_SPACES] = { 0 };

	to->of = xcalloc(count + 1, sizeof(*to->of));
	for (size_t i = 0; i < to->count; i++) {
		struct machine_step *s = &to->list[i];

		for (uint32_t n = from[s->space]; n < count; n++) {
			if (s->requests &&
			    list[n].phase != list[s->first].phase)
				break;
			if (phases && s->space == RUN_SHARED &&
			    list[n].phase != s->phase)
				continue;
			if (!serves_request(s, &list[n]))
				continue;
			list[n].done = true;
			to->of[n] = (uint32_t)i + 1;
			if (!s->requests++)
				s->first = n;
		}
		while (s->requests && from[s->space] < s->first &&
		       (list[from[s->space]].done ||
			list[from[s->space]].phase < list[s->first].phase))
			from[s->space]++;
	}
}

int machine_steps_make(struct machine_steps *to, struct machine_launch *m,
		       struct trace *t, size_t warp, struct error *e)
{
	const struct trace_warp *w = trace_warp(t, warp);
	struct running g = { .code = &m->code };
	struct following f = {
		.to = to,
		.shared_first = m->code.arch >= 90 ? RUN_SHARED_90 : 0,
	};
	struct run_watch watch = { keep_step, &f, w->warp };
	struct served *list = NULL;
	int rc = 0;
	char *why = running_begin(&g, t, &rc, e);

	*to = (struct machine_steps){ .count = 0 };
	if (why)
		rc = error_set(e, EXIT_CHECK, "%s", why);
	free(why);
	if (rc == 0) {
		run_follow(g.run, &watch);
		rc = run_block(g.run, w->block, NULL, NULL, e);
	}
	if (rc == 0) {
		list = read_served(&g.image, g.code, t, warp, e);
		rc = list ? 0 : -1;
	}
	if (rc == 0)
		serve_requests(to, list, w->requests,
			       count_phases(list, w->requests) ==
			       run_phases(g.run, w->warp));
	free(list);
	running_done(&g);
	if (rc < 0)
		machine_steps_done(to);
	return rc < 0 ? -1 : 0;
}

void machine_steps_done(struct machine_steps *s)
{
	free(s->list);
	free(s->of);
	*s = (struct machine_steps){ .count = 0 };
}
