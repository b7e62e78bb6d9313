/*
 * view_list: the views that a lesson's step can show, in the order in which
 * Tab goes through them. Each has its src/viz/view_NAME.c.
 */
#ifndef SCENE_VIEW_LIST_H
#define SCENE_VIEW_LIST_H

#define VIEW_LIST(X) \
	X(matrices) \
	X(defect) \
	X(road) \
	X(fragments) \
	X(tiles) \
	X(carriers) \
	X(sectors) \
	X(gate) \
	X(pipeline) \
	X(order) \
	X(devices) \
	X(scaling) \
	X(banks) \
	X(outer) \
	X(registers) \
	X(grid) \
	X(memory) \
	X(bill) \
	X(occupancy)

#endif
