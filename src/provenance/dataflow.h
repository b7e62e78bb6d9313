/*
 * dataflow: the requests of a block, or of its cluster, followed up to
 * the store of one element of C: what stands where, and which elements of A's
 * row and B's column whoever stores it has read. provenance.c makes of these
 * what provenance.h tells.
 */
#ifndef PROVENANCE_DATAFLOW_H
#define PROVENANCE_DATAFLOW_H

#include "provenance/provenance.h"
#include "provenance/schedule.h"

enum { MATRIX_A, MATRIX_B, MATRIX_C, MATRICES };

/* An element of A's row or B's column that a thread of the warp read. */
struct read {
	int matrix;
	uint32_t k, phase;
	uint64_t product;	/* of wgmma: which; else 0 */
	size_t order;
	bool passed_on;		/* it was loaded for shared memory */
	struct provenance_operand o;
};

struct dataflow {
	struct trace *t;
	const struct trace_info *info;
	struct provenance *p;
	int matrix[MATRICES];		/* indices of arrays, or -1 */
	struct value_flow *flow;
	uint64_t *first;		/* by array: its first element in shared
					 * or registers */
	uint64_t shared_count, register_count;
	struct shared_contents *shared;
	struct contents *registers;		/* by thread, then element */
	struct last *last;		/* by thread, then slot */
	struct recent_reads *recent;		/* by thread */
	size_t own;			/* warp of the store */
	uint32_t cluster;		/* blocks */
	/* The first of two requests that tell of one box or product. */
	struct schedule_step half;
	struct trace_request half_request;
	struct read *reads;
	size_t read_count, read_capacity;
	size_t finding_capacity;
};

/* The place of C's element in what the lane stores, by a store or a box, from
 * 0; -1: it is not there. */
long dataflow_stored_at(const struct dataflow *w, const struct trace_request *r,
			uint32_t lane);
/* How far a right sum may be from what an element can hold, by its size. */
double dataflow_slack(enum elem elem);
/* Fills reads and what p tells of the way out. w->p has the store;
 * dataflow_done() in any case. -1 with e: EXIT_INPUT. */
int dataflow_block(struct dataflow *w, struct error *e);
void dataflow_done(struct dataflow *w);

#endif
