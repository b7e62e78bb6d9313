/*
 * launch: see launch.h.
 */
#include <string.h>

#include "gpu/device/launch.h"
#include "gpu/device/tensor.h"

/* ---- arguments ---- */

int launch_array(struct launch_arguments *to, int i, const struct argument *a,
		  CUdeviceptr at, int rows, int columns, struct error *e)
{
	to->values[i][0] = at;
	to->list[i] = to->values[i];
	if (a->var->type.kind != DEBUG_TENSOR_MAP)
		return 0;
	to->list[i] = &to->maps[i];
	return tensor_map(&to->maps[i], a->var, at, rows, columns, e);
}

void launch_value(struct launch_arguments *to, int i,
		  const struct argument *a)
{
	memcpy(to->values[i], a->value, sizeof(a->value));
	to->list[i] = to->values[i];
}

/* ---- the launch ---- */

int launch_shared(const struct plan *p, CUfunction f, struct error *e)
{
	return CUDA_TRY(e, FuncSetAttribute, f,
			CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
			(int)plan_shared(p));
}

#define ATTRIBUTES 2
/* The compute capability since which launches can start early. */
#define EARLY_SINCE 9

/* Makes the launch's configuration. `attributes` stays the caller's, and must
 * live as long. */
static CUlaunchConfig config_of(const struct plan *p, bool early,
				CUlaunchAttribute attributes[ATTRIBUTES])
{
	uint32_t cluster = plan_cluster(p);
	unsigned count = 0;

	if (cluster > 1)
		attributes[count++] = (CUlaunchAttribute) {
			.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
			.value.clusterDim = { cluster, 1, 1 },
		};
	if (early)
		attributes[count++] = (CUlaunchAttribute) {
			.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION,
			.value.programmaticStreamSerializationAllowed = 1,
		};
	return (CUlaunchConfig) {
		.gridDimX = p->grid.x, .gridDimY = p->grid.y,
		.gridDimZ = p->grid.z, .blockDimX = p->block.x,
		.blockDimY = p->block.y, .blockDimZ = p->block.z,
		.sharedMemBytes = plan_shared(p),
		.attrs = attributes, .numAttrs = count,
	};
}

/* Computes the number of blocks that the GPU runs at once. */
static int resident_blocks(const struct plan *p, const struct device *d,
			   CUfunction f, uint32_t *blocks, struct error *e)
{
	CUlaunchAttribute attributes[ATTRIBUTES];
	CUlaunchConfig c = config_of(p, false, attributes);
	int n;

	if (c.numAttrs) {
		if (CUDA_TRY_NEWER(e, OccupancyMaxActiveClusters, &n, f,
				   &c) < 0)
			return -1;
		*blocks = (uint32_t)n * plan_cluster(p);
		return 0;
	}
	if (CUDA_TRY(e, OccupancyMaxActiveBlocksPerMultiprocessor, &n, f,
		     (int)plan_threads(p), plan_shared(p)) < 0)
		return -1;
	*blocks = (uint32_t)n * (uint32_t)device_attribute(d,
				CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
	return 0;
}

int launch_spread(struct plan *p, const struct device *d, CUfunction f,
		  struct error *e)
{
	uint32_t blocks;

	if (!p->kernel || !p->kernel->persistent)
		return 0;
	if (resident_blocks(p, d, f, &blocks, e) < 0)
		return -1;
	plan_spread(p, blocks);
	return 0;
}

bool launch_starts_early(const struct plan *p, const struct device *d)
{
	return p->kernel && p->kernel->starts_early && d->major >= EARLY_SINCE;
}

int launch_start(const struct plan *p, CUfunction f,
		 const struct launch_arguments *a, bool early, struct error *e)
{
	CUlaunchAttribute attributes[ATTRIBUTES];
	CUlaunchConfig c = config_of(p, early, attributes);

	if (c.numAttrs)
		return CUDA_TRY_NEWER(e, LaunchKernelEx, &c, f,
				      (void **)a->list, NULL);
	return CUDA_TRY(e, LaunchKernel, f, c.gridDimX, c.gridDimY, c.gridDimZ,
			c.blockDimX, c.blockDimY, c.blockDimZ,
			c.sharedMemBytes, NULL, (void **)a->list, NULL);
}
