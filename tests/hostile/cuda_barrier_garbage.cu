// expect 0|1|3|5|8: 
#include <cuda/barrier>
__global__ void f(float *A) { __shared__ cuda::barrier<cuda::thread_scope_block> b; auto *p = (cuda::barrier<cuda::thread_scope_block> *)8; b.arrive_and_wait(); p->arrive_and_wait(); init(&b, -1); b.arrive(1 << 30); A[threadIdx.x] = 1; }
