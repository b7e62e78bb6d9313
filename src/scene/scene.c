#include "scene/stage.h"
#include "scene/rungs.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/verdict.h"
#include "base/lang.h"
#include "kernels/problem.h"
#include "kernels/programs.h"
#include "machine/machine.h"

static int find_global_array(const struct scene *sc, const char *name, int nth)
{
	int seen = 0;

	for (size_t i = 0; i < sc->array_count; i++)
		if (!strcmp(sc->arrays[i].array->name, name) &&
		    sc->arrays[i].array->space == SPACE_GLOBAL)
			return (int)i;
	for (size_t i = 0; i < sc->array_count; i++)
		if (sc->arrays[i].array->space == SPACE_GLOBAL &&
		    seen++ == nth)
			return (int)i;
	return -1;
}

static bool has_shape(const struct scene *sc, int at, uint32_t rows,
		      uint32_t cols)
{
	return at >= 0 && sc->arrays[at].array->rank == 2 &&
	       sc->arrays[at].rows == rows && sc->arrays[at].cols == cols;
}

/* Tells whether the trace is of a product of matrices: its problem is, or, where
 * that is not known, A, B and C have the sizes of one. */
static bool multiplies_matrices(const struct scene *sc)
{
	const struct trace_info *i = sc->info;

	if (!trace_has_size(i))
		return false;
	if (!i->problem || !strcmp(i->problem, problem_gemm.name))
		return true;
	return !strcmp(i->problem, problem_unknown.name) &&
	       has_shape(sc, sc->a, i->m, i->k) &&
	       has_shape(sc, sc->b, i->k, i->n) &&
	       has_shape(sc, sc->c, i->m, i->n);
}

static uint64_t count_rows(const struct trace_array *a)
{
	uint64_t rows = 1;

	for (uint32_t d = 0; d + 1 < a->rank; d++)
		rows *= a->dims[d];
	return rows;
}

enum elem stage_elem(const struct trace_info *info,
			     const struct trace_array *a)
{
	const struct trace_array *first = &info->arrays[0];

	return a->space == SPACE_REGISTER && a->elem == ELEM_U32 &&
			       first->space == SPACE_GLOBAL &&
	       (first->elem == ELEM_F16 || first->elem == ELEM_BF16) ?
	       first->elem : a->elem;
}

/* Returns whether a shared array is a small note that a block keeps next to its
 * tiles: a few integers, where another array is a hundred times as large. */
static bool is_note(const struct trace_info *info, const struct trace_array *a)
{
	uint64_t bytes = trace_array_bytes(a), most = 0;

	if (a->space != SPACE_SHARED || bytes > 64 || elem_is_real(a->elem))
		return false;
	for (uint32_t i = 0; i < info->array_count; i++)
		if (info->arrays[i].space == SPACE_SHARED)
			most = MAX(most, trace_array_bytes(&info->arrays[i]));
	return most >= 100 * bytes;
}

static void put_on_stage(struct stage *s, uint32_t id)
{
	struct scene *sc = &s->scene;
	const struct trace_array *a = &s->info->arrays[id];
	uint32_t packed = stage_elem(s->info, a) != a->elem ? 2 : 1;
	uint64_t rows = count_rows(a), cols = a->dims[a->rank - 1] * packed;
	struct stage_array *sa;

	if (id >= LENGTH(s->on_stage) || sc->array_count == STAGE_MAX_ARRAYS ||
	    rows > INT32_MAX || cols > INT32_MAX || is_note(s->info, a))
		return;
	sa = &sc->arrays[sc->array_count];
	*sa = (struct stage_array){ .array = a, .id = id,
				    .rows = (uint32_t)rows,
				    .cols = (uint32_t)cols,
				    .packed = packed };
	if (a->space != SPACE_GLOBAL && rows * cols <= 1u << 20) {
		size_t n = rows * cols;

		if (a->space == SPACE_SHARED) {
			sa->owner = xcalloc(n, sizeof(*sa->owner));
			sa->coming = xcalloc(n, sizeof(*sa->coming));
			s->owner_start[sc->array_count] =
				xcalloc(n, sizeof(*sa->owner));
		} else {
			sa->value = xcalloc(n, sizeof(*sa->value));
		}
	}
	s->on_stage[id] = (int)sc->array_count++;
}

/* Returns the site's kinds, a mask of enum site_kind, for stage_next(). */
static uint8_t classify_site(struct stage *s, const struct trace_site *ts)
{
	const struct stage_array *sa = stage_array_at(s, ts->array);
	enum space space;
	uint8_t kinds = 0;

	if (ts->array == TRACE_NO_ARRAY)
		return 0;
	space = s->info->arrays[ts->array].space;
	if (sa && sa->owner && (ts->op == OP_ST || ts->op == OP_TMA_LD))
		kinds |= SITE_OWNS;
	if (space == SPACE_REGISTER)
		kinds |= SITE_REGISTER;
	else if ((ts->op == OP_LD &&
		  !is_note(s->info, &s->info->arrays[ts->array])) ||
		 ts->op == OP_WGMMA ||
		 (ts->op == OP_TMA_LD && space == SPACE_GLOBAL))
		kinds |= SITE_READ;
	if (ts->op == OP_TMA_LD)
		kinds |= SITE_BOX;
	if (ts->op == OP_TMA_ST)
		kinds |= SITE_BOX_LEAVES;
	if (ts->op == OP_WGMMA)
		kinds |= SITE_PRODUCT;
	if (space != SPACE_GLOBAL)
		return kinds;
	if (ts->op == OP_ST || ts->op == OP_TMA_ST)
		kinds |= SITE_RESULT;
	return kinds | SITE_GLOBAL;
}

/* Tests whether the trace is of a kernel or a program of ours, by its file. */
static bool is_text_of_ours(const struct trace_info *i)
{
	char *name = xstrndup(i->file, strcspn(i->file, "."));
	bool ours = kernel_find(i->kernel) || own_program_find(name);

	free(name);
	return ours;
}

static void judge_trace(struct stage *s)
{
	struct verdict v = verdict_make(s->info, s->trace);

	s->scene.is_wrong = v.kind == VERDICT_WRONG;
	if (s->scene.is_wrong || !is_text_of_ours(s->info))
		s->scene.verdict = s->verdict = verdict_text(&v);
	verdict_done(&v);
}

struct stage *stage_new(struct trace *t)
{
	struct stage *s = xcalloc(1, sizeof(*s));
	struct scene *sc = &s->scene;

	s->trace = t;
	s->info = sc->info = trace_info(t);
	sc->source = s->source = source_new(s->info);
	for (size_t i = 0; i < LENGTH(s->on_stage); i++)
		s->on_stage[i] = -1;
	for (uint32_t i = 0; i < s->info->array_count; i++)
		put_on_stage(s, i);
	for (size_t i = 0; i < s->info->finding_count; i++) {
		const struct trace_finding *f = &s->info->findings[i];
		const struct stage_array *sa = f->cause == CAUSE_UNWRITTEN ?
			stage_array_at(s, f->array) : NULL;

		if (sa && !strcmp(s->info->on, "cpu"))
			s->unwritten |= 1u << (sa - sc->arrays);
	}
	s->kinds = xcalloc(s->info->site_count, 1);
	for (size_t i = 0; i < s->info->site_count; i++) {
		s->kinds[i] = classify_site(s, &s->info->sites[i]);
		s->boxes_leave |= s->info->sites[i].op == OP_TMA_ST;
	}
	judge_trace(s);
	sc->ladder = rungs_has(s->info);
	sc->a = find_global_array(sc, "A", 0);
	sc->b = find_global_array(sc, "B", 1);
	sc->c = find_global_array(sc, "C", 2);
	sc->product = multiplies_matrices(sc);
	scene_input(s);
	s->ord_warp = SIZE_MAX;
	return s;
}

void stage_free(struct stage *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->scene.array_count; i++) {
		free(s->scene.arrays[i].marks);
		free(s->scene.arrays[i].owner);
		free(s->scene.arrays[i].coming);
		free(s->scene.arrays[i].value);
		free(s->owner_start[i]);
	}
	for (size_t i = 0; i < s->part_count; i++) {
		if (s->parts[i].part->done)
			s->parts[i].part->done(s->parts[i].state);
		free(s->parts[i].state);
	}
	scene_defect_done(s);
	scene_devices_done(s);
	free(s->verdict);
	free(s->scene.sentence);
	free(s->scene.numbers);
	free(s->iterations.at);
	free(s->tiles.at);
	free(s->kinds);
	free(s->visits);
	source_free(s->source);
	locals_free(s->locals);
	stage_pipeline_free(s->pipeline);
	stage_road_free(s->road);
	free(s->fragments);
	order_free(s->order);
	free(s->brought);
	if (s->machine)
		machine_done(s->machine);
	free(s->machine);
	free(s);
}

void stage_machine(struct stage *s, struct machine_launch *m)
{
	if (!s->machine)
		s->machine = xcalloc(1, sizeof(*s->machine));
	else
		machine_done(s->machine);
	*s->machine = *m;
	*m = (struct machine_launch){ .code = { .registers = NA } };
	s->scene.compiled = s->machine;
}

void *stage_state(struct stage *s, const struct stage_part *part)
{
	size_t i = 0;

	while (i < s->part_count && s->parts[i].part != part)
		i++;
	if (i == STAGE_PARTS)
		fatal("more pictures than the stage has parts for");
	if (i == s->part_count) {
		s->parts[i].part = part;
		s->parts[i].state = xcalloc(1, part->bytes);
		s->part_count++;
	}
	return s->parts[i].state;
}

struct trace *stage_trace(const struct stage *s)
{
	return s->trace;
}

struct stage_array *stage_array_at(struct stage *s, uint32_t array)
{
	if (array >= LENGTH(s->on_stage) || s->on_stage[array] < 0)
		return NULL;
	return &s->scene.arrays[s->on_stage[array]];
}

uint32_t stage_site_elements(const struct trace_site *site,
			     const struct trace_array *a)
{
	uint32_t n = site->bytes / a->elem_bytes;

	return n && !op_is_bulk(site->op) ? n : 1;
}

/* ---- the scene ---- */

bool scene_has(const struct scene *sc, enum space space)
{
	for (size_t i = 0; i < sc->array_count; i++)
		if (sc->arrays[i].array->space == space)
			return true;
	return false;
}

static void find_cursor(struct stage *s)
{
	struct scene *sc = &s->scene;
	struct cursor *p = &sc->cursor;

	sc->warp = *trace_warp(s->trace, p->warp);
	sc->block = dim_of(s->info->grid, sc->warp.block);
	sc->thread_linear = sc->warp.warp * WARP_LANES + p->lane;
	sc->thread = dim_of(s->info->block, sc->thread_linear);
	sc->phases = sc->warp.phases;
	sc->phase = trace_phase_of(s->trace, p->warp, p->request);
	sc->phase_first = trace_phase_start(s->trace, p->warp, sc->phase);
	sc->phase_last = sc->phase + 1 < sc->phases ?
		trace_phase_start(s->trace, p->warp, sc->phase + 1) - 1 :
		MAX(sc->warp.requests, 1) - 1;
	for (uint32_t i = 0; i < MIN(sc->phases, LENGTH(sc->phase_starts)); i++)
		sc->phase_starts[i] =
			trace_phase_start(s->trace, p->warp, i);
}

/* Marks the sites that the warp executes, and those of its phase. */
static void find_visits(struct stage *s)
{
	struct scene *sc = &s->scene;
	uint32_t site;

	if (!s->visits)
		s->visits = xcalloc(s->info->site_count + 1, 1);
	sc->visits = s->visits;
	if (s->visited && s->visit_warp == sc->cursor.warp &&
	    s->visit_phase == sc->phase)
		return;
	s->visited = true;
	s->visit_warp = sc->cursor.warp;
	s->visit_phase = sc->phase;
	memset(s->visits, 0, s->info->site_count);
	for (uint32_t i = 0; i < sc->warp.requests; i++)
		if (!trace_get_site(s->trace, sc->cursor.warp, i, &site, NULL))
			s->visits[site] |= i >= sc->phase_first &&
					   i <= sc->phase_last ?
				VISIT_WARP | VISIT_PHASE : VISIT_WARP;
}

/* Moves to the line of an access outside its array: it is not recorded, and the
 * request is the lane's last before it. */
static void find_finding_line(struct scene *sc)
{
	uint32_t line = sc->defect.access.line;

	if (!sc->finding || sc->finding->kind != FINDING_OUT_OF_BOUNDS ||
	    !line || line == sc->line)
		return;
	sc->line = line;
	sc->has_span = false;
}

const struct scene *stage_scene(struct stage *s, const struct cursor *p)
{
	struct scene *sc = &s->scene;

	sc->cursor = *p;
	sc->site = NULL;
	sc->line = 0;
	sc->array = NULL;
	sc->costs = sc->has_span = sc->lane_active = false;
	sc->finding = NULL;
	for (size_t i = 0; i < s->part_count; i++)
		if (s->parts[i].part->forget)
			s->parts[i].part->forget(sc);
	sc->pipeline = NULL;
	sc->fragments = NULL;
	sc->order = NULL;
	sc->devices = NULL;
	sc->road = NULL;
	sc->error.text[0] = 0;
	free(sc->sentence);
	sc->sentence = NULL;
	cursor_clamp(s, &sc->cursor);
	if (sc->cursor.warp >= trace_warp_count(s->trace))
		return sc;
	find_cursor(s);
	find_visits(s);
	if (!sc->warp.requests) {
		scene_marks(s);
		scene_owners(s);
		scene_defect(s);
		sc->line = sc->finding ? sc->defect.access.line : 0;
		sc->sentence = xstrdup(sc->finding ? sc->defect.sentence :
				_("No request of this warp was recorded."));
		return sc;
	}
	if (trace_get(s->trace, sc->cursor.warp, sc->cursor.request,
		      &sc->request, &sc->error))
		return sc;
	sc->site = stage_site(s, sc->request.site);
	sc->line = sc->site->line;
	if (sc->site->array != TRACE_NO_ARRAY)
		sc->array = &s->info->arrays[sc->site->array];
	sc->lane_active = sc->request.mask >> sc->cursor.lane & 1;
	scene_costs(sc);
	scene_sectors(sc);
	sc->focus_lanes = scene_focus(sc);
	scene_value(sc);
	scene_fragment(sc);
	sc->sentence = pattern_sentence(s->info, &sc->request);
	scene_marks(s);
	scene_boxes(s);
	scene_owners(s);
	scene_registers(s);
	scene_numbers(s);
	scene_defect(s);
	find_finding_line(sc);
	scene_barrier(s);
	scene_home(s);
	return sc;
}
