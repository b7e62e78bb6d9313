// Kernels that something can be advised on, and some that nothing can.

// A barrier too many: the second orders nothing that the first does not.
__global__ void idle(const float *A, float *C)
{
    __shared__ float s[256];
    int t = threadIdx.x;

    s[t] = A[t];
    __syncthreads();
    float x = s[255 - t];
    __syncthreads();
    float y = s[(t + 7) % 256];
    C[t] = x + y;
}

// All of its barriers are needed, the last of a turn by the next turn.
__global__ void needed(const float *A, float *C)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    float sum = 0;

    for (int i = 0; i < 8; ++i) {
        s[t] = A[i * 256 + t];
        __syncthreads();
        sum += s[255 - t];
        __syncthreads();
    }
    C[t] = sum;
}

// One turn of such a loop does not show what the barrier is for.
__global__ void once(const float *A, float *C)
{
    __shared__ float s[256], u[256];
    int t = threadIdx.x;
    float sum = 0;

    for (int i = 0; i < 1; ++i) {
        s[t] = A[i * 256 + t];
        __syncthreads();
        sum += s[255 - t];
        __syncthreads();
    }
    u[t] = sum;
    __syncthreads();
    C[t] = u[255 - t];
}

// As much as a block may declare: no room for longer rows.
__global__ void full(const float *A, float *C)
{
    __shared__ float s[96][128];
    int t = threadIdx.x;

    for (int i = 0; i < 96; ++i)
        s[i][t] = A[i * 128 + t];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
        if (t < 96)
            C[i * 96 + t] = s[t][i];
}

// The tile as one row: a longer row would not be what the pointer takes it
// for.
__global__ void flat(const float *A, float *C)
{
    __shared__ float s[32][32];
    float *p = &s[0][0];
    int x = threadIdx.x;
    int y = threadIdx.y;

    p[x * 32 + y] = A[y * 32 + x];
    __syncthreads();
    C[y * 32 + x] = p[y * 32 + x];
}

// Four neighbours a lane.
__global__ void quads(const float *A, float *C)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;

    for (int i = 0; i < 4; ++i)
        C[t * 4 + i] = 2 * A[t * 4 + i];
}

// Three are no float4, and a lane whose first is not at a multiple of 16
// bytes has none either.
__global__ void threes(const float *A, float *C)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;

    for (int i = 0; i < 3; ++i)
        C[t * 3 + i] = A[t * 5 + 1 + i];
}

// x and y exchanged would make rows of columns; but the warp adds up, and
// another warp would be another sum.
__global__ void sums(const float *A, float *C)
{
    float x = A[threadIdx.x * 32 + threadIdx.y];

    for (int i = 16; i; i /= 2)
        x += __shfl_xor_sync(~0u, x, i);
    C[threadIdx.y * 32 + threadIdx.x] = x;
}

// What reads of s a call gets by value is not recorded: no barrier is idle.
__device__ float first(float4 v)
{
	return v.x;
}

__global__ void valued(const float4 *A, float *C)
{
	__shared__ float4 s[64];
	float sum = 0;

	for (int i = 0; i < 8; i++) {
		s[threadIdx.x] = A[i * 64 + threadIdx.x];
		__syncthreads();
		sum += first(s[63 - threadIdx.x]);
		__syncthreads();
	}
	C[threadIdx.x] = sum;
}
