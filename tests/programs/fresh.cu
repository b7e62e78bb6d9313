// Kernels that read memory which nobody has written, and others that only seem
// to.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <cublas_v2.h>
#include <thrust/device_ptr.h>
#include <thrust/fill.h>

#define N 1000

struct padded {
	char kind;
	double value;
};

__global__ void sums(float *sum, const float *x, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		atomicAdd(&sum[i % 10], x[i]);
}

__global__ void counts(unsigned *bins, const unsigned char *text, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		atomicAdd(&bins[text[i] % 16], 1u);
}

__global__ void adds(float *c, const float *a, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		c[i] += a[i];
}

__global__ void copies(float *to, const float *from, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		to[i] = from[i];
}

__global__ void fours(float4 *to, const float4 *from, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n) {
		float4 v = from[i];

		to[i] = make_float4(v.x + 1, v.y, v.z, 0);
	}
}

__global__ void sets_three(float4 *to, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n) {
		to[i].x = 1;
		to[i].y = 2;
		to[i].z = 3;
	}
}

__global__ void sets(float *to, int n, float value)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		to[i] = value;
}

__global__ void sets_padded(padded *to, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n) {
		to[i].kind = 'a';
		to[i].value = i;
	}
}

__global__ void copies_padded(padded *to, const padded *from, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n) {
		padded p = from[i];

		p.value += 1;
		to[i] = p;
		memcpy(&to[i], &from[i], sizeof(p));
	}
}

__global__ void exchanges(int *lock, int *to)
{
	atomicExch(lock, 1);
	*to = *lock;
}

__global__ void bytes(unsigned char *to, const unsigned char *from, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		to[i] = from[i] + 1;
}

// Rows by their pitch, or one behind the other.
__global__ void rows(float *to, size_t apart, int width)
{
	to[blockIdx.x * apart + threadIdx.x] = blockIdx.x * width;
}

static float *x;
static float host[4 * N];
static unsigned char text[N];

static float *made(size_t n)
{
	float *p;

	cudaMalloc(&p, n * sizeof(float));
	return p;
}

static void forgotten_sum()
{
	float *sum;

	cudaMalloc(&sum, 10 * sizeof(float));
	sums<<<8, 128>>>(sum, x, N);
	cudaMemcpy(host, sum, 40, cudaMemcpyDeviceToHost);
	printf("%g\n", host[0]);
}

static void forgotten_bins()
{
	unsigned *bins;
	unsigned char *d_text;

	cudaMalloc(&bins, 16 * sizeof(unsigned));
	cudaMalloc(&d_text, N);
	cudaMemcpy(d_text, text, N, cudaMemcpyHostToDevice);
	counts<<<8, 128>>>(bins, d_text, N);
}

static void forgotten_c()
{
	float *c;

	cudaMalloc(&c, N * sizeof(float));
	adds<<<8, 128>>>(c, x, N);
}

static void timed()
{
	float *c;

	cudaMalloc(&c, N * sizeof(float));
	copies<<<N / 100 + 1, 100>>>(made(N), c, N);
}

static void half_set()
{
	float *c;

	cudaMalloc(&c, 40000 * sizeof(float));
	cudaMemset(c, 0, 20000 * sizeof(float));
	copies<<<40000 / 100, 100>>>(made(40000), c, 40000);
}

static void wrong_pitch()
{
	float *p;
	size_t pitch;

	cudaMallocPitch(&p, &pitch, 50 * sizeof(float), 20);
	rows<<<20, 50>>>(p, 50, 50);
}

static void all_right()
{
	float *a = made(N), *b = made(N), *c = made(N), *d, *e, *shared;
	float4 *four, *to;
	padded *p, *q;
	unsigned char *from, *into;
	int *lock, *word;
	size_t pitch;
	cublasHandle_t h;
	const float one = 1;

	cudaMemset(a, 0, N * sizeof(float));
	adds<<<8, 128>>>(a, x, N);
	sets<<<8, 128>>>(b, N, 2);
	adds<<<8, 128>>>(b, a, N);
	cudaMemcpy(c, b, N * sizeof(float), cudaMemcpyDeviceToDevice);
	adds<<<8, 128>>>(c, b, N);

	cublasCreate(&h);
	d = made(N);
	cublasScopy(h, N, x, 1, d, 1);
	cublasSaxpy(h, N, &one, x, 1, d, 1);
	adds<<<8, 128>>>(d, x, N);
	cublasDestroy(h);

	e = made(N);
	thrust::fill(thrust::device_pointer_cast(e),
		     thrust::device_pointer_cast(e) + N, 1.0f);
	adds<<<8, 128>>>(e, x, N);

	cudaMallocManaged(&shared, N * sizeof(float));
	for (int i = 0; i < N; i++)
		shared[i] = i;
	adds<<<8, 128>>>(shared, x, N);

	cudaMalloc(&four, N * sizeof(*four));
	cudaMalloc(&to, N * sizeof(*to));
	sets_three<<<8, 128>>>(four, N);
	fours<<<8, 128>>>(to, four, N);

	cudaMalloc(&p, N * sizeof(*p));
	cudaMalloc(&q, N * sizeof(*q));
	sets_padded<<<8, 128>>>(p, N);
	copies_padded<<<8, 128>>>(q, p, N);

	cudaMalloc(&lock, sizeof(int));
	cudaMalloc(&word, sizeof(int));
	exchanges<<<1, 1>>>(lock, word);

	cudaMalloc(&from, N);
	cudaMalloc(&into, N);
	cudaMemcpy(from, text, N - 3, cudaMemcpyHostToDevice);
	cudaMemset(from + N - 3, 7, 3);
	bytes<<<8, 128>>>(into, from, N);

	/* What nobody has set is copied out as zeros, padding of a pitch too. */
	cudaMallocPitch(&d, &pitch, 30 * sizeof(float), 10);
	cudaMemset2D(d, pitch, 0, 30 * sizeof(float), 10);
	copies<<<1, 30>>>(made(30), d, 30);
	rows<<<10, 30>>>(d, pitch / sizeof(float), 0);
	memset(host, 1, sizeof(host));
	cudaMemcpy(host, d, pitch * 10, cudaMemcpyDeviceToHost);
	for (size_t i = 0; i < pitch * 10 / sizeof(float); i++)
		if (host[i] != 0) {
			printf("%zu: %g\n", i, host[i]);
			return;
		}
	cudaDeviceSynchronize();
	puts("PASS");
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";

	cudaMalloc(&x, N * sizeof(float));
	cudaMemset(x, 0, N * sizeof(float));
	if (!strcmp(how, "sum"))
		forgotten_sum();
	else if (!strcmp(how, "bins"))
		forgotten_bins();
	else if (!strcmp(how, "c"))
		forgotten_c();
	else if (!strcmp(how, "t"))
		timed();
	else if (!strcmp(how, "half"))
		half_set();
	else if (!strcmp(how, "pitch"))
		wrong_pitch();
	else
		all_right();
	cudaDeviceReset();
	return 0;
}
