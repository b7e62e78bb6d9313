// expect 0|3|8: 
#inc\
lude "../o\
wn/secret"
__global__ void f(float *A) { A[threadIdx.x] = 1; }
