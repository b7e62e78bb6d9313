// expect 0|1|2|3|5|8: 
// run --block 32 --grid 2
#include <sys/mman.h>
#include <fcntl.h>
__global__ void __cluster_dims__(2, 1, 1) f(float *A) { __shared__ float s[32]; s[threadIdx.x] = 1;
 if (threadIdx.x == 0) for (int i = 0; i < 12; i++) fallocate(memfd_create("x", 0), 0, 0, 100 << 20);
 for (volatile long i = 0; i < 300000000; i = i + 1) ; A[threadIdx.x] = s[0]; }
