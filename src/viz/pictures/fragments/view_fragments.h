/* view_fragments: what the files of this picture share. */
#ifndef VIZ_PICTURES_FRAGMENTS_VIEW_FRAGMENTS_H
#define VIZ_PICTURES_FRAGMENTS_VIEW_FRAGMENTS_H

#include "viz/pictures/fragments/fragments_board.h"

/* Draws ldmatrix or stmatrix: which lane gives the address of which row, and
 * which lane gets which element. */
void fragments_rows(struct canvas *c, struct rect r, const struct frame_model *s);

/* Draws the focused lane's registers with their elements and values, if all fit
 * (of wgmma: its first ones), the operands one below the other or, `across`,
 * side by side. Returns the rows used; 0: nothing was drawn. */
int fragments_list(struct canvas *c, struct rect r, const struct board *b,
		   bool across);

/* Draws the other one of mma and wmma, smaller, with what makes them alike.
 * False: it does not fit, or is not known to be alike. */
bool fragments_other(struct canvas *c, struct rect r, const struct board *b);

/* Writes, if nobody promises where the instruction has its elements, how it is
 * known; "" otherwise. */
void fragments_caveat(char *buf, size_t size, const struct fragment *layout);

/* Draws what the colours mean, if all of it fits: in rows, or (`list`) one below
 * the other. Returns the rows used. */
int fragments_legend(struct canvas *c, struct rect r, struct rect picture,
		     const struct board *b, bool list);

/* Tells whether the picture fills the screen: no lesson stands next to it. */
bool fragments_fill(const struct frame_model *s);
/* Draws what the picture shows, as far as there is room: what the lane has of a
 * row and a column, then, bold, what that means. Returns the rows used. */
int fragments_tell(struct canvas *c, struct rect r, const struct board *b);

/* Adds what the picture shows, in sentences, as struct view wants it. */
void fragments_sentences(struct str *out, const struct frame_model *s);

#endif
