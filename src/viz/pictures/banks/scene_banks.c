/* Shared accesses at other pitches. See scene_banks.h. */
#include "scene/stage.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/kernels.h"
#include "viz/pictures/banks/scene_banks.h"
#include "scene/rungs.h"

/* The request's elements as rows and columns. */
struct bank_rows {
	const struct scene *sc;
	uint32_t pitch;			/* elements; 0: there are no rows */
	uint32_t least, unit;
};

/* ---- rows ---- */

/* Returns the step between rows, in elements, that the lanes of a
 * one-dimensional array show; 0: none. */
static uint32_t shown_pitch(const struct scene *sc)
{
	const struct pattern *p = &sc->pattern;
	int64_t bytes = sc->access.bytes, step = 0;

	if (p->kind == PATTERN_STRIDED)
		step = p->inner;
	else if (p->kind == PATTERN_BLOCK)
		step = p->outer;
	step = step < 0 ? -step : step;
	if (step <= bytes || step % sc->array->elem_bytes ||
	    (p->kind == PATTERN_BLOCK && step < p->inner * p->group))
		return 0;
	return (uint32_t)(step / sc->array->elem_bytes);
}

static struct bank_rows find_rows(const struct scene *sc)
{
	const struct trace_array *a = sc->array;
	struct bank_rows r = { .sc = sc };
	uint32_t width = MAX(1, sc->access.bytes / a->elem_bytes);

	r.unit = width;
	r.pitch = a->rank > 1 ? (uint32_t)a->dims[a->rank - 1] :
				shown_pitch(sc);
	if (!r.pitch)
		return r;
	for (uint32_t lane = 0; lane < WARP_LANES; lane++)
		if (sc->request.mask >> lane & 1)
			r.least = MAX(r.least, (uint32_t)(
				sc->request.offset[lane] / a->elem_bytes %
				r.pitch) + width);
	if (a->rank == 1)
		r.least = r.pitch;
	for (size_t i = 0; a->rank > 1 && i < sc->array_count; i++)
		if (sc->arrays[i].array == a)
			r.least = MAX(r.least, sc->arrays[i].columns);
	return r;
}

/* ---- a layout ---- */

/* Returns the greatest power of two that divides n, at most `most`. */
static uint32_t power_in(uint32_t n, uint32_t most)
{
	uint32_t p = 1;

	while (p < most && n % (2 * p) == 0)
		p *= 2;
	return p;
}

/* Returns the byte that an element would have with that pitch (in elements) and
 * swizzle, from the array's start. */
static uint64_t byte_at(const struct bank_rows *r, uint64_t offset,
			uint32_t pitch, bool swizzle)
{
	uint32_t bytes = r->sc->array->elem_bytes;
	uint32_t chunk = MAX(BANK_BYTES, r->sc->access.bytes), chunks;
	uint64_t e = offset / bytes, row = e / r->pitch;
	uint64_t in = e % r->pitch * bytes + offset % bytes, line;

	if (!swizzle)
		return row * pitch * bytes + in;
	chunks = power_in(pitch * bytes / chunk, LINE_BYTES / chunk);
	/* Rows shorter than 128 bytes share one, and its number. */
	line = row * chunks / (LINE_BYTES / chunk);
	if (chunks == LINE_BYTES / chunk)
		line = row;
	return row * pitch * bytes +
	       ((in / chunk) ^ (line % chunks)) * chunk + in % chunk;
}

/* Finds the lanes that are not served by the first wavefront of their pass. */
static void find_passes(struct banks_layout *l)
{
	for (size_t i = l->word_count; i-- > 0;)
		l->pass_first[l->words[i].pass] = l->words[i].wavefront;
	for (size_t i = 0; i < l->word_count; i++) {
		const struct access_word *w = &l->words[i];

		l->pass_first[w->pass] = MIN(l->pass_first[w->pass],
					     w->wavefront);
	}
	for (size_t i = 0; i < l->word_count; i++)
		if (l->words[i].wavefront > l->pass_first[l->words[i].pass])
			l->waiting |= l->words[i].lanes;
}

static void find_affine(struct banks_layout *l, const struct access *a)
{
	l->affine = a->mask == UINT32_MAX && a->bytes == BANK_BYTES;
	if (!l->affine)
		return;
	l->first = (int64_t)(a->address[0] / BANK_BYTES);
	l->step = (int64_t)(a->address[1] / BANK_BYTES) - l->first;
	for (int lane = 0; lane < WARP_LANES; lane++)
		l->affine &= (int64_t)(a->address[lane] / BANK_BYTES) ==
			     l->first + lane * l->step;
}

static void lay_out(struct banks_layout *l, const struct access *a)
{
	l->valid = !access_cost(a, &l->cost, NULL);
	if (!l->valid)
		return;
	l->word_count = access_words(a, l->words, &l->passes);
	find_passes(l);
	find_affine(l, a);
}

static struct access move_access(const struct bank_rows *r, uint32_t pitch,
				 bool swizzle)
{
	struct access a = r->sc->access;

	for (uint32_t lane = 0; lane < WARP_LANES; lane++)
		if (a.mask >> lane & 1)
			a.address[lane] = r->sc->array->base +
				byte_at(r, r->sc->request.offset[lane], pitch,
					swizzle);
	return a;
}

static int wavefronts_at(const struct bank_rows *r, uint32_t pitch,
			 bool swizzle)
{
	struct access a = move_access(r, pitch, swizzle);
	struct access_cost cost;

	return access_cost(&a, &cost, NULL) ? NA : cost.wavefronts;
}

/* ---- the strip of pitches ---- */

/*
 * Chooses the entry of the strip to compare with, the nearest to the recorded
 * pitch: one without conflicts if there is a conflict (or the one with the
 * fewest), else one with a conflict. Of two equally near, the one that differs
 * more.
 */
static int choose_compared(const struct scene_banks *b)
{
	const struct access_cost *k = &b->now.cost;
	bool conflict = k->wavefronts > k->ideal_wavefronts;
	int64_t best_order = INT64_MAX;
	int best = 0;

	for (int i = 0; i < BANKS_STRIP; i++) {
		int64_t far = llabs((int64_t)b->strip[i].pitch - b->now.pitch);
		int64_t n = b->strip[i].wavefronts, order;

		if (n == NA || !far)
			continue;
		if (conflict)	/* wavefronts count most */
			order = n << 32 | far;
		else
			order = (int64_t)(n <= k->wavefronts) << 62 |
				far << 8 | (255 - n);
		if (order < best_order) {
			best_order = order;
			best = i;
		}
	}
	return best;
}

static void fill_strip(struct scene_banks *b, const struct bank_rows *r,
		       uint32_t first, bool swizzle)
{
	for (uint32_t i = 0; i < BANKS_STRIP; i++) {
		b->strip[i].pitch = first + i * r->unit;
		b->strip[i].wavefronts = wavefronts_at(r, b->strip[i].pitch,
						       swizzle);
	}
}

static void find_most_wavefronts(struct scene_banks *b)
{
	b->most = MAX(b->now.cost.wavefronts,
		      b->turned.valid ? b->turned.cost.wavefronts : 0);
	b->same = true;
	for (int i = 0; i < BANKS_STRIP; i++) {
		b->most = MAX(b->most, b->strip[i].wavefronts);
		b->same &= b->strip[i].wavefronts == NA ||
			   b->strip[i].wavefronts == b->now.cost.wavefronts;
	}
}

void scene_banks_fill(const struct scene *sc, int pitch, bool swizzle,
		      struct scene_banks *b)
{
	struct bank_rows r = find_rows(sc);
	uint32_t first;
	int64_t at;
	struct access a;

	*b = (struct scene_banks){ .unit = r.unit, .turns = r.pitch > 0,
				   .least = r.least };
	b->now.pitch = r.pitch;
	lay_out(&b->now, &sc->access);
	b->most = b->now.cost.wavefronts;
	if (!b->turns)
		return;
	b->least = (r.least + r.unit - 1) / r.unit * r.unit;
	first = b->least;
	/* The recorded pitch stands in the strip. */
	if (r.pitch > first + (BANKS_STRIP - 2) * r.unit)
		first = r.pitch - BANKS_STRIP / 2 * r.unit;
	fill_strip(b, &r, first, false);
	at = swizzle ? 0 : choose_compared(b);
	at = MAX((int64_t)b->strip[at].pitch + (int64_t)pitch * r.unit,
		 (int64_t)b->least);
	b->turned.pitch = (uint32_t)at;
	b->turned.swizzled = swizzle;
	if (b->turned.pitch >= first + BANKS_STRIP * r.unit)
		first = b->turned.pitch - (BANKS_STRIP - 1) * r.unit;
	else if (b->turned.pitch < first)
		first = b->turned.pitch;
	fill_strip(b, &r, first, swizzle);
	a = move_access(&r, b->turned.pitch, swizzle);
	lay_out(&b->turned, &a);
	find_most_wavefronts(b);
}

/* ---- the race ---- */

/* Finds the first kernel that is a step from this one, on the same matrices
 * (padded ones are another idea); NULL: there is none. */
static const struct kernel *kernel_next(const struct kernel *k)
{
	for (size_t i = 0; i < kernel_count; i++)
		if (kernels[i].after && !kernels[i].pad && !kernels[i].bug &&
		    !strcmp(kernels[i].after, k->name))
			return &kernels[i];
	return NULL;
}

void banks_race_fill(const struct trace_info *info, struct banks_race *out)
{
	const struct kernel *here = kernel_find(info->kernel);
	const struct kernel *rivals[BANKS_RIVALS] = { NULL };
	char *words[BANKS_RIVALS] = { NULL };
	struct measured m[BANKS_RIVALS];

	*out = (struct banks_race){ .count = 0 };
	if (!here)
		return;
	/* The one that it comes from, it, and one that comes from it; two that
	 * it comes from where it is the last. */
	rivals[2] = here;
	for (int i = 2; i-- > 0 && rivals[i + 1];)
		rivals[i] = rivals[i + 1]->after ?
			    kernel_find(rivals[i + 1]->after) : NULL;
	rivals[3] = kernel_next(here);
	if (rivals[3])
		rivals[0] = NULL;
	for (int i = 0; i < BANKS_RIVALS; i++)
		if (rivals[i])
			words[i] = race_word(info, rivals[i]);
	measured_find((const char *const *)words, BANKS_RIVALS, MEASURED_SIZE, m,
		      &out->race);
	for (int i = 0; i < BANKS_RIVALS; i++) {
		if (m[i].flops == NA) {
			free(words[i]);
			continue;
		}
		out->rows[out->count].here = i == BANKS_RIVALS - 2;
		for (char *at = words[i]; *at; at++)
			if (*at == ':' || *at == ',')
				*at = ' ';
		out->rows[out->count].label = words[i];
		out->rows[out->count++].flops = m[i].flops;
	}
}

void banks_race_done(struct banks_race *r)
{
	for (size_t i = 0; i < r->count; i++)
		free(r->rows[i].label);
	measured_race_done(&r->race);
}

/* ---- on stage ---- */

/* So many requests of each warp show which columns of an array are in use. */
#define LOOK 256

static void use_columns(struct stage *s, const struct trace_request *r)
{
	const struct trace_site *site = stage_site(s, r->site);
	struct stage_array *sa = stage_array_at(s, site->array);
	uint32_t width = MAX(1, site->bytes / sa->array->elem_bytes);

	for (uint32_t lane = 0; lane < WARP_LANES; lane++)
		if (r->mask >> lane & 1)
			sa->columns = MAX(sa->columns, (uint32_t)(
				r->offset[lane] / sa->array->elem_bytes %
				sa->cols) + width);
	if (op_is_bulk(site->op))
		sa->columns = sa->cols;
}

/* Finds how many columns of each shared array the block's threads access; a
 * padded array has more. */
static void find_columns(struct stage *s)
{
	uint32_t block = s->scene.warp.block;
	struct trace_request r;
	uint32_t site;

	for (size_t w = 0; w < trace_warp_count(s->trace); w++) {
		const struct trace_warp *tw = trace_warp(s->trace, w);

		for (uint32_t i = 0; tw->block == block &&
		     i < MIN(tw->requests, LOOK); i++) {
			const struct stage_array *sa;

			if (trace_get_site(s->trace, w, i, &site, NULL))
				break;
			sa = stage_array_at(s, stage_site(s, site)->array);
			if (sa && sa->array->space == SPACE_SHARED &&
			    !trace_get(s->trace, w, i, &r, NULL))
				use_columns(s, &r);
		}
	}
}

/* What the stage keeps of the picture. */
struct banks_state {
	bool known;		/* the race, and the arrays' columns */
	struct scene_banks now;
	struct banks_race race;
};

static void free_banks(void *state)
{
	banks_race_done(&((struct banks_state *)state)->race);
}

static void forget_banks(struct scene *sc)
{
	sc->banks = NULL;
}

static const struct stage_part banks_part = { sizeof(struct banks_state),
					      free_banks, forget_banks };

void scene_banks(struct stage *s, int pitch, bool swizzle)
{
	struct scene *sc = &s->scene;
	struct banks_state *b = stage_state(s, &banks_part);

	if (!sc->site || !sc->costs || sc->access.space == ACCESS_GLOBAL)
		return;
	if (!b->known) {
		find_columns(s);
		banks_race_fill(s->info, &b->race);
		b->known = true;
	}
	scene_banks_fill(sc, pitch, swizzle, &b->now);
	sc->banks = &b->now;
	sc->banks_race = &b->race;
}
