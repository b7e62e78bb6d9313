// Structures that functions are passed and return by value: what is loaded and
// stored on the way is said of the line that calls them, in the widths that
// their alignment allows, as nvcc does it.
#include <cstdio>

struct alignas(16) four { float x, y, z, w; };
struct alignas(16) eight {
	float v[8];
	__device__ float above(eight o) const { return v[7] - o.v[0]; }
};
struct twelve { float v[12]; };
struct pair { int first; short second; };
struct own {
	float x;
	__device__ own() {}
	__device__ own(const own &o) : x(o.x) {}
	__device__ own &operator=(const own &o) { x = o.x; return *this; }
};
struct holds { own a, b[2]; float c; };
union either { float4 whole; float part[4]; };

__device__ float4 operator+(float4 a, float4 b)
{
	return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

__device__ four twice(four a)
{
	four r = { 2 * a.x, 2 * a.y, 2 * a.z, 2 * a.w };

	return r;
}

__device__ float sum(eight e)
{
	float s = 0;

	for (int i = 0; i < 8; i++)
		s += e.v[i];
	return s;
}

__device__ float down(eight e, int n)
{
	return n == 0 ? e.v[0] : down(e, n - 1);
}

__device__ twelve filled(float x)
{
	twelve t;

	t.v[0] = x;
	return t;
}

template <class T> __device__ T same(T t)
{
	return t;
}

__device__ float taken(holds h)
{
	return h.a.x + h.b[1].x + h.c;
}

__device__ either added(either e)
{
	e.part[0] += 1;
	return e;
}

__device__ pair exchanged(pair p)
{
	return pair{ p.second, (short)p.first };
}

__device__ four table[32];

__global__ void sums(const float4 *a, const float4 *b, float4 *c)
{
	int i = threadIdx.x;

	c[i] = a[i] + b[i];
}

__global__ void calls(const four *a, const eight *b, four *c, float *d)
{
	int i = threadIdx.x;
	float (*f)(eight) = i < 32 ? sum : nullptr;
	auto g = [=](four x) { return x.x + i; };

	c[i] = twice(a[i]);
	c[i] = same(twice(twice(a[i])));
	table[i] = same(a[i]);
	d[i] = sum(b[i]);
	d[i] = f(b[i]);
	d[i] = down(b[i], 2);
	d[i] = b[i].above(b[i]);
	d[i] = g(a[i]);
	if (i % 2)
		c[i] = twice(a[i]);
	uint3 mine = threadIdx;
	dim3 all = blockDim;
	d[i] = mine.x % all.x;
}

__global__ void makes(twelve *a, holds *b, either *c, pair *d, float *e)
{
	int i = threadIdx.x;

	a[i] = filled(i);
	e[i] = taken(b[i]);
	c[i] = added(c[i]);
	d[i] = exchanged(d[i]);
}

__global__ void race(const four *a, four *c)
{
	__shared__ four s[32];
	int i = threadIdx.x;

	s[i] = twice(a[i]);
	c[i] = twice(s[31 - i]);
}

__global__ void outside(const pair *a, pair *c)
{
	c[threadIdx.x] = exchanged(a[threadIdx.x + 1]);
}

int main(int argc, char **argv)
{
	char *a, *b, *c;

	cudaMalloc(&a, 4096);
	cudaMalloc(&b, 4096);
	cudaMalloc(&c, 4096);
	cudaMemset(a, 0, 4096);
	cudaMemset(b, 0, 4096);
	sums<<<1, 32>>>((float4 *)a, (float4 *)b, (float4 *)c);
	calls<<<1, 32>>>((four *)a, (eight *)b, (four *)c, (float *)(c + 1024));
	makes<<<1, 32>>>((twelve *)c, (holds *)a, (either *)b,
			 (pair *)(b + 1024), (float *)(a + 2048));
	if (argc > 1 && *argv[1] == 'r')
		race<<<1, 32>>>((four *)a, (four *)c);
	if (argc > 1 && *argv[1] == 'o')
		outside<<<1, 32>>>((pair *)(a + 4096 - 32 * 8), (pair *)c);
	printf("%d\n", cudaDeviceSynchronize());
	cudaFree(a);
	cudaFree(b);
	cudaFree(c);
	return 0;
}
