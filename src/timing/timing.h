/*
 * timing: what a race of kernels against each other and against cuBLAS gave:
 * the machine, and per case and size the samples. Filled from a runner's
 * messages while they arrive (protocol.h, "time"), or read from a file of data/
 * that an earlier race wrote; the same struct serves the table, the screen
 * and the file.
 */
#ifndef TIMING_TIMING_H
#define TIMING_TIMING_H

#include "base/base.h"
#include "runner/job.h"

/*
 * "machine": {"gpu":"NVIDIA H200","uuid":"GPU-...","compute":"9.0",
 *  "driver":"580.159.04","cuda":"13.0","cublas":"13.0.2","sms":132,
 *  "memory_bytes":N,"l2_bytes":N,"clock_mhz":1980,"memory_clock_mhz":3201,
 *  "bus_bits":6144,"fp32_lanes":128,"host":"..."}: what the driver says;
 *  unknown members are null. Peaks are computed from it: fp32 = sms *
 *  fp32_lanes * 2 * clock; bytes a second = memory_clock * 2 * bus / 8.
 */
struct timing_machine {
	char *gpu, *compute, *driver, *cuda, *cublas, *uuid;
	double sms, clock_mhz, memory_clock_mhz, bus_bits, fp32_lanes;
	double memory_bytes, l2_bytes;	/* NA: not known, all of them */
};

enum timing_state { TIMING_WAITING, TIMING_CHECKING, TIMING_READY,
		    TIMING_TIMED, TIMING_SKIPPED, TIMING_FAILED };

/*
 * One case at one size. "entrant" messages carry, besides what protocol.h
 * shows, once they are known: "error" (relative error against the
 * reference: ||C - R|| / ||R||), "bound" (what it may be at most),
 * "reference" ("float64" on the CPU or "cublas-fp64"), "registers",
 * "shared_bytes", "text_hash" (hash_bytes() of the kernel's text, 16 hex
 * digits), "intensity" (FLOP a byte of DRAM traffic, when counted), "defines"
 * (all of a kernel whose parameters were tuned for the size). "text" is
 * given with skipped and failed. Samples come between "ready" and "timed",
 * at most TIMING_MAX_SAMPLES each; an error above its bound, or one that is
 * NaN, makes the result a failed one whatever state was said.
 */
#define TIMING_MAX_CASES 64
#define TIMING_MAX_SIZES 16
#define TIMING_MAX_SAMPLES 100000
struct timing_result {
	enum timing_state state;
	char *why;			/* skipped, failed; or NULL */
	double error, bound;		/* NA: not checked (yet) */
	char *reference;		/* or NULL */
	struct job_defines defines;	/* as built, where it was tuned */
	double *samples;		/* seconds a launch, in their order */
	size_t sample_count, sample_capacity;
	double registers, shared_bytes;	/* or NA */
};

struct timing_case {
	char *name;		/* "tiled", "cublas-fp32" */
	char *label;		/* "tiled TILE=32", "cuBLAS fp32" */
	bool baseline;		/* cuBLAS */
	struct job_kernel what;	/* as it was asked for */
	char *text_hash;	/* or NULL */
	/* FLOP a byte of DRAM traffic, by size; NA: not measured. */
	double *intensity;
};

struct timing {
	struct timing_machine machine;
	char *date;		/* "2026-11-21", UTC */
	char *from;		/* the file it was read from; NULL: live */
	struct timing_case *cases;
	size_t case_count;
	struct problem_sizes *sizes;
	size_t size_count;
	struct timing_result *results;	/* [size * case_count + case] */
	/* Whose the samples were, as they came: indices of results. */
	uint32_t *order;
	size_t order_count, order_capacity;
	/* The newest "gauge"; NA: not known. */
	double now_mhz, watts, celsius;
	int place;		/* in the queue; -1: not in one */
	bool done;
};

/* Of a job of ours; what came of it so far is nothing. */
struct timing *timing_new(const struct job_time *job);
void timing_free(struct timing *t);

const struct timing_result *timing_result(const struct timing *t, size_t size,
					  size_t case_at);
/* Of the samples: median, 10th and 90th percentile, fastest and slowest in
 * seconds, FLOP/s at the median; NA: none, or the result failed. */
struct timing_figures { double median, low, high, fastest, slowest, flops; };
struct timing_figures timing_figures(const struct timing *t, size_t size,
				     size_t case_at);
/* The machine's limits: FLOP/s of fp32 without tensor cores, of halves with
 * them (dense matrices, sums in fp32), DRAM bytes/s; NA when not known. */
double timing_peak_flops(const struct timing_machine *m);
double timing_tensor_flops(const struct timing_machine *m);
double timing_peak_bytes(const struct timing_machine *m);
/* The index of the cuBLAS that the first kernel is held to, or of the first
 * where no kernel races; -1: it does not race. */
long timing_cublas(const struct timing *t);
/* The cuBLAS that a kernel is held to: of the kernel's types, for a reader's
 * text of those it names; a cuBLAS to itself. */
const char *timing_baseline(const struct job_kernel *what);
/* It is of halves: held to cuBLAS of fp16 or bf16. */
bool timing_halves(const struct job_kernel *what);
/* Its index; -1: it does not race. */
long timing_held(const struct timing *t, const struct job_kernel *what);
/* The index of the cuBLAS that a case's share is of: what a kernel is held
 * to, for another cuBLAS the race's; -1. */
long timing_against(const struct timing *t, size_t case_at);
/* " BM=128 BN=64", clean; heap. NULL: none. */
char *timing_defines(const struct job_defines *defines);
/* FLOP/s of a case by that cuBLAS's at this size; NA. */
double timing_share(const struct timing *t, size_t size, size_t case_at);

/* A file of data/races (data/README.md); NULL with e (EXIT_INPUT). */
struct timing *timing_read(const char *path, struct error *e);
/* A copy with only those cases and sizes for which is true. */
struct timing *timing_select(const struct timing *t, const bool *cases,
			     const bool *sizes);

/*
 * Playing a recording: timing_replay() gives its machine, cases and sizes
 * with no sample yet; each timing_replay_next() takes over the next sample
 * in the order in which they came, and false says that there are no more.
 */
struct timing *timing_replay(const struct timing *whole);
bool timing_replay_next(struct timing *t, const struct timing *whole);

#endif
