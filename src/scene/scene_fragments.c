/* scene_fragments: see scene_fragments.h. */
#include "scene/scene_fragments.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "scene/stage.h"

#define FAR 4096	/* steps within which another instruction is looked for */

/* ---- which instruction ---- */

/* Returns where the text has the word, or NULL. */
static const char *find_word(const char *text, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = strstr(text, word); p; p = strstr(p + 1, word))
		if ((p == text || (!isalnum((unsigned char)p[-1]) &&
				   p[-1] != '_')) &&
		    !isalnum((unsigned char)p[n]) && p[n] != '_')
			return p;
	return NULL;
}

/* Names a wmma instruction by the first declaration in the text: "16, 16, 16"
 * after matrix_a gives the shape, the next word the type of A. Returns false if
 * there is none. */
static bool name_wmma(const struct scene *sc, char name[32])
{
	const struct trace_array *a = sc->a < 0 ? NULL :
				      sc->arrays[sc->a].array;
	int m, n, k;
	const char *p = sc->info->text ?
			find_word(sc->info->text, "matrix_a") : NULL;

	if (!p || sscanf(p, "matrix_a , %d , %d , %d", &m, &n, &k) != 3)
		return false;
	snprintf(name, 32, "wmma.m%dn%dk%d.%s", m, n, k,
		 a && a->elem == ELEM_BF16 ? "bf16" : "f16");
	return true;
}

static enum fragments_kind line_kind(const struct scene *sc, uint32_t line,
				     char name[32])
{
	static const char *const words[][2] = {
		{ "ldmatrix_x4_trans", "ldmatrix.x4.trans" },
		{ "ldmatrix_x4", "ldmatrix.x4" },
		{ "ldmatrix_x2_trans", "ldmatrix.x2.trans" },
		{ "ldmatrix_x2", "ldmatrix.x2" },
		{ "stmatrix_x4_trans", "stmatrix.x4.trans" },
		{ "stmatrix_x4", "stmatrix.x4" },
		{ "stmatrix_x2_trans", "stmatrix.x2.trans" },
	};
	const struct trace_array *a = sc->a < 0 ? NULL :
				      sc->arrays[sc->a].array;
	const struct source *src = sc->source;
	const char *text;

	if (!line || line > src->count)
		return FRAGMENTS_NONE;
	text = src->lines[line - 1].text;
	if (find_word(text, "mma_m16n8k16")) {
		snprintf(name, 32, "m16n8k16.%s",
			 a && a->elem == ELEM_BF16 ? "bf16" : "f16");
		return FRAGMENTS_MMA;
	}
	if (find_word(text, "mma_sync") && name_wmma(sc, name))
		return FRAGMENTS_MMA;
	for (size_t i = 0; i < LENGTH(words); i++)
		if (find_word(text, words[i][0])) {
			snprintf(name, 32, "%s", words[i][1]);
			return FRAGMENTS_MATRIX;
		}
	return FRAGMENTS_NONE;
}

/* Names a wgmma instruction. K is 16; N is the rest of B's tile. */
static void name_wgmma(const struct scene *sc, const struct trace_site *site,
		       char name[32])
{
	const struct trace_site *b = site;

	for (size_t i = 0; i < sc->info->site_count; i++)
		if (sc->info->sites[i].op == OP_WGMMA &&
		    sc->info->sites[i].line == site->line &&
		    trace_tile_elements(&sc->info->sites[i]) >
		    trace_tile_elements(b))
			b = &sc->info->sites[i];
	snprintf(name, 32, "wgmma.m64n%uk16.%s", trace_tile_elements(b) / 16,
		 sc->info->arrays[b->array].elem == ELEM_BF16 ? "bf16" : "f16");
}

enum fragments_kind fragments_at(const struct scene *sc,
				 const struct trace_site *site, char name[32])
{
	char mine[32];

	if (site->op == OP_WGMMA) {
		name_wgmma(sc, site, name ? name : mine);
		return FRAGMENTS_WGMMA;
	}
	if (!op_is_access(site->op) ||
	    (sc->info->arrays[site->array].space != SPACE_REGISTER &&
	     !site->matrix))
		return FRAGMENTS_NONE;
	return line_kind(sc, site->line, name ? name : mine);
}

/* ---- the group ---- */

static const struct trace_site *site_of(const struct stage *s, uint32_t i,
					uint32_t *number)
{
	if (trace_get_site(s->trace, s->scene.cursor.warp, i, number, NULL))
		return NULL;
	return stage_site(s, *number);
}

/* A group of an mma begins where its line's first site (that of A) follows
 * another site; it ends before the next one. */
static void find_group(const struct stage *s, struct fragments *f)
{
	const struct scene *sc = &s->scene;
	uint32_t line = sc->site->line, lowest = sc->request.site, n, before;
	uint32_t i = sc->cursor.request;
	const struct trace_site *site;

	for (uint32_t j = 0; j < s->info->site_count; j++)
		if (s->info->sites[j].line == line && j < lowest &&
		    s->info->sites[j].array != TRACE_NO_ARRAY)
			lowest = j;
	for (; i > 0; i--) {
		site = site_of(s, i, &n);
		if (!site || !site_of(s, i - 1, &before) ||
		    stage_site(s, before)->line != line ||
		    (n == lowest && before != lowest))
			break;
	}
	f->first = i;
	for (i = sc->cursor.request; i + 1 < sc->warp.requests; i++) {
		site = site_of(s, i + 1, &n);
		if (!site_of(s, i, &before) || !site || site->line != line ||
		    (n == lowest && before != lowest))
			break;
	}
	f->last = i;
}

/* ---- values ---- */

static struct fragments_operand *operand(struct fragments *f, char which)
{
	return which == 'A' ? &f->a : which == 'B' ? &f->b :
	       which == 'C' ? &f->c : &f->d;
}

/* Takes the values that one request moves of an operand, from element `first`
 * of each lane on. */
static void take_values(const struct stage *s, struct fragments_operand *o,
			const struct trace_request *r, int first, int count)
{
	const struct trace_site *site = stage_site(s, r->site);
	const struct trace_array *a = &s->info->arrays[site->array];
	enum elem elem = stage_elem(s->info, a);
	uint32_t bytes = site->bytes / (uint32_t)count;

	for (uint32_t l = 0; l < WARP_LANES; l++)
		for (int e = 0; e < count && s->info->values; e++)
			if (r->mask >> l & 1 &&
			    first + e < FRAGMENTS_ELEMENTS)
				o->known[l][first + e] = element_value(elem,
					&r->value[l * 4], (uint32_t)e * bytes,
					&o->value[l][first + e]);
}

/* Returns the number of elements that a lane moves by one request of the
 * site. */
static int count_lane_elements(const struct stage *s,
			       const struct trace_site *site)
{
	const struct trace_array *a = &s->info->arrays[site->array];
	uint32_t bytes = a->elem_bytes / (stage_elem(s->info, a) != a->elem ?
					  2 : 1);

	return MAX((int)(site->bytes / bytes), 1);
}

/* Reads the requests of a group: A, B and C are loaded in this order, then D is
 * stored. */
static void read_group(const struct stage *s, struct fragments *f)
{
	uint32_t last = UINT32_MAX, number;
	const char *which = "ABC";
	int done = 0;

	f->multiplied = false;
	for (uint32_t i = f->first; i <= f->last; i++) {
		const struct trace_site *site = site_of(s, i, &number);
		char of = *which;
		struct trace_request r;
		int count;

		if (!site || site->array == TRACE_NO_ARRAY ||
		    trace_get(s->trace, f->warp, i, &r, NULL))
			return;
		if (last != UINT32_MAX && number != last) {
			which += *which != 0;
			done = 0;
		}
		last = number;
		of = site->op == OP_ST ? 'D' : *which ? *which : 'C';
		count = count_lane_elements(s, site);
		take_values(s, operand(f, of), &r, done, count);
		if (i == s->scene.cursor.request) {
			f->moves = of;
			f->moves_first = done;
			f->moves_count = count;
			f->multiplies = of == 'D' && !done;
			f->multiplied = of == 'D' && done;
		}
		done += count;
	}
}

static bool find_layout(struct fragments *f, char which)
{
	const struct fragment_wish wish = { .name = f->name,
					    .operand = which };
	struct error e;

	return !fragment_find(&wish, &operand(f, which)->layout, &e);
}

static bool is_mma(struct stage *s, struct fragments *f)
{
	if (!find_layout(f, 'A') || !find_layout(f, 'B') ||
	    !find_layout(f, 'C') || !find_layout(f, 'D'))
		return false;
	f->m = f->d.layout.rows;
	f->n = f->d.layout.cols;
	f->k = f->a.layout.cols;
	find_group(s, f);
	read_group(s, f);
	return true;
}

/* ---- shared memory ---- */

static bool is_wgmma(const struct stage *s, struct fragments *f)
{
	const struct scene *sc = &s->scene;
	uint32_t before = 0, number;
	const struct trace_site *site;

	if (!find_layout(f, 'D'))
		return false;
	f->m = f->d.layout.rows;
	f->n = f->d.layout.cols;
	f->k = 16;
	f->quarter = (int)(sc->warp.warp % 4);
	/* The first of two requests is A's. */
	while (before < sc->cursor.request &&
	       (site = site_of(s, sc->cursor.request - before - 1, &number)) &&
	       site->op == OP_WGMMA)
		before++;
	f->moves = before % 2 ? 'B' : 'A';
	f->multiplies = before % 2;
	f->first = sc->cursor.request - before % 2;
	f->last = f->first + 1;
	return true;
}

static int wavefronts_of(const struct access *a)
{
	struct access_cost cost;
	struct error e;

	return access_cost(a, &cost, &e) ? -1 : cost.wavefronts;
}

/* Reads the rows that the lanes name and where their chunks are. Without a
 * swizzle the eight rows of a matrix would keep the chunk of the first. */
static void read_rows(const struct stage *s, struct fragments *f,
		      const struct trace_request *r)
{
	const struct trace_site *site = stage_site(s, r->site);
	const struct trace_array *a = &s->info->arrays[site->array];
	uint32_t pitch = (uint32_t)a->dims[a->rank - 1] * a->elem_bytes;
	struct access access;
	struct access plain;

	if (!access_of(s->info, r, &access))
		return;
	plain = access;
	f->wavefronts = wavefronts_of(&access);
	f->plain_wavefronts = -1;
	for (uint32_t l = 0; l < WARP_LANES; l++) {
		uint64_t first = r->offset[l / 8 * 8];

		f->at[l] = access.address[l];
		f->row[l] = (uint32_t)(r->offset[l] / pitch);
		f->col[l] = (uint32_t)(r->offset[l] % pitch / a->elem_bytes);
		plain.address[l] = a->base + (uint64_t)f->row[l] * pitch +
				   first % pitch;
		f->plain_at[l] = plain.address[l];
		f->swizzled |= f->col[l] != f->col[l / 8 * 8];
	}
	if (a->rank > 1)
		f->plain_wavefronts = wavefronts_of(&plain);
}

/* The request that names the rows: the last one of the line at or before the
 * cursor, for loads; for stores the next one. */
static bool is_matrix(const struct stage *s, struct fragments *f)
{
	const struct scene *sc = &s->scene;
	uint32_t i = sc->cursor.request, number;
	const struct trace_site *site;
	struct trace_request r;

	f->trans = strstr(f->name, "trans") != NULL;
	f->stores = !strncmp(f->name, "stmatrix", 8);
	if (!find_layout(f, 'R'))
		return false;
	for (;; i += f->stores ? 1 : (uint32_t)-1) {
		site = site_of(s, i, &number);
		if (!site || site->line != sc->site->line)
			return false;
		if (site->matrix)
			break;
		if (!f->stores && i == 0)
			return false;
		f->moves_first += !f->stores && site->op == OP_ST ? 1 : 0;
	}
	f->first = f->stores ? sc->cursor.request : i;
	f->last = f->stores ? i : sc->cursor.request;
	f->multiplied = i < sc->cursor.request;
	f->multiplies = i == sc->cursor.request;
	if (trace_get(s->trace, f->warp, i, &r, NULL))
		return false;
	read_rows(s, f, &r);
	return true;
}

static bool work_out(struct stage *s, struct fragments *f)
{
	*f = (struct fragments){ .warp = s->scene.cursor.warp,
				 .wavefronts = -1, .plain_wavefronts = -1 };
	f->kind = fragments_at(&s->scene, s->scene.site, f->name);
	switch (f->kind) {
	case FRAGMENTS_MMA:
		return is_mma(s, f);
	case FRAGMENTS_WGMMA:
		return is_wgmma(s, f);
	case FRAGMENTS_MATRIX:
		return is_matrix(s, f);
	default:
		return false;
	}
}

/* Returns the distance, in requests, to the warp's next matrix instruction,
 * else to the last one before; 0: none is near. */
static int find_nearest_instruction(const struct stage *s)
{
	const struct scene *sc = &s->scene;
	uint32_t here = sc->cursor.request, number;

	for (int side = 1; side >= -1; side -= 2)
		for (int by = 1; by < FAR; by++) {
			int64_t at = (int64_t)here + side * by;
			const struct trace_site *site;

			if (at < 0 || at >= sc->warp.requests)
				break;
			site = site_of(s, (uint32_t)at, &number);
			if (site && fragments_at(sc, site, NULL))
				return side * by;
		}
	return 0;
}

/* Works out another step's, at which the scene is for that long. */
static bool work_out_away(struct stage *s, struct fragments *f, int away)
{
	struct scene *sc = &s->scene;
	const struct trace_site *site = sc->site;
	struct trace_request request = sc->request;
	bool known = false;

	sc->cursor.request += (uint32_t)away;
	if (away && !trace_get(s->trace, sc->cursor.warp, sc->cursor.request,
			       &sc->request, NULL)) {
		sc->site = stage_site(s, sc->request.site);
		known = work_out(s, f);
	}
	sc->cursor.request -= (uint32_t)away;
	sc->request = request;
	sc->site = site;
	f->away = away;
	f->moves = 0;
	f->multiplies = false;
	f->multiplied = away < 0;
	return known;
}

void scene_fragments(struct stage *s)
{
	struct scene *sc = &s->scene;

	sc->fragments = NULL;
	if (!sc->site)
		return;
	if (!s->fragments)
		s->fragments = xcalloc(1, sizeof(*s->fragments));
	if (work_out(s, s->fragments) ||
	    (s->fragments->kind == FRAGMENTS_NONE &&
	     work_out_away(s, s->fragments, find_nearest_instruction(s))))
		sc->fragments = s->fragments;
}
