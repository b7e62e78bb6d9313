__global__ void softmax(const float *X, float *Y, int M, int N)
{
    int row = blockIdx.x * 4 + threadIdx.x / 32;
    int lane = threadIdx.x % 32;

    if (row >= M)
        return;
    X += row * N;
    Y += row * N;

    float most = -INFINITY;
    float sum = 0.0f;

    for (int col = lane; col < N; col += 32) {
        float x = X[col];

        if (x > most) {
            sum *= expf(most - x);
            most = x;
        }
        sum += expf(x - most);
    }

    float all = most;

    for (int by = 16; by > 0; by /= 2)
        all = fmaxf(all, __shfl_xor_sync(0xffffffff, all, by));
    sum *= expf(most - all);
    for (int by = 16; by > 0; by /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, by);

    for (int col = lane; col < N; col += 32)
        Y[col] = expf(X[col] - all) / sum;
}

void launch(const float *X, float *Y, int M, int N)
{
    softmax<<<(M + 3) / 4, 128>>>(X, Y, M, N);
}
