#include "scene/scene_machine.h"

#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/text.h"
#include "scene/stage.h"

/* What is kept of the warp on stage. */
struct kept_machine {
	struct scene_machine now;
	struct machine_steps steps;
	const struct machine_launch *of;
	size_t warp;
	struct error why;
	bool failed;
};

static void free_kept(void *state)
{
	struct kept_machine *k = state;

	machine_steps_done(&k->steps);
	free(k->now.line);
}

static void forget_kept(struct scene *sc)
{
	sc->machine = NULL;
}

static const struct stage_part machine_part = {
	.bytes = sizeof(struct kept_machine), .done = free_kept,
	.forget = forget_kept,
};

/* Lists the accesses of the warp on stage, unless it is the last one's. */
static void list_steps(struct stage *s, struct kept_machine *k)
{
	if (k->of == s->machine && k->warp == s->scene.cursor.warp)
		return;
	machine_steps_done(&k->steps);
	k->of = s->machine;
	k->warp = s->scene.cursor.warp;
	k->failed = machine_steps_make(&k->steps, s->machine, s->trace, k->warp,
				       &k->why) < 0;
}

/* Lists the instructions of the current line. */
static void list_line(struct scene_machine *m, const struct scene *sc)
{
	const struct sass *sass = sc->compiled->code.sass;

	free(m->line);
	m->line = xcalloc(sass->count + 1, sizeof(*m->line));
	m->line_count = 0;
	for (uint32_t i = 0; i < sass->count; i++)
		if (sc->line && sass_is_of(sass, &sass->code[i], sc->info->file,
					   sc->line))
			m->line[m->line_count++] = i;
}

/* Computes what the access at the cursor costs. */
static void cost_step(struct scene_machine *m)
{
	const struct machine_step *s = m->now;
	struct error ignored;
	int passes;

	m->access = (struct access){
		.space = s->matrix ? ACCESS_LDMATRIX :
			 s->space == RUN_SHARED ? ACCESS_SHARED : ACCESS_GLOBAL,
		.op = s->op, .bytes = s->bytes, .mask = s->mask,
	};
	memcpy(m->access.address, s->address, sizeof(m->access.address));
	if (access_cost(&m->access, &m->cost, &ignored) < 0)
		m->now = NULL;
	else if (s->space == RUN_SHARED)
		m->word_count = access_words(&m->access, m->words, &passes);
	else
		m->sector_count = access_sectors(&m->access, m->sectors);
}

void scene_machine(struct stage *s)
{
	struct kept_machine *k = stage_state(s, &machine_part);
	struct scene_machine *m = &k->now;
	uint32_t *line = m->line;

	if (!s->machine)
		return;
	*m = (struct scene_machine){ .line = line };
	list_line(m, &s->scene);
	s->scene.machine = m;
	if (s->machine->held == MACHINE_NO) {
		m->why = s->machine->why;
		return;
	}
	list_steps(s, k);
	if (k->failed) {
		m->why = k->why.text;
		return;
	}
	m->steps = &k->steps;
	if (k->steps.of[s->scene.cursor.request]) {
		m->now = &k->steps.list[k->steps.of[s->scene.cursor.request] -
					1];
		cost_step(m);
	}
}

const struct machine_access *machine_access_of(const struct machine_launch *m,
					       uint32_t instruction)
{
	for (size_t i = 0; i < m->access_count; i++)
		if (m->accesses[i].instruction == instruction)
			return &m->accesses[i];
	return NULL;
}

char *scene_machine_words(const struct scene *sc)
{
	const struct scene_machine *m = sc->machine;
	const struct machine_step *n = m ? m->now : NULL;
	const struct sass_instruction *i;
	struct str s = { 0 };
	char *name;
	int cost;

	if (!n)
		return NULL;
	i = &sc->compiled->code.sass->code[n->instruction];
	name = sass_name(i);
	str_addf(&s, _("%1$s at 0x%2$04x, access %3$zu of the warp's %4$zu, "
		       "moves %5$u bytes a lane"), name, i->address,
		 (size_t)(n - m->steps->list) + 1, m->steps->count, n->bytes);
	if (n->requests > 1)
		str_addf(&s, _(" for %u requests of the source"), n->requests);
	cost = n->space == RUN_SHARED ? m->cost.wavefronts : m->cost.sectors;
	str_add(&s, ": ");
	str_addf(&s, n->space == RUN_SHARED ?
		 ngettext("%d wavefront", "%d wavefronts", (unsigned)cost) :
		 ngettext("%d sector", "%d sectors", (unsigned)cost), cost);
	str_add(&s, ".");
	free(name);
	return str_take(&s);
}
