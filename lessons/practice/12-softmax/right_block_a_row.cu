__global__ void softmax(const float *X, float *Y, int M, int N)
{
    __shared__ float parts[4];

    int warp = threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    float most = -INFINITY;

    X += blockIdx.x * N;
    Y += blockIdx.x * N;
    for (int col = threadIdx.x; col < N; col += 128)
        most = fmaxf(most, X[col]);
    for (int by = 16; by > 0; by /= 2)
        most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, by));
    if (lane == 0)
        parts[warp] = most;
    __syncthreads();
    most = fmaxf(fmaxf(parts[0], parts[1]), fmaxf(parts[2], parts[3]));
    __syncthreads();

    float sum = 0.0f;

    for (int col = threadIdx.x; col < N; col += 128)
        sum += expf(X[col] - most);
    for (int by = 16; by > 0; by /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, by);
    if (lane == 0)
        parts[warp] = sum;
    __syncthreads();
    sum = parts[0] + parts[1] + parts[2] + parts[3];

    for (int col = threadIdx.x; col < N; col += 128)
        Y[col] = expf(X[col] - most) / sum;
}

void launch(const float *X, float *Y, int M, int N)
{
    softmax<<<M, 128>>>(X, Y, M, N);
}
