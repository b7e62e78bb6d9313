/* defect_panels: the parts of the picture of a defect. */
#ifndef VIZ_PICTURES_DEFECT_DEFECT_PANELS_H
#define VIZ_PICTURES_DEFECT_DEFECT_PANELS_H

#include "viz/frame_model.h"
#include "viz/pictures/defect/defect_facts.h"

/* Columns of an element or thread, and its half rows: 1 x 1, 2 x 2, 4 x 4. */
struct defect_unit { int w, h2; };

/* Returns the size of a panel in columns and rows, with its title and rulers:
 * of a tile, of the elements that have a finding (as large as fits in `room`),
 * of the block's threads. */
struct rect defect_tile_size(const struct defect_tile *t,
			     struct defect_unit u);
struct rect defect_marks_size(struct rect room, const struct defect_facts *f);
struct rect defect_threads_size(const struct scene *sc, struct defect_unit u);

/* Draws the whole, and a wedge from its tile to the enlarged one. */
void defect_draw_whole(struct canvas *c, struct rect r, struct rect to,
		       const struct frame_model *s);
/* Draw the other panels in r. */
void defect_draw_tile(struct canvas *c, struct rect r,
		      const struct frame_model *s, const struct defect_tile *t,
		      struct defect_unit u);
void defect_draw_marks(struct canvas *c, struct rect r,
		       const struct frame_model *s);
void defect_draw_threads(struct canvas *c, struct rect r,
			 const struct frame_model *s, struct defect_unit u);
void defect_draw_deeds(struct canvas *c, struct rect r,
		       const struct frame_model *s);
void defect_draw_counts(struct canvas *c, struct rect r,
			const struct frame_model *s);
void defect_draw_fix(struct canvas *c, struct rect r,
		     const struct frame_model *s);
/* Tells whether the whole can be drawn: A, B and C, and a tile that hangs
 * over. */
bool defect_has_whole(const struct scene *sc);
/* Returns the rows of a fix, or 0. */
int defect_fix_rows(const struct scene *sc);

#endif
