// expect 0|1|3|5|8: 
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void f(float *A) { auto c = cg::this_cluster(); float *p = c.map_shared_rank(A, 99999); p[0] = 1; cg::this_grid().sync(); A[threadIdx.x] = c.block_rank(); }
