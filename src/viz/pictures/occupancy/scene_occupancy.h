/* scene_occupancy: how blocks of a kernel fill an SM, as the reader changes the
 * tile, the registers and the architecture; also what the tile's size changes
 * for `tiled`, and for other kernels how the ladder fills an SM. */
#ifndef VIZ_PICTURES_OCCUPANCY_SCENE_OCCUPANCY_H
#define VIZ_PICTURES_OCCUPANCY_SCENE_OCCUPANCY_H

#include "hardware/occupancy.h"
#include "timing/calibrated.h"
#include "timing/measured.h"
#include "trace/trace.h"

#define OCCUPANCY_TILES 4	/* 8, 16, 32, 64 */

/* The kernel `tiled` with a tile of that size. */
struct occupancy_row {
	int tile, threads, registers;
	struct occupancy o;		/* on the architecture */
	struct occupancy old;		/* on the other one */
	double intensity;		/* FLOP a byte of global memory */
	double flops;			/* measured; NA */
};

/* A kernel of the ladder, as it was measured. */
struct occupancy_rung {
	const char *name;
	bool here;			/* it is the one on stage */
	struct occupancy o;		/* on the architecture */
	double flops;
	bool older;			/* its source has changed since */
};
#define OCCUPANCY_RUNGS 24

/* The measurements, from recorded races, of the kernel on stage, of `tiled`,
 * and of the ladder (by index in the kernel table); looked up once. */
struct occupancy_known {
	struct measured own, tiles[OCCUPANCY_TILES], rungs[OCCUPANCY_RUNGS];
	struct measured_race own_race, race, rungs_race;
};

struct scene_occupancy {
	struct occupancy_arch arch;
	const struct calibrated *calibrated;	/* whose limits; NULL: table's */
	/* To compare with: Fermi, which the first texts on tiles were written
	 * for, or what was measured. */
	struct occupancy_arch other;
	struct occupancy_launch launch;
	struct trace_dim block;
	struct occupancy o;
	char label[96];			/* "tiled TILE=16" */
	int tile;			/* of `tiled`; 0: it is another kernel */
	bool turned;			/* the registers were */
	bool asked;			/* the launch is a question's */
	/* Where the registers come from; NULL: they are assumed. */
	const char *compiled, *date;
	bool older;	/* ... when the source was another */
	struct occupancy_row rows[OCCUPANCY_TILES];
	const struct measured_race *race;
	/* None where the kernel is `tiled`, or not of the ladder. */
	struct occupancy_rung rungs[OCCUPANCY_RUNGS];
	int rung_count;
	const struct measured_race *rungs_race;
};

void occupancy_known_fill(const struct trace_info *info,
			  struct occupancy_known *known);
void occupancy_known_done(struct occupancy_known *known);

/*
 * Fills `out`. tile: 0, the kernel on stage; n, `tiled` with the nth tile.
 * registers: steps of 8 to add (or take away, below 0). arch: how many
 * architectures older (newer, below 0) than that of the GPU that was calibrated
 * last, else of the race.
 */
void scene_occupancy_fill(const struct trace_info *info,
			  const struct occupancy_known *known, int tile,
			  int registers, int arch,
			  struct scene_occupancy *out);

struct stage;
/* Works out scene.occupancy; the turns as for scene_occupancy_fill(). */
void scene_occupancy(struct stage *s, int tile, int registers, int arch);
/* Puts a question's launch in the place of the recorded one: threads of a block,
 * registers of a thread, bytes of shared memory. */
void scene_occupancy_ask(struct stage *s, int threads, int registers,
			 int shared);

#endif
