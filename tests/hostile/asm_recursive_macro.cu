// expect 8|3|5: 
#define JOIN(a, b) a##b
JOIN(__as, m__)(".macro m a\nm \\a\\a\nm \\a\n.endm\nm x");
__global__ void f(float *A) { A[threadIdx.x] = 1; }
