/*
 * rung_counts: what the hardware counted of a measured kernel, by the names that
 * pictures give it, and which unit it keeps busy.
 */
#ifndef SCENE_RUNG_COUNTS_H
#define SCENE_RUNG_COUNTS_H

#include "scene/benchmark_scene.h"

/* In the order in which pictures list them. */
enum rung_count { RUNG_L1, RUNG_SHARED_WAVEFRONTS, RUNG_SHARED_LOADS,
		  RUNG_SHARED_STORES, RUNG_REQUESTS, RUNG_SECTORS, RUNG_L2_READ,
		  RUNG_DRAM, RUNG_STORE_REQUESTS, RUNG_STORE_SECTORS,
		  RUNG_L2_WRITE, RUNG_COUNTS };

/* A unit below this part of its limit is not what a kernel waits for. */
#define RUNG_BUSY 0.6
/* Counts that differ by less are alike. */
#define RUNG_ALIKE 1.1

/* Returns the name of a count, not translated. */
const char *rung_count_name(enum rung_count what);
/* Returns a count; NA: it was not counted. */
double rung_count(const struct timing_counts *c, enum rung_count what);
/* Writes it with three digits: "1.07 G", "3.15 M"; bytes as "550 GB"; "0". */
void rung_count_figure(char *buf, size_t size, enum rung_count what, double v);
/* Writes seconds as milliseconds with three digits: "15.5 ms". */
void rung_time_figure(char *buf, size_t size, double seconds);

/* Returns the part of its limit that a unit was busy, 0 to 1, or NA; and its
 * name, not translated. */
double rung_busy(const struct timing_counts *c, enum benchmark_unit unit);
const char *rung_unit_name(enum benchmark_unit unit);
/* Returns the unit that a kernel waits for: the busiest, if it is near its
 * limit; else UNIT_NONE. */
enum benchmark_unit rung_limiter(const struct timing_counts *c);
/* Returns the count of the work that a unit does; RUNG_COUNTS: there is none,
 * since all kernels give it the same. */
enum rung_count rung_work_of(enum benchmark_unit unit);

#endif
