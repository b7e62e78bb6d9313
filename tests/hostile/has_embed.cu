// expect 0|1|3|8: 
#ifdef __has_embed
#if __has_embed("/etc/passwd")
__device__ const char s[] = {
#embed "/etc/passwd" limit(20)
};
#endif
#endif
__global__ void f(float *A) { A[threadIdx.x] = 1; }
