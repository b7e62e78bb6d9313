/* view_fragments: what the files of this picture share. */
#ifndef VIZ_VIEW_FRAGMENTS_H
#define VIZ_VIEW_FRAGMENTS_H

#include "viz/show.h"

/* The part of the product that is made at the show's time, 0 to 1. */
double fragments_part(const struct show *s);

/* Writes how far from the cursor the instruction is. */
void fragments_away(char *buf, size_t size, const struct fragments *f);

/* Draws ldmatrix or stmatrix: which lane names which row, which gets what. */
void fragments_matrix(struct canvas *c, struct rect r, const struct show *s);
/* Draws where 8 rows of 128 bytes keep their columns of 16 bytes. */
void fragments_chunks(struct canvas *c, struct rect r, const struct show *s);
/* What the focused lane holds, and how much work the product is. */
void fragments_registers(struct canvas *c, struct rect r, const struct show *s);
/* The same, side by side. */
void fragments_across(struct canvas *c, struct rect r, const struct show *s);

/* Says that the operands are spread over lanes; what the numbers in cells are,
 * and, if some are, what registers' names are. */
void fragments_headline(struct canvas *c, struct rect r, const struct show *s);
void fragments_legend(struct canvas *c, struct rect r, const struct show *s,
		      bool headed, bool named);

/* Adds what the picture shows, in sentences, as struct view wants it. */
void fragments_sentences(struct str *out, const struct show *s);

#endif
