/*
 * fragment_out: prints which lane holds which element, as sentences, as a
 * picture and as JSON. fragment_tile.c does so for the tiles of shared memory
 * that wgmma reads.
 */
#ifndef CLI_FRAGMENT_OUT_H
#define CLI_FRAGMENT_OUT_H

#include "cli/command.h"
#include "hardware/fragment.h"

/* The lane and the element that were asked about; NA: all. */
struct fragment_question {
	int lane, row, col;
	int swizzle;		/* in bytes; 0: registers */
	const char *arch;	/* NULL: the default */
	bool json;
};

void fragment_out(const struct fragment *f, const struct fragment_question *q);
/* Writes "5-8", or "5" if run is 1. Returns the length, as snprintf() does. */
int fragment_out_range(char *buf, size_t size, int first, int run);
/* Sets e: there is no such element; returns -1. */
int fragment_out_outside(const char *what, int rows, int cols,
			 struct error *e);

/* Prints where elements are in a swizzled tile; -1 with e. */
int fragment_tile(const struct fragment_wish *w,
		  const struct fragment_question *q, struct error *e);

#endif
