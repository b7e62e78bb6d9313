/*
 * lesson_query: a call of a function in a lesson's expression, and the
 * functions, grouped by what they examine. Their table is in
 * lesson_functions.c.
 */
#ifndef LESSON_LESSON_QUERY_H
#define LESSON_LESSON_QUERY_H

#include "hardware/access.h"
#include "lesson/lesson_functions.h"

/* One call: its arguments as the function's `takes` names them. */
struct query {
	struct standing *s;
	const char *array;
	int op;				/* -1: any */
	const char *text[2];
	int64_t i[3];
	double x;
	bool whole;	/* x is an integer */
	const char *kernel[2];		/* kernels of a race; NULL: none */
	int which;	/* `which` in the function's table entry */
};

/* The result of a function: the `which` of its table entry. */
enum cost { COST_SECTORS, COST_IDEAL_SECTORS, COST_LINES, COST_WAVEFRONTS,
	    COST_IDEAL_WAVEFRONTS, COST_WAYS };
enum shape { SHAPE_LANES, SHAPE_ADDRESSES, SHAPE_PATTERN, SHAPE_FIRST,
	     SHAPE_LAST, SHAPE_BYTES };
enum part { PART_ROW, PART_COL, PART_INDEX, PART_ADDRESS, PART_BANK,
	    PART_VALUE, PART_STRIDE };
enum scope { SCOPE_LAUNCH, SCOPE_BLOCK, SCOPE_BLOCK_PHASE, SCOPE_WARP,
	     SCOPE_WARP_PHASE, SCOPE_THREAD, SCOPE_THREAD_PHASE };
enum total { TOTAL_SECTORS, TOTAL_WAVEFRONTS };
enum compiled { COMPILED_BYTES, COMPILED_REQUESTS, COMPILED_WAVEFRONTS,
		COMPILED_BY };
enum sum { SUM_FLOPS, SUM_BYTES, SUM_INTENSITY, SUM_LOAD_SECTORS,
	   SUM_LOAD_REQUESTS };
enum launch { LAUNCH_PHASES, LAUNCH_BARRIERS, LAUNCH_THREADS, LAUNCH_WARPS,
	      LAUNCH_BLOCKS, LAUNCH_SHARED_BYTES };
enum race_what { RACE_TFLOPS, RACE_SHARE, RACE_RATIO };
enum race_used { RACE_REGISTERS, RACE_SHARED_BYTES, RACE_COUNTER,
		 RACE_SPREAD, RACE_PEAK_FLOPS, RACE_PEAK_BYTES };
enum holder { HOLDER_LANE, HOLDER_ELEMENT, HOLDER_REGISTER };
enum fill { FILL_BLOCKS, FILL_WARPS, FILL_SHARE };
enum level { LEVEL_CYCLES, LEVEL_BANDWIDTH, LEVEL_BYTES, LEVEL_GPU };
enum devices_what { DEVICES_COUNT, DEVICES_BYTES, DEVICES_BYTES_TO,
		    DEVICES_TURN_BYTES, DEVICES_TURN_LINKS,
		    DEVICES_TURN_PRODUCTS, DEVICES_IDLE, DEVICES_FLOPS };
enum across_what { ACROSS_MS, ACROSS_SPREAD, ACROSS_PANEL, ACROSS_LIMIT,
		   ACROSS_LINK, ACROSS_GPU };
enum found { FOUND_ALL, FOUND_CAUSE, FOUND_LINE };

/* Returns whether the site accesses the query's array, with its op if it names
 * one. */
bool query_matches(const struct query *q, uint32_t site);
/* The request after the last one of a phase. */
uint32_t query_phase_end(struct trace *t, size_t warp, uint32_t phase);
/* Return the array that a request accesses, and the one that the query names,
 * or NULL. */
const struct trace_array *query_array(const struct query *q,
				      const struct trace_request *r);
const struct trace_array *query_find_array(const struct query *q);
bool query_lane_takes_part(const struct trace_request *r, int64_t lane);
/* The count that an enum cost names; NA: it does not apply. */
int query_cost_field(const struct access_cost *c, int which);

/* Computes a function's value; -1 with e. */
typedef int query_function(struct query *q, struct value *out,
			   struct error *e);
/* lesson_request.c: functions of one request; see find_request() there. */
query_function query_cost, query_shape, query_part, query_part_at;
/* lesson_scan.c: functions of many requests. */
query_function query_requests, query_events, query_distinct, query_reuse,
	query_loads_of, query_loader;
/* lesson_launch.c: functions of the whole launch, and of recorded races. */
query_function query_total, query_compiled, query_sum, query_launch, query_dims, query_found,
	query_race, query_race_used;
/* lesson_model.c: functions of the machine, which need no trace. */
query_function query_model, query_fragment, query_occupancy, query_memory,
	       query_streams;
/* lesson_devices.c: functions of several GPUs. */
query_function query_devices, query_across;

#endif
