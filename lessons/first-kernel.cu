// Three loops of C, and how they become a kernel: the loops that say
// which element is next go one after the other, until every element of
// C has a thread of its own.

// As in C: one thread does all of it.
__global__ void three_loops(const float *A, const float *B, float *C,
                            int M, int N, int K)
{
    for (int row = 0; row < M; ++row) {
        for (int col = 0; col < N; ++col) {
            float sum = 0.0f;

            for (int k = 0; k < K; ++k)
                sum += A[row * K + k] * B[k * N + col];
            C[row * N + col] = sum;
        }
    }
}

// A thread for each row: the loop over rows is gone.
__global__ void two_loops(const float *A, const float *B, float *C,
                          int M, int N, int K)
{
    int row = threadIdx.x;

    for (int col = 0; col < N; ++col) {
        float sum = 0.0f;

        for (int k = 0; k < K; ++k)
            sum += A[row * K + k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}
