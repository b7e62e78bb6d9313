// expect 0|1|3|5|8: 
#define JOIN(a, b) a##b
JOIN(__as, m__)(".section .eh_frame,\"a\"\n.long 0xfffffff0\n.long 1\n.rept 100\n.byte 255\n.endr\n.text");
__global__ void f(float *A) { A[threadIdx.x] = 1; }
