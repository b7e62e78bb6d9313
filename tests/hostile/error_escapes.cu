// expect 3|8: 
#error [2J]0;owned  ‮ 💩 
__global__ void f(float *A) { A[threadIdx.x] = 1; }
