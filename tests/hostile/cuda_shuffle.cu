// expect 0|1|3|5|8: 
__global__ void f(float *A) { A[threadIdx.x] = __shfl_sync(0, 1.f, -1, 0) + __shfl_xor_sync(~0u, 1.f, 1 << 30, 77) + __ballot_sync(1u << 31, 1); __syncwarp(0); __syncwarp(1u << (threadIdx.x & 31)); }
