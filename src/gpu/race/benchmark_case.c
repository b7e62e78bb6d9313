/*
 * benchmark_case: prepares the launch of a requested case. See
 * benchmark_case.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "kernels/choice.h"
#include "timing/tuned.h"
#include "toolkit/compile.h"
#include "gpu/race/benchmark_case.h"
#include "gpu/device/signature.h"
#include "gpu/device/embedded.h"

void benchmark_case_init(struct benchmark_case *t, const json_t *what,
			 const json_t *tuned)
{
	const char *baseline = json_string_value(json_object_get(what, "rival"));

	*t = (struct benchmark_case){ .what = what,
				      .tuned = tuned,
				      .registers = NA,
				      .shared_bytes = NA };
	if (!baseline)
		return;
	t->baseline = true;
	t->lt = !strncmp(baseline, "cublaslt-", strlen("cublaslt-"));
	baseline = strchr(baseline, '-') + 1;
	if (!strcmp(baseline, "tf32"))
		t->precision = PRECISION_TF32;
	if (!strcmp(baseline, "fp16"))
		t->in = t->out = REAL_F16;
	if (!strcmp(baseline, "bf16"))
		t->in = t->out = REAL_BF16;
	if (t->in != REAL_F32)
		t->precision = PRECISION_16;
}

void benchmark_case_done(struct benchmark_case *t)
{
	benchmark_case_release(t);
	benchmark_modules_done(&t->modules);
	json_decref(t->candidates);
	json_decref(t->defines);
	plan_done(&t->plan);
	lt_product_free(t->product);
}

/* ---- the plan ---- */

static const char *case_define(const void *defines, const char *name)
{
	return json_string_value(json_object_get(defines, name));
}

/* Returns the values of the parameters that a choice sets, and the other
 * defines. */
static json_t *defines_make(const struct kernel *k, const int *p,
			    json_t *defines)
{
	json_t *o = json_object();

	for (size_t i = 0; i < kernel_params(k); i++)
		if (choice_sets(k, i))
			json_object_set_new(o, k->params[i].name,
					    json_sprintf("%d", p[i]));
	json_object_update(o, defines);
	return o;
}

/* Returns the shapes that the model ranks first for the size, of those that
 * agree with the defines; NULL when the kernel has no choice, or no such
 * one. */
static json_t *rank_shapes(const struct kernel *k, json_t *defines,
			   const struct device *d,
			   const struct problem_sizes *size)
{
	struct choice_machine m = {
		.multiprocessors = device_attribute(d,
			CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
		.mhz = device_attribute(d, CU_DEVICE_ATTRIBUTE_CLOCK_RATE) /
		       1e3,
		.gbs = device_bandwidth(d),
	};
	int p[CHOICE_TRIED][KERNEL_PARAMS];
	bool fixed[KERNEL_PARAMS] = { false };
	json_t *chosen;
	size_t count;

	for (size_t i = 0; i < kernel_params(k); i++)
		fixed[i] = case_define(defines, k->params[i].name);
	kernel_values(k, p[0], case_define, defines);
	count = choice_rank(k, &m, size, fixed, p, LENGTH(p));
	if (!count)
		return NULL;
	chosen = json_array();
	for (size_t i = 0; i < count; i++)
		json_array_append_new(chosen, defines_make(k, p[i], defines));
	return chosen;
}

/* Sets the parameters that are known to be the fastest for the size on this
 * GPU, or the candidates that the model predicts. */
static void tune_defines(struct benchmark_case *t, const struct device *d,
			 const struct problem_sizes *size)
{
	const char *name = json_string_value(json_object_get(t->what,
							     "kernel"));
	const struct kernel *k = name ? kernel_find(name) : NULL;
	json_t *defines = json_object_get(t->what, "defines");
	const json_t *found = k ? tuned_find(t->tuned, d->name, name, defines,
		(int[]) { size->m, size->n, size->k }, k->choices) : NULL;

	json_decref(t->candidates);
	t->candidates = k && !found ? rank_shapes(k, defines, d, size) : NULL;
	t->tried = 0;
	json_decref(t->defines);
	t->defines = NULL;
	if (found) {
		t->defines = json_deep_copy(found);
		json_object_update(t->defines, defines);
	} else if (t->candidates) {
		t->defines = json_incref(json_array_get(t->candidates, 0));
	}
}

/* Makes the plan of a case of one size, which is a launch like one that is
 * recorded. */
static int plan_read(const struct benchmark_case *t, json_t *defines,
		     const struct problem_sizes *size, struct plan *to,
		     struct error *e)
{
	json_t *o = json_deep_copy(t->what);
	struct job job;
	int rc;

	if (defines)
		json_object_set(o, "defines", defines);
	json_object_update_new(o, json_pack("{ss si si si si}", "type",
		"record", "id", 0, "m", size->m, "n", size->n, "k", size->k));
	rc = job_object(&job, o, e);
	json_decref(o);
	if (rc == 0)
		rc = plan_make(to, &job, embedded_text, e);
	job_done(&job);
	return rc;
}

/* Compiles each candidate. */
static void candidates_build(struct benchmark_case *t, const struct device *d,
			     const struct problem_sizes *size)
{
	struct plan plans[CHOICE_TRIED] = { 0 };
	size_t count = 0, i;
	json_t *defines;
	struct error e;

	json_array_foreach(t->candidates, i, defines)
		if (plan_read(t, defines, size, &plans[count], &e) == 0)
			count++;
	benchmark_modules_ahead(&t->modules, plans, count, d);
	for (i = 0; i < count; i++)
		plan_done(&plans[i]);
}

/* ---- parameters ---- */

static int pointer_real(const struct argument *a, enum real *to,
			struct error *e)
{
	switch (a->var->type.elem) {
	case ELEM_F32:
		*to = REAL_F32;
		return 0;
	case ELEM_F16:
		*to = REAL_F16;
		return 0;
	case ELEM_BF16:
		*to = REAL_BF16;
		return 0;
	default:
		return error_set(e, EXIT_USAGE, "%s has a type that cannot be "
				 "timed (supported: float, half, "
				 "__nv_bfloat16)",
				 text_show(a->var->name));
	}
}

/* Finds the types of inputs and output. -1 with e when the kernel is not a
 * product of matrices. */
static int reals_take(struct benchmark_case *t, struct error *e)
{
	int output = problem_output(&problem_gemm), at[PROBLEM_ARRAYS];
	enum real of[PROBLEM_ARRAYS];

	if (!arguments_fit(&problem_gemm, t->arguments, t->argument_count, at))
		return error_set(e, EXIT_USAGE, "%s has no A, B and C: only "
				 "matrix products can be timed",
				 text_show(t->signature->name));
	for (int i = 0; i < PROBLEM_ARRAYS; i++) {
		if (at[i] < 0)
			continue;
		if (i > output)
			return error_set(e, EXIT_USAGE, "%s adds a third "
					 "matrix: only products of two "
					 "matrices can be timed",
					 text_show(t->signature->name));
		if (pointer_real(&t->arguments[at[i]], &of[i], e) < 0)
			return -1;
		if (i < output && of[i] != of[0])
			return error_set(e, EXIT_USAGE, "A and B of %s are of "
					 "different types",
					 text_show(t->signature->name));
	}
	t->in = of[0];
	t->out = of[output];
	t->precision = t->in == REAL_F32 ? PRECISION_FP32 : PRECISION_16;
	return 0;
}

/* ---- what the GPU can do ---- */

/* Returns an attribute of the kernel, or NA. */
static int function_attribute(const struct benchmark_case *t,
			      CUfunction_attribute a)
{
	int v;

	return cuda.FuncGetAttribute(&v, a, t->function) == CUDA_SUCCESS ? v :
									   NA;
}

static int limits_check(struct benchmark_case *t, const struct device *d,
			struct error *e)
{
	int threads = (int)plan_threads(&t->plan);
	int most = function_attribute(t,
			CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
	int given = (int)plan_shared(&t->plan);
	int shared = device_attribute(d, given ?
		CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN :
		CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);

	t->registers = function_attribute(t, CU_FUNC_ATTRIBUTE_NUM_REGS);
	t->shared_bytes = function_attribute(t,
			CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
	if (t->shared_bytes != NA)
		t->shared_bytes += given;
	if (most != NA && threads > most)
		return error_set(e, EXIT_USAGE, "a block of %d threads with %d "
				 "registers each is too large for this GPU: at "
				 "most %d threads fit", threads,
				 t->registers, most);
	if (shared != NA && t->shared_bytes > shared)
		return error_set(e, EXIT_USAGE, "a block needs %d bytes of "
				 "shared memory, but this GPU has %d",
				 t->shared_bytes, shared);
	if (t->plan.grid.y > 65535 || t->plan.grid.z > 65535)
		return error_set(e, EXIT_USAGE, "a grid of %ux%ux%u blocks is "
				 "too large: y and z must be at most 65535",
				 t->plan.grid.x, t->plan.grid.y,
				 t->plan.grid.z);
	return 0;
}

/* Prepares the launch with the defines. */
static int prepare_launch(struct benchmark_case *t, const struct device *d,
			  const struct problem_sizes *size, struct error *e)
{
	const struct benchmark_module *m;

	if (plan_read(t, t->defines, size, &t->plan, e) < 0 ||
	    device_suits(d, t->plan.kernel, e) < 0)
		return -1;
	m = benchmark_module_make(&t->modules, &t->plan, d, e);
	if (!m)
		return -1;
	t->function = m->function;
	t->signature = m->signature;
	t->argument_count = arguments_find(&t->plan, t->signature,
					     t->arguments, e);
	if (t->argument_count < 0 || reals_take(t, e) < 0)
		return -1;
	if (limits_check(t, d, e) < 0 ||
	    launch_shared(&t->plan, t->function, e) < 0)
		return -1;
	t->early = launch_starts_early(&t->plan, d);
	return launch_spread(&t->plan, d, t->function, e);
}

/* Opens the library, and asks cublasLt for its algorithms for the size. */
static int prepare_baseline(struct benchmark_case *t,
			    const struct device *d,
			    const struct problem_sizes *size, struct error *e)
{
	cublasHandle_t handle;
	int rc;

	if (t->lt) {
		lt_product_free(t->product);
		t->algorithm = t->tried = 0;
		t->product = lt_product_make(d, size, t->in, t->precision, e);
		rc = t->product ? 0 : -1;
	} else {
		rc = library_blas(&handle, e);
	}
	if (rc < 0)
		e->status = EXIT_USAGE;
	return rc;
}

int benchmark_case_prepare(struct benchmark_case *t, const struct device *d,
			   const struct problem_sizes *size, struct error *e)
{
	if (t->baseline)
		return prepare_baseline(t, d, size, e);
	benchmark_modules_unload(&t->modules);
	tune_defines(t, d, size);
	if (benchmark_case_candidates(t) > 1)
		candidates_build(t, d, size);
	return prepare_launch(t, d, size, e);
}

size_t benchmark_case_candidates(const struct benchmark_case *t)
{
	return t->product ? lt_product_count(t->product) :
			    json_array_size(t->candidates);
}

int benchmark_case_take(struct benchmark_case *t, const struct device *d,
			const struct problem_sizes *size, size_t which,
			struct error *e)
{
	if (t->product) {
		t->algorithm = which;
		return 0;
	}
	json_decref(t->defines);
	t->defines = json_incref(json_array_get(t->candidates, which));
	return prepare_launch(t, d, size, e);
}

/* ---- its matrices ---- */

/* Copies the matrices to padded ones when the kernel needs larger sizes. */
static int pad_matrices(struct benchmark_case *t, const struct matrices *x,
			struct error *e)
{
	const struct plan *p = &t->plan;

	if (p->size.m == x->size.m && p->size.n == x->size.n &&
	    p->size.k == x->size.k)
		return 0;
	return matrices_pad(&t->padded, x, &p->size, t->in, t->out, e);
}

/* Sets the kernel's arguments: the matrices and values. */
static int set_arguments(struct benchmark_case *t, const struct matrices *x,
			 struct error *e)
{
	for (int i = 0; i < t->argument_count; i++) {
		const struct argument *a = &t->arguments[i];
		const struct problem_array *of;

		if (a->array < 0) {
			launch_value(&t->values, i, a);
			continue;
		}
		of = &t->plan.problem->arrays[a->array];
		if (launch_array(&t->values, i, a,
				 x->array[a->array][of->output ? t->out : t->in],
				 problem_size(&x->size, of->rows),
				 problem_size(&x->size, of->columns), e) < 0)
			return -1;
	}
	return 0;
}

int benchmark_case_place(struct benchmark_case *t, const struct matrices *x,
			 struct error *e)
{
	benchmark_case_release(t);
	if (t->baseline)
		return 0;
	if (pad_matrices(t, x, e) < 0)
		return -1;
	return set_arguments(t, t->padded.size.m ? &t->padded : x, e);
}

int benchmark_case_unpad(const struct benchmark_case *t,
			 const struct matrices *x, struct error *e)
{
	return t->padded.size.m ? matrices_unpad(x, &t->padded, t->out, e) : 0;
}

void benchmark_case_release(struct benchmark_case *t)
{
	matrices_done(&t->padded);
	t->padded.size.m = 0;
}

/* ---- launching ---- */

int benchmark_case_launch(const struct benchmark_case *t,
			  const struct matrices *x, struct error *e)
{
	if (t->product)
		return lt_product_launch(t->product, t->algorithm, x, e);
	return t->baseline ? library_launch(x, t->in, t->precision, e) :
			     launch_start(&t->plan, t->function, &t->values,
					  t->early, e);
}
