/*
 * bank_tile: a tile in shared memory above the queues of its banks. A row of
 * the tile is a row of the array, a column is a bank, and the words of a
 * request fall from their rows straight down, those of the first wavefront
 * first: what stands in one column queues at one bank.
 */
#ifndef VIZ_PICTURES_BANKS_BANK_TILE_H
#define VIZ_PICTURES_BANKS_BANK_TILE_H

#include "viz/pictures/banks/scene_banks.h"
#include "viz/canvas.h"

/* The rows of the array that are drawn. */
struct bank_rows_shown { uint32_t first, count; };

struct bank_tile {
	const struct scene *scene;
	const struct banks_layout *layout;
	/* The scale, which both halves of a pair share: wavefronts in a queue,
	 * and rows of a tile. */
	int most;
	uint32_t rows;
	double t;	/* 0: all words are in the tile, 1: all have fallen */
	bool quiet;	/* no counts: a question is open */
	enum role role;	/* the count's */
	/* Under the count, at the right where there is room. */
	const char *words, *more, *reading;
};

struct bank_rows_shown bank_tile_rows(const struct scene *sc);
/* Tells whether the count stands at the right of the tile, in w columns. */
bool bank_tile_has_side(int w);
/* Returns how many wavefronts have been served at the time t. */
int bank_tile_served(const struct banks_layout *l, double t);
void bank_tile_draw(struct canvas *c, struct rect r, const struct bank_tile *t);

#endif
