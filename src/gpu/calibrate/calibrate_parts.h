/*
 * calibrate_parts: shared by the parts of a calibration. calibrate.c has the
 * order and the launches, calibrate_levels.c the levels of memory,
 * calibrate_machine.c launches, clocks and the sectors that one load fetches,
 * calibrate_patterns.c the access patterns.
 */
#ifndef GPU_CALIBRATE_CALIBRATE_PARTS_H
#define GPU_CALIBRATE_CALIBRATE_PARTS_H

#include <jansson.h>

#include "protocol/job.h"
#include "gpu/device/device.h"

#define CALIBRATE_REPEATS 15
#define CALIBRATE_LINE 128		/* bytes between the links of a chain */
#define CALIBRATE_MIB (1ull << 20)

struct calibration_run {
	const struct device *device;
	CUmodule module;
	CUevent start, stop;
	CUdeviceptr memory;		/* of `bytes` */
	size_t bytes;
	CUdeviceptr small;		/* CALIBRATE_SMALL zeros: what kernels
					   read and leave */
	int sms;
	json_t *answer;
};
#define CALIBRATE_SMALL 4096

/* A launch of a kernel of calibrate.cu: of `grid` blocks of `block` threads. */
struct calibrate_launch {
	const char *kernel;
	unsigned grid, block, shared;
	void **arguments;
};
int calibrate_start(struct calibration_run *c, const struct calibrate_launch *l,
		    struct error *e);
/* Measures the seconds of `launches` launches, by events. */
int calibrate_time(struct calibration_run *c, const struct calibrate_launch *l,
		   int launches, double *seconds, struct error *e);
int calibrate_function(struct calibration_run *c, const char *kernel,
		       CUfunction *f, struct error *e);

/* Samples of one quantity. */
struct samples {
	double v[CALIBRATE_REPEATS];
	int count;
};
void samples_add(struct samples *s, double v);
double samples_median(const struct samples *s);
/* Adds samples to o: as NAME the median, and as NAME_samples all. */
void samples_members(const struct samples *s, const char *name, json_t *o);

int calibrate_levels(struct calibration_run *c, struct error *e);
int calibrate_launches(struct calibration_run *c, struct error *e);
int calibrate_clocks(struct calibration_run *c, struct error *e);
int calibrate_sectors(struct calibration_run *c, struct error *e);
/* Measures all patterns in one of the job's ways; adds to the answer's
 * "patterns". */
int calibrate_patterns(struct calibration_run *c, const struct job *job,
		       const json_t *way, struct error *e);
/* Checks the job's patterns and ways; -1 with e (EXIT_USAGE). */
int calibrate_check(const struct job *job, struct error *e);

#endif
