/*
 * recorded: what a block of one of our kernels takes, as the newest recorded
 * race has it (data/races); no GPU and no compiler is asked.
 */
#ifndef RECORDED_H
#define RECORDED_H

#include "base/base.h"

struct recorded {
	int threads;		/* a block */
	int registers;		/* a thread */
	int shared;		/* bytes a block */
	char *arch;		/* it was compiled for: "sm_90" */
	char *label, *date;	/* "tiled TILE=32", "2026-11-21" */
};

/*
 * "tiled:TILE=32", as race_add() takes it. -1 with e: no such kernel
 * (EXIT_USAGE); no race has it, or had another text of it (EXIT_INPUT).
 */
int recorded_find(struct recorded *out, const char *kernel, struct error *e);
void recorded_done(struct recorded *r);

#endif
