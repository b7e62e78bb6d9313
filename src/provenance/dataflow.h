/*
 * dataflow: follows the requests of a block, or of its cluster, up to the store
 * of one element of C: what each memory element holds, and which elements of
 * A's row and B's column the storing thread has read. provenance.c turns this
 * into the data of provenance.h.
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
	uint64_t product;	/* number of the wgmma product; else 0 */
	size_t order;
	bool passed_on;		/* loaded in order to store it to shared
				   memory */
	struct provenance_operand o;
};

struct dataflow {
	struct trace *t;
	const struct trace_info *info;
	struct provenance *p;
	int matrix[MATRICES];		/* the arrays' indices, or -1 */
	struct value_flow *flow;
	uint64_t *first;		/* by array: its first element in
					   shared or registers */
	uint64_t shared_count, register_count;
	struct shared_contents *shared;
	struct contents *registers;		/* by thread, then element */
	struct loaded_value *last;		/* by thread, then slot */
	struct recent_reads *recent;		/* by thread */
	size_t own;			/* the warp of the store */
	uint32_t cluster;		/* number of blocks */
	/* The first of the two requests that describe one box or one
	 * product. */
	struct schedule_step half;
	struct trace_request half_request;
	struct read *reads;
	size_t read_count, read_capacity;
	size_t finding_capacity;
};

/* Returns the position of C's element in what a lane stores, by a store or a
 * box, from 0; -1: the lane does not store it. */
long dataflow_stored_at(const struct dataflow *w, const struct trace_request *r,
			uint32_t lane);
/* Returns the tolerance of a correct sum in elements of this type, relative to
 * its size. */
double dataflow_slack(enum elem elem);
/* Fills in the reads, and the way C was stored in w->p, which already has the
 * store. Returns -1 with e (EXIT_INPUT); the caller calls dataflow_done() in
 * any case. */
int dataflow_block(struct dataflow *w, struct error *e);
void dataflow_done(struct dataflow *w);

#endif
