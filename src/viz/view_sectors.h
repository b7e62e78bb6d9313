/* view_sectors: what its parts share. */
#ifndef VIZ_VIEW_SECTORS_H
#define VIZ_VIEW_SECTORS_H

#include "viz/show.h"

/* Things in a row, with a gap after each group of eight. */
struct rank { int x, pitch, gap; };

/* Columns below which rows have no names. */
#define SECTORS_NARROW 60

struct ribbon {
	const struct show *s;
	const struct scene *sc;
	int left;		/* where names of rows begin; x: their end */
	struct rank lanes, words;	/* words: of sectors, unless flat */
	/* A sector's words stand side by side; else one below another. */
	bool flat;
	int high;		/* rows of a word; 0: two words to a row */
	/* The first row of each part, and its rows. */
	int lane_y, lane_h, got_y, got_h, way_y, way_h, memory_y, memory_h,
	    name_y, name_h, meter_y, meter_h;
	/* The three acts: addresses, sectors, words. */
	double ask, fill, bring;
	bool store;
};

/* Where the thing i of a row begins; the cells of a word, whose row counts halves
 * where a row has two. */
int sectors_x(const struct rank *l, int i);
struct rect sectors_word(const struct ribbon *k, int sector, int word);

/* What the rows and the sectors are, beside and below them; a label alone. */
void sectors_names(struct canvas *c, const struct ribbon *k);
void sectors_label(struct canvas *c, const struct ribbon *k, int y, int h,
		   const char *words);
/* What the request costs, in numbers and bars. */
void sectors_meter(struct canvas *c, const struct ribbon *k, struct rect r);

#endif
