/*
 * cuda: opens NVIDIA's libraries, and reports their errors. See cuda.h.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/text.h"
#include "gpu/device/cuda.h"

struct cuda cuda;
struct blas blas;
struct blas_lt blas_lt;
struct nvml nvml;

static CUresult last;

/* ---- opening ---- */

/* A library whose opening is tried once. */
struct library {
	const char *const *names;	/* newest first, NULL-terminated */
	const char *without;		/* what it is for */
	enum exit_status status;
	bool tried;
	int rc;
	struct error error;
};

/* The folders in which a toolkit has its libraries, when the loader's search
 * does not lead there. */
static const char *const folders[] = {
	"", "/usr/local/cuda/lib64/", "/usr/local/cuda/lib/",
	"/opt/cuda/lib64/", "/usr/local/nvidia/lib64/",
};

static void *library_load(const struct library *l, struct str *why)
{
	for (size_t f = 0; f < LENGTH(folders); f++) {
		for (size_t i = 0; l->names[i]; i++) {
			char *path = xasprintf("%s%s", folders[f],
					       l->names[i]);
			void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);

			free(path);
			if (handle)
				return handle;
			if (f == 0 && i == 0)
				str_add(why, dlerror());
		}
	}
	return NULL;
}

static int library_missing(struct library *l, const char *why)
{
	return error_set(&l->error, l->status, "%s (%s)", _(l->without),
			 text_show(why));
}

/* What one symbol is to be stored in. */
struct wanted_symbol {
	const char *symbol;
	void *to;
	bool newer;
};

static int symbols_find(struct library *l, void *handle,
			const struct wanted_symbol *wanted, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		void *p = dlsym(handle, wanted[i].symbol);

		if (!p && !wanted[i].newer)
			return error_set(&l->error, l->status, "%s is too old: "
					 "it has no %s", l->names[0],
					 wanted[i].symbol);
		memcpy(wanted[i].to, &p, sizeof(p));
	}
	return 0;
}

static int library_open(struct library *l, const struct wanted_symbol *wanted,
			size_t count)
{
	struct str why = { 0 };
	void *h = library_load(l, &why);
	int rc;

	rc = h ? symbols_find(l, h, wanted, count) :
		 library_missing(l, why.data);
	str_done(&why);
	return rc;
}

static int library_answer(const struct library *l, struct error *e)
{
	if (l->rc < 0 && e)
		*e = l->error;
	return l->rc;
}

#define CUDA_WANTED(name, type, symbol) { symbol, &cuda.name, false },
#define NEWER_WANTED(name, type, symbol) { symbol, &cuda.name, true },
#define BLAS_WANTED(name, symbol) { #symbol, &blas.name, false },
#define LT_WANTED(name, symbol) { #symbol, &blas_lt.name, false },
#define NVML_WANTED(name, type, symbol) { symbol, &nvml.name, false },

static int driver_start(struct error *e)
{
	int count = 0;
	CUresult r = cuda.Init(0);

	if (r == CUDA_ERROR_NO_DEVICE)
		return error_set(e, EXIT_GPU, "no GPU: the NVIDIA driver is "
				 "there, but finds none");
	if (r == CUDA_ERROR_SYSTEM_DRIVER_MISMATCH)
		return error_set(e, EXIT_GPU, "no GPU: the NVIDIA driver's "
				 "library and its kernel module have different "
				 "versions; a restart of the machine helps "
				 "after an update");
	if (cuda_check(e, N_("no GPU: cuInit"), r) < 0 ||
	    CUDA_TRY(e, DeviceGetCount, &count) < 0) {
		e->status = EXIT_GPU;
		return -1;
	}
	if (count == 0)
		return error_set(e, EXIT_GPU, "no GPU: CUDA_VISIBLE_DEVICES "
				 "hides all of them");
	return 0;
}

int cuda_open(struct error *e)
{
	static const char *const names[] = { "libcuda.so.1", NULL };
	static struct library l = {
		.names = names,
		.status = EXIT_GPU,
		.without = N_("no GPU: the NVIDIA driver is not installed"),
	};
	static const struct wanted_symbol wanted[] = { CUDA_FUNCTIONS(
		CUDA_WANTED) CUDA_NEWER(NEWER_WANTED) };

	if (!l.tried) {
		l.tried = true;
		l.rc = library_open(&l, wanted, LENGTH(wanted));
		if (l.rc == 0)
			l.rc = driver_start(&l.error);
	}
	return library_answer(&l, e);
}

int blas_open(struct error *e)
{
	static const char *const names[] = { "libcublas.so.13",
					     "libcublas.so.12", NULL };
	static struct library l = {
		.names = names,
		.status = EXIT_RUNNER,
		.without = N_("cuBLAS is not installed"),
	};
	static const struct wanted_symbol wanted[] = { BLAS_FUNCTIONS(
		BLAS_WANTED) };

	if (!l.tried) {
		l.tried = true;
		l.rc = library_open(&l, wanted, LENGTH(wanted));
	}
	return library_answer(&l, e);
}

int blas_lt_open(struct error *e)
{
	static const char *const names[] = { "libcublasLt.so.13",
					     "libcublasLt.so.12", NULL };
	static struct library l = {
		.names = names, .status = EXIT_RUNNER,
		.without = N_("cublasLt is not installed"),
	};
	static const struct wanted_symbol wanted[] = { LT_FUNCTIONS(
		LT_WANTED) };

	if (!l.tried) {
		l.tried = true;
		l.rc = library_open(&l, wanted, LENGTH(wanted));
	}
	return library_answer(&l, e);
}

int nvml_open(struct error *e)
{
	static const char *const names[] = { "libnvidia-ml.so.1", NULL };
	static struct library l = {
		.names = names,
		.status = EXIT_RUNNER,
		.without = N_("NVML is not installed"),
	};
	static const struct wanted_symbol wanted[] = { NVML_FUNCTIONS(
		NVML_WANTED) };

	if (!l.tried) {
		l.tried = true;
		l.rc = library_open(&l, wanted, LENGTH(wanted));
		if (l.rc == 0 && nvml.Init() != 0)
			l.rc = error_set(&l.error, EXIT_RUNNER,
					 "NVML does not start");
	}
	return library_answer(&l, e);
}

/* ---- what went wrong ---- */

/* Returns advice for a result where the driver's own words have none. */
static const char *result_help(CUresult r)
{
	switch (r) {
	case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
		return _(": the driver is older than the CUDA toolkit that "
			 "compiled it; update the driver");
	case CUDA_ERROR_NOT_SUPPORTED:
		return _(": the driver is too old, or the GPU");
	case CUDA_ERROR_NO_BINARY_FOR_GPU:
		return _(": it was not compiled for this architecture");
	default:
		return "";
	}
}

int cuda_check(struct error *e, const char *what, CUresult r)
{
	const char *words = NULL;

	last = r;
	if (r == CUDA_SUCCESS)
		return 0;
	if (cuda.GetErrorString(r, &words) != CUDA_SUCCESS || !words)
		return error_set(e, EXIT_RUNNER, "%s: error %d", _(what),
				 (int)r);
	return error_set(e, EXIT_RUNNER, "%s: %s%s", _(what), words,
			 result_help(r));
}

/* Returns the driver's result that a result of cuBLAS amounts to. A product
 * that an algorithm cannot compute leaves the GPU as it was. */
static CUresult blas_result(cublasStatus_t r)
{
	switch (r) {
	case CUBLAS_STATUS_SUCCESS:
		return CUDA_SUCCESS;
	case CUBLAS_STATUS_ALLOC_FAILED:
		return CUDA_ERROR_OUT_OF_MEMORY;
	case CUBLAS_STATUS_NOT_SUPPORTED:
	case CUBLAS_STATUS_INVALID_VALUE:
		return CUDA_ERROR_NOT_SUPPORTED;
	default:
		return CUDA_ERROR_UNKNOWN;
	}
}

static int status_check(struct error *e, const char *what, cublasStatus_t r,
			const char *(*words)(cublasStatus_t))
{
	last = blas_result(r);
	if (r == CUBLAS_STATUS_SUCCESS)
		return 0;
	return error_set(e, EXIT_RUNNER, "%s: %s", what, words(r));
}

int blas_check(struct error *e, const char *what, cublasStatus_t r)
{
	return status_check(e, what, r, blas.GetStatusString);
}

int blas_lt_check(struct error *e, const char *what, cublasStatus_t r)
{
	return status_check(e, what, r, blas_lt.GetStatusString);
}

CUresult cuda_last(void)
{
	return last;
}

bool cuda_sticky(CUresult r)
{
	switch (r) {
	case CUDA_SUCCESS:
	case CUDA_ERROR_OUT_OF_MEMORY:
	case CUDA_ERROR_INVALID_VALUE:
	case CUDA_ERROR_INVALID_IMAGE:
	case CUDA_ERROR_INVALID_PTX:
	case CUDA_ERROR_NO_BINARY_FOR_GPU:
	case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
	case CUDA_ERROR_NOT_FOUND:
	case CUDA_ERROR_NOT_SUPPORTED:
	case CUDA_ERROR_INVALID_CLUSTER_SIZE:
	case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES:
		return false;
	default:
		return true;
	}
}
