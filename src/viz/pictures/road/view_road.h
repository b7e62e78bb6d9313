/* view_road: a tile's road, in several files: boxes as the matrix and as shared
 * memory have them, the mbarriers of the stage, and the sentences. */
#ifndef VIZ_PICTURES_ROAD_VIEW_ROAD_H
#define VIZ_PICTURES_ROAD_VIEW_ROAD_H

#include "viz/frame_model.h"

/* What the picture shows; box: NULL if none is known. */
struct road_view {
	const struct frame_model *s;
	const struct road *road;
	const struct road_use *use;
	const struct road_event *event;	/* the last one */
	const struct road_box *box;	/* of the first look */
	enum road_kind kind;
	bool at;		/* the request is the event */
	double t;		/* 0 while a question is open */
};

struct road_view road_view(const struct frame_model *s);

/* Returns the bytes of the use that have landed: whole boxes, as the mbarrier
 * counts them; and those that it has been told to wait for. */
double road_bytes(const struct road_view *v);
double road_expected(const struct road_view *v);
/* Returns how far a box has come: 0 not ordered or not yet on its way, 1
 * landed. */
double road_part(const struct road_view *v, const struct road_box *b);
/* Tells whether something that ends at the event `when` has ended in the
 * picture. */
bool road_over(const struct road_view *v, uint64_t when);
/* Counts the arrivals that release the use: how many are done, and all. */
void road_count_releases(const struct road_view *v, uint32_t *done,
			 uint32_t *all);
/* Writes what happens now, as one sentence; road_words() adds everything, in
 * sentences. */
void road_sentence(char *buf, size_t size, const struct road_view *v);
void road_words(struct str *out, const struct frame_model *s);
/* Returns how much of the box has been ordered, 0 to 1. */
double road_ordered(const struct road_view *v, const struct road_box *b);
/* Writes the name of an mbarrier, a matrix or a stage, without the structure
 * that it is in: "full[1]". */
void road_name(char *buf, size_t size, const struct trace_info *info,
	       uint32_t array, uint64_t at);

/* ---- road_chunks.c: eight rows of a box ---- */

#define ROAD_ROWS 8
/* A chunk's place: in which of the rows, and at which of its chunks. */
struct road_place { uint32_t row, at; };

/* What of a box is drawn: rows from `first` on; the row and the chunk in
 * focus; the swizzle now and before the last turn of the key, -1: as recorded. */
struct road_part {
	const struct road_view *v;
	uint32_t first, row, chunk, chunks;
	int swizzle, before;
};

struct road_part road_choose_part(const struct road_view *v);
/* Returns whether other swizzles can be tried: rows have 128 bytes. */
bool road_can_swizzle(const struct road_box *b);
/* Finds where a chunk of the row lies with a swizzle (-1: as recorded). */
struct road_place road_find_place(const struct road_part *p, int swizzle,
				  uint32_t row, uint32_t chunk);
/* Returns the turns in which 8 rows of the chunk in focus are read: most of
 * them that are in one four of the banks; stack: how many are in each. */
int road_turns(const struct road_part *p, bool swizzled, int stack[8]);
/* Returns whether the wgmma at the cursor reads this chunk; all: it reads
 * nothing of the box. */
bool road_reads(const struct road_part *p, uint32_t row, uint32_t chunk,
		bool *all);

/* ---- the parts of the picture ---- */

/* Draws the matrix with the box in r. Returns where the box is, for what shows
 * it larger; h 0: there is no room. */
struct rect road_matrix(struct canvas *c, struct rect r,
			const struct road_view *v);
/* Draws the mbarriers of the stage in r, of at least ROAD_LANES_LEAST rows. */
#define ROAD_LANES_LEAST 3
void road_lanes(struct canvas *c, struct rect r, const struct road_view *v);
/* Returns the rows that all lanes take. */
int road_lane_rows(const struct road_view *v);

#endif
