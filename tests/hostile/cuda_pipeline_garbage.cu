// expect 0|1|3|5|8: 
#include <cuda_pipeline.h>
__global__ void f(float *A) { __shared__ float s[32]; __pipeline_memcpy_async(s, A, 16, 17); __pipeline_memcpy_async((void *)8, (void *)16, 16); __pipeline_wait_prior(1 << 30); __pipeline_commit(); A[threadIdx.x] = s[0]; }
