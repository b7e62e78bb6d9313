/*
 * runtime_device: what a program asks of its GPU. See runtime.h.
 */
#include <stdlib.h>
#include <string.h>

#include "cudart/device_heap.h"
#include "cudart/devices.h"
#include "cudart/launch_limits.h"
#include "cudart/runtime.h"
#include "hardware/arch.h"
#include "hardware/occupancy.h"

/* Returns the compute capability: 90 is 9.0. */
static uint32_t arch(void)
{
	return job_arch(&program.job.kernel);
}

/* Returns the SMs of the card that --arch names or, of an architecture without
 * a known card, of an H100. */
static int count_sms(void)
{
	const struct arch_card *card = arch_card_usual(arch());

	if (program.job.kernel.sms)
		return (int)program.job.kernel.sms;
	card = card ? card : arch_card_usual(JOB_ARCH_USUAL);
	return (int)card->sms;
}

static struct occupancy_arch get_arch_limits(void)
{
	struct occupancy_arch a;
	char name[32];

	snprintf(name, sizeof(name), "sm_%u", arch());
	if (occupancy_arch_get(&a, name, 0, NULL) < 0)
		occupancy_arch_get(&a, "sm_90", 0, NULL);
	return a;
}

static void limits_fill(struct cudaDeviceProp *p)
{
	struct occupancy_arch a = get_arch_limits();

	p->sharedMemPerBlock = (size_t)a.block_shared;
	p->sharedMemPerBlockOptin = (size_t)a.optin_shared;
	p->sharedMemPerMultiprocessor = (size_t)a.shared;
	p->reservedSharedMemPerBlock = (size_t)a.shared_reserved;
	p->regsPerBlock = a.block_registers;
	p->regsPerMultiprocessor = a.registers;
	p->maxBlocksPerMultiProcessor = a.blocks;
	p->maxThreadsPerMultiProcessor = a.warps * OCCUPANCY_WARP;
	snprintf(p->name, sizeof(p->name), "%s, emulated by gemmviz", a.name);
}

/* Fills in an H100's numbers where the architecture leaves them open. */
void runtime_properties(struct cudaDeviceProp *p)
{
	*p = (struct cudaDeviceProp) {
		.totalGlobalMem = device_memory.most, .warpSize = 32,
		.memPitch = INT32_MAX, .maxThreadsPerBlock = 1024,
		.maxThreadsDim = { 1024, 1024, 64 },
		.maxGridSize = { INT32_MAX, 65535, 65535 },
		.clockRate = 1755000, .totalConstMem = 65536,
		.major = (int)(arch() / 10), .minor = (int)(arch() % 10),
		.textureAlignment = 512, .texturePitchAlignment = 32,
		.deviceOverlap = 1, .multiProcessorCount = count_sms(),
		.canMapHostMemory = 1, .concurrentKernels = 1,
		.pciBusID = 1, .asyncEngineCount = 3, .unifiedAddressing = 1,
		.memoryClockRate = 2619000, .memoryBusWidth = 5120,
		.l2CacheSize = 50 << 20, .streamPrioritiesSupported = 1,
		.globalL1CacheSupported = 1, .localL1CacheSupported = 1,
		.managedMemory = 1, .concurrentManagedAccess = 1,
		.computePreemptionSupported = 1, .cooperativeLaunch = 1,
		.hostRegisterSupported = 1, .memoryPoolsSupported = 1,
		.singleToDoublePrecisionPerfRatio = 2,
		.clusterLaunch = arch() >= 90,
	};
	limits_fill(p);
}

cudaError_t cudaDeviceReset(const char *file, int line);
cudaError_t cudaDeviceReset(const char *file, int line)
{
	struct place at = program_place(file, line);

	stream_finish_device(devices.current);
	/* What it gives back is no leak. */
	for (size_t i = 0; i < device_memory.count; i++)
		if (device_memory.list[i]->live &&
		    device_memory.list[i]->device == devices.current)
			device_free(device_memory.list[i], at);
	memset(devices.enabled[devices.current], 0,
	       sizeof(devices.enabled[devices.current]));
	program.sticky = 0;
	return cudaSuccess;
}

#define HEAP_SIZE 2	/* cudaLimitMallocHeapSize */

cudaError_t cudaDeviceGetLimit(size_t *to, int which, const char *file,
			       int line);
cudaError_t cudaDeviceGetLimit(size_t *to, int which, const char *file,
			       int line)
{
	static const size_t usual[] = { 1024, 1 << 20, 8 << 20, 2, 2048, 128,
					0 };

	*to = (unsigned)which < LENGTH(usual) ? usual[which] : 0;
	if (which == HEAP_SIZE)
		*to = device_heap_limit();
	return runtime_done(0, "cudaDeviceGetLimit", file, line);
}

cudaError_t cudaDeviceSetLimit(int which, size_t to, const char *file,
			       int line);
cudaError_t cudaDeviceSetLimit(int which, size_t to, const char *file,
			       int line)
{
	bool done = which != HEAP_SIZE || device_heap_set_limit(to);

	return runtime_done(done ? 0 : cudaErrorInvalidValue,
			    "cudaDeviceSetLimit", file, line);
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total, const char *file,
			   int line);
cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total, const char *file,
			   int line)
{
	*free_bytes = device_memory.most -
		      device_memory.used[devices.current];
	*total = device_memory.most;
	return runtime_done(0, "cudaMemGetInfo", file, line);
}

/* ---- functions ---- */

cudaError_t gemmviz_function_attribute(const void *kernel, int which,
				       int value, const char *file, int line);
cudaError_t gemmviz_function_attribute(const void *kernel, int which,
				       int value, const char *file, int line)
{
	struct program_kernel *k = program_kernel((uintptr_t)kernel);
	struct occupancy_arch a = get_arch_limits();
	int error = 0;

	if (!k)
		error = cudaErrorInvalidDeviceFunction;
	else if (which == cudaFuncAttributeMaxDynamicSharedMemorySize &&
		 (value < 0 || value > a.optin_shared))
		error = cudaErrorInvalidValue;
	else if (which == cudaFuncAttributeMaxDynamicSharedMemorySize)
		k->bytes_of_shared = (uint32_t)value;
	return runtime_done(error, "cudaFuncSetAttribute", file, line);
}

cudaError_t gemmviz_function_attributes(struct cudaFuncAttributes *to,
					const void *kernel, const char *file,
					int line);
cudaError_t gemmviz_function_attributes(struct cudaFuncAttributes *to,
					const void *kernel, const char *file,
					int line)
{
	const struct program_kernel *k = program_kernel((uintptr_t)kernel);

	*to = (struct cudaFuncAttributes) {
		.maxThreadsPerBlock = 1024, .numRegs = 32,
		.sharedSizeBytes = k ? k->static_shared : 0,
		.ptxVersion = (int)arch(), .binaryVersion = (int)arch(),
		.maxDynamicSharedSizeBytes = k ? (int)launch_shared_most(k) :
						 (int)SHARED_USUAL,
	};
	if (k && k->bounds)
		to->maxThreadsPerBlock = (int)k->bounds;
	return runtime_done(k ? 0 : cudaErrorInvalidDeviceFunction,
			    "cudaFuncGetAttributes", file, line);
}

/* Returns how many blocks an SM has at once. Registers are not counted: nothing
 * here allocates them. */
static int active_blocks(int threads, uint64_t shared)
{
	struct occupancy_arch a = get_arch_limits();
	struct occupancy_launch l = { .threads = threads,
				      .shared = (int)shared,
				      .dynamic = true };
	struct occupancy o;

	occupancy_of(&a, &l, &o);
	return o.active_blocks;
}

uint32_t runtime_resident(uint32_t threads, uint64_t shared)
{
	struct cudaDeviceProp p;

	runtime_properties(&p);
	return (uint32_t)(active_blocks((int)threads, shared) *
			  p.multiProcessorCount);
}

cudaError_t gemmviz_occupancy(int *blocks, const void *kernel, int threads,
			      size_t shared, const char *file, int line);
cudaError_t gemmviz_occupancy(int *blocks, const void *kernel, int threads,
			      size_t shared, const char *file, int line)
{
	const struct program_kernel *k = program_kernel((uintptr_t)kernel);
	int error = k && threads > 0 ? 0 : cudaErrorInvalidDeviceFunction;

	*blocks = 0;
	if (!error && shared <= launch_shared_most(k) &&
	    (!k->bounds || (uint32_t)threads <= k->bounds))
		*blocks = active_blocks(threads, shared + k->static_shared);
	return runtime_done(error, "cudaOccupancyMaxActiveBlocksPer"
			    "Multiprocessor", file, line);
}

/* ---- the driver's ---- */

cudaError_t gemmviz_address_range(unsigned long long *base, size_t *bytes,
				  unsigned long long p, const char *file,
				  int line);
/* Finds the range of memory at an address. A text that a kernel has a pointer
 * to is in a module: its range is from there to its end. */
cudaError_t gemmviz_address_range(unsigned long long *base, size_t *bytes,
				  unsigned long long p, const char *file,
				  int line)
{
	const struct allocation *a = device_at((uintptr_t)p);
	bool text = !a && runtime_in_module((const void *)(uintptr_t)p);

	if (a && a->live) {
		*base = a->lo;
		*bytes = a->bytes;
	} else if (text) {
		*base = p;
		*bytes = strlen((const char *)(uintptr_t)p) + 1;
	}
	return runtime_done((a && a->live) || text ? 0 : cudaErrorInvalidValue,
			    "cuMemGetAddressRange", file, line);
}
