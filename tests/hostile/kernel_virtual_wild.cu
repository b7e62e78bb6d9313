// expect 0|1|2|3|5|8: 
struct b { __device__ virtual void g() { } };
__global__ void f(float *A) { b x; *(void **)&x = (void *)A; b *p = &x; p->g(); A[threadIdx.x] = 1; }
