// expect 0|1|3|5|8: 
#include <mma.h>
using namespace nvcuda;
__global__ void f(half *A) { wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a; wmma::load_matrix_sync(a, (half *)8, 2147483647); wmma::load_matrix_sync(a, A, 0); a.x[100000] = 1; A[threadIdx.x] = a.x[-1]; }
