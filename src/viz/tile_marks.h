/*
 * tile_marks: the marks of an array in the picture of tiles, each of which stands
 * for one element or several.
 */
#ifndef VIZ_TILE_MARKS_H
#define VIZ_TILE_MARKS_H

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

/* The picture's time: while a question is open, nothing has moved yet. */
double tiles_time(const struct show *s);

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
void tiles_gate(struct canvas *c, struct rect r, const struct show *s);
/* What the colours mean, in the row r. Returns the columns used. */
int tiles_legend(struct canvas *c, struct rect r, const struct show *s);

#endif
