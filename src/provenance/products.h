/*
 * products: the multiply-adds of an element of C, from what was read. A pair of
 * an element of A and one of B with the same k is one.
 */
#ifndef PROVENANCE_PRODUCTS_H
#define PROVENANCE_PRODUCTS_H

#include "provenance/dataflow.h"

/* Makes the steps of w->p, in the order of time and without sums, of what its
 * thread has read, or its warp, as by_warp says. */
void products_make(struct dataflow *w);
/* Adds another block's steps after those that are there, for each k that these
 * lack. */
void products_add(struct provenance *p, const struct provenance *of);

#endif
