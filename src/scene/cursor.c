/* cursor: moving about in a trace. */
#include "scene/scene.h"

static uint32_t requests_of(const struct stage *s, size_t warp)
{
	return trace_warp(stage_trace(s), warp)->requests;
}

bool cursor_clamp(const struct stage *s, struct cursor *p)
{
	struct cursor old = *p;
	size_t warps = trace_warp_count(stage_trace(s));
	uint32_t n;

	if (!warps)
		return false;
	if (p->warp >= warps)
		p->warp = warps - 1;
	n = requests_of(s, p->warp);
	if (p->request >= n)
		p->request = n ? n - 1 : 0;
	p->lane %= WARP_LANES;
	return p->warp != old.warp || p->request != old.request ||
	       p->lane != old.lane;
}

bool cursor_go(const struct stage *s, struct cursor *p, uint32_t request)
{
	uint32_t old = p->request;

	p->request = request;
	cursor_clamp(s, p);
	return p->request != old;
}

bool cursor_step(const struct stage *s, struct cursor *p, long steps)
{
	int64_t to = (int64_t)p->request + steps;

	return cursor_go(s, p, to < 0 ? 0 : to > UINT32_MAX ? UINT32_MAX :
						(uint32_t)to);
}

bool cursor_phase(const struct stage *s, struct cursor *p, int by)
{
	struct trace *t = stage_trace(s);
	int64_t phase;
	uint32_t first;

	if (p->warp >= trace_warp_count(t) || !requests_of(s, p->warp))
		return false;
	phase = trace_phase_of(t, p->warp, p->request);
	first = trace_phase_start(t, p->warp, (uint32_t)phase);
	/* Back goes to this phase's start first, as players do. */
	if (by < 0 && p->request > first)
		by++;
	phase += by;
	if (phase < 0)
		phase = 0;
	if (phase >= trace_warp(t, p->warp)->phases)
		return cursor_go(s, p, UINT32_MAX);
	return cursor_go(s, p, trace_phase_start(t, p->warp,
						(uint32_t)phase));
}

static bool go_warp(const struct stage *s, struct cursor *p, long index)
{
	if (index < 0 || (size_t)index == p->warp)
		return false;
	p->warp = (size_t)index;
	cursor_clamp(s, p);
	return true;
}

bool cursor_warp(const struct stage *s, struct cursor *p, int by)
{
	struct trace *t = stage_trace(s);
	size_t warps = trace_warp_count(t), first, last;
	uint32_t block;
	long to;

	if (p->warp >= warps)
		return false;
	block = trace_warp(t, p->warp)->block;
	for (first = p->warp; first && trace_warp(t, first - 1)->block ==
			      block; first--)
		;
	for (last = p->warp; last + 1 < warps &&
			     trace_warp(t, last + 1)->block == block; last++)
		;
	to = (long)(p->warp - first) + by;
	to = (to % (long)(last - first + 1) + (long)(last - first + 1)) %
	     (long)(last - first + 1);
	return go_warp(s, p, (long)first + to);
}

bool cursor_block(const struct stage *s, struct cursor *p, int dx, int dy)
{
	struct trace *t = stage_trace(s);
	const struct trace_info *info = trace_info(t);
	const struct trace_warp *tw;
	struct trace_dim b;
	uint32_t block;
	long found;

	if (p->warp >= trace_warp_count(t))
		return false;
	tw = trace_warp(t, p->warp);
	b = dim_of(info->grid, tw->block);
	b.x = (b.x + info->grid.x + (uint32_t)dx) % info->grid.x;
	b.y = (b.y + info->grid.y + (uint32_t)dy) % info->grid.y;
	block = b.x + info->grid.x * (b.y + info->grid.y * b.z);
	found = trace_find_warp(t, block, tw->warp);
	return go_warp(s, p, found);
}

bool cursor_lane(const struct stage *s, struct cursor *p, int by)
{
	(void)s;
	p->focus = FOCUS_LANE;
	p->lane = (p->lane + WARP_LANES + (uint32_t)by) % WARP_LANES;
	return true;
}

/* Returns the next bank, in direction `by`, that holds a word of this
 * request. */
static int next_bank(const struct scene *sc, int bank, int by)
{
	for (int i = 0; i < BANKS; i++) {
		bank = (bank + BANKS + (by < 0 ? -1 : 1)) % BANKS;
		for (size_t k = 0; k < sc->word_count; k++)
			if (sc->words[k].bank == bank)
				return bank;
	}
	return bank;
}

bool cursor_focus(const struct scene *sc, struct cursor *p,
		  enum focus_kind kind, int by)
{
	bool same = p->focus == kind;
	int count = kind == FOCUS_SECTOR ? (int)sc->sector_count :
		    kind == FOCUS_ELEMENT ? (int)sc->element_count :
					    (int)sc->word_count;

	if (!count)
		return false;
	p->focus = kind;
	if (kind == FOCUS_BANK)
		p->focus_index = next_bank(sc, same ? p->focus_index : -1, by);
	else
		p->focus_index = same ?
			(p->focus_index + count + by) % count : 0;
	return true;
}
