// expect 0|1|3|5|8: 
static __attribute__((tls_model("local-exec"))) thread_local int x[1000];
__global__ void f(float *A) { A[threadIdx.x] = x[999]; }
