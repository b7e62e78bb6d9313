// expect 0: 
#if __has_include("../own/secret")
#error it is there
#endif
__global__ void f(float *A) { A[threadIdx.x] = 1; }
