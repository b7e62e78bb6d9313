__global__ void softmax(const float *X, float *Y, int M, int N)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float most = -INFINITY;
    float sum = 0.0f;

    if (row >= M)
        return;
    X += row * N;
    Y += row * N;
    for (int col = 0; col < N; ++col)
        most = fmaxf(most, X[col]);
    for (int col = 0; col < N; ++col)
        sum += expf(X[col] - most);
    for (int col = 0; col < N; ++col)
        Y[col] = expf(X[col] - most) / sum;
}

void launch(const float *X, float *Y, int M, int N)
{
    softmax<<<(M + 127) / 128, 128>>>(X, Y, M, N);
}
