/* view_road: a tile's road, in several files: what stands around shared memory,
 * the box as it lies there, and its sentences. */
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
 * counts them. */
double road_bytes(const struct road_view *v);
/* Returns how far a box has come: 0 not ordered or not yet on its way, 1
 * landed. */
double road_part(const struct road_view *v, const struct road_box *b);
/* Tells whether something that ends at the event `when` has ended in the
 * picture. */
bool road_over(const struct road_view *v, uint64_t when);
/* Count the use's wgmmas (or reads), and the arrivals that release it: how many
 * are done, and all. */
void road_count_reads(const struct road_view *v, uint32_t *done, uint32_t *all);
void road_count_releases(const struct road_view *v, uint32_t *done,
			 uint32_t *all);
/* Writes what happens now, as one sentence; road_words() adds everything, in
 * sentences. */
void road_sentence(char *buf, size_t size, const struct road_view *v);
void road_words(struct str *out, const struct frame_model *s);
/* Returns how much of the box has been ordered, 0 to 1. */
double road_ordered(const struct road_view *v, const struct road_box *b);
/* Returns the hue of a chunk, the same in the matrix and in shared memory; and
 * its hue where it is not the one that matters. */
enum role road_hue(uint32_t chunk);
enum role road_dim_hue(uint32_t chunk);
/* Writes the name of an mbarrier, a matrix or a stage, without the structure
 * that it is in: "full[1]". */
void road_name(char *buf, size_t size, const struct trace_info *info,
	       uint32_t array, uint64_t at);
/* Draws the matrix with the box and, below it, rows of the box with their
 * chunks, in r; if these do not fit, leaves them out. Sets *zoom to where they
 * are. */
void road_matrix(struct canvas *c, struct rect r, const struct road_view *v,
		 struct rect *zoom);
/*
 * Draws the places in shared memory where boxes lie, or will lie, in r: rows
 * with their 16-byte chunks, each with its number in the matrix. Chunks in
 * flight come from the rows shown in `zoom`; chunks that are read go to the
 * column `to`.
 */
void road_shared(struct canvas *c, struct rect r, const struct road_view *v,
		 struct rect zoom, int to);

#endif
