/*
 * towers: the banks of shared memory as columns, in which the words of a
 * request are stacked, one for each wavefront. At the time 0 each word is with
 * the lane that accesses it, in a row at the top; from there it falls into its
 * bank, those of the first wavefront first.
 */
#ifndef VIZ_PICTURES_BANKS_TOWERS_H
#define VIZ_PICTURES_BANKS_TOWERS_H

#include "viz/pictures/banks/scene_banks.h"
#include "viz/canvas.h"

struct towers {
	const struct banks_layout *layout;
	uint32_t lanes;			/* the request's */
	uint32_t focus;			/* those that light up */
	bool others;	/* the others are as bright as they are */
	int most;	/* the scale: there is room for so many wavefronts */
	double t;
	/* The text under the number, or NULL: there is no number. */
	const char *words, *more;
	enum role role;			/* the number's */
	/* How to read the picture, written where there is room; or NULL. */
	const char *reading;
};

/* Returns the least rows in which `most` wavefronts are drawn one by one. */
int towers_rows(int most);
void towers_draw(struct canvas *c, struct rect r, const struct towers *t);

#endif
