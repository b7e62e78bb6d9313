/*
 * towers: the banks of shared memory as columns in which the words of a request
 * stand on each other, one a wavefront. At the time 0 each word is with the
 * lane that wants it, in a row at the top; from there it falls into its bank,
 * those of the first wavefront first.
 */
#ifndef VIZ_TOWERS_H
#define VIZ_TOWERS_H

#include "scene/scene_banks.h"
#include "viz/canvas.h"

struct towers {
	const struct banks_layout *layout;
	uint32_t lanes;			/* the request's */
	uint32_t focus;			/* those that light up */
	bool others;	/* the others are as bright as they are */
	int most;	/* the scale: there is room for so many wavefronts */
	double t;
	/* Under the number, or NULL: the picture has no number. */
	const char *words, *more;
	enum role role;			/* the number's */
	/* How it is read, which is said where there is room; or NULL. */
	const char *reading;
};

/* The least rows in which `most` wavefronts are drawn one by one. */
int towers_rows(int most);
void towers_draw(struct canvas *c, struct rect r, const struct towers *t);

#endif
