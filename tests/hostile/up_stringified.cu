// expect 0|3|8: 
#define S(x) #x
#define T(x) S(x)
#include T(../own/secret)
__global__ void f(float *A) { A[threadIdx.x] = 1; }
