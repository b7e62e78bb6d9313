/*
 * scene_pipeline: which warps copy tiles of A and B to shared memory, which
 * compute with them, and in what order, over a block's whole life.
 *
 * The order is given in steps. All that warps may do without waiting for each
 * other is in one step; a new step begins for a warp when it has computed with
 * a tile and meets the next gate (a barrier, or a wait at an mbarrier), and
 * after each barrier. A copy is complete a step after it was requested. So
 * steps are an order in which the block may have run, and not a time:
 * provenance/schedule.h says which gates wait for what.
 *
 * A tile is the part of A and of B that covers one range of k; a stage is a
 * place in shared memory that holds one tile after another.
 */
#ifndef SCENE_SCENE_PIPELINE_H
#define SCENE_SCENE_PIPELINE_H

#include <stdbool.h>
#include <stdint.h>

struct stage;

#define PIPELINE_NONE UINT32_MAX

/* What warps do in a step; a mask. */
enum pipeline_does { PIPELINE_COPIES = 1, PIPELINE_USES = 2,
		     PIPELINE_STORES = 4 };

struct pipeline_tile {
	uint32_t lap;		/* which tile of C it is for, from 0 */
	uint32_t k, stage;
	/* The first and last steps in which it is requested; and in the first
	 * of these the part of the step (0 to 1) from the request on to the
	 * point at which the requesting warps turn to the next tile. */
	uint32_t asked, asked_last;
	double from, to;
	/* The first and last steps in which it is used, the last until its
	 * release if warps signal that; PIPELINE_NONE: it is not used. */
	uint32_t used, used_last;
};

struct pipeline_turn {
	uint8_t does;
	uint32_t tile;		/* that is used, or PIPELINE_NONE */
};

/* Warps that do the same. */
#define PIPELINE_ROLES 6
struct pipeline_role {
	uint32_t first, last;	/* the first and last of its warps */
	uint8_t does;		/* in all steps */
	struct pipeline_turn *turns;		/* by step */
	/* The steps in which it begins and ends to compute; of those between,
	 * how many it computes in. */
	uint32_t begins, ends, computes;
};

/* A race's measurements of the kernels that this one is compared with. */
#define PIPELINE_MEASURED 6
struct pipeline_measured {
	const char *kernel[PIPELINE_MEASURED];
	double flops[PIPELINE_MEASURED];	/* NA: not measured */
	bool older[PIPELINE_MEASURED];	/* their sources have changed since */
	int count, n;				/* n x n x n */
	char gpu[64];
};

struct pipeline {
	uint32_t block, steps, stages;
	struct pipeline_tile *tiles;	/* in the order they are asked for */
	uint32_t tile_count;
	struct pipeline_role roles[PIPELINE_ROLES];
	uint32_t role_count;
	bool apart;	/* those who copy compute nothing: they are producers */
	bool mbarriers;		/* the gates are mbarriers, full and empty */
	bool *barrier;		/* by step: it begins at a barrier */
	/* From the first to the last computing step of any role: how many steps
	 * have a computing warp. */
	uint32_t begins, ends, computes;
	/* Of the steps between without a computing warp: those in which sums
	 * are stored while a stage holds the next tile, or gets it. */
	uint32_t leaves;
	/* Findings that the order of these events is not enforced: which tile a
	 * warp computes with is then not known. */
	uint32_t races;
	uint32_t laps;		/* tiles of C that the block computes */
	uint32_t cluster;	/* blocks that share tiles; 1: none does */
	struct pipeline_measured measured;
};

/* The state of a stage at a point of a step; *tile is set to its tile, or
 * PIPELINE_NONE. */
enum pipeline_state { PIPELINE_EMPTY, PIPELINE_IN_FLIGHT, PIPELINE_READY,
		      PIPELINE_IN_USE };
enum pipeline_state pipeline_stage(const struct pipeline *p, uint32_t stage,
				   double at, uint32_t *tile);
/* Returns the state of the stage of a tile that has been requested, as far as
 * that tile goes: empty when it is used. */
enum pipeline_state pipeline_tile_state(const struct pipeline_tile *t,
					double at);
/* Returns the point, in steps, at which a tile is requested. */
double pipeline_asked(const struct pipeline_tile *t);
/* The steps in which a tile of C is computed, first to last; false: none. */
bool pipeline_lap(const struct pipeline *p, uint32_t lap, uint32_t *first,
		  uint32_t *last);

/* Where the reader stands: a step, and how far in it, 0 to 1, at this request
 * and at the next one. */
struct pipeline_now {
	uint32_t step, next_step;
	double part, next_part;
	uint32_t role;		/* of the warp; PIPELINE_NONE: it has none */
};

/* Computes the pipeline of the block at the stage's cursor, once for each
 * block, and the reader's position in it: scene.pipeline. */
void scene_pipeline(struct stage *s);

#endif
