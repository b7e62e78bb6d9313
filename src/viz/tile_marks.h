/*
 * tile_marks: the marks of an array in the picture of tiles, each of which stands
 * for one element or several.
 */
#ifndef VIZ_TILE_MARKS_H
#define VIZ_TILE_MARKS_H

#include "scene/scene_tiles.h"
#include "viz/tile_layout.h"

/* The marks of a plane; of equal roles that share one, they take turns, so that
 * a mixture shows them all. A mark stands for 2^shift elements in each
 * direction. */
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
/* How strongly a role asks for a mark that several elements share. */
int mark_strength(uint8_t r);
/* Paints a mark at a place in columns and half rows; the half rows of one. */
void mark_paint(struct canvas *c, const struct tile_size *z, int x, int y2,
		enum role role);
int mark_half_rows(const struct tile_size *z);
/* Where an element's mark stands, in columns and half rows; false: nowhere. */
struct mark_spot { double x, y; };
bool mark_spot(const struct tile_layout *l, const struct tile_plane *p,
	       uint32_t row, uint32_t col, struct mark_spot *at);

/* At a barrier: when what other warps have brought comes, when all of it has
 * come, and when the gate opens. */
#define TILES_COME 0.25
#define TILES_CAME 0.75
#define TILES_OPEN 0.9

/* The picture's time: while a question is open, nothing has moved yet. */
double tiles_time(const struct show *s);

/* ---- words, one by one ---- */

/* A shared array that threads fill; A, B, or C, where the threads stand. */
void tiles_shared(struct canvas *c, const struct tile_layout *l,
		  const struct show *s, const struct tile_plane *p);
void tiles_matrix(struct canvas *c, const struct tile_layout *l,
		  const struct show *s, const struct tile_plane *p);
void tiles_threads(struct marks *m, const struct show *s);
/* A's words, B's, and others have a hue each, of three. */
enum role tiles_hue(enum role first, const struct scene *sc, int32_t array);
/* The focused thread's; which it is, an open question may be about. */
bool tiles_own(const struct show *s, const struct tile_value *v);
/* How far a word has come on its way from its matrix, from 0 to 1; half way it
 * is in a register, or in flight. */
double tiles_way(const struct show *s, enum tile_state state,
		 const struct tile_value *v);
/* The matrix's plane; NULL: it has none. */
const struct tile_plane *tiles_plane(const struct tile_layout *l,
				     const struct show *s, int32_t array);
/* Whether the request at the cursor reads this shared array. */
bool tiles_read(const struct scene *sc, const struct stage_array *a);
/* What is on its way, and the doors. */
void tiles_flights(struct canvas *c, const struct tile_layout *l,
		   const struct show *s);
void tiles_doors(struct canvas *c, const struct tile_layout *l,
		 const struct show *s);
/* Whether a door is drawn, and shut. */
bool tiles_shut(const struct show *s);

/* ---- a ring of stages that TMA fills ---- */

/* A shared array that TMA fills, and a matrix that it comes from. */
void ring_shared(struct canvas *c, const struct tile_layout *l,
		 const struct show *s, const struct tile_plane *p);
void ring_matrix(struct canvas *c, const struct tile_layout *l,
		 const struct show *s, const struct tile_plane *p);
/* Which tile is in the stage, in so many columns: "tile 4", or "4"; false: none,
 * or no stage. */
bool ring_title(char *buf, size_t size, const struct show *s,
		const struct tile_plane *p, int w);
/* Names beside a shared array, which threads fill, the stages of the pipeline
 * that its parts are. */
void tiles_stages(struct canvas *c, const struct tile_layout *l,
		  const struct show *s, const struct tile_plane *p);
/* What the block has read of global and of shared memory; its warps before the
 * barrier that ends the phase. */
void tiles_meter(struct canvas *c, struct rect r, const struct show *s);
/* Tells what the block's shared memory holds and how much it has read, in
 * sentences. */
void tiles_words(struct str *out, const struct show *s);
void tiles_gate(struct canvas *c, struct rect r, const struct show *s);
/* What the colours mean, in the row r. Returns the columns used. */
int tiles_legend(struct canvas *c, struct rect r, const struct show *s);

#endif
