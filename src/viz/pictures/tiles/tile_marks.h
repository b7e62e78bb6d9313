/*
 * tile_marks: the marks of an array in the picture of tiles. Each stands for
 * one element or several.
 */
#ifndef VIZ_PICTURES_TILES_TILE_MARKS_H
#define VIZ_PICTURES_TILES_TILE_MARKS_H

#include "viz/pictures/tiles/scene_tiles.h"
#include "viz/pictures/tiles/tile_layout.h"

/* The marks of a plane. Where elements of roles of one rank share marks, the
 * roles take turns, so that a mixture shows them all. A mark stands for 2^shift
 * elements in each direction. */
struct marks {
	const struct tile_layout *l;
	const struct tile_plane *p;
	int w, h;
	uint32_t shift;
	uint8_t *role;
};

struct marks marks_of(const struct tile_layout *l, const struct tile_plane *p);
void mark_set(struct marks *m, uint32_t row, uint32_t col, enum role role);
/* Draws the marks and frees them. */
void marks_draw(struct canvas *c, struct marks *m);
/* Returns the rank of a role: of the elements that share a mark, the one of the
 * highest rank is shown. */
int mark_strength(uint8_t r);
/* Draws a mark at a column and a half row; mark_half_rows() returns its
 * height. */
void mark_paint(struct canvas *c, const struct tile_size *z, int x, int y2,
		enum role role);
int mark_half_rows(const struct tile_size *z);
/* Gets where an element's mark stands, in columns and half rows; false: it is
 * not shown. */
struct mark_spot { double x, y; };
bool mark_spot(const struct tile_layout *l, const struct tile_plane *p,
	       uint32_t row, uint32_t col, struct mark_spot *at);

/* Times within a barrier's step: when the words that other warps have brought
 * begin to arrive, when all have arrived, and when the gate opens. */
#define TILES_COME 0.25
#define TILES_CAME 0.75
#define TILES_OPEN 0.9

/* Returns the picture's time, 0 to 1; it is 0 while a question is open. */
double tiles_time(const struct frame_model *s);

/* ---- words, one by one ---- */

/* Draw a shared array that threads fill; a matrix; and set the threads' marks
 * in C, where their sums are. */
void tiles_shared(struct canvas *c, const struct tile_layout *l,
		  const struct frame_model *s, const struct tile_plane *p);
void tiles_matrix(struct canvas *c, const struct tile_layout *l,
		  const struct frame_model *s, const struct tile_plane *p);
void tiles_threads(struct marks *m, const struct frame_model *s);
/* Returns one of three hues: A's words, B's words, or others. */
enum role tiles_hue(enum role first, const struct scene *sc, int32_t array);
/* Tells whether a word belongs to the focused thread; false while a question is
 * open, which may ask about it. */
bool tiles_own(const struct frame_model *s, const struct tile_value *v);
/* Returns how much of its way from the matrix a word has gone, 0 to 1; half way
 * it is in a register, or in flight. */
double tiles_way(const struct frame_model *s, enum tile_state state,
		 const struct tile_value *v);
/* Returns the matrix's plane; NULL: it is not shown. */
const struct tile_plane *tiles_plane(const struct tile_layout *l,
				     const struct frame_model *s, int32_t array);
/* Tells whether the request at the cursor reads this shared array. */
bool tiles_read(const struct scene *sc, const struct stage_array *a);
/* Draw the words in flight, and the doors. */
void tiles_flights(struct canvas *c, const struct tile_layout *l,
		   const struct frame_model *s);
void tiles_doors(struct canvas *c, const struct tile_layout *l,
		 const struct frame_model *s);
/* Tells whether a door is drawn, and shut. */
bool tiles_shut(const struct frame_model *s);

/* ---- a ring of stages that TMA fills ---- */

/* Draw a shared array that TMA fills, and a matrix that it is filled from. */
void ring_shared(struct canvas *c, const struct tile_layout *l,
		 const struct frame_model *s, const struct tile_plane *p);
void ring_matrix(struct canvas *c, const struct tile_layout *l,
		 const struct frame_model *s, const struct tile_plane *p);
/* Writes which tile is in the stage, in w columns: "tile 4", or "4"; false: no
 * tile is, or p is not a stage. */
bool ring_title(char *buf, size_t size, const struct frame_model *s,
		const struct tile_plane *p, int w);
/* Writes next to a shared array that threads fill which pipeline stage each
 * part of it is. */
void tiles_stages(struct canvas *c, const struct tile_layout *l,
		  const struct frame_model *s, const struct tile_plane *p);
/* Draw what the block has read of global and of shared memory; and its warps
 * before the barrier that ends the phase. */
void tiles_meter(struct canvas *c, struct rect r, const struct frame_model *s);
/* Tells what the block's shared memory holds and how much it has read, in
 * sentences. */
void tiles_words(struct str *out, const struct frame_model *s);
void tiles_gate(struct canvas *c, struct rect r, const struct frame_model *s);
/* Writes what the colours in `picture` mean, in the row r. */
void tiles_legend(struct canvas *c, struct rect r, struct rect picture,
		  const struct frame_model *s);

#endif
