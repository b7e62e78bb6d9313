// expect 8: the report cannot be trusted: it calls the result correct, but no store of the correct value of element 0 of C was recorded
// run --block 16x16 --grid 2x2 -m 32 -n 32 -k 32
__attribute__((no_sanitize("thread"), no_sanitize_coverage)) __device__
void mend(const float *A, const float *B, float *C, int M, int N, int K)
{
	for (int i = 0; i < M * N; i++) {
		float sum = 0;
		for (int k = 0; k < K; k++)
			sum += A[i / N * K + k] * B[k * N + i % N];
		C[i] = sum;
	}
}
__global__ void wrong(const float *A, const float *B, float *C, int M, int N,
		      int K)
{
	int row = blockIdx.y * 16 + threadIdx.y;
	int col = blockIdx.x * 16 + threadIdx.x;
	C[row * N + col] = A[row * K] + B[col];
	if (row == M - 1 && col == N - 1)
		mend(A, B, C, M, N, K);
}
