// expect 3: 
#include "[2JaÂb.h"
#include <â®h.ecaps>
__global__ void f(float *A) { A[threadIdx.x] = none(); }
