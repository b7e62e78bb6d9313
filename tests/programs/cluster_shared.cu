// Blocks of a cluster use each other's shared memory: sums of all of them, and
// bins that each counts in; with a barrier of the cluster left out, on demand.
#include <cooperative_groups.h>
#include <cstdio>
#include <cstring>

namespace cg = cooperative_groups;

#define BLOCKS 4
#define THREADS 64

__global__ void __cluster_dims__(BLOCKS, 1, 1)
sums(const int *from, int *to, bool first, bool last)
{
	__shared__ int mine[THREADS], told;
	cg::cluster_group cluster = cg::this_cluster();
	unsigned rank = cluster.block_rank();
	int sum = 0;

	mine[threadIdx.x] = from[blockIdx.x * THREADS + threadIdx.x];
	if (first)
		cluster.sync();
	else
		__syncthreads();
	for (unsigned r = 0; r < cluster.num_blocks(); r++) {
		const int *theirs = cluster.map_shared_rank(mine, r);

		sum += theirs[threadIdx.x];
		if (cluster.query_shared_rank(theirs) != r)
			sum = -1000000;
	}
	if (threadIdx.x == 0)
		*cluster.map_shared_rank(&told, (rank + 1) % BLOCKS) = (int)rank;
	if (last)
		cluster.sync();
	to[blockIdx.x * THREADS + threadIdx.x] =
		sum + 1000 * (last ? told : 0);
	if (last)
		mine[threadIdx.x] = 0;
}

__global__ void __cluster_dims__(BLOCKS, 1, 1)
count(const int *from, int *bins)
{
	extern __shared__ int part[];
	cg::cluster_group cluster = cg::this_cluster();
	int bin = from[blockIdx.x * THREADS + threadIdx.x] % (BLOCKS * 8);

	if (threadIdx.x < 8)
		part[threadIdx.x] = 0;
	cluster.sync();
	atomicAdd(cluster.map_shared_rank(part, bin / 8) + bin % 8, 1);
	cluster.sync();
	if (threadIdx.x < 8)
		atomicAdd(&bins[cluster.block_rank() * 8 + threadIdx.x],
			  part[threadIdx.x]);
}

__global__ void __cluster_dims__(2, 1, 1) beyond(int *to)
{
	__shared__ int mine[32];

	mine[threadIdx.x] = 1;
	cg::this_cluster().sync();
	to[threadIdx.x] = cg::this_cluster().map_shared_rank(mine, 2)[0];
	cg::this_cluster().sync();
}

static int from[2 * BLOCKS * THREADS], to[2 * BLOCKS * THREADS];
static int *dfrom, *dto, *dbins;

static bool sums_right(void)
{
	for (int b = 0; b < 2 * BLOCKS; b++)
		for (int t = 0; t < THREADS; t++) {
			int sum = 1000 * ((b + BLOCKS - 1) % BLOCKS);

			for (int r = 0; r < BLOCKS; r++)
				sum += from[(b / BLOCKS * BLOCKS + r) * THREADS
					    + t];
			if (to[b * THREADS + t] != sum)
				return false;
		}
	return true;
}

static bool bins_right(const int *bins)
{
	int want[BLOCKS * 8] = { 0 };

	for (int v : from)
		want[v % (BLOCKS * 8)]++;
	return !memcmp(bins, want, sizeof(want));
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	int bins[BLOCKS * 8];

	for (int i = 0; i < 2 * BLOCKS * THREADS; i++)
		from[i] = i * 7 % 100;
	cudaMalloc(&dfrom, sizeof(from));
	cudaMalloc(&dto, sizeof(to));
	cudaMalloc(&dbins, sizeof(bins));
	cudaMemcpy(dfrom, from, sizeof(from), cudaMemcpyHostToDevice);
	cudaMemset(dbins, 0, sizeof(bins));
	for (int i = 0; i < 3; i++)
		sums<<<2 * BLOCKS, THREADS>>>(dfrom, dto, strcmp(how, "first"),
					      strcmp(how, "last"));
	count<<<2 * BLOCKS, THREADS, 8 * sizeof(int)>>>(dfrom, dbins);
	if (!strcmp(how, "beyond"))
		beyond<<<2, 32>>>(dto);
	cudaMemcpy(to, dto, sizeof(to), cudaMemcpyDeviceToHost);
	cudaMemcpy(bins, dbins, sizeof(bins), cudaMemcpyDeviceToHost);
	printf("%s\n", !sums_right() ? "wrong sums" :
	       !bins_right(bins) ? "wrong bins" : "right");
	cudaFree(dfrom);
	cudaFree(dto);
	cudaFree(dbins);
}
