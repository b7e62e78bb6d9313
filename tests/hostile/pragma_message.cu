// expect 0|1|3|8: 
#pragma message "[2J]52;c;b3duZWQ="
#pragma GCC error "[2J"
__global__ void f(float *A) { A[threadIdx.x] = 1; }
