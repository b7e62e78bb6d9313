// expect 0|1|2|3|5|8: 
struct b { __device__ virtual void g() = 0; __device__ b() { h(); } __device__ void h() { g(); } };
struct c : b { __device__ void g() { } };
__global__ void f(float *A) { c x; A[threadIdx.x] = 1; }
