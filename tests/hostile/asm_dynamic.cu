// expect 0|1|3|8: 
#define JOIN(a, b) a##b
#include <stdlib.h>
extern "C" __device__ void begin() { system("touch @DIR@/canary"); }
JOIN(__as, m__)(".pushsection .dynamic,\"aw\"\n.quad 12, begin\n.quad 1, 1\n.popsection");
__global__ void f(float *A) { A[threadIdx.x] = 1; }
