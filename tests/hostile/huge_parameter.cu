// expect 0|1|2|3|5|8: 
struct large { char c[1 << 30]; };
__global__ void f(float *A, struct large l) { A[threadIdx.x] = l.c[5]; }
