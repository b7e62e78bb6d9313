/*
 * benchmark_trial: finds the fastest of the shapes that a model ranks first, and
 * of the algorithms that cublasLt does. See benchmark_parts.h.
 */
#include <math.h>
#include <string.h>

#include "kernels/choice.h"
#include "gpu/race/benchmark_parts.h"

/* Each is timed so often, so long. The first round does not count if there is
 * another: clocks settle meanwhile. */
#define ROUNDS 3
#define SAMPLE_SECONDS 10e-3
/* After which no other round begins; and the longest launch of what the model
 * ranks first: if it takes longer, it is taken at once. */
#define TRIAL_SECONDS 1.0
#define LAUNCH_SECONDS 0.1

/* Returns the seconds of a launch of a candidate; INFINITY when it cannot
 * run. */
static double candidate_time(int case_at, size_t which, struct error *e)
{
	struct benchmark_case *t = &worker.cases[case_at];
	double one, seconds;

	say_doing(case_at);
	if (benchmark_case_take(t, &worker.device, &worker.matrices.size, which,
				e) < 0 ||
	    benchmark_case_place(t, &worker.matrices, e) < 0 ||
	    time_launches(case_at, 1, &one, e) < 0)
		return INFINITY;
	if (one > LAUNCH_SECONDS)
		return one;
	if (time_launches(case_at, (int)ceil(SAMPLE_SECONDS / MAX(one, 1e-6)),
			  &seconds, e) < 0)
		return INFINITY;
	return seconds;
}

/* A round in one direction or the other, so that a GPU that slows down does so
 * for all; false: it is the last. */
static bool trial_round(int case_at, int round, size_t count, double *total,
			struct error *e)
{
	if (round <= 1)
		memset(total, 0, count * sizeof(*total));
	for (size_t i = 0; i < count; i++) {
		size_t which = round % 2 ? count - 1 - i : i;
		double seconds;

		if (!may_continue())
			return false;
		seconds = candidate_time(case_at, which, e);
		if (cuda_sticky(cuda_last()))
			return false;
		if (round + which == 0 && isfinite(seconds) &&
		    seconds > LAUNCH_SECONDS)
			return false;
		total[which] += seconds;
	}
	return true;
}

static void try_out(int case_at)
{
	struct benchmark_case *t = &worker.cases[case_at];
	size_t count = benchmark_case_candidates(t), best = 0;
	double total[MAX(CHOICE_TRIED, LT_TRIED)], begun = seconds_now();
	struct error e;

	for (int round = 0; round < ROUNDS; round++) {
		if (!trial_round(case_at, round, count, total, &e))
			break;
		t->tried = count;
		if (seconds_now() - begun > TRIAL_SECONDS)
			break;
	}
	for (size_t i = 1; i < count; i++)
		if (total[i] < total[best])
			best = i;
	if (cuda_sticky(cuda_last())) {
		drop_case(case_at, &e);
		return;
	}
	benchmark_modules_unload(&t->modules);
	if (benchmark_case_take(t, &worker.device, &worker.matrices.size, best,
				&e) < 0)
		drop_case(case_at, &e);
}

void try_all(void)
{
	for (int i = 0; i < case_count(); i++)
		if (is_waiting(i) &&
		    benchmark_case_candidates(&worker.cases[i]) > 1 &&
		    may_continue())
			try_out(i);
}
