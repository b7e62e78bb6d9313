// expect 0|3|8: 
__device__ const char x[] = {
#embed "../own/secret"
};
__global__ void f(float *A) { A[threadIdx.x] = 1; }
