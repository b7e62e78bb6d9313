// Textures and surfaces, held to the rules of the CUDA guide and to what an H200
// gave for the weights of linear filtering.
#include <cmath>
#include <cstdio>
#include <cstring>

#define N 8

static int wrong;

static void is(const char *what, float got, float want)
{
	if (!(fabsf(got - want) <= 1e-5f * fabsf(want))) {
		printf("WRONG %s: %g, not %g\n", what, got, want);
		wrong++;
	}
}

__global__ void fetch(cudaTextureObject_t t, float *to)
{
	to[threadIdx.x] = tex1Dfetch<float>(t, (int)threadIdx.x - 1);
}
__global__ void line(cudaTextureObject_t t, const float *x, float *to)
{
	to[threadIdx.x] = tex1D<float>(t, x[threadIdx.x]);
}
__global__ void plane(cudaTextureObject_t t, const float2 *at, float *to)
{
	tex2D(&to[threadIdx.x], t, at[threadIdx.x].x, at[threadIdx.x].y);
}
__global__ void bytes(cudaTextureObject_t t, float4 *to)
{
	to[threadIdx.x] = tex2D<float4>(t, threadIdx.x + 0.5f, 0.5f);
}
__global__ void whole(cudaTextureObject_t t, uchar4 *to)
{
	to[threadIdx.x] = tex2D<uchar4>(t, threadIdx.x, 0);
}
__global__ void layers(cudaTextureObject_t t, float *to)
{
	to[threadIdx.x] = tex2DLayered<float>(t, 1.5f, 0.5f, threadIdx.x);
}
__global__ void faces(cudaTextureObject_t t, const float3 *at, float *to)
{
	float3 d = at[threadIdx.x];

	to[threadIdx.x] = texCubemap<float>(t, d.x, d.y, d.z);
}
__global__ void turn(cudaSurfaceObject_t from, cudaSurfaceObject_t to)
{
	int x = threadIdx.x, y = threadIdx.y;

	surf2Dwrite(surf2Dread<float>(from, x * 4, y), to, y * 4, x);
}
__global__ void beyond(cudaSurfaceObject_t s)
{
	surf2Dwrite(1.0f, s, N * 4, 0);
}

static cudaTextureObject_t make(cudaArray_t a, cudaTextureAddressMode mode,
				cudaTextureFilterMode filter, bool normalized,
				cudaTextureReadMode read)
{
	cudaResourceDesc r;
	cudaTextureDesc how;
	cudaTextureObject_t t;

	memset(&r, 0, sizeof(r));
	memset(&how, 0, sizeof(how));
	r.resType = cudaResourceTypeArray;
	r.res.array.array = a;
	how.addressMode[0] = how.addressMode[1] = how.addressMode[2] = mode;
	how.filterMode = filter;
	how.normalizedCoords = normalized;
	how.readMode = read;
	how.borderColor[0] = 5;
	cudaCreateTextureObject(&t, &r, &how, nullptr);
	return t;
}

static float at_line(cudaTextureObject_t t, float x)
{
	float *p, result;

	cudaMallocManaged(&p, 2 * sizeof(float));
	p[0] = x;
	line<<<1, 1>>>(t, p, p + 1);
	cudaDeviceSynchronize();
	result = p[1];
	cudaFree(p);
	return result;
}
static float at_plane(cudaTextureObject_t t, float x, float y)
{
	float2 *p;
	float result;

	cudaMallocManaged(&p, 2 * sizeof(float2));
	p[0] = make_float2(x, y);
	plane<<<1, 1>>>(t, p, &p[1].x);
	cudaDeviceSynchronize();
	result = p[1].x;
	cudaFree(p);
	return result;
}

static void lines(const float *data)
{
	cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
	cudaArray_t a;
	cudaTextureObject_t t;

	cudaMallocArray(&a, &f, N);
	cudaMemcpy2DToArray(a, 0, 0, data, N * 4, N * 4, 1,
			    cudaMemcpyHostToDevice);
	t = make(a, cudaAddressModeClamp, cudaFilterModePoint, false,
		 cudaReadModeElementType);
	is("point", at_line(t, 2.99f), data[2]);
	is("clamped below", at_line(t, -7), data[0]);
	is("clamped above", at_line(t, 100), data[N - 1]);
	t = make(a, cudaAddressModeBorder, cudaFilterModePoint, false,
		 cudaReadModeElementType);
	is("border", at_line(t, N + 0.5f), 5);
	t = make(a, cudaAddressModeWrap, cudaFilterModePoint, false,
		 cudaReadModeElementType);
	is("no wrap without normalized", at_line(t, N + 2.5f), data[N - 1]);
	t = make(a, cudaAddressModeWrap, cudaFilterModePoint, true,
		 cudaReadModeElementType);
	is("wrapped", at_line(t, 1 + 2.5f / N), data[2]);
	is("wrapped below", at_line(t, -0.5f / N), data[N - 1]);
	t = make(a, cudaAddressModeMirror, cudaFilterModePoint, true,
		 cudaReadModeElementType);
	is("mirrored", at_line(t, 1 + 2.5f / N), data[N - 3]);
	t = make(a, cudaAddressModeClamp, cudaFilterModeLinear, false,
		 cudaReadModeElementType);
	is("at a texel", at_line(t, 3.5f), data[3]);
	is("halfway", at_line(t, 4), (data[3] + data[4]) / 2);
	/* 0.3 is 77 of 256, to the nearest. */
	is("fraction", at_line(t, 3.8f),
	   data[3] * (179 / 256.0f) + data[4] * (77 / 256.0f));
	cudaFreeArray(a);
}

static void planes(const float *data)
{
	cudaChannelFormatDesc f = cudaCreateChannelDesc(
		32, 0, 0, 0, cudaChannelFormatKindFloat);
	cudaArray_t a, b;
	cudaResourceDesc r;
	cudaSurfaceObject_t from, to;
	cudaTextureObject_t t;
	float back[N * N];

	cudaMallocArray(&a, &f, N, N, cudaArraySurfaceLoadStore);
	cudaMallocArray(&b, &f, N, N, cudaArraySurfaceLoadStore);
	cudaMemcpyToArray(a, 0, 0, data, N * N * 4, cudaMemcpyHostToDevice);
	t = make(a, cudaAddressModeClamp, cudaFilterModeLinear, false,
		 cudaReadModeElementType);
	/* Both fractions are 1 of 256: their product is none, rounded; an H200
	 * gave 2304.75781 for these data. */
	is("weights", at_plane(t, 2.50195312f, 3.50390625f), 2304.75781f);
	is("corner", at_plane(t, -3, -3), data[0]);

	memset(&r, 0, sizeof(r));
	r.resType = cudaResourceTypeArray;
	r.res.array.array = a;
	cudaCreateSurfaceObject(&from, &r);
	r.res.array.array = b;
	cudaCreateSurfaceObject(&to, &r);
	turn<<<1, dim3(N, N)>>>(from, to);
	cudaMemcpy2DFromArray(back, N * 4, b, 0, 0, N * 4, N,
			      cudaMemcpyDeviceToHost);
	is("surface", back[3 * N + 1], data[1 * N + 3]);
#ifdef BEYOND
	beyond<<<1, 1>>>(to);
#endif
	cudaDestroySurfaceObject(from);
	cudaDestroySurfaceObject(to);
	cudaFreeArray(a);
	cudaFreeArray(b);
}

static void colours()
{
	unsigned char data[4][4] = { { 0, 51, 255, 1 }, { 2, 3, 4, 5 } };
	cudaChannelFormatDesc f = cudaCreateChannelDesc<uchar4>();
	cudaArray_t a;
	float4 *to;
	uchar4 *as;

	cudaMallocArray(&a, &f, 4, 1);
	cudaMemcpy2DToArray(a, 0, 0, data, 16, 16, 1, cudaMemcpyHostToDevice);
	cudaMallocManaged(&to, 2 * sizeof(*to));
	cudaMallocManaged(&as, 2 * sizeof(*as));
	bytes<<<1, 2>>>(make(a, cudaAddressModeClamp, cudaFilterModePoint,
			     false, cudaReadModeNormalizedFloat), to);
	whole<<<1, 2>>>(make(a, cudaAddressModeClamp, cudaFilterModePoint,
			     false, cudaReadModeElementType), as);
	cudaDeviceSynchronize();
	is("normalized", to[0].y, 0.2f);
	is("one", to[0].z, 1);
	is("bytes", as[1].w, 5);
	cudaFree(to);
	cudaFree(as);
	cudaFreeArray(a);
}

static void boxes()
{
	static const float3 ways[6] = { { 2, 0, 0 }, { -2, 0, 0 }, { 0, 2, 0 },
					{ 0, -2, 0 }, { 0, 0, 2 },
					{ 0, 0, -2 } };
	cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
	cudaMemcpy3DParms p = { 0 };
	cudaArray_t layered, cube;
	float data[6][2][2], *to;
	float3 *at;

	for (int i = 0; i < 24; i++)
		data[i / 4][i / 2 % 2][i % 2] = i / 4 * 10;
	data[1][0][1] = 77;
	cudaMalloc3DArray(&layered, &f, make_cudaExtent(2, 2, 6),
			  cudaArrayLayered);
	cudaMalloc3DArray(&cube, &f, make_cudaExtent(2, 2, 6),
			  cudaArrayCubemap);
	p.srcPtr = make_cudaPitchedPtr(data, 2 * sizeof(float), 2, 2);
	p.dstArray = layered;
	p.extent = make_cudaExtent(2, 2, 6);
	p.kind = cudaMemcpyHostToDevice;
	cudaMemcpy3D(&p);
	p.dstArray = cube;
	cudaMemcpy3D(&p);
	cudaMallocManaged(&to, 6 * sizeof(*to));
	cudaMalloc(&at, sizeof(ways));
	cudaMemcpy(at, ways, sizeof(ways), cudaMemcpyHostToDevice);
	layers<<<1, 6>>>(make(layered, cudaAddressModeClamp,
			      cudaFilterModePoint, false,
			      cudaReadModeElementType), to);
	cudaDeviceSynchronize();
	is("layer", to[1], 77);
	is("last layer", to[5], 50);
	faces<<<1, 6>>>(make(cube, cudaAddressModeClamp, cudaFilterModePoint,
			     true, cudaReadModeElementType), at, to);
	cudaDeviceSynchronize();
	is("face +y", to[2], 20);
	is("face -z", to[5], 50);
	cudaFree(to);
	cudaFree(at);
	cudaFreeArray(layered);
	cudaFreeArray(cube);
}

static void memory(const float *data)
{
	cudaResourceDesc r;
	cudaTextureDesc how;
	cudaTextureObject_t t;
	float *from, *to;

	cudaMalloc(&from, N * sizeof(float));
	cudaMallocManaged(&to, (N + 2) * sizeof(float));
	cudaMemcpy(from, data, N * sizeof(float), cudaMemcpyHostToDevice);
	memset(&r, 0, sizeof(r));
	memset(&how, 0, sizeof(how));
	r.resType = cudaResourceTypeLinear;
	r.res.linear.devPtr = from;
	r.res.linear.desc = cudaCreateChannelDesc<float>();
	r.res.linear.sizeInBytes = N * sizeof(float);
	cudaCreateTextureObject(&t, &r, &how, nullptr);
	fetch<<<1, N + 2>>>(t, to);
	cudaDeviceSynchronize();
	is("fetch", to[4], data[3]);
	is("before it", to[0], 0);
	is("behind it", to[N + 1], 0);
	cudaDestroyTextureObject(t);
	cudaFree(from);
	cudaFree(to);
}

int main()
{
	float data[N * N];

	for (int i = 0; i < N * N; i++)
		data[i] = i * 37 % 64 * 1000 + i * i % 7;
	lines(data);
	planes(data);
	colours();
	boxes();
	memory(data);
	puts(wrong ? "FAIL" : "PASS");
	return wrong;
}
