// expect 1: 
// run --devices 2
#include <cstdio>
#include <cstring>
#include <nccl.h>
#include <cuda_runtime.h>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
int main()
{
	float *d, *e;
	ncclComm_t c[2] = {}, none = nullptr, wild, split;
	ncclUniqueId id;
	ncclRedOp_t op;
	cudaMalloc((void **)&d, 4096);
	k<<<1, 32>>>(d);
	memset(&wild, 0x41, sizeof(wild));
	memset(&id, 0x42, sizeof(id));
	int devices[] = { -1, 1 << 30 };
	printf("%d\n", ncclCommInitAll(c, 1 << 30, nullptr));
	printf("%d\n", ncclCommInitAll(c, -1, nullptr));
	printf("%d\n", ncclCommInitAll(c, 2, devices));
	printf("%d\n", ncclCommInitRank(c, 1 << 30, id, -5));
	printf("%d\n", ncclCommInitAll(c, 2, nullptr));
	cudaSetDevice(1);
	cudaMalloc((void **)&e, 4096);
	printf("%d\n", ncclGroupEnd());
	for (int i = 0; i < 100000; i++)
		ncclGroupStart();
	printf("%d\n", ncclAllReduce(d, e, 1ull << 62, ncclFloat, ncclSum, c[0], 0));
	printf("%d\n", ncclAllReduce(d, e, 1024, (ncclDataType_t)77, (ncclRedOp_t)-9, c[1], 0));
	printf("%d\n", ncclSend(d, ~0ull, ncclDouble, 1 << 30, c[0], 0));
	printf("%d\n", ncclRecv((void *)0x41, 3, ncclDouble, -1, c[1], 0));
	printf("%d\n", ncclBroadcast(d, nullptr, 1ull << 61, ncclDouble, 99, c[0], 0));
	printf("%d\n", ncclAllGather(d, d, 1ull << 60, ncclInt64, c[0], 0));
	for (int i = 0; i < 100000; i++)
		ncclGroupEnd();
	printf("%d\n", ncclCommSplit(c[0], -7, 1 << 31, &split, nullptr));
	printf("%d\n", ncclRedOpCreatePreMulSum(&op, (void *)0x42, ncclFloat, (ncclScalarResidence_t)5, c[0]));
	printf("%d\n", ncclAllReduce(d, d, 1, ncclFloat, ncclSum, none, 0));
	ncclCommDestroy(c[0]);
	ncclCommDestroy(c[0]);
	printf("%d\n", ncclAllReduce(d, d, 1, ncclFloat, ncclSum, c[0], 0));
	printf("%d\n", ncclAllReduce(d, d, 1, ncclFloat, ncclSum, wild, 0));
}
