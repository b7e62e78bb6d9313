/* view_sectors: what the files of this picture share. */
#ifndef VIZ_PICTURES_SECTORS_VIEW_SECTORS_H
#define VIZ_PICTURES_SECTORS_VIEW_SECTORS_H

#include "viz/frame_model.h"

/* Things in a row, with a gap after each group of eight. */
struct rank { int x, pitch, gap; };

/* Columns below which rows have no labels. */
#define SECTORS_NARROW 60

struct ribbon {
	const struct frame_model *s;
	const struct scene *sc;
	int left;		/* where names of rows begin; x: their end */
	struct rank lanes, words;	/* words: of sectors, unless flat */
	/* A sector's words stand side by side; else one below the other. */
	bool flat;
	int high;		/* rows of a word; 0: two words to a row */
	/* The first row of each part, and its rows. */
	int lane_y, lane_h, got_y, got_h, way_y, way_h, memory_y, memory_h,
	    name_y, name_h, meter_y, meter_h;
	/* The three acts: addresses, sectors, words. */
	double ask, fill, bring;
	bool store;
	bool values;	/* all of them fit, and are written */
};

/* Return the column of thing i of a row; and the cells of a word, whose y
 * counts half rows if a row has two words. */
int sectors_x(const struct rank *l, int i);
struct rect sectors_word(const struct ribbon *k, int sector, int word);

/* Returns the bytes of memory between sector i and the one before it. */
uint64_t sectors_skipped(const struct ribbon *k, int i);

/* Draw the labels of rows and sectors, at the left and below; and a single
 * label. */
void sectors_names(struct canvas *c, const struct ribbon *k);
void sectors_label(struct canvas *c, const struct ribbon *k, int y, int h,
		   const char *words);
/* Draws what the request costs, in numbers and bars. */
void sectors_meter(struct canvas *c, const struct ribbon *k, struct rect r);

#endif
