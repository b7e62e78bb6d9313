/*
 * timing: the results of a benchmark of kernels against each other and against
 * cuBLAS: the machine, and the samples for each case and size. A timing is
 * filled from a runner's messages while they arrive (protocol.h, "time"), or
 * read from a file in data/ that an earlier benchmark wrote; the table, the
 * screen and the file use the same struct.
 */
#ifndef TIMING_TIMING_H
#define TIMING_TIMING_H

#include "base/base.h"
#include "protocol/job.h"

/*
 * What the driver reports, in the message "machine"; unknown members are null:
 *
 *	{"gpu":"NVIDIA H200","uuid":"GPU-...","compute":"9.0",
 *	 "driver":"580.159.04","cuda":"13.0","cublas":"13.0.2","sms":132,
 *	 "memory_bytes":N,"l2_bytes":N,"clock_mhz":1980,
 *	 "memory_clock_mhz":3201,"bus_bits":6144,"fp32_lanes":128,
 *	 "host":"..."}
 *
 * Peaks are computed from it: fp32 FLOP/s = sms * fp32_lanes * 2 * clock;
 * bytes/s = memory_clock * 2 * bus / 8.
 */
struct timing_machine {
	char *gpu, *compute, *driver, *cuda, *cublas, *uuid;
	double sms, clock_mhz, memory_clock_mhz, bus_bits, fp32_lanes;
	double memory_bytes, l2_bytes;	/* all numbers: NA when not known */
};

enum timing_state { TIMING_WAITING, TIMING_CHECKING, TIMING_READY,
		    TIMING_TIMED, TIMING_SKIPPED, TIMING_FAILED };

/*
 * The result of one case at one size. Besides what protocol.h shows, "entrant"
 * messages have these members, once they are known: "error" (relative error
 * against the reference: ||C - R|| / ||R||), "bound" (the largest error
 * allowed), "reference" ("float64" on the CPU or "cublas-fp64"), "registers",
 * "shared_bytes", "clock_mhz" (with "timed"), "text_hash" (hash_bytes() of the kernel's text, 16 hex
 * digits), "intensity" (FLOP per byte of DRAM traffic, when counted), "defines"
 * (all of the defines of a kernel whose parameters were tuned for the size),
 * "tried" (of how many that a model ranked first these were the fastest),
 * "early": true (a launch starts while the one before it ends).
 * "text" comes with skipped and failed. Samples come between "ready" and
 * "timed", at most TIMING_MAX_SAMPLES for each result. A result whose error is
 * above its bound, or NaN, is a failed one, whatever state was sent.
 */
/*
 * What the hardware counted of a launch at one size, as src/gpu/race/counters.h
 * names it; NA: not counted. The parts that end in _busy are 0 to 1.
 */
#define TIMING_COUNTS(X) \
	X(global_load_requests) X(global_load_sectors) \
	X(global_store_requests) X(global_store_sectors) \
	X(shared_load_instructions) X(shared_load_wavefronts) \
	X(shared_store_instructions) X(shared_store_wavefronts) \
	X(l1_wavefronts) X(l2_read_bytes) X(l2_write_bytes) X(dram_bytes) \
	X(issue_busy) X(fma_busy) X(tensor_busy) X(l1_busy) X(l2_busy) \
	X(dram_busy) X(seconds)
#define TIMING_COUNT_MEMBER(name) double name;
struct timing_counts { TIMING_COUNTS(TIMING_COUNT_MEMBER) };
/* The counts one after the other: how many, a name, and its place. */
extern const size_t timing_count_count;
const char *timing_count_name(size_t i);
double *timing_count(struct timing_counts *c, size_t i);

#define TIMING_MAX_CASES 256
#define TIMING_MAX_SIZES 64
#define TIMING_MAX_SAMPLES 100000
struct timing_result {
	enum timing_state state;
	char *why;			/* why skipped or failed; or NULL */
	double error, bound;		/* NA: not checked (yet) */
	char *reference;		/* or NULL */
	struct job_defines defines;	/* the defines used, if tuned */
	double *samples;		/* seconds per launch, in order of
					   arrival */
	size_t sample_count, sample_capacity;
	double registers, shared_bytes;	/* or NA */
	double tried;			/* or NA: none were */
	bool early;	/* a launch started while the one before it ended */
	/* Of the SMs while the samples ran, the median; NA: not known. */
	double clock_mhz;
	/* In benchmarks put together: whose result this is; else NULL. */
	char *date, *from;
};

struct timing_case {
	char *name;		/* "tiled", "cublas-fp32" */
	char *label;		/* "tiled TILE=32", "cuBLAS fp32" */
	bool baseline;		/* the case is cuBLAS */
	struct job_kernel what;	/* the kernel as requested */
	char *text_hash;	/* or NULL */
	/* For each size; intensity: FLOP per byte of DRAM traffic, NA: not
	 * measured. */
	double *intensity;
	struct timing_counts *counts;
};

struct timing {
	struct timing_machine machine;
	char *date;		/* "2026-11-21", UTC */
	char *from;		/* the file that was read; NULL: live */
	/* Put together of several files, which `from` and `date` name; the
	 * samples of the size at which the most was timed come first. */
	bool merged;
	struct timing_case *cases;
	size_t case_count;
	struct problem_sizes *sizes;
	size_t size_count;
	struct timing_result *results;	/* [size * case_count + case] */
	/* The results that the samples belong to, in order of arrival: indices
	 * of results. */
	uint32_t *order;
	size_t order_count, order_capacity;
	/* The values of the newest "gauge"; NA: not known. */
	double now_mhz, watts, celsius;
	int place;		/* place in the queue; -1: not queued */
	bool done;
};

/* Makes a timing for a job, without results so far. */
struct timing *timing_new(const struct job_time *job);
void timing_free(struct timing *t);

const struct timing_result *timing_result(const struct timing *t, size_t size,
					  size_t case_at);
/*
 * Statistics of a result's samples: median, 10th and 90th percentile, fastest
 * and slowest in seconds, and FLOP/s at the median; NA: there are no samples,
 * or the result failed.
 */
struct timing_figures { double median, low, high, fastest, slowest, flops; };
struct timing_figures timing_figures(const struct timing *t, size_t size,
				     size_t case_at);
/* Computes the figures of samples by themselves; FLOP/s of a product of this
 * size, NA where its m is 0. */
struct timing_figures timing_figures_of(const double *samples, size_t count,
					const struct problem_sizes *size);
/*
 * Returns the machine's peaks: FLOP/s of fp32 without tensor cores, FLOP/s of
 * 16-bit floats with tensor cores (dense, accumulated in fp32), and bytes/s of
 * DRAM; NA when not known.
 */
double timing_peak_flops(const struct timing_machine *m);
double timing_tensor_flops(const struct timing_machine *m);
double timing_peak_bytes(const struct timing_machine *m);
/* Returns the index of the case that is the first kernel's cuBLAS baseline, or
 * of the first cuBLAS when no kernel is timed; -1 when that cuBLAS is not
 * timed. */
long timing_cublas(const struct timing *t);
/*
 * Returns the cuBLAS baseline of a kernel: the one for the kernel's types, for
 * a user's source the one for the types that it names; the baseline of a cuBLAS
 * is itself.
 */
const char *timing_baseline(const struct job_kernel *what);
/* Tests for a kernel of 16-bit floats, whose baseline is cuBLAS fp16 or
 * bf16. */
bool timing_halves(const struct job_kernel *what);
/* Returns the index of a kernel's baseline among the cases; -1 when it is not
 * timed. */
long timing_held(const struct timing *t, const struct job_kernel *what);
/* Formats the defines, " BM=128 BN=64", safe to show; the caller frees the
 * text. NULL when there are none. */
char *timing_defines(const struct job_defines *defines);
/* Returns a case's share at a size: its FLOP/s divided by those of its
 * baseline, so that a cuBLAS's is 1; or NA. */
double timing_share(const struct timing *t, size_t size, size_t case_at);
/* Tests whether the middle four fifths of its samples and of its baseline's
 * overlap: then neither is faster. */
bool timing_tied(const struct timing *t, size_t size, size_t case_at);

/* Reads a file of data/races (data/README.md); NULL with e (EXIT_INPUT). */
struct timing *timing_read(const char *path, struct error *e);
/* A copy with only the cases and sizes whose flag is true. */
struct timing *timing_select(const struct timing *t, const bool *cases,
			     const bool *sizes);

/*
 * Replays a recording: timing_replay() returns its machine, cases and sizes
 * without samples; each timing_replay_next() adds the next sample in order of
 * arrival, and returns false when there are no more.
 */
struct timing *timing_replay(const struct timing *whole);
bool timing_replay_next(struct timing *t, const struct timing *whole);

#endif
