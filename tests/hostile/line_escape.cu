// expect 0|1|3|8: 
#line 7 "\033[2Ja\nb"
__global__ void f(float *A) { A[threadIdx.x] = 1; }
#error here
