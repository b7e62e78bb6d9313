/* view_fragments: what the files of this picture share. */
#ifndef VIZ_PICTURES_FRAGMENTS_VIEW_FRAGMENTS_H
#define VIZ_PICTURES_FRAGMENTS_VIEW_FRAGMENTS_H

#include "viz/frame_model.h"

/* Returns how much of the product is made at the show's time, 0 to 1. */
double fragments_part(const struct frame_model *s);

/* Writes how many steps the instruction is away from the cursor. */
void fragments_away(char *buf, size_t size, const struct fragments *f);

/* Draws ldmatrix or stmatrix: which lane gives the address of which row, and
 * which lane gets which element. */
void fragments_matrix(struct canvas *c, struct rect r, const struct frame_model *s);
/* Draws where 8 rows of 128 bytes keep their columns of 16 bytes. */
void fragments_chunks(struct canvas *c, struct rect r, const struct frame_model *s);
/* Draws what the focused lane holds, and how many products the instruction
 * makes. */
void fragments_registers(struct canvas *c, struct rect r, const struct frame_model *s);
/* Draws the same in rows, for a low rectangle. */
void fragments_across(struct canvas *c, struct rect r, const struct frame_model *s);

/* Writes that the operands are spread over the lanes; and a legend of the
 * numbers in cells and, if cells have them, of the registers' names. */
void fragments_headline(struct canvas *c, struct rect r, const struct frame_model *s);
void fragments_legend(struct canvas *c, struct rect r, const struct frame_model *s,
		      bool headed, bool named);

/* Adds what the picture shows, in sentences, as struct view wants it. */
void fragments_sentences(struct str *out, const struct frame_model *s);

#endif
