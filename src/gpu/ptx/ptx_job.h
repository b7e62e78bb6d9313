/*
 * ptx_job: a module while recording code is put into it; shared by ptx*.c.
 */
#ifndef GPU_PTX_PTX_JOB_H
#define GPU_PTX_PTX_JOB_H

#include "gpu/ptx/ptx_flow.h"
#include "gpu/ptx/ptx_text.h"

struct ptx_place {
	uint32_t file, line, column;
};

/* What the last call returned: the registers that have its members, in order,
 * each of so many bytes. */
#define PTX_MEMBERS 8
struct ptx_returned {
	struct ptx_register member[PTX_MEMBERS];
	size_t count;
	int bytes;
	bool open;			/* more of it may follow */
};

struct ptx_job {
	struct ptx_text *t;
	struct ptx *p;
	bool plain;			/* nothing is recorded */
	struct ptx_registers r;
	struct ptx_flow flow;		/* of the function that we are in */
	uint32_t function;
	struct ptx_place place;
	uint32_t file;			/* of the function; 0: not known yet */
	uint32_t order;
	/* Places where something was inlined, and by the number of each the
	 * outermost place that it was inlined in. */
	struct map inlined;
	struct ptx_place *outer;
	size_t outer_capacity;
	size_t site_capacity, symbol_capacity, function_capacity,
	       file_capacity;
	/* The new text: `copied` bytes of the old are in it. `after` waits
	 * until the instruction has been copied. */
	struct str out, after;
	size_t copied;
	struct ptx_returned returned;
	/* Stores before this statement have been recorded. */
	const struct ptx_statement *stored;
	/* By statement: index + 1 of the call statement whose PTX_CALL goes
	 * before it, PTX_RETURN behind it. */
	uint32_t *call_before, *call_after;
};

/* ptx_debug.c */
int ptx_debug_sections(struct ptx_text *t, struct ptx *p);

/* ptx_site.c: sites, and the code that records them. */

/* A new site; symbol and param from `address` where that is not NULL. */
uint32_t ptx_site(struct ptx_job *j, enum ptx_event event,
		  enum ptx_space space, uint32_t bytes,
		  const struct ptx_operand *address);
/* Puts `what` into %gemmviz_s, ~0 for a thread that in's guard holds back. */
void ptx_pass(const struct ptx_job *j, struct str *out, uint32_t what,
	      const struct ptx_instruction *in);
/* Records an event without an address; guard: of `in`, which may be NULL. */
void ptx_mark(struct ptx_job *j, uint32_t site,
	      const struct ptx_instruction *in);
/* Records where a variable begins, in the site's space. */
void ptx_begin(struct ptx_job *j, uint32_t site, const char *symbol);
/* Records bar.warp.sync and its lanes. -1 with e. */
int ptx_sync(struct ptx_job *j, const struct ptx_instruction *in);

/* ptx_whole.c */

/* To be called with each statement of a function. */
void ptx_returned_step(struct ptx_job *j, const struct ptx_statement *s);
/* How many statements from s on store the members of what a call returned,
 * and nothing else: in the order of the members. 0: none. */
size_t ptx_whole(const struct ptx_job *j, const struct ptx_statement *s,
		 struct ptx_instruction stores[PTX_MEMBERS]);

/* ptx_access.c: records the stores of a structure's members as its store. */
int ptx_access_whole(struct ptx_job *j, const struct ptx_instruction *stores,
		     size_t count);

/* ptx_access.c: records what the instruction does to memory. -1 with e. */
int ptx_access(struct ptx_job *j, const struct ptx_instruction *in);

#endif
