/*
 * dataflow_state: what each memory element holds while a block is followed;
 * shared by dataflow.c and dataflow_bulk.c.
 */
#ifndef PROVENANCE_DATAFLOW_STATE_H
#define PROVENANCE_DATAFLOW_STATE_H

#include "provenance/dataflow.h"
#include "provenance/value_flow.h"

/* The element of A or B that a value is a copy of, and who loaded it. */
struct origin {
	bool known;
	int matrix;
	uint32_t row, col;
	uint32_t block, thread, line, request;
	enum op op;
};

/* The contents of an element of shared memory or of a register array. */
struct contents {
	bool known, boxed;	/* boxed: copied by TMA */
	bool matrix;		/* stored by stmatrix */
	double value;
	struct origin from;
	struct provenance_sum sum;	/* the sum that it is, rounded */
	uint32_t by, line, request;
	uint64_t time;
};

/* now: the last store; before: the last store that the threads that made `now`
 * had acquired. */
struct shared_contents { struct contents now, before; };

/* The value that a thread last loaded as one element of a load site. */
struct loaded_value {
	bool known;
	double value;
	uint32_t request;
	struct origin from;
};

/* The last reads by a thread of the register arrays that may hold sums. */
#define RECENT 16
struct recent_reads {
	struct { struct provenance_sum sum; double value; } at[RECENT];
	uint32_t count;		/* reads in total */
};

/* One unit (see value_flow.h) of one lane access. */
struct move {
	const struct trace_site *site;
	const struct trace_array *array;
	uint32_t site_index, part;	/* part: number in a wide access,
					   from 0 */
	uint64_t at;			/* the unit's number in the array */
	uint64_t element;		/* the array element that the unit is
					   in */
	double value;
	uint32_t thread, request, phase;
	const struct schedule_step *step;
};

struct origin dataflow_origin(const struct dataflow *w, const struct move *m);
/* Stores c as the contents of the element of shared memory that the move goes
 * to. */
void dataflow_shared_put(const struct dataflow *w, const struct move *m,
			 const struct contents *c);
/* Records that an element of A or B was read, by wgmma in a product; the read
 * counts if C[i][j] needs the element. */
void dataflow_read(struct dataflow *w, const struct move *m,
		   const struct origin *from, const struct contents *c,
		   uint64_t product);

/* Returns whether what a step moves comes to the followed block, from itself or
 * from another one of its cluster. */
static inline bool dataflow_comes_here(const struct dataflow *w,
				       const struct schedule_step *t)
{
	return trace_tile_comes(&w->info->sites[t->r->site].tile, t->of->block,
				w->p->block, w->cluster);
}

/* Follows a step of TMA or wgmma (dataflow_bulk.c); ends: the step is the
 * store. */
void dataflow_bulk(struct dataflow *w, const struct schedule_step *t,
		   bool ends);

#endif
