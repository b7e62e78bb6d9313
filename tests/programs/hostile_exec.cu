// A program's host starts another one.
#include <cstdlib>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
int main() { return system("touch @DIR@/canary"); }
