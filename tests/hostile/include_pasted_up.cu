// expect 0|1|3|8: 
#define UP ../../../../../..
#define S(x) #x
#define T(x) S(x)
#include T(UP/etc/passwd)
__global__ void f(float *A) { A[threadIdx.x] = 1; }
