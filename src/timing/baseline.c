/* baseline: the table. See baseline.h. */
#include "timing/baseline.h"

#include <string.h>

#include "base/base.h"

const struct baseline baselines[] = {
	{ "cublas-fp32", "cuBLAS fp32", "cublas-fp32" },
	{ "cublas-tf32", "cuBLAS TF32", "cublas-tf32" },
	{ "cublas-fp16", "cuBLAS fp16", "cublas-fp16" },
	{ "cublas-bf16", "cuBLAS bf16", "cublas-bf16" },
	{ "cublaslt-fp32", "cublasLt fp32", "cublas-fp32" },
	{ "cublaslt-fp16", "cublasLt fp16", "cublas-fp16" },
};
const size_t baseline_count = LENGTH(baselines);

const struct baseline *baseline_find(const char *name)
{
	for (size_t i = 0; i < baseline_count; i++)
		if (!strcmp(name, baselines[i].name))
			return &baselines[i];
	return NULL;
}
