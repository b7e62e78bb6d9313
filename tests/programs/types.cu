// What a kernel is given, by the names that its text has for it.
#include <cuda_fp16.h>

typedef struct {
	float x, y, z, mass;
} Body;

template <typename T, int N> struct Row {
	T of[N];
};

namespace physics {
class Field {
public:
	double at;
	int steps;
};
}

template <typename Long> struct a_name_that_is_too_long_to_be_told_in_a_table {
	Long of[9];
};

struct {
	int low, high;
} range;

__global__ void move(Body *bodies, const Row<float, 3> *rows,
		     physics::Field field, float4 *fours, half2 *halves,
		     a_name_that_is_too_long_to_be_told_in_a_table<int> many,
		     decltype(range) ends, const float (*lines)[8], void *raw,
		     const float *bias, const float *steps)
{
	bodies[threadIdx.x].mass = field.at + rows[threadIdx.x].of[0];
}

__device__ float constants[4];

int main()
{
	float *of_device;
	char *p;

	cudaGetSymbolAddress((void **)&of_device, constants);
	cudaMalloc(&p, 4096);
	cudaMemset(p, 0, 4096);
	move<<<1, 32>>>((Body *)p, (Row<float, 3> *)(p + 512), { 1, 2 },
			(float4 *)p, (half2 *)p, {}, {}, (float (*)[8])p, p,
			nullptr, of_device);
	cudaFree(p);
}
