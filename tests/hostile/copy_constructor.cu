// expect 2|8: 
#include <stdlib.h>
struct s { int x; s() { } s(const s &) { system("touch @DIR@/canary"); } ~s() { system("touch @DIR@/canary"); } };
__global__ void f(float *A, s B) { A[threadIdx.x] = B.x; }
