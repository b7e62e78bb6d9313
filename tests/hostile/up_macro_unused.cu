// expect 0: 
#define F "../own/secret"
__global__ void f(float *A) { A[threadIdx.x] = 1; }
