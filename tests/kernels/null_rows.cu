// Rows that are pointers, which are null: by their array and by a pointer to it.
__global__ void null_rows(float *C)
{
    __shared__ float *rows[2];
    float **all = rows;

    rows[threadIdx.x % 2] = nullptr;
    __syncthreads();
    if (threadIdx.x == 0)
        C[0] = rows[1][threadIdx.x];
    else if (threadIdx.x == 1)
        C[1] = all[1][threadIdx.x];
}
