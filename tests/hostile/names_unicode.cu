// expect 0|1|3: 
??=define ONE 1
__device__ int Ａ\u0301 = 1, é = 2, \u202ex = 3;
__global__ void f(float *A) { A[threadIdx.x] = é + ??-0; }
