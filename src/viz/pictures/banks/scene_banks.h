/*
 * scene_banks: a request to shared memory as it is, and as it would be if the
 * rows of the array were farther apart, or swizzled.
 *
 * An element has a row and a column, by the array's last dimension; of an array
 * with one dimension the rows are what the lanes' addresses say: equal steps
 * from lane to lane, or from one run of lanes to the next. At another pitch the
 * element (row, column) stands at row * pitch + column. Swizzled, the chunks of
 * a row, each as wide as a lane's access, change places within each 128 bytes:
 * a chunk's number is combined with its row's by exclusive or, as TMA does.
 */
#ifndef VIZ_PICTURES_BANKS_SCENE_BANKS_H
#define VIZ_PICTURES_BANKS_SCENE_BANKS_H

#include "hardware/access.h"
#include "timing/measured.h"

struct scene;

struct banks_layout {
	uint32_t pitch;			/* elements from row to row */
	bool swizzled;
	/* False: lanes' addresses would not be multiples of their width, and
	 * nothing below holds. */
	bool valid;
	struct access_cost cost;
	struct access_word words[4 * WARP_LANES];
	size_t word_count;
	int passes;
	uint8_t pass_first[8];	/* the first wavefront of each pass */
	uint32_t waiting;	/* lanes served later than others of their pass */
	/* With 4-byte accesses lane l accesses word step * l + first. */
	bool affine;
	int64_t step, first;
};

#define BANKS_STRIP 10
#define BANKS_RIVALS 4

struct scene_banks {
	struct banks_layout now, turned;
	/* False: the request has no rows that could be farther apart, and only
	 * `now` holds. */
	bool turns;
	uint32_t unit;	/* a pitch is a multiple of this many elements */
	uint32_t least;	/* the columns in use: the least pitch there can be */
	/* Adjacent pitches and their wavefronts; NA: invalid. */
	struct { uint32_t pitch; int wavefronts; } strip[BANKS_STRIP];
	int most;	/* the most wavefronts of all of these */
	bool same;	/* all pitches cost the same */
};

/* The measured times of the kernel, of those before it on the ladder, and of
 * one after it. */
struct banks_race {
	struct measured_race race;
	size_t count;
	struct { char *label; double flops; bool here; } rows[BANKS_RIVALS];
};

/*
 * Works out the request of a scene whose costs hold. `pitch` is by how many
 * units the reader turned it: 0 compares with the nearest pitch that has the
 * fewest wavefronts, or, where the request has no conflict, that has one.
 */
void scene_banks_fill(const struct scene *sc, int pitch, bool swizzle,
		      struct scene_banks *out);
void banks_race_fill(const struct trace_info *info, struct banks_race *out);
void banks_race_done(struct banks_race *r);

struct stage;
/* Works out scene.banks; pitch and swizzle as for scene_banks_fill(). */
void scene_banks(struct stage *s, int pitch, bool swizzle);

#endif
