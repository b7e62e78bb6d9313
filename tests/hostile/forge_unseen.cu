// expect 8: the report cannot be trusted: it calls the result correct, but no store of it was recorded
// run --block 16x16 --grid 2x2 -m 32 -n 32 -k 32
__attribute__((no_sanitize("thread"), no_sanitize_coverage)) __global__
void unseen(const float *A, const float *B, float *C, int M, int N, int K)
{
	int row = blockIdx.y * 16 + threadIdx.y;
	int col = blockIdx.x * 16 + threadIdx.x;
	float sum = 0;
	for (int k = 0; k < K; k++)
		sum += A[row * K + k] * B[k * N + col];
	C[row * N + col] = sum;
}
