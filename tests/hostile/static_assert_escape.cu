// expect 3|8: 
static_assert(sizeof(int) == 1, "[2J]0;x‮");
__global__ void f(float *A) { A[threadIdx.x] = 1; }
