// expect 0|1|3|8: 
#if __has_include("/etc/shadow") && __has_include("/root/.ssh/id_rsa")
#error it is there
#endif
__global__ void f(float *A) { A[threadIdx.x] = 1; }
