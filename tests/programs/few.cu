// Half of what is copied back has never been written: too few blocks.
#include <cstdio>

struct both {
	int key;
	double value;
};

__global__ void square(float *to, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		to[i] = (float)(i * i);
}

// Leaves the bytes between a structure's members alone.
__global__ void pairs(both *to)
{
	to[threadIdx.x].key = (int)threadIdx.x;
	to[threadIdx.x].value = 0.5;
}

int main()
{
	float host[512], *squares;
	both pair[64], *device;

	cudaMalloc(&squares, sizeof(host));
	square<<<4, 64>>>(squares, 512);
	cudaMemcpy(host, squares, sizeof(host), cudaMemcpyDeviceToHost);
	cudaMalloc(&device, sizeof(pair));
	pairs<<<1, 64>>>(device);
	cudaMemcpy(pair, device, sizeof(pair), cudaMemcpyDeviceToHost);
	printf("%g %g\n", host[255], pair[63].value);
	cudaFree(squares);
	cudaFree(device);
}
