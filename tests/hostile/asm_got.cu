// expect 0|1|3|5|8: 
#define JOIN(a, b) a##b
JOIN(__as, m__)(".text\n.globl __tsan_write4\n.hidden __tsan_write4\n.type __tsan_write4,@function\n__tsan_write4: ret");
__global__ void f(float *A) { A[threadIdx.x] = 1; }
