/*
 * gemmviz_pool_types: memory pools, for programs and runtime_pool.c.
 */
#ifndef GEMMVIZ_POOL_TYPES_H
#define GEMMVIZ_POOL_TYPES_H

#include <stddef.h>

enum cudaMemLocationType { cudaMemLocationTypeInvalid,
			   cudaMemLocationTypeDevice,
			   cudaMemLocationTypeHost,
			   cudaMemLocationTypeHostNuma,
			   cudaMemLocationTypeHostNumaCurrent };
struct cudaMemLocation {
	enum cudaMemLocationType type;
	int id;
};
enum cudaMemPoolAttr {
	cudaMemPoolReuseFollowEventDependencies = 1,
	cudaMemPoolReuseAllowOpportunistic,
	cudaMemPoolReuseAllowInternalDependencies,
	cudaMemPoolAttrReleaseThreshold, cudaMemPoolAttrReservedMemCurrent,
	cudaMemPoolAttrReservedMemHigh, cudaMemPoolAttrUsedMemCurrent,
	cudaMemPoolAttrUsedMemHigh
};
enum cudaMemAllocationType {
	cudaMemAllocationTypeInvalid, cudaMemAllocationTypePinned,
	cudaMemAllocationTypeManaged,
	cudaMemAllocationTypeMax = 0x7fffffff
};
enum cudaMemAllocationHandleType {
	cudaMemHandleTypeNone, cudaMemHandleTypePosixFileDescriptor,
	cudaMemHandleTypeWin32, cudaMemHandleTypeWin32Kmt = 4,
	cudaMemHandleTypeFabric = 8
};
enum cudaMemAccessFlags {
	cudaMemAccessFlagsProtNone, cudaMemAccessFlagsProtRead,
	cudaMemAccessFlagsProtReadWrite = 3
};
struct cudaMemAccessDesc {
	struct cudaMemLocation location;
	enum cudaMemAccessFlags flags;
};
struct cudaMemPoolProps {
	enum cudaMemAllocationType allocType;
	enum cudaMemAllocationHandleType handleTypes;
	struct cudaMemLocation location;
	void *win32SecurityAttributes;
	size_t maxSize;
	unsigned short usage;
	unsigned char reserved[54];
};
struct cudaMemAllocNodeParams {
	struct cudaMemPoolProps poolProps;
	const struct cudaMemAccessDesc *accessDescs;
	size_t accessDescCount, bytesize;
	void *dptr;
};
enum cudaGraphMemAttributeType {
	cudaGraphMemAttrUsedMemCurrent, cudaGraphMemAttrUsedMemHigh,
	cudaGraphMemAttrReservedMemCurrent, cudaGraphMemAttrReservedMemHigh
};

#endif
