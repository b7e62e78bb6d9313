// expect 0|1|2|3|5|8: 
#define int char
#define float double
#define return goto
#define if while
#define struct union
__global__ void f(float *A) { A[threadIdx.x] = 1; }
