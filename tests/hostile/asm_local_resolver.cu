// expect 3|8: 
#define JOIN(a, b) a##b
#include <stdlib.h>
extern "C" __device__ void *choose() { system("touch @DIR@/canary"); return (void *)choose; }
JOIN(__as, m__)(".type .Lwhich,@gnu_indirect_function\n.set .Lwhich, choose\n"
    ".pushsection .data,\"aw\"\n.globl table\ntable: .quad .Lwhich\n.popsection");
__global__ void f(float *A) { A[threadIdx.x] = 1; }
