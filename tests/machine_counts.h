/* machine_counts: what a run of machine code comes to. */
#ifndef MACHINE_COUNTS_H
#define MACHINE_COUNTS_H

#include "machine/run.h"

enum { GL, GLS, GS, GSS, SL, SLW, SS, SSW, COUNTS };

/* Adds up what a run counted of loads and stores, without atomics. */
static inline void add_up(const struct machine_run *r, const struct sass *s,
			  long got[COUNTS])
{
	for (uint32_t i = 0; i < s->count; i++) {
		const struct run_count *c = run_counts(r, i);
		enum run_space space;
		enum op op;
		long *to;

		if (!run_access_space(&s->code[i], &space, &op) ||
		    space == RUN_LOCAL || sass_is_atomic(&s->code[i]))
			continue;
		to = got + (space == RUN_SHARED ? SL : GL) +
		     (op == OP_ST ? 2 : 0);
		to[0] += (long)c->requests;
		to[1] += (long)(space == RUN_SHARED ? c->wavefronts :
						      c->sectors);
	}
}

#endif
