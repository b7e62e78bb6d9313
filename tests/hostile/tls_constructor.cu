// expect 0|1|3|8: 
#include <stdlib.h>
struct begin { int x; begin() { x = system("touch @DIR@/canary"); } };
static thread_local begin one;
__global__ void f(float *A) { A[threadIdx.x] = one.x; }
