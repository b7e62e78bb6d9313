/* Carriers: which thread loads each element, and which computes it. */
#include "scene/scene_carriers.h"

#include <stdlib.h>
#include <string.h>

#include "scene/stage.h"

/* Phases back in which the tiles that are used may have been loaded. */
#define EARLIER 3
/* How far from a warp's end its stores of results are looked for. */
#define TAIL 4096

struct carriers_book {
	struct carriers view;
	bool valid;
	uint32_t block, phase, lane;
	size_t warp;
	/* This warp's last request of the phase that copies something to shared
	 * memory, and whether it reads from there after that. */
	uint32_t last;
	bool brings, reads;
};

/* ---- who ---- */

static void extend_map_box(struct box *b, uint32_t row, uint32_t col)
{
	if (!b->known)
		*b = (struct box){ true, row, col, row, col };
	b->row0 = MIN(b->row0, row);
	b->col0 = MIN(b->col0, col);
	b->row1 = MAX(b->row1, row);
	b->col1 = MAX(b->col1, col);
}

/* Requests of all the block's warps that access one matrix: first the box of
 * what they access is found, then who accesses each element. */
struct map_search {
	int array;
	enum op op;
	uint32_t phase;		/* UINT32_MAX: at the warps' ends */
	struct carrier_map *map;
	bool fill;
};

static void map_request(struct stage *s, const struct map_search *q,
			uint32_t warp, const struct trace_request *r)
{
	const struct stage_array *sa = &s->scene.arrays[q->array];
	uint32_t n = stage_site_elements(stage_site(s, r->site), sa->array);
	struct carrier_map *m = q->map;
	uint32_t cols = m->box.col1 - m->box.col0 + 1;

	for (uint32_t lane = 0; lane < WARP_LANES; lane++)
		for (uint32_t k = 0; r->mask >> lane & 1 && k < n; k++) {
			uint64_t e = r->offset[lane] / sa->array->elem_bytes +
				     k;
			uint32_t row = (uint32_t)(e / sa->cols);
			uint32_t col = (uint32_t)(e % sa->cols);

			if (!q->fill)
				extend_map_box(&m->box, row, col);
			else
				m->by[(row - m->box.row0) * cols + col -
				      m->box.col0] =
					(int32_t)(warp * WARP_LANES + lane);
		}
}

static void map_warp(struct stage *s, const struct map_search *q, size_t w)
{
	const struct trace_warp *tw = trace_warp(s->trace, w);
	uint32_t first, end = tw->requests, site;
	struct trace_request r;

	first = end > TAIL ? end - TAIL : 0;
	if (q->phase != UINT32_MAX) {
		if (q->phase >= tw->phases)
			return;
		first = trace_phase_start(s->trace, w, q->phase);
		if (q->phase + 1 < tw->phases)
			end = trace_phase_start(s->trace, w, q->phase + 1);
	}
	for (uint32_t i = first; i < end; i++) {
		if (trace_get_site(s->trace, w, i, &site, NULL))
			return;
		if (stage_site(s, site)->op == q->op &&
		    stage_array_at(s, stage_site(s, site)->array) ==
		    &s->scene.arrays[q->array] &&
		    !trace_get(s->trace, w, i, &r, NULL))
			map_request(s, q, tw->warp, &r);
	}
}

static void search_block(struct stage *s, const struct map_search *q)
{
	for (size_t w = 0; w < trace_warp_count(s->trace); w++)
		if (trace_warp(s->trace, w)->block == s->scene.warp.block)
			map_warp(s, q, w);
}

static void map_clear(struct carrier_map *m)
{
	free(m->by);
	*m = (struct carrier_map){ .array = -1 };
}

/* Fills the map with the accesses to an array in a phase (UINT32_MAX: the last
 * ones). Returns false if there are none. */
static bool fill_map(struct stage *s, struct carrier_map *m, int array,
		     enum op op, uint32_t phase)
{
	struct map_search q = {
		.array = array, .op = op, .phase = phase, .map = m
	};
	uint64_t n;

	map_clear(m);
	if (array < 0)
		return false;
	search_block(s, &q);
	n = (uint64_t)(m->box.row1 - m->box.row0 + 1) *
	    (m->box.col1 - m->box.col0 + 1);
	if (!m->box.known || n > 1u << 20)
		return false;
	m->array = array;
	m->by = xmalloc(n * sizeof(*m->by));
	memset(m->by, -1, n * sizeof(*m->by));
	q.fill = true;
	search_block(s, &q);
	return true;
}

/* Finds the focused thread's elements in the map. */
static void find_own_elements(struct carrier_map *m, uint32_t thread)
{
	uint32_t cols = m->box.col1 - m->box.col0 + 1;
	uint32_t n = m->array < 0 ? 0 :
		     (m->box.row1 - m->box.row0 + 1) * cols;

	m->own = (struct box){ .known = false };
	m->each = 0;
	for (uint32_t i = 0; i < n; i++)
		if (m->by[i] == (int32_t)thread) {
			extend_map_box(&m->own, m->box.row0 + i / cols,
				       m->box.col0 + i % cols);
			m->each++;
		}
}

/* Returns whether an element in a row or column of the box is the thread's. */
static bool has_element_in_line(const struct carrier_map *m, uint32_t thread,
				bool row, uint32_t line)
{
	uint32_t cols = m->box.col1 - m->box.col0 + 1;
	uint32_t rows = m->box.row1 - m->box.row0 + 1;
	uint32_t n = row ? cols : rows;

	for (uint32_t i = 0; i < n; i++)
		if (m->by[row ? line * cols + i : i * cols + line] ==
		    (int32_t)thread)
			return true;
	return false;
}

static void add_range_text(char *buf, size_t size, uint32_t first,
			   uint32_t last)
{
	size_t n = strlen(buf);

	snprintf(buf + n, size - n, first == last ? "%s%u" : "%s%u..%u",
		 n ? ", " : "", first, last);
}

void carriers_lines(char *buf, size_t size, const struct carrier_map *m,
		    uint32_t thread, bool rows)
{
	uint32_t first = rows ? m->own.row0 : m->own.col0, from = first;
	uint32_t last = rows ? m->own.row1 : m->own.col1;
	uint32_t start = rows ? m->box.row0 : m->box.col0;
	int runs = 0;

	buf[0] = 0;
	for (uint32_t i = first; i <= last; i++) {
		if (!has_element_in_line(m, thread, rows, i - start)) {
			from = i + 1;
			continue;
		}
		if (i < last &&
		    has_element_in_line(m, thread, rows, i + 1 - start))
			continue;
		if (++runs <= 4)
			add_range_text(buf, size, from, i);
	}
	if (runs <= 4)
		return;
	buf[0] = 0;
	add_range_text(buf, size, first, last);
}

/* ---- when ---- */

static void find_role(struct stage *s, struct carriers_book *b)
{
	const struct scene *sc = &s->scene;
	uint32_t site;

	b->last = 0;
	b->brings = b->reads = false;
	for (uint32_t i = sc->phase_first; i <= sc->phase_last; i++) {
		const struct trace_site *ts;
		enum space space;

		if (trace_get_site(s->trace, sc->cursor.warp, i, &site, NULL))
			return;
		ts = stage_site(s, site);
		if (ts->array == TRACE_NO_ARRAY || !op_is_access(ts->op))
			continue;
		space = sc->info->arrays[ts->array].space;
		if (space == SPACE_SHARED && ts->op == OP_LD) {
			b->reads = true;
		} else if (space != SPACE_REGISTER &&
			   (space == SPACE_SHARED) == (ts->op == OP_ST)) {
			b->brings = true;
			b->reads = false;
			b->last = i;
		}
	}
}

static enum carrier_role find_carrier_role(const struct scene *sc,
					   const struct carriers_book *b)
{
	if (!b->brings || b->reads)
		return b->brings && sc->cursor.request <= b->last ?
			       CARRIER_LOADS : CARRIER_COMPUTES;
	return sc->site->op == OP_BARRIER ? CARRIER_CHANGES : CARRIER_LOADS;
}

static void free_carriers(void *state)
{
	struct carriers_book *b = state;

	free(b->view.load[0].by);
	free(b->view.load[1].by);
	free(b->view.work.by);
}

static const struct stage_part carriers_part = {
	.bytes = sizeof(struct carriers_book), .done = free_carriers,
};

void scene_carriers(struct stage *s, const struct turns *t)
{
	struct scene *sc = &s->scene;
	struct carriers_book *b;
	int matrix[2] = { sc->a, sc->b };

	(void)t;
	if (!sc->site)
		return;
	b = stage_state(s, &carriers_part);
	sc->carriers = &b->view;
	if (!b->valid || b->block != sc->warp.block || b->phase != sc->phase) {
		for (int i = 0; i < 2; i++)
			for (uint32_t back = 0;
			     back <= EARLIER && back <= sc->phase &&
			     !fill_map(s, &b->view.load[i], matrix[i], OP_LD,
				       sc->phase - back);
			     back++)
				;
		if (!b->valid || b->block != sc->warp.block)
			fill_map(s, &b->view.work, sc->c, OP_ST, UINT32_MAX);
	}
	if (!b->valid || b->block != sc->warp.block ||
	    b->phase != sc->phase || b->warp != sc->cursor.warp ||
	    b->lane != sc->cursor.lane) {
		find_own_elements(&b->view.load[0], sc->thread_linear);
		find_own_elements(&b->view.load[1], sc->thread_linear);
		find_own_elements(&b->view.work, sc->thread_linear);
		find_role(s, b);
	}
	b->valid = true;
	b->block = sc->warp.block;
	b->phase = sc->phase;
	b->warp = sc->cursor.warp;
	b->lane = sc->cursor.lane;
	b->view.threads = s->info->block.x * s->info->block.y *
			  s->info->block.z;
	b->view.role = find_carrier_role(sc, b);
}
