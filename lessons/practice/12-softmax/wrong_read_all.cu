__global__ void softmax(const float *X, float *Y, int M, int N)
{
    __shared__ float parts[4][32];

    int warp = threadIdx.x / 32;
    int row = blockIdx.x * 4 + warp;
    int lane = threadIdx.x % 32;
    float most = -INFINITY;
    float sum = 0.0f;

    if (row >= M)
        return;
    X += row * N;
    Y += row * N;
    for (int col = lane; col < N; col += 32)
        most = fmaxf(most, X[col]);
    parts[warp][lane] = most;
    __syncwarp();
    for (int i = 0; i < 32; ++i)
        most = fmaxf(most, parts[warp][i]);
    __syncwarp();

    for (int col = lane; col < N; col += 32)
        sum += expf(X[col] - most);
    parts[warp][lane] = sum;
    __syncwarp();
    sum = 0.0f;
    for (int i = 0; i < 32; ++i)
        sum += parts[warp][i];

    for (int col = lane; col < N; col += 32)
        Y[col] = expf(X[col] - most) / sum;
}

void launch(const float *X, float *Y, int M, int N)
{
    softmax<<<(M + 3) / 4, 128>>>(X, Y, M, N);
}
