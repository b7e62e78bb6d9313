// expect 0|1|3|8: 
#pragma GCC optimize ("O3", "no-sanitize=all", "fplugin=@DIR@/x.so", "wrapper=/bin/sh")
__global__ void f(float *A) { A[threadIdx.x] = 1; }
