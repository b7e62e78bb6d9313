// expect 0|1|3|8: 
/**/#/**/include/**/"/etc/passwd"
__global__ void f(float *A) { A[threadIdx.x] = 1; }
