// expect 0|1|3|8: 
__device__ const char secret[] = {
#embed "/etc/passwd"
};
__global__ void f(float *A) { A[threadIdx.x] = secret[threadIdx.x]; }
