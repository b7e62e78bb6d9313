// expect 3|8: 
#define A1 x y z; x y z; x y z; x y z; x y z; x y z; x y z; x y z;
#define A2 A1 A1 A1 A1 A1 A1 A1 A1 A1 A1
#define A3 A2 A2 A2 A2 A2 A2 A2 A2 A2 A2
#define A4 A3 A3 A3 A3 A3 A3 A3 A3 A3 A3
A4
__global__ void f(float *A) { A[threadIdx.x] = 1; }
