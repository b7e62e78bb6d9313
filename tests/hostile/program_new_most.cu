// expect 0|1|2|3|5|8|70: 
// run --on cpu
#include <vector>
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
int main(int argc, char **argv)
{
	float *d;
	cudaMalloc((void **)&d, 4096);
	std::vector<char> v(1ul << 40);
	k<<<1, 32>>>(d);
	cudaDeviceSynchronize();
}
