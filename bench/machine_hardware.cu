// machine_hardware: kernels whose accesses the hardware counts, to which what
// gemmviz-machine's interpreter says of the same cubin is held
// (bench/machine_hardware.sh, data/README.md). Each takes three arrays of 1 MB,
// all zero, and n; each is launched with 16 blocks of 256 threads.
#include <cuda.h>

#include <cstdio>
#include <cstdlib>

#define PARAMETERS float *a, float *b, float *c, int n
#define T threadIdx.x
#define I (blockIdx.x * blockDim.x + threadIdx.x)

extern "C" {

__global__ void guard(PARAMETERS)
{
	int i = I;

	if (i < n - 37)
		c[i] = a[i] + b[i];
}

__global__ void strided(PARAMETERS)
{
	int i = I;

	c[i] = a[(i * 7) & 4095] + b[(i * 3) & 4095];
}

__global__ void vec4(PARAMETERS)
{
	int i = I;
	float4 x = ((float4 *)a)[i];

	x.x += 1;
	x.w *= 2;
	((float4 *)c)[i] = x;
}

__global__ void grid_stride(PARAMETERS)
{
	for (int i = I; i < 4 * n; i += gridDim.x * blockDim.x)
		c[i] = 2 * a[i] + 1;
}

__global__ void transpose(PARAMETERS)
{
	__shared__ float t[32][32];
	int x = T & 31, y = T >> 5;

	for (int j = 0; j < 32; j += 8)
		t[y + j][x] = a[blockIdx.x * 1024 + (y + j) * 32 + x];
	__syncthreads();
	for (int j = 0; j < 32; j += 8)
		c[blockIdx.x * 1024 + (y + j) * 32 + x] = t[x][y + j];
}

__global__ void transpose_pad(PARAMETERS)
{
	__shared__ float t[32][33];
	int x = T & 31, y = T >> 5;

	for (int j = 0; j < 32; j += 8)
		t[y + j][x] = a[blockIdx.x * 1024 + (y + j) * 32 + x];
	__syncthreads();
	for (int j = 0; j < 32; j += 8)
		c[blockIdx.x * 1024 + (y + j) * 32 + x] = t[x][y + j];
}

__global__ void reduce(PARAMETERS)
{
	__shared__ float s[256];

	s[T] = a[I];
	__syncthreads();
	for (int k = 128; k; k >>= 1) {
		if (T < k)
			s[T] += s[T + k];
		__syncthreads();
	}
	if (T == 0)
		c[blockIdx.x] = s[0];
}

__global__ void reduce_shuffle(PARAMETERS)
{
	__shared__ float s[8];
	float v = a[I];

	for (int k = 16; k; k >>= 1)
		v += __shfl_down_sync(~0u, v, k);
	if ((T & 31) == 0)
		s[T >> 5] = v;
	__syncthreads();
	if (T < 32) {
		v = T < 8 ? s[T] : 0;
		for (int k = 4; k; k >>= 1)
			v += __shfl_down_sync(~0u, v, k);
		if (T == 0)
			c[blockIdx.x] = v;
	}
}

__global__ void scan(PARAMETERS)
{
	__shared__ float s[2][256];
	int f = 0;

	s[0][T] = a[I];
	__syncthreads();
	for (int d = 1; d < 256; d *= 2) {
		s[1 - f][T] = s[f][T] + (T >= d ? s[f][T - d] : 0);
		f = 1 - f;
		__syncthreads();
	}
	c[I] = s[f][T];
}

__global__ void stencil(PARAMETERS)
{
	__shared__ float s[258];
	int i = I;

	s[T + 1] = a[i];
	if (T == 0)
		s[0] = i ? a[i - 1] : 0;
	if (T == 255)
		s[257] = i + 1 < n ? a[i + 1] : 0;
	__syncthreads();
	c[i] = s[T] + s[T + 1] + s[T + 2];
}

__global__ void gemv(PARAMETERS)
{
	int w = I >> 5, l = T & 31;
	float v = 0;

	for (int k = l; k < 256; k += 32)
		v += a[w * 256 + k] * b[k];
	for (int k = 16; k; k >>= 1)
		v += __shfl_xor_sync(~0u, v, k);
	if (l == 0)
		c[w] = v;
}

__global__ void divide(PARAMETERS)
{
	int i = I;
	int q = i / (n / 61), r = i % (n / 53);

	c[(q * 5 + r) & 8191] = a[r & 8191];
}

__global__ void local_array(PARAMETERS)
{
	float m[16], v = 0;

	for (int k = 0; k < 16; k++)
		m[k] = a[(I * 16 + k) & 65535];
	for (int k = 0; k < 16; k++)
		v += m[(k * n + T) & 15];
	c[I] = v;
}

__global__ void __launch_bounds__(256, 8) spills(PARAMETERS)
{
	float m[48], v = 0;

	for (int k = 0; k < 48; k++)
		m[k] = a[I + k * 256];
	__syncthreads();
	for (int k = 0; k < 48; k++)
		for (int j = 0; j < 48; j += 7)
			v = v * m[j] + m[k];
	c[I] = v;
}

__global__ void diverge(PARAMETERS)
{
	int i = I;

	if (i % 3 == 0)
		c[i] = a[i];
	else if (i % 3 == 1)
		c[i] = b[2 * i & 16383];
	else
		c[i] = a[i] + b[i];
}

__global__ void conflicts(PARAMETERS)
{
	__shared__ float s[32 * 64];
	float v = 0;

	for (int k = T; k < 2048; k += 256)
		s[k] = a[k];
	__syncthreads();
	for (int k = 0; k < 8; k++)
		v += s[(T * 8 + k * 3) & 2047];
	c[I] = v;
}

__global__ void predicated(PARAMETERS)
{
	__shared__ float s[1024];

	for (int k = 0; k < 4; k++)
		if (T + 256 * k < (unsigned)n % 700 + 300)
			s[T + 256 * k] = a[T + 256 * k];
	__syncthreads();
	c[I] = s[(T * 2) % 300];
}

__global__ void double_sum(PARAMETERS)
{
	double *x = (double *)a, *y = (double *)c;

	y[I] = x[I] * 3 + ((double *)b)[I ^ 1];
}

__global__ void tile_product(PARAMETERS)
{
	__shared__ float x[16][16], y[16][16];
	int tx = T & 15, ty = T >> 4, row = blockIdx.x * 16 + ty;
	float v = 0;

	for (int t = 0; t < 64; t += 16) {
		x[ty][tx] = a[row * 64 + t + tx];
		y[tx][ty] = b[(t + ty) * 64 + tx];
		__syncthreads();
		for (int k = 0; k < 16; k++)
			v += x[ty][k] * y[tx][k];
		__syncthreads();
	}
	c[row * 64 + tx] = v;
}

__global__ void shared_vec4(PARAMETERS)
{
	__shared__ float4 s[512];
	float4 u, v;

	s[T] = ((float4 *)a)[I];
	s[T + 256] = ((float4 *)b)[I];
	__syncthreads();
	u = s[(T * 2) & 511];
	v = s[T ^ 3];
	((float4 *)c)[I] = make_float4(u.x + v.x, u.y, v.z, u.w);
}

__global__ void histogram(PARAMETERS)
{
	__shared__ int h[64];

	if (T < 64)
		h[T] = 0;
	__syncthreads();
	atomicAdd(&h[(int)a[I] + (T & 63)], 1);
	__syncthreads();
	if (T < 64)
		atomicAdd((int *)c + T, h[T]);
}

__global__ void shorts(PARAMETERS)
{
	unsigned short *x = (unsigned short *)a;

	((unsigned short *)c)[I] = x[I * 2] + x[I * 2 + 1];
}

__global__ void bytes(PARAMETERS)
{
	unsigned char *x = (unsigned char *)a;
	int i = I * 3;

	((unsigned char *)c)[I] = (x[i] + x[i + 1] + x[i + 2]) / 3;
}

__global__ void early_exit(PARAMETERS)
{
	int i = I;

	if (i & 64)
		return;
	c[i] = a[i];
	__syncwarp();
	c[i + 32768] = b[i];
}

}

// Ends the program if a call of the driver has failed.
static void must(CUresult rc, const char *what)
{
	if (rc == CUDA_SUCCESS)
		return;
	fprintf(stderr, "machine_hardware: %s: error %d\n", what, rc);
	exit(5);
}

// machine_hardware CUBIN NAME...: launches the kernels, one after the other.
int main(int argc, char **argv)
{
	const size_t size = 1 << 20;
	CUdeviceptr arrays[3];
	CUcontext context;
	CUfunction f;
	CUmodule module;
	CUdevice device;
	int n = 4096;

	must(cuInit(0), "cuInit");
	must(cuDeviceGet(&device, 0), "cuDeviceGet");
	must(cuDevicePrimaryCtxRetain(&context, device), "a context");
	must(cuCtxSetCurrent(context), "a context");
	for (CUdeviceptr &p : arrays)
		must(cuMemAlloc(&p, size), "cuMemAlloc");
	must(cuModuleLoad(&module, argv[1]), argv[1]);
	for (int i = 2; i < argc; i++) {
		void *args[] = { &arrays[0], &arrays[1], &arrays[2], &n };

		for (CUdeviceptr p : arrays)
			must(cuMemsetD8(p, 0, size), "cuMemsetD8");
		must(cuModuleGetFunction(&f, module, argv[i]), argv[i]);
		must(cuLaunchKernel(f, 16, 1, 1, 256, 1, 1, 0, NULL, args,
				    NULL), argv[i]);
		must(cuCtxSynchronize(), argv[i]);
	}
	return 0;
}
