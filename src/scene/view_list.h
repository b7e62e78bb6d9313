/*
 * view_list: the views that a lesson's step can show, in the order in which
 * Tab goes through them. Each has its src/viz/view_NAME.c.
 */
#ifndef SCENE_VIEW_LIST_H
#define SCENE_VIEW_LIST_H

#include <string.h>

#define VIEW_LIST(X) \
	X(matrices) \
	X(defect) \
	X(road) \
	X(shuffle) \
	X(fragments) \
	X(tiles) \
	X(carriers) \
	X(sectors) \
	X(barrier) \
	X(machine) \
	X(pipeline) \
	X(order) \
	X(devices) \
	X(scaling) \
	X(banks) \
	X(nested) \
	X(registers) \
	X(grid) \
	X(memory) \
	X(faster) \
	X(cost) \
	X(occupancy)

/* Words that lessons had for a view, and its name. */
#define VIEW_OLD_LIST(X) \
	X("gate", "barrier") \
	X("outer", "nested") \
	X("bill", "cost")

/* Returns the name of the view that a word of a lesson stands for. */
static inline const char *view_name(const char *word)
{
#define OLD(old, name) if (!strcmp(word, old)) return name;
	VIEW_OLD_LIST(OLD)
#undef OLD
	return word;
}

#endif
