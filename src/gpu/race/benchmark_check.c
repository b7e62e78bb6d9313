/* benchmark_check: checks the outputs. See benchmark_parts.h. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/lang.h"
#include "gpu/race/benchmark_parts.h"

static void say_alive(void)
{
	say_doing(NOBODY);
}

static json_t *result_members(int case_at, double error, double bound)
{
	const struct benchmark_case *t = &worker.cases[case_at];
	json_t *o = json_pack("{sf ss}", "bound", bound, "reference",
			      worker.matrices.reference_by);

	/* NaN is no number of JSON's; the text says it. */
	if (isfinite(error))
		json_object_set_new(o, "error", json_real(error));
	if (t->baseline)
		return o;
	if (t->registers != NA)
		json_object_set_new(o, "registers",
				    json_integer(t->registers));
	if (t->shared_bytes != NA)
		json_object_set_new(o, "shared_bytes",
				    json_integer(t->shared_bytes));
	if (t->defines)
		json_object_set(o, "defines", t->defines);
	if (t->tried)
		json_object_set_new(o, "tried",
				    json_integer((json_int_t)t->tried));
	if (t->early)
		json_object_set_new(o, "early", json_true());
	json_object_set_new(o, "text_hash", json_sprintf("%016" PRIx64,
		hash_bytes(t->plan.text, t->plan.length)));
	return o;
}

static void say_wrong(int case_at, double error, double bound, double nans)
{
	double all = problem_elements(&problem_gemm,
		worker.matrices.size.m, worker.matrices.size.n,
		worker.matrices.size.k);
	char *text;

	if (nans > 0)
		text = xasprintf(_("the answer is wrong: %.0f of %.0f elements "
				   "of C were never written or are NaN"),
				 nans, all);
	else
		text = xasprintf(_("the answer is wrong: its relative error is "
				   "%.2g, and rounding explains %.2g at most"),
				 error, bound);
	worker_say_state(case_at, BENCHMARK_FAILED, text,
			 result_members(case_at, error, bound));
	free(text);
}

/* So many follow each other where launches start early: the answer is to be
 * right then, too. */
#define EARLY_LAUNCHES 3

/* Computes the output's error after a launch on C filled with the byte
 * `before`. */
static int measure_error(int case_at, uint8_t before, double *error,
			 double *nans, struct error *e)
{
	const struct benchmark_case *t = &worker.cases[case_at];

	if (matrices_fill(&worker.matrices, t->out, before, e) < 0 ||
	    time_launches(case_at, t->early ? EARLY_LAUNCHES : 1,
			  &worker.launch[case_at], e) < 0 ||
	    benchmark_case_unpad(t, &worker.matrices, e) < 0)
		return -1;
	return matrices_error(&worker.matrices, t->out, error, nans, e);
}

static void check_case(int case_at)
{
	struct benchmark_case *t = &worker.cases[case_at];
	double error, nans, bound, added, none;
	struct error e;

	worker_say_state(case_at, BENCHMARK_CHECKING, NULL, NULL);
	say_doing(NOBODY);
	if (matrices_refer(&worker.matrices, t->in, say_alive, &e) < 0) {
		if (cuda_sticky(cuda_last()))
			say_broken(NOBODY, &e);
		drop_case(case_at, &e);
		return;
	}
	say_doing(case_at);
	if (benchmark_case_place(t, &worker.matrices, &e) < 0 ||
	    measure_error(case_at, 0xff, &error, &nans, &e) < 0 ||
	    (nans > 0 && measure_error(case_at, 0, &added, &none, &e) < 0)) {
		drop_case(case_at, &e);
		return;
	}
	bound = matrices_bound(worker.request.sizes[worker.size].k, t->precision,
			       t->out);
	/* It may add to what C holds. */
	if (nans > 0 && added <= bound)
		error = added;
	if (!(error <= bound))
		say_wrong(case_at, error, bound, nans);
	else
		worker_say_state(case_at, BENCHMARK_READY, NULL,
				 result_members(case_at, error, bound));
}

/* Checks the cases, one type of inputs after the other, since there is one
 * reference at a time. */
void check_cases(void)
{
	for (int r = 0; r < REALS; r++)
		for (int i = 0; i < case_count(); i++)
			if (is_waiting(i) && (int)worker.cases[i].in == r &&
			    may_continue())
				check_case(i);
	matrices_forget(&worker.matrices);
}
