/* scene_machine: the machine's accesses at the cursor. */
#ifndef SCENE_SCENE_MACHINE_H
#define SCENE_SCENE_MACHINE_H

#include "machine/machine.h"
#include "scene/scene.h"

struct scene_machine {
	const struct machine_steps *steps;	/* of the warp */
	/* Which of them serves the request; NULL: none does. */
	const struct machine_step *now;
	/* The instructions of the current line, ascending. */
	uint32_t *line;
	uint32_t line_count;
	/* Of the access: what it costs, its words (of shared memory) or its
	 * sectors (of global memory). */
	struct access_cost cost;
	struct access_word words[4 * WARP_LANES];
	size_t word_count;
	struct access_sector sectors[2 * WARP_LANES];
	size_t sector_count;
	struct access access;
	const char *why;	/* the accesses of this warp are not known */
};

/* Fills in scene.machine. */
struct stage;
void scene_machine(struct stage *s);
/* Returns the counts of an instruction's accesses; NULL: it makes none. */
const struct machine_access *machine_access_of(const struct machine_launch *m,
					       uint32_t instruction);
/* Describes the access that serves a request of the scene's warp first, for
 * people who do not use pictures; heap. NULL: none does. */
char *scene_machine_words(const struct scene *sc);

#endif
