#include "viz/pictures/shuffle/scene_shuffle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A variable's values, by lane. */
struct lane_values {
	double value[WARP_LANES];
	enum elem elem;		/* their type; RAW: of numbers in the text */
	bool known;
};

/* ---- what was recorded ---- */

/* Returns whether the site is what the word at `name` in a line accesses. */
static bool is_site_of(const struct scene *sc, uint32_t site, enum op op,
		       const struct cpp_word *name, uint32_t line)
{
	const struct trace_site *s = &sc->info->sites[site];

	return s->op == op && s->line == line && s->array != TRACE_NO_ARRAY &&
	       cpp_is(name, sc->info->arrays[s->array].name);
}

/* Calls apply() with each request of a warp to the array of that name in a
 * line, until it returns false. */
static bool walk_requests(struct stage *s, size_t warp, enum op op,
			  const struct cpp_word *name, uint32_t line,
			  bool (*apply)(void *ctx, const struct scene *sc,
					const struct trace_request *r),
			  void *ctx)
{
	uint32_t count = trace_warp(s->trace, warp)->requests, site;
	struct trace_request r;

	for (uint32_t i = 0; i < count; i++) {
		if (trace_get_site(s->trace, warp, i, &site, NULL))
			return false;
		if (!is_site_of(&s->scene, site, op, name, line))
			continue;
		if (trace_get(s->trace, warp, i, &r, NULL) ||
		    !apply(ctx, &s->scene, &r))
			return false;
	}
	return true;
}

static bool get_moved(const struct scene *sc, const struct trace_request *r,
		      uint32_t lane, double *v)
{
	const struct trace_array *a =
		&sc->info->arrays[sc->info->sites[r->site].array];

	return element_value(a->elem, &r->value[lane * 4], 0, v);
}

/* ---- values before the first shuffle ---- */

/* An assignment: its variable, and the words [from, to) at its right. */
struct value_source {
	const struct shuffle_text *t;
	struct lane_values *v;
	enum shuffle_use use;	/* COPY: = */
	uint32_t loaded;	/* lanes that have loaded */
};

static double combine_values(enum shuffle_use use, enum elem elem, double a,
			     double b)
{
	double v = use == USE_ADD ? a + b : use == USE_MAX ? MAX(a, b) :
		   use == USE_MIN ? MIN(a, b) : b;

	return elem == ELEM_F32 ? (double)(float)v : v;
}

static bool apply_load(void *ctx, const struct scene *sc,
		       const struct trace_request *r)
{
	struct value_source *a = ctx;
	enum elem elem = sc->info->arrays[
				sc->info->sites[r->site].array].elem;
	double v;

	if (elem == ELEM_RAW || elem == ELEM_F16 || elem == ELEM_BF16 ||
	    (a->v->elem != ELEM_RAW && a->v->elem != elem))
		return false;
	a->v->elem = elem;
	for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
		if (!(r->mask >> lane & 1))
			continue;
		if (!get_moved(sc, r, lane, &v))
			return false;
		a->v->value[lane] = combine_values(a->use, elem,
						   a->v->value[lane], v);
		a->loaded |= 1u << lane;
	}
	return true;
}

/* Tells whether the words are NAME[...] and nothing else. */
static bool is_subscript(const struct shuffle_text *t, size_t from, size_t to)
{
	size_t i = from + 1;

	if (t->w[from].kind != CPP_WORD || i >= to || t->w[i].kind != '[')
		return false;
	while (i < to && t->w[i].kind == '[')
		i = shuffle_close(t, i) + 1;
	return i == to;
}

/* Gives the lanes the words' number. */
static bool apply_number(struct value_source *a, size_t from, size_t to,
			 uint32_t lanes)
{
	for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
		double v;

		if (!(lanes >> lane & 1))
			continue;
		if (!shuffle_number(a->t, from, to, lane, &v))
			return false;
		a->v->value[lane] = combine_values(a->use, a->v->elem,
						   a->v->value[lane], v);
	}
	return true;
}

/* Finds the sign in [from, to) outside parentheses; `to`: it is not there. */
static size_t find_sign(const struct shuffle_text *t, size_t from, size_t to,
			int sign)
{
	while (from < to && t->w[from].kind != sign)
		from = strchr("([", t->w[from].kind) ?
		       shuffle_close(t, from) + 1 : from + 1;
	return MIN(from, to);
}

/* Applies what stands at the right of an assignment: an element, a number, or
 * a choice between these. */
static bool apply_right(struct stage *s, struct value_source *a, size_t from,
			size_t to)
{
	size_t ask = find_sign(a->t, from, to, '?');
	size_t other = find_sign(a->t, ask, to, ':');
	uint32_t lanes;

	if (from >= to || !shuffle_lanes_at(a->t, from, &lanes))
		return false;
	if (ask < to && !is_subscript(a->t, ask + 1, other))
		return false;
	if (ask < to)
		from = ask + 1;
	else if (!is_subscript(a->t, from, to))
		return apply_number(a, from, to, lanes);
	if (!walk_requests(s, s->scene.cursor.warp, OP_LD, &a->t->w[from],
			   shuffle_line(a->t, from), apply_load, a))
		return false;
	return ask >= to || apply_number(a, other + 1, to, lanes & ~a->loaded);
}

/* Returns whether an assignment to the variable begins at the word i; sets its
 * right side. */
static bool read_assignment(const struct shuffle_text *t, size_t i,
			    const char *name, struct value_source *a,
			    size_t *from, size_t *to)
{
	static const struct { const char *name; enum shuffle_use use; }
	all[] = {
		{ "fmaxf", USE_MAX }, { "max", USE_MAX },
		{ "fminf", USE_MIN }, { "min", USE_MIN },
	};
	const struct cpp_word *w = t->w;

	if (!cpp_is(&w[i], name) || i + 3 >= t->end)
		return false;
	a->use = w[i + 1].kind == '+' && w[i + 2].kind == '=' ? USE_ADD :
		 USE_COPY;
	*from = i + 2 + (a->use == USE_ADD);
	*to = shuffle_statement_end(t, *from);
	if (w[*from - 1].kind != '=' || w[*from].kind == '=')
		return false;
	for (size_t k = 0; k < LENGTH(all); k++)
		if (cpp_is(&w[*from], all[k].name) && *from + 4 < *to &&
		    cpp_is(&w[*from + 2], name) && w[*from + 3].kind == ',') {
			a->use = all[k].use;
			*from += 4;
			(*to)--;
		}
	/* int a, v = 0; */
	if (a->use == USE_COPY)
		*to = find_sign(t, *from, *to, ',');
	return true;
}

static struct lane_values get_first_values(struct stage *s,
					   const struct shuffle_text *t,
					   const struct shuffle_fold *f,
					   const struct lane_values after[],
					   const struct shuffle_fold folds[],
					   int count)
{
	struct lane_values v = { .elem = ELEM_RAW };

	for (size_t i = t->first; i < f->begin; i++) {
		struct value_source a = { .t = t, .v = &v };
		size_t from, to;

		if (!read_assignment(t, i, f->value, &a, &from, &to))
			continue;
		for (int k = 0; k < count; k++)
			if (from <= folds[k].begin && folds[k].begin < to) {
				v = after[k];
				from = to;
			}
		if (from == to || to > f->begin)
			continue;
		if (a.use == USE_COPY)
			v.elem = ELEM_RAW;
		v.known = (v.known || a.use == USE_COPY) &&
			  apply_right(s, &a, from, to);
	}
	return v;
}

/* ---- the fold ---- */

/* Computes all rows from the first. */
static void compute_rows(struct shuffles *h, const struct lane_values *first)
{
	const struct shuffle_fold *f = &h->fold;

	memcpy(h->row[0].value, first->value, sizeof(first->value));
	for (int i = 0; i < f->count; i++)
		for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
			const double *was = h->row[i].value;
			uint32_t from = f->step[i].from[lane];

			if (!(f->lanes >> from & 1))
				from = lane;
			h->row[i + 1].value[lane] =
				f->step[i].uses >> lane & 1 ?
				combine_values(f->use, first->elem, was[lane],
					       was[from]) : was[lane];
		}
}

/* Finds which values come of reading a lane that has left. */
static void find_undefined(struct shuffles *h)
{
	const struct shuffle_fold *f = &h->fold;

	h->row[0].undefined = 0;
	for (int i = 0; i < f->count; i++) {
		uint32_t was = h->row[i].undefined, now = 0;

		for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
			uint32_t bit = 1u << lane;
			uint32_t read = 1u << f->step[i].from[lane];
			bool uses = f->step[i].uses & bit;

			if ((!uses || f->use != USE_COPY) && was & bit)
				now |= bit;
			if (uses && read & (was | ~f->lanes))
				now |= bit;
		}
		h->row[i + 1].undefined = now & f->lanes;
	}
}

/* Finds which values reach the lanes whose results are used. */
static void find_needed(struct shuffles *h, uint32_t used)
{
	const struct shuffle_fold *f = &h->fold;

	h->row[f->count].needed = used & f->lanes;
	for (int i = f->count; i-- > 0;) {
		uint32_t above = h->row[i + 1].needed, needed = 0;

		for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
			bool uses = f->step[i].uses >> lane & 1;

			if (!(above >> lane & 1))
				continue;
			if (!uses || f->use != USE_COPY)
				needed |= 1u << lane;
			if (uses)
				needed |= 1u << f->step[i].from[lane];
		}
		h->row[i].needed = needed & f->lanes;
	}
}

/* The stores of a fold's result: of this warp, and of others. */
struct stored_results {
	struct shuffles *h;
	bool own;
	uint32_t lanes;
	bool wrong;
};

static bool note_result(void *ctx, const struct scene *sc,
		       const struct trace_request *r)
{
	const struct trace_site *site = &sc->info->sites[r->site];
	const struct trace_array *a = &sc->info->arrays[site->array];
	struct stored_results *n = ctx;
	struct shuffles *h = n->h;

	h->stored_array = site->array;
	for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
		double v;

		if (!(r->mask >> lane & 1))
			continue;
		if (!get_moved(sc, r, lane, &v))
			return false;
		if (n->own && v != h->row[h->fold.count].value[lane])
			n->wrong = true;
		n->lanes |= n->own ? 1u << lane : 0;
		if (h->part_count < SHUFFLE_PARTS)
			h->part[h->part_count++] = (struct shuffle_result){
				r->offset[lane] / a->elem_bytes, v, n->own };
	}
	return true;
}

static int compare_parts(const void *a, const void *b)
{
	const struct shuffle_result *p = a, *q = b;

	return (p->element > q->element) - (p->element < q->element);
}

/* Finds the statement NAME[...] = result; after the fold. Returns the word
 * NAME, or the text's end. */
static size_t find_store(const struct shuffle_text *t,
			 const struct shuffle_fold *f)
{
	for (size_t i = f->end; i < t->end; i++) {
		size_t eq = i + 1;

		if (t->w[i].kind != CPP_WORD)
			continue;
		while (eq < t->end && t->w[eq].kind == '[')
			eq = shuffle_close(t, eq) + 1;
		if (eq > i + 1 && eq + 2 < t->end && t->w[eq].kind == '=' &&
		    cpp_is(&t->w[eq + 1], f->result) &&
		    t->w[eq + 2].kind == ';')
			return i;
		/* another value in its place */
		if (cpp_is(&t->w[i], f->result) && eq == i + 1 &&
		    eq + 1 < t->end && t->w[eq].kind == '=' &&
		    t->w[eq + 1].kind != '=')
			break;
	}
	return t->end;
}

/* Compares the result with what was recorded, and collects what the block's
 * warps stored. */
static void check_stored_result(struct stage *s, const struct shuffle_text *t,
			struct shuffles *h, bool computed)
{
	struct stored_results n = { .h = h };
	size_t at = find_store(t, &h->fold);
	bool whole = at < t->end;

	for (size_t w = 0; whole && w < trace_warp_count(s->trace); w++) {
		n.own = w == s->scene.cursor.warp;
		if (trace_warp(s->trace, w)->block == s->scene.warp.block)
			whole = walk_requests(s, w, OP_ST, &t->w[at],
					      shuffle_line(t, at), note_result,
					      &n);
	}
	if (whole && n.lanes)
		h->stored_line = shuffle_line(t, at);
	else
		h->part_count = 0;
	qsort(h->part, (size_t)h->part_count, sizeof(*h->part), compare_parts);
	find_needed(h, h->stored_line ? n.lanes : UINT32_MAX);
	h->known = computed && h->stored_line && !n.wrong;
	h->disagree = computed && h->stored_line && n.wrong;
}

/* Writes how the text gives the variable its first values: "v = in[i]"; of
 * several assignments the variable alone. */
static void write_first(const struct shuffle_text *t, struct shuffles *h)
{
	const char *name = h->fold.value;
	struct value_source a;
	size_t from, to;
	int count = 0;

	snprintf(h->first, sizeof(h->first), "%s", name);
	for (size_t i = t->first; i < h->fold.begin; i++) {
		if (!read_assignment(t, i, name, &a, &from, &to) ||
		    to > h->fold.begin)
			continue;
		count = a.use == USE_COPY ? 1 : count + 1;
		snprintf(h->first, sizeof(h->first), "%.*s", count > 1 ?
			 (int)strlen(name) :
			 (int)(t->w[to].at - t->w[i].at), t->w[i].at);
	}
}

/* ---- the scene ---- */

struct shuffle_book {
	bool valid;
	size_t warp;
	int count;
	struct shuffles all[SHUFFLE_FOLDS];
};

static void read_folds(struct stage *s, struct shuffle_book *b)
{
	struct lane_values after[SHUFFLE_FOLDS];
	struct shuffle_fold folds[SHUFFLE_FOLDS];
	struct shuffle_text t;

	shuffle_text_begin(&t, &s->scene);
	b->count = shuffle_text_folds(&t, folds);
	for (int i = 0; i < b->count; i++) {
		struct shuffles *h = &b->all[i];
		struct lane_values first;

		*h = (struct shuffles){ .found = true, .fold = folds[i] };
		first = get_first_values(s, &t, &folds[i], after, folds, i);
		first.known = first.known && folds[i].known &&
			      !folds[i].in_loop &&
			      folds[i].use != USE_OTHER && s->info->values;
		compute_rows(h, &first);
		find_undefined(h);
		after[i] = first;
		memcpy(after[i].value, h->row[folds[i].count].value,
		       sizeof(after[i].value));
		check_stored_result(s, &t, h, first.known);
		write_first(&t, h);
	}
	shuffle_text_done(&t);
}

static const struct stage_part shuffle_part = {
	.bytes = sizeof(struct shuffle_book),
};

void scene_shuffle(struct stage *s, const struct turns *t)
{
	static const struct shuffles none;
	struct scene *sc = &s->scene;
	struct shuffle_book *b;

	(void)t;
	sc->shuffles = &none;
	if (!sc->site || !shuffle_in_text(sc))
		return;
	b = stage_state(s, &shuffle_part);
	if (!b->valid || b->warp != sc->cursor.warp)
		read_folds(s, b);
	b->valid = true;
	b->warp = sc->cursor.warp;
	/* The next one in which this warp takes part, or its last. */
	for (int i = 0; i < b->count; i++)
		if (b->all[i].fold.lanes &&
		    (!sc->shuffles->found ||
		     sc->shuffles->fold.last_line < sc->site->line))
			sc->shuffles = &b->all[i];
}

uint32_t shuffle_way(const struct shuffles *h, int row, uint32_t lane)
{
	const struct shuffle_fold *f = &h->fold;
	uint32_t way = 1u << lane;

	for (int i = 0; i < row; i++) {
		const struct shuffle_step *s = &f->step[i];
		uint32_t next = 0;

		for (uint32_t l = 0; l < WARP_LANES; l++) {
			bool uses = s->uses >> l & 1;

			if ((uses && way >> s->from[l] & 1) ||
			    ((!uses || f->use != USE_COPY) && way >> l & 1))
				next |= 1u << l;
		}
		way = next;
	}
	return way & h->row[row].needed;
}

bool shuffle_in_text(const struct scene *sc)
{
	return sc->info->text && strstr(sc->info->text, "__shfl_");
}
