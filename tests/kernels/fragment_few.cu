// fragment_few: 20 lanes load a fragment, which is all lanes' to load.
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

__global__ void fragment_few(const half *A, half *C)
{
    wmma::fragment<wmma::accumulator, 16, 16, 16, half> c;

    wmma::fill_fragment(c, __float2half(0.0f));
    if (threadIdx.x < 20)
        wmma::load_matrix_sync(c, A, 16, wmma::mem_row_major);
    __syncthreads();
    wmma::store_matrix_sync(C, c, 16, wmma::mem_row_major);
}
