/*
 * dataflow_state: what stands where while a block is followed; shared by
 * dataflow.c and dataflow_bulk.c.
 */
#ifndef PROVENANCE_DATAFLOW_STATE_H
#define PROVENANCE_DATAFLOW_STATE_H

#include "provenance/dataflow.h"
#include "provenance/value_flow.h"

/* Which element of A or B a value is, and who loaded it. */
struct origin {
	bool known;
	int matrix;
	uint32_t row, col;
	uint32_t block, thread, line, request;
	enum op op;
};

/* What was put into an element of shared memory or of a register array. */
struct contents {
	bool known, boxed;	/* boxed: by TMA */
	bool matrix;		/* by stmatrix */
	double value;
	struct origin from;
	struct provenance_sum sum;	/* that it is, rounded */
	uint32_t by, line, request;
	uint64_t time;
};

/* now: the last store seen; before: the last store that the threads which made
 * that one had acquired. */
struct shared_contents { struct contents now, before; };

/* What one element of a load site gave a thread last. */
struct last {
	bool known;
	double value;
	uint32_t request;
	struct origin from;
};

/* What a thread read last of the register arrays that sums may be in. */
#define RECENT 16
struct recent_reads {
	struct { struct provenance_sum sum; double value; } at[RECENT];
	uint32_t count;		/* ever */
};

/* One unit of one lane's part of a request. */
struct move {
	const struct trace_site *site;
	const struct trace_array *array;
	uint32_t site_index, part;	/* part: of a wide access, from 0 */
	uint64_t at;			/* unit of the array */
	uint64_t element;		/* of the array, which it lies in */
	double value;
	uint32_t thread, request, phase;
	const struct schedule_step *step;
};

struct origin dataflow_origin(const struct dataflow *w, const struct move *m);
/* Puts c where the move goes to in shared memory. */
void dataflow_shared_put(const struct dataflow *w, const struct move *m,
			 const struct contents *c);
/* An element of A or B was read, by wgmma in a product; it counts when C[i][j]
 * needs it. */
void dataflow_read(struct dataflow *w, const struct move *m,
		   const struct origin *from, const struct contents *c,
		   uint64_t product);

/* dataflow_bulk.c: a step of TMA or wgmma; ends: it is the store's. */
void dataflow_bulk(struct dataflow *w, const struct schedule_step *t,
		   bool ends);

#endif
