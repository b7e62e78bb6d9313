/* benchmark_samples: takes the times of launches. See benchmark_parts.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/race/benchmark_order.h"
#include "gpu/race/benchmark_parts.h"

/* A sample lasts at least so long, as many launches as it takes: a GPU that
 * has come to its limit of power slows down within milliseconds, and a sample
 * is to be of that. */
#define SAMPLE_SECONDS 10e-3
/* Below it a launch goes ahead of the sample, so that the GPU is at work when
 * the clock starts. */
#define LEAD_SECONDS 5e-3
/* So long all take turns before it counts, so that clocks have settled to
 * what all of them together draw; a launch that is longer than that does not
 * take part. */
#define SETTLE_SECONDS 0.25
/* A sample at a clock so far from its case's is taken again, at most so often;
 * of so many samples the clocks are kept, and so many say which it is. */
#define CLOCK_APART 0.02
#define SAMPLES_REPEATED 5
#define SAMPLES_WATCHED 256
#define SAMPLES_SETTLED 5

int time_launches(int case_at, int count, double *seconds, struct error *e)
{
	float ms;

	if (CUDA_TRY(e, EventRecord, worker.start, NULL) < 0)
		return -1;
	for (int i = 0; i < count; i++)
		if (benchmark_case_launch(&worker.cases[case_at],
					  &worker.matrices, e) < 0)
			return -1;
	if (CUDA_TRY(e, EventRecord, worker.stop, NULL) < 0)
		return -1;
	worker.mhz = device_clock(&worker.device);
	if (CUDA_TRY(e, EventSynchronize, worker.stop) < 0 ||
	    CUDA_TRY(e, EventElapsedTime, &ms, worker.start, worker.stop) < 0)
		return -1;
	*seconds = ms / 1e3 / count;
	return 0;
}

/* Times enough launches for a sample; sets *count to their number and *seconds
 * to the time of one. */
static int sample_time(int case_at, int *count, double *seconds,
		       struct error *e)
{
	double about_one = MAX(worker.launch[case_at], 1e-6);

	*count = (int)ceil(SAMPLE_SECONDS / about_one);
	if (about_one < LEAD_SECONDS &&
	    benchmark_case_launch(&worker.cases[case_at], &worker.matrices, e) <
		    0)
		return -1;
	return time_launches(case_at, *count, seconds, e);
}

/* Measures a launch again, since the first one is slower. */
static void warm_up_case(int case_at)
{
	struct error e;
	int count;

	say_doing(case_at);
	if (sample_time(case_at, &count, &worker.launch[case_at], &e) < 0)
		drop_case(case_at, &e);
}

static void settle_clocks(void)
{
	double begun = seconds_now();
	bool more = true;

	while (more && seconds_now() - begun < SETTLE_SECONDS) {
		more = false;
		for (int i = 0; i < case_count(); i++) {
			if (!is_waiting(i) ||
			    worker.launch[i] > SETTLE_SECONDS ||
			    !may_continue())
				continue;
			warm_up_case(i);
			more = true;
		}
	}
}

/* ---- clocks ---- */

static struct clocks {
	double mhz[SAMPLES_WATCHED];
	int count, repeated;
} clocks[TIMING_MAX_CASES];

static double clock_median(const struct clocks *k)
{
	double sorted[SAMPLES_WATCHED];

	if (!k->count)
		return NA;
	memcpy(sorted, k->mhz, sizeof(sorted));
	qsort(sorted, (size_t)k->count, sizeof(*sorted), double_order);
	return sorted[k->count / 2];
}

/* Tests whether the sample ran at another clock than the earlier ones of its
 * case. A clock that stays changed is accepted as the new one. */
static bool clock_strays(struct clocks *k, double mhz)
{
	if (mhz == NA)
		return false;
	if (k->count >= SAMPLES_SETTLED && k->repeated < SAMPLES_REPEATED &&
	    fabs(mhz / clock_median(k) - 1) > CLOCK_APART) {
		k->repeated++;
		return true;
	}
	if (k->count < SAMPLES_WATCHED)
		k->mhz[k->count++] = mhz;
	return false;
}

json_t *clock_of(int case_at)
{
	double mhz = clock_median(&clocks[case_at]);

	return mhz == NA ? NULL : json_pack("{sf}", "clock_mhz", mhz);
}

/* ---- samples ---- */

static int take_case_sample(int case_at, struct error *e)
{
	struct benchmark_result *r = result_of(case_at);
	double seconds;
	json_t *o;
	int count;

	if (sample_time(case_at, &count, &seconds, e) < 0)
		return -1;
	r->seconds += seconds * count;
	if (clock_strays(&clocks[case_at], worker.mhz))
		return 0;
	r->samples++;
	o = case_members(case_at);
	json_object_set_new(o, "seconds", json_real(seconds));
	worker_say("sample", o);
	return 0;
}

static void sample_case(int case_at)
{
	const struct benchmark_result *r = result_of(case_at);
	struct error e;

	say_doing(case_at);
	if (take_case_sample(case_at, &e) < 0)
		drop_case(case_at, &e);
	else if (r->samples >= worker.request.repeat ||
		 r->seconds >= worker.request.seconds)
		worker_say_state(case_at, BENCHMARK_TIMED, NULL,
				 clock_of(case_at));
}

/* Takes a sample of each waiting case; false when there is no more to do. */
static bool time_round(int round)
{
	int order[TIMING_MAX_CASES];
	bool more = false;

	benchmark_order(order, case_count(), worker.request.seed, round);
	for (int i = 0; i < case_count(); i++) {
		if (!is_waiting(order[i]))
			continue;
		if (!may_continue())
			return false;
		sample_case(order[i]);
		more = true;
	}
	return more;
}

void time_all(void)
{
	memset(clocks, 0, sizeof(clocks));
	settle_clocks();
	for (int round = 0; time_round(round); round++)
		;
}
