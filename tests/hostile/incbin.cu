// expect 3|8: 
asm(".incbin \"/etc/shadow\"");
__global__ void f(float *A) { A[threadIdx.x] = 1; }
