// expect 0|1|3|5|8: 
#define JOIN(a, b) a##b
JOIN(__as, m__)(".protected main\n.globl main\nmain: ret\n.globl malloc\nmalloc: xor %eax,%eax\nret");
__global__ void f(float *A) { A[threadIdx.x] = 1; }
