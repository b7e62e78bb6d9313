// expect 3|8: 
__device__ int one() { return 1; }
extern "C" __device__ void *choose() { return (void *)one; }
__device__ int which() __attribute__((ifunc("choose")));
__global__ void f(float *A) { A[threadIdx.x] = 1; }
