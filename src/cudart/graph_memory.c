/*
 * graph_memory: memory that graphs allocate and free (CUDA programming guide,
 * "Graph Memory Nodes"). A node's address is the same in every launch. A device
 * keeps the memory that launches of graphs have needed until it is trimmed;
 * only the number of bytes is modelled, by the most that was allocated at once.
 */
#include <gemmviz_pool_types.h>

#include "cudart/devices.h"
#include "cudart/runtime_graph.h"

/* Bytes of each device: allocated by graphs and not freed, reserved for graphs
 * now, and the most that was reserved. */
static struct graph_reserve {
	uint64_t live, now, most;
} kept[DEVICES_MOST];

bool graph_has_memory(const struct CUgraph_st *g)
{
	for (size_t i = 0; i < g->count; i++)
		if (g->nodes[i]->kind == NODE_ALLOC ||
		    g->nodes[i]->kind == NODE_FREE)
			return true;
	return false;
}

int graph_memory_begin(const struct CUgraph_st *g)
{
	for (size_t i = 0; i < g->count; i++) {
		const struct CUgraphNode_st *n = g->nodes[i];

		if (n->kind != NODE_ALLOC || !n->memory->live)
			continue;
		if (!g->frees) {
			runtime_failed("unfreed", "cudaGraphLaunch", n->at,
				       n->memory, 0);
			return cudaErrorInvalidValue;
		}
		runtime_release(n->memory, n->at);
	}
	return 0;
}

void graph_memory_freed(const struct allocation *a)
{
	if (a->of_graph)
		kept[a->device].live -= a->bytes;
}

int graph_memory_do(const struct CUgraphNode_st *n)
{
	struct allocation *a = n->memory;
	struct graph_reserve *k = &kept[a->device];

	if (n->kind == NODE_FREE && !a->live) {
		runtime_failed("free-twice", "cudaGraphLaunch", n->at, a, 0);
		return cudaErrorInvalidValue;
	}
	if (n->kind == NODE_FREE) {
		runtime_release(a, n->at);
		return 0;
	}
	if (!device_renew(a))
		return cudaErrorMemoryAllocation;
	k->live += a->bytes;
	k->now = MAX(k->now, k->live);
	k->most = MAX(k->most, k->now);
	return 0;
}

/* ---- nodes ---- */

/* Reserves memory for an allocation node on the current device; NULL: out of
 * memory. */
static struct allocation *reserve_graph_memory(size_t bytes, struct place at)
{
	struct allocation *a = device_reserve(ALLOCATION_DEVICE, bytes, at);

	if (a)
		a->of_graph = true;
	return a;
}

/* Finds the allocation at p that a node of the graph may free; NULL: no graph
 * allocated it, or another node frees it. */
static struct allocation *find_freeable(const struct CUgraph_st *g,
					const void *p)
{
	struct allocation *a = device_at((uintptr_t)p);

	if (!a || !a->of_graph || a->lo != (uintptr_t)p)
		return NULL;
	for (size_t i = 0; i < g->count; i++)
		if (g->nodes[i]->kind == NODE_FREE && g->nodes[i]->memory == a)
			return NULL;
	return a;
}

static bool is_device_memory(const struct cudaMemPoolProps *p)
{
	return p->allocType == cudaMemAllocationTypePinned &&
	       p->location.type == cudaMemLocationTypeDevice &&
	       device_is(p->location.id);
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *to, cudaGraph_t graph,
				     const cudaGraphNode_t *after, size_t count,
				     struct cudaMemAllocNodeParams *p,
				     const char *file, int line);
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *to, cudaGraph_t graph,
				     const cudaGraphNode_t *after, size_t count,
				     struct cudaMemAllocNodeParams *p,
				     const char *file, int line)
{
	struct place at = program_place(file, line);
	uint32_t was = devices.current;
	struct CUgraphNode_st *n = NULL;
	struct allocation *a = NULL;

	if (is_device_memory(&p->poolProps) && p->bytesize)
		n = graph_node_by_hand(to, graph, after, count, NODE_ALLOC, at);
	if (n) {
		devices.current = (uint32_t)p->poolProps.location.id;
		a = n->memory = reserve_graph_memory(p->bytesize, at);
		devices.current = was;
		p->dptr = a ? (void *)a->lo : NULL;
	}
	return runtime_done(a ? 0 : n ? cudaErrorMemoryAllocation :
				    cudaErrorInvalidValue,
			    "cudaGraphAddMemAllocNode", file, line);
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *to, cudaGraph_t graph,
				    const cudaGraphNode_t *after, size_t count,
				    void *p, const char *file, int line);
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *to, cudaGraph_t graph,
				    const cudaGraphNode_t *after, size_t count,
				    void *p, const char *file, int line)
{
	const struct CUgraph_st *g = graph_of(graph, false);
	struct allocation *a = g ? find_freeable(g, p) : NULL;
	struct CUgraphNode_st *n = a ?
		graph_node_by_hand(to, graph, after, count, NODE_FREE,
				   program_place(file, line)) : NULL;

	if (n)
		n->memory = a;
	return runtime_done(n ? 0 : cudaErrorInvalidValue,
			    "cudaGraphAddMemFreeNode", file, line);
}

cudaError_t graph_capture_malloc(void **to, size_t bytes, cudaStream_t s,
				 const char *file, int line)
{
	struct place at = program_place(file, line);
	struct allocation *a = bytes ? reserve_graph_memory(bytes, at) : NULL;

	*to = a ? (void *)a->lo : NULL;
	if (a)
		graph_node_capture(NODE_ALLOC, s, at)->memory = a;
	return runtime_done(a || !bytes ? 0 : cudaErrorMemoryAllocation,
			    "cudaMallocAsync", file, line);
}

cudaError_t graph_capture_free(void *p, cudaStream_t s, const char *file,
			       int line)
{
	struct allocation *a = find_freeable(graph_captured(), p);

	if (a)
		graph_node_capture(NODE_FREE, s,
				   program_place(file, line))->memory = a;
	return runtime_done(a || !p ? 0 : cudaErrorInvalidValue,
			    "cudaFreeAsync", file, line);
}

/* ---- reserved memory ---- */

cudaError_t cudaDeviceGraphMemTrim(int device, const char *file, int line);
cudaError_t cudaDeviceGraphMemTrim(int device, const char *file, int line)
{
	bool good = device_is(device);

	if (good)
		kept[device].now = kept[device].live;
	return runtime_done(good ? 0 : cudaErrorInvalidDevice,
			    "cudaDeviceGraphMemTrim", file, line);
}

/* Returns the bytes that graphs have reserved; used and reserved memory are not
 * distinguished. */
cudaError_t cudaDeviceGetGraphMemAttribute(
	int device, enum cudaGraphMemAttributeType which, void *to,
	const char *file, int line);
cudaError_t cudaDeviceGetGraphMemAttribute(
	int device, enum cudaGraphMemAttributeType which, void *to,
	const char *file, int line)
{
	bool there = device_is(device);
	bool good = there && which <= cudaGraphMemAttrReservedMemHigh;
	bool most = which == cudaGraphMemAttrUsedMemHigh ||
		    which == cudaGraphMemAttrReservedMemHigh;

	if (good)
		*(uint64_t *)to = most ? kept[device].most : kept[device].now;
	return runtime_done(good ? 0 : there ? cudaErrorInvalidValue :
				       cudaErrorInvalidDevice,
			    "cudaDeviceGetGraphMemAttribute", file, line);
}

/* Resets a high watermark; nothing else can be set. */
cudaError_t cudaDeviceSetGraphMemAttribute(
	int device, enum cudaGraphMemAttributeType which, void *value,
	const char *file, int line);
cudaError_t cudaDeviceSetGraphMemAttribute(
	int device, enum cudaGraphMemAttributeType which, void *value,
	const char *file, int line)
{
	bool there = device_is(device);
	bool good = there && !*(const uint64_t *)value &&
		    (which == cudaGraphMemAttrUsedMemHigh ||
		     which == cudaGraphMemAttrReservedMemHigh);

	if (good)
		kept[device].most = kept[device].now;
	return runtime_done(good ? 0 : there ? cudaErrorInvalidValue :
				       cudaErrorInvalidDevice,
			    "cudaDeviceSetGraphMemAttribute", file, line);
}
