// expect 0|1|3|5|8: 
#define JOIN(a, b) a##b
JOIN(__as, m__)(".altmacro\n.macro m a\n.irp x,1,2,3,4,5,6,7,8,9,10\nm %x\n.endr\n.endm\nm 1");
__global__ void f(float *A) { A[threadIdx.x] = 1; }
