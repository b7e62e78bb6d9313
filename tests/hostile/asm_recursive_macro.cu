// expect 8|3|5: 
#define JOIN(a, b) a##b
JOIN(__as, m__)(".macro m a, n\n.if \\n\nm \\a\\a, \\n-1\n.endif\n.endm\nm x, 29");
__global__ void f(float *A) { A[threadIdx.x] = 1; }
