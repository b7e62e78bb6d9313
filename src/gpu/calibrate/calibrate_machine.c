/*
 * calibrate_machine: measures launches, clocks, and the sectors that one load
 * fetches. See calibrate_parts.h.
 */
#include "gpu/calibrate/calibrate_parts.h"

/* Launches that are timed together. */
#define LAUNCHES 1000
/* Cycles for which a clock is watched: some 30 ms; and threads a block, of
 * which an SM has one. */
#define CLOCK_CYCLES 50000000ull
#define CLOCK_THREADS 512
/* Offsets into a line, in steps of the 8 bytes that are loaded, up to the next
 * line; lines tried of each. */
#define OFFSET_BYTES 8
#define OFFSETS (CALIBRATE_LINE / OFFSET_BYTES)
#define OFFSET_LINES 64

/* ---- launches ---- */

static int launch_and_wait(struct calibration_run *c,
			   const struct calibrate_launch *l, double *seconds,
			   struct error *e)
{
	double begun = seconds_now();

	if (calibrate_start(c, l, e) < 0 ||
	    CUDA_TRY(e, CtxSynchronize) < 0)
		return -1;
	*seconds = seconds_now() - begun;
	return 0;
}

int calibrate_launches(struct calibration_run *c, struct error *e)
{
	const struct calibrate_launch l = { "gemmviz_nothing", 1, 32, 0,
					    NULL };
	struct samples queued = { .count = 0 }, waited = { .count = 0 };
	json_t *o = json_object();

	json_object_set_new(c->answer, "launch", o);
	for (int i = -1; i < CALIBRATE_REPEATS; i++) {
		double together, alone;

		if (calibrate_time(c, &l, LAUNCHES, &together, e) < 0 ||
		    launch_and_wait(c, &l, &alone, e) < 0)
			return -1;
		if (i < 0)
			continue;
		samples_add(&queued, together / LAUNCHES);
		samples_add(&waited, alone);
	}
	samples_members(&queued, "queued_seconds", o);
	samples_members(&waited, "waited_seconds", o);
	return 0;
}

/* ---- clocks ---- */

static int clock_sample(struct calibration_run *c, unsigned grid, double *mhz,
			struct error *e)
{
	unsigned long long cycles = CLOCK_CYCLES, took[2];
	CUdeviceptr out = c->small + CALIBRATE_SMALL / 2;
	const struct calibrate_launch l = {
		"gemmviz_clock", grid, CLOCK_THREADS, 0,
		(void *[]){ &c->small, &cycles, &out },
	};

	if (calibrate_start(c, &l, e) < 0 ||
	    CUDA_TRY(e, MemcpyDtoH, took, out, sizeof(took)) < 0)
		return -1;
	*mhz = 1e3 * (double)took[0] / (double)took[1];
	return 0;
}

/* Measures the clock with one SM busy, and with all. Drops the first samples,
 * during which the GPU raises its clock. */
int calibrate_clocks(struct calibration_run *c, struct error *e)
{
	struct samples one = { .count = 0 }, all = { .count = 0 };
	json_t *o = json_object();
	double mhz;

	json_object_set_new(c->answer, "clock", o);
	for (int i = -5; i < CALIBRATE_REPEATS; i++) {
		if (clock_sample(c, 1, &mhz, e) < 0)
			return -1;
		if (i >= 0)
			samples_add(&one, mhz);
	}
	for (int i = -5; i < CALIBRATE_REPEATS; i++) {
		if (clock_sample(c, (unsigned)c->sms, &mhz, e) < 0)
			return -1;
		if (i >= 0)
			samples_add(&all, mhz);
	}
	samples_members(&one, "one_sm_mhz", o);
	samples_members(&all, "all_sms_mhz", o);
	return 0;
}

/* ---- what one load brings along ---- */

/* Runs the kernel once that times a second load at each offset from a first
 * one. */
static int fetch_sample(struct calibration_run *c, CUdeviceptr offsets,
			CUdeviceptr out, unsigned long long *took,
			struct error *e)
{
	int count = OFFSETS, lines = OFFSET_LINES;
	const struct calibrate_launch l = {
		"gemmviz_fetched", 1, 1, 0,
		(void *[]){ &c->memory, &offsets, &count, &lines, &out },
	};

	if (CUDA_TRY(e, MemsetD8, c->memory, 0, 2 * CALIBRATE_LINE *
		     OFFSETS * OFFSET_LINES) < 0 ||
	    calibrate_start(c, &l, e) < 0)
		return -1;
	return CUDA_TRY(e, MemcpyDtoH, took, out, OFFSETS * sizeof(*took));
}

int calibrate_sectors(struct calibration_run *c, struct error *e)
{
	CUdeviceptr offsets = c->small, out = c->small + CALIBRATE_SMALL / 2;
	struct samples cycles[OFFSETS] = { { .count = 0 } };
	unsigned long long took[OFFSETS];
	uint32_t at[OFFSETS];
	json_t *list = json_array();

	json_object_set_new(c->answer, "fetched", list);
	for (uint32_t i = 0; i < OFFSETS; i++)
		at[i] = (i + 1) * OFFSET_BYTES;
	if (CUDA_TRY(e, MemcpyHtoD, offsets, at, sizeof(at)) < 0)
		return -1;
	for (int r = -1; r < CALIBRATE_REPEATS; r++) {
		if (fetch_sample(c, offsets, out, took, e) < 0)
			return -1;
		for (int i = 0; r >= 0 && i < OFFSETS; i++)
			samples_add(&cycles[i], (double)took[i] /
						OFFSET_LINES);
	}
	for (uint32_t i = 0; i < OFFSETS; i++) {
		json_t *o = json_pack("{si}", "offset", (int)at[i]);

		samples_members(&cycles[i], "cycles", o);
		json_array_append_new(list, o);
	}
	return CUDA_TRY(e, MemsetD8, c->small, 0, CALIBRATE_SMALL);
}
