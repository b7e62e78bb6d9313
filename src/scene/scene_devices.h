/*
 * scene_devices: what several devices of a program do, turn by turn
 * (trace/device_work.h): their parts of C, their transfers, and the totals. What is in
 * one turn may run at once; its duration is not known here.
 *
 * Devices form a grid, as their collectives group them: those that share one
 * with device 0 and follow it are its row.
 */
#ifndef SCENE_SCENE_DEVICES_H
#define SCENE_SCENE_DEVICES_H

#include "trace/trace.h"

struct stage;
struct cursor;

/* Totals over turns: bytes between devices, bytes to and from the host, the
 * least that products read and write of their own device's memory (each operand
 * once), and their floating-point operations. */
struct devices_sums { double links, host, memory, flops; };

struct devices_turn {
	/* A bit for each device: what runs on it, comes to it from its row of
	 * devices, from another row or from the host, is copied within it. */
	uint32_t products, others, along_row, other_rows, loads, copies;
	struct devices_sums sums;
};

/* A device's part of C (of its widest product); its products up to the turn,
 * and all; and the last turn in which a panel came along its row, or its
 * column. */
struct devices_one {
	uint32_t m, n, products, products_all;
	uint32_t along_row, along_column;	/* the turn; 0: none yet */
};

struct scene_devices {
	uint32_t count, rows, columns;
	uint32_t turn, turns;	/* the cursor's, and the last */
	uint32_t first, last;	/* turns of the first and the last product */
	const struct devices_turn *at;		/* by turn, from 1 on */
	struct devices_one one[DEVICES_MOST];
	struct devices_sums so_far, all;
	const struct trace_work *works;
	size_t work_count;
};

/* Works out scene.devices; NULL: the trace knows of one only. */
void scene_devices(struct stage *s);
void scene_devices_done(struct stage *s);

/* Returns whether a transfer stays in a row, or in a column, of devices. */
bool devices_same_row(const struct scene_devices *d,
		      const struct trace_work *w);
bool devices_same_column(const struct scene_devices *d,
			 const struct trace_work *w);

/* Moves the cursor by `by` turns. */
bool cursor_turn(const struct trace_info *info, struct cursor *p, int by);
/* Returns this turn, or the last one if there are fewer; 0: the turn of the
 * recorded launch. */
uint32_t devices_turn(const struct trace_info *info, uint32_t turn);
uint32_t devices_turns(const struct trace_info *info);	/* the last turn */

#endif
