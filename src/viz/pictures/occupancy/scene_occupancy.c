/* How an SM fills up. See scene_occupancy.h. */
#include "scene/stage.h"

#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "kernels/kernels.h"
#include "scene/rungs.h"
#include "viz/pictures/occupancy/scene_occupancy.h"

#define REGISTER_STEP 8
#define REGISTERS_ASSUMED 32

/* Without a race: the newest that the ladder is written for. */
#define ARCH_ASSUMED "sm_90"

static int get_tile_size(int i)
{
	return 8 << i;
}

/* ---- what is known ---- */

/* Returns the name of the table's ith kernel if it is on the ladder of `own`
 * (that of tensor cores is another one), else NULL. */
static const char *name_rung(const struct kernel *own, size_t i)
{
	const struct kernel *k = &kernels[i];

	return own && i < kernel_count && !k->bug && !own->bug &&
	       k->problem == own->problem && !k->baseline == !own->baseline ?
	       k->name : NULL;
}

static void known_rungs(const struct kernel *own,
			struct occupancy_known *known)
{
	const char *words[OCCUPANCY_RUNGS];

	for (size_t i = 0; i < OCCUPANCY_RUNGS; i++)
		words[i] = name_rung(own, i);
	measured_find(words, OCCUPANCY_RUNGS, MEASURED_SIZE, known->rungs,
		      &known->rungs_race);
}

void occupancy_known_fill(const struct trace_info *info,
			  struct occupancy_known *known)
{
	const struct kernel *k = kernel_find(info->kernel);
	char *words[OCCUPANCY_TILES], *own = k ? race_word(info, k) : NULL;

	for (int i = 0; i < OCCUPANCY_TILES; i++)
		words[i] = xasprintf("tiled:TILE=%d", get_tile_size(i));
	measured_find((const char *const *)&own, 1, MEASURED_SIZE, &known->own,
		      &known->own_race);
	measured_find((const char *const *)words, OCCUPANCY_TILES,
		      MEASURED_SIZE, known->tiles, &known->race);
	for (int i = 0; i < OCCUPANCY_TILES; i++)
		free(words[i]);
	free(own);
	known_rungs(k, known);
}

void occupancy_known_done(struct occupancy_known *known)
{
	measured_race_done(&known->own_race);
	measured_race_done(&known->race);
	measured_race_done(&known->rungs_race);
}

/* ---- the launch ---- */

/* Returns the bytes of shared memory that the recorded kernel declares. */
static int declared_shared(const struct trace_info *info)
{
	uint64_t end = 0;

	for (size_t i = 0; i < info->array_count; i++) {
		const struct trace_array *a = &info->arrays[i];
		uint64_t bytes = a->elem_bytes;

		for (uint32_t d = 0; d < a->rank; d++)
			bytes *= a->dims[d];
		if (a->space == SPACE_SHARED)
			end = MAX(end, a->base + bytes);
	}
	return (int)MIN(end, OCCUPANCY_MOST_SHARED);
}

/* Returns the registers of `tiled` with tile i, or with the next smaller tile
 * that was measured; 0: none was. */
static int tile_registers(const struct occupancy_known *known, int i)
{
	for (; i >= 0; i--)
		if (known->tiles[i].registers != NA)
			return (int)known->tiles[i].registers;
	return 0;
}

static void launch_tile(struct scene_occupancy *s,
			const struct occupancy_known *known, int i)
{
	struct occupancy_tile t = occupancy_tile(get_tile_size(i));

	s->tile = get_tile_size(i);
	s->block = (struct trace_dim){ (uint32_t)s->tile, (uint32_t)s->tile,
				       1 };
	s->launch = (struct occupancy_launch){
		.threads = t.threads, .shared = t.shared,
		.registers = tile_registers(known, i),
	};
	if (known->tiles[i].registers != NA) {
		s->compiled = known->race.arch;
		s->date = known->race.date;
	}
	snprintf(s->label, sizeof(s->label), "tiled TILE=%d", s->tile);
}

static void launch_own(struct scene_occupancy *s,
		       const struct trace_info *info,
		       const struct occupancy_known *known)
{
	size_t n;

	if (!strcmp(info->kernel, "tiled"))
		s->tile = (int)info->block.x;
	s->block = info->block;
	s->launch.threads = (int)(info->block.x * info->block.y *
				  info->block.z);
	s->launch.shared = declared_shared(info);
	if (known->own.shared != NA)
		s->launch.shared = (int)known->own.shared;
	if (known->own.registers != NA) {
		s->launch.registers = (int)known->own.registers;
		s->compiled = known->own_race.arch;
		s->date = known->own_race.date;
		s->older = known->own.older;
	}
	n = (size_t)snprintf(s->label, sizeof(s->label), "%s", info->kernel);
	for (size_t i = 0; i < info->define_count && n < sizeof(s->label); i++)
		n += (size_t)snprintf(s->label + n, sizeof(s->label) - n,
				      " %s=%s", info->defines[i].name,
				      info->defines[i].value);
}

static void turn_registers(struct scene_occupancy *s, int by)
{
	int n = s->launch.registers;

	if (!n) {
		n = REGISTERS_ASSUMED;
		s->compiled = NULL;
	}
	if (by) {
		n = (n + REGISTER_STEP - 1) / REGISTER_STEP * REGISTER_STEP +
		    by * REGISTER_STEP;
		s->turned = true;
	}
	s->launch.registers = MAX(REGISTER_STEP, MIN(n, 256));
}

/* ---- the architecture ---- */

/* Gets Fermi, for which the first texts on tiles were written, with its usual
 * 48 KiB of shared memory. */
static void get_fermi(struct occupancy_arch *a)
{
	if (occupancy_arch_get(a, "sm_20", 0, NULL))
		fatal("no sm_20");
}

/* Finds the architecture `by` steps from `start` in a ring: from the newest to
 * the oldest, which is Fermi. */
static void find_arch(struct occupancy_arch *a, const char *start, int by)
{
	int n = (int)occupancy_arch_count, at = 0;
	struct occupancy_arch first;

	if (!start || occupancy_arch_get(&first, start, 0, NULL))
		start = ARCH_ASSUMED;
	for (int i = 0; i < n; i++)
		if (!strcmp(occupancy_archs[i].name, start))
			at = n - 1 - i;
	at = ((at + by) % n + n) % n;
	*a = occupancy_archs[n - 1 - at];
}

static bool same_arch(const struct occupancy_arch *a,
		      const struct occupancy_arch *b)
{
	return !strcmp(a->name, b->name) && a->shared == b->shared;
}

/* ---- what TILE turns ---- */

/* Fills the row of `tiled` with tile i. */
static void fill_tile_row(struct scene_occupancy *s,
			  const struct occupancy_known *known, int i)
{
	struct occupancy_row *r = &s->rows[i];
	struct occupancy_tile t = occupancy_tile(get_tile_size(i));
	struct occupancy_launch l = { .threads = t.threads,
				      .shared = t.shared };

	l.registers = s->turned ? s->launch.registers :
				  tile_registers(known, i);
	if (!l.registers)
		l.registers = REGISTERS_ASSUMED;
	*r = (struct occupancy_row){
		.tile = get_tile_size(i),
		.threads = t.threads,
		.registers = l.registers,
		.intensity = t.flop / t.bytes,
		.flops = known->tiles[i].flops,
	};
	occupancy_of(&s->arch, &l, &r->o);
	occupancy_of(&s->other, &l, &r->old);
}

/* Returns whether a block with so much shared memory (bytes) must have opted
 * in. */
static bool opted_in(const struct occupancy_arch *a, int shared)
{
	return shared > a->block_shared;
}

/* Fills in the ladder; the kernel on stage is among its rungs even if no race
 * has it as it is now. */
static void fill_rungs(struct scene_occupancy *s,
		       const struct trace_info *info,
		       const struct occupancy_known *known)
{
	const struct kernel *own = kernel_find(info->kernel);
	const char *own_name = own ? own->name : "";

	for (size_t i = 0; i < MIN(kernel_count, OCCUPANCY_RUNGS); i++) {
		const struct measured *m = &known->rungs[i];
		struct occupancy_rung *r = &s->rungs[s->rung_count];
		struct occupancy_launch l = {
			.threads = (int)m->threads,
			.registers = (int)m->registers,
			.shared = (int)m->shared,
			.dynamic = opted_in(&s->arch, (int)m->shared),
		};

		if (m->flops == NA && name_rung(own, i) == own_name) {
			s->rungs[s->rung_count++] = (struct occupancy_rung){
				.name = own_name, .flops = NA, .here = true,
				.o = s->o };
			continue;
		}
		if (m->flops == NA || m->threads == NA ||
		    m->registers == NA || m->shared == NA)
			continue;
		*r = (struct occupancy_rung){
			.name = kernels[i].name, .flops = m->flops,
			.older = m->older,
			.here = !strcmp(kernels[i].name, info->kernel) &&
				l.threads == s->launch.threads,
		};
		occupancy_of(&s->arch, &l, &r->o);
		s->rung_count++;
	}
}

void scene_occupancy_fill(const struct trace_info *info,
			  const struct occupancy_known *known, int tile,
			  int registers, int arch, struct scene_occupancy *out)
{
	const struct calibrated *own = calibrated_last();

	*out = (struct scene_occupancy){ .race = &known->race,
					 .rungs_race = &known->rungs_race };
	if (tile > 0 && tile <= OCCUPANCY_TILES)
		launch_tile(out, known, tile - 1);
	else
		launch_own(out, info, known);
	turn_registers(out, registers);
	find_arch(&out->arch, own ? own->arch.name : known->race.arch, arch);
	out->calibrated = calibrated_arch(&out->arch);
	out->launch.dynamic = opted_in(&out->arch, out->launch.shared);
	get_fermi(&out->other);
	if (same_arch(&out->arch, &out->other))
		find_arch(&out->other, known->race.arch, 0);
	occupancy_of(&out->arch, &out->launch, &out->o);
	for (int i = 0; i < OCCUPANCY_TILES; i++)
		fill_tile_row(out, known, i);
	if (!out->tile)
		fill_rungs(out, info, known);
}

/* ---- on stage ---- */

/* What the stage keeps of the picture. */
struct occupancy_state {
	bool filled;		/* known is */
	struct occupancy_known known;
	struct scene_occupancy now;
};

static void free_occupancy(void *state)
{
	occupancy_known_done(&((struct occupancy_state *)state)->known);
}

static void forget_occupancy(struct scene *sc)
{
	sc->occupancy = NULL;
}

static const struct stage_part occupancy_part = {
	sizeof(struct occupancy_state), free_occupancy, forget_occupancy,
};

void scene_occupancy(struct stage *s, int tile, int registers, int arch)
{
	struct occupancy_state *o = stage_state(s, &occupancy_part);

	if (!o->filled)
		occupancy_known_fill(s->info, &o->known);
	o->filled = true;
	scene_occupancy_fill(s->info, &o->known, tile, registers, arch,
			     &o->now);
	s->scene.occupancy = &o->now;
}

void scene_occupancy_ask(struct stage *s, int threads, int registers,
			 int shared)
{
	struct occupancy_state *o = stage_state(s, &occupancy_part);
	struct scene_occupancy *now = &o->now;

	now->asked = true;
	now->tile = now->rung_count = 0;
	now->compiled = NULL;
	snprintf(now->label, sizeof(now->label), "%s",
		 _("The question's launch"));
	now->block = (struct trace_dim){ (uint32_t)threads, 1, 1 };
	now->launch = (struct occupancy_launch){
		.threads = threads, .registers = registers, .shared = shared,
		.dynamic = opted_in(&now->arch, shared),
	};
	occupancy_of(&now->arch, &now->launch, &now->o);
}
