// expect 8: is outside the file's folder; allow it with -I /etc$
#include "../../../../../../../etc/passwd"
__global__ void f(float *A) { A[threadIdx.x] = 1; }
