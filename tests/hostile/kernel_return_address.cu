// expect 0|1|3|5|8: 
__global__ void f(float *A) { void **p = (void **)__builtin_frame_address(0); p[1] = (void *)8; A[threadIdx.x] = 1; }
