/*
 * gemmviz_graph: launches by a configuration with attributes, and graphs of
 * work, made by hand or captured from streams. Part of gemmviz_runtime.h;
 * runtime_graph.c plays them.
 */
#ifndef GEMMVIZ_GRAPH_H
#define GEMMVIZ_GRAPH_H

/* ---- launches with attributes ---- */

/* A configuration, and the line that launches: a launch's own arguments come
 * last, so that nothing can follow them. */
struct gemmviz_launch_at {
	const cudaLaunchConfig_t *config;
	const char *file;
	int line;
	gemmviz_launch_at(const cudaLaunchConfig_t *c, GEMMVIZ_AT)
		: config(c), file(file), line(line) {}
};
template <class... P, class... A>
static inline cudaError_t cudaLaunchKernelEx(gemmviz_launch_at at,
					     void (*kernel)(P...), A &&...a)
{
	cudaError_t error = gemmviz_configured_with(at.config, at.file,
						    at.line);

	if (error)
		return error;
	kernel(static_cast<P>(static_cast<A &&>(a))...);
	return gemmviz_launched();
}
static inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *c,
					      const void *kernel,
					      void **arguments, GEMMVIZ_AT)
{
	cudaError_t error = gemmviz_configured_with(c, GEMMVIZ_LINE);

	return error ? error : gemmviz_launch_pending(kernel, arguments,
						      GEMMVIZ_LINE);
}
/* ---- graphs: what other versions of CUDA call otherwise ---- */

static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *to,
					       cudaGraph_t graph,
					       unsigned long long flags = 0,
					       GEMMVIZ_AT)
{ return gemmviz_graph_ready(to, graph, flags, GEMMVIZ_LINE); }
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *to,
					       cudaGraph_t graph,
					       cudaGraphNode_t *, char *,
					       size_t, GEMMVIZ_AT)
{ return gemmviz_graph_ready(to, graph, 0, GEMMVIZ_LINE); }
static inline cudaError_t
cudaGraphInstantiateWithFlags(cudaGraphExec_t *to, cudaGraph_t graph,
			      unsigned long long flags = 0, GEMMVIZ_AT)
{ return gemmviz_graph_ready(to, graph, flags, GEMMVIZ_LINE); }
static inline cudaError_t
cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
		    cudaGraphExecUpdateResultInfo *info, GEMMVIZ_AT)
{
	cudaError_t error = gemmviz_graph_update(exec, graph, GEMMVIZ_LINE);

	info->result = error ? cudaGraphExecUpdateError :
			       cudaGraphExecUpdateSuccess;
	info->errorNode = info->errorFromNode = 0;
	return error;
}
static inline cudaError_t cudaGraphExecUpdate(
	cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *node,
	cudaGraphExecUpdateResult *result, GEMMVIZ_AT)
{
	cudaGraphExecUpdateResultInfo info;
	cudaError_t error = cudaGraphExecUpdate(exec, graph, &info,
						GEMMVIZ_LINE);

	*node = info.errorNode;
	*result = info.result;
	return error;
}
static inline cudaError_t cudaGraphAddDependencies(
	cudaGraph_t graph, const cudaGraphNode_t *from,
	const cudaGraphNode_t *to, const cudaGraphEdgeData *, size_t count,
	GEMMVIZ_AT)
{ return cudaGraphAddDependencies(graph, from, to, count, GEMMVIZ_LINE); }
static inline cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t)
{ return cudaSuccess; }

/* ---- memory of graphs, and conditions ---- */

extern "C" {
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *, cudaGraph_t,
				     const cudaGraphNode_t *, size_t,
				     struct cudaMemAllocNodeParams *,
				     GEMMVIZ_AT);
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *, cudaGraph_t,
				    const cudaGraphNode_t *, size_t, void *,
				    GEMMVIZ_AT);
cudaError_t cudaDeviceGraphMemTrim(int, GEMMVIZ_AT);
cudaError_t cudaDeviceGetGraphMemAttribute(int, enum cudaGraphMemAttributeType,
					   void *, GEMMVIZ_AT);
cudaError_t cudaDeviceSetGraphMemAttribute(int, enum cudaGraphMemAttributeType,
					   void *, GEMMVIZ_AT);
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *,
					     cudaGraph_t,
					     unsigned int value = 0,
					     unsigned int flags = 0,
					     GEMMVIZ_AT);
cudaError_t gemmviz_graph_condition(cudaGraphNode_t *, cudaGraph_t,
				    const cudaGraphNode_t *, size_t,
				    struct cudaConditionalNodeParams *,
				    const char *, int);
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t, cudaGraph_t,
					  const cudaGraphNode_t *,
					  const cudaGraphEdgeData *, size_t,
					  enum cudaStreamCaptureMode,
					  GEMMVIZ_AT);
cudaError_t gemmviz_capture_info(cudaStream_t, enum cudaStreamCaptureStatus *,
				 unsigned long long *, cudaGraph_t *,
				 const cudaGraphNode_t **, size_t *,
				 const char *, int);
void gemmviz_set_condition(unsigned long long handle, unsigned int value);
}
/* In a kernel. */
GEMMVIZ_QUIET void cudaGraphSetConditional(cudaGraphConditionalHandle handle,
					   unsigned int value)
{ gemmviz_set_condition(handle, value); }

static inline cudaError_t
cudaStreamGetCaptureInfo(cudaStream_t s, enum cudaStreamCaptureStatus *status,
			 unsigned long long *id = 0, cudaGraph_t *graph = 0,
			 const cudaGraphNode_t **after = 0, size_t *count = 0,
			 GEMMVIZ_AT)
{
	return gemmviz_capture_info(s, status, id, graph, after, count,
				    GEMMVIZ_LINE);
}
static inline cudaError_t
cudaStreamGetCaptureInfo(cudaStream_t s, enum cudaStreamCaptureStatus *status,
			 unsigned long long *id, cudaGraph_t *graph,
			 const cudaGraphNode_t **after,
			 const cudaGraphEdgeData **edges, size_t *count,
			 GEMMVIZ_AT)
{
	if (edges)
		*edges = 0;
	return gemmviz_capture_info(s, status, id, graph, after, count,
				    GEMMVIZ_LINE);
}
/* What is captured comes behind all there is, in any case. */
enum cudaStreamUpdateCaptureDependenciesFlags {
	cudaStreamAddCaptureDependencies, cudaStreamSetCaptureDependencies
};
static inline cudaError_t
cudaStreamUpdateCaptureDependencies(cudaStream_t, cudaGraphNode_t *, size_t,
				    unsigned int = 0)
{ return cudaSuccess; }
static inline cudaError_t
cudaStreamUpdateCaptureDependencies(cudaStream_t, cudaGraphNode_t *,
				    const cudaGraphEdgeData *, size_t,
				    unsigned int = 0)
{ return cudaSuccess; }

/* ---- nodes of any type ---- */

enum cudaGraphNodeType {
	cudaGraphNodeTypeKernel, cudaGraphNodeTypeMemcpy,
	cudaGraphNodeTypeMemset, cudaGraphNodeTypeHost, cudaGraphNodeTypeGraph,
	cudaGraphNodeTypeEmpty, cudaGraphNodeTypeMemAlloc = 10,
	cudaGraphNodeTypeMemFree, cudaGraphNodeTypeConditional = 13
};
struct cudaMemcpyNodeParams {
	int flags, reserved[3];
	struct cudaMemcpy3DParms copyParams;
};
struct cudaChildGraphNodeParams { cudaGraph_t graph; };
struct cudaMemFreeNodeParams { void *dptr; };
struct cudaGraphNodeParams {
	enum cudaGraphNodeType type;
	int reserved0[3];
	union {
		long long reserved1[29];
		struct cudaKernelNodeParams kernel;
		struct cudaMemcpyNodeParams memcpy;
		struct cudaMemsetParams memset;
		struct cudaHostNodeParams host;
		struct cudaChildGraphNodeParams graph;
		struct cudaMemAllocNodeParams alloc;
		struct cudaMemFreeNodeParams free;
		struct cudaConditionalNodeParams conditional;
	};
	long long reserved2;
};
static inline cudaError_t
cudaGraphAddNode(cudaGraphNode_t *to, cudaGraph_t graph,
		 const cudaGraphNode_t *after, size_t count,
		 struct cudaGraphNodeParams *p, GEMMVIZ_AT)
{
	switch (p->type) {
	case cudaGraphNodeTypeKernel:
		return cudaGraphAddKernelNode(to, graph, after, count,
					      &p->kernel, GEMMVIZ_LINE);
	case cudaGraphNodeTypeMemcpy:
		return cudaGraphAddMemcpyNode(to, graph, after, count,
					      &p->memcpy.copyParams,
					      GEMMVIZ_LINE);
	case cudaGraphNodeTypeMemset:
		return cudaGraphAddMemsetNode(to, graph, after, count,
					      &p->memset, GEMMVIZ_LINE);
	case cudaGraphNodeTypeHost:
		return cudaGraphAddHostNode(to, graph, after, count, &p->host,
					    GEMMVIZ_LINE);
	case cudaGraphNodeTypeGraph:
		return cudaGraphAddChildGraphNode(to, graph, after, count,
						  p->graph.graph, GEMMVIZ_LINE);
	case cudaGraphNodeTypeMemAlloc:
		return cudaGraphAddMemAllocNode(to, graph, after, count,
						&p->alloc, GEMMVIZ_LINE);
	case cudaGraphNodeTypeMemFree:
		return cudaGraphAddMemFreeNode(to, graph, after, count,
					       p->free.dptr, GEMMVIZ_LINE);
	case cudaGraphNodeTypeConditional:
		return gemmviz_graph_condition(to, graph, after, count,
					       &p->conditional, GEMMVIZ_LINE);
	default:
		return cudaGraphAddEmptyNode(to, graph, after, count,
					     GEMMVIZ_LINE);
	}
}
static inline cudaError_t
cudaGraphAddNode(cudaGraphNode_t *to, cudaGraph_t graph,
		 const cudaGraphNode_t *after, const cudaGraphEdgeData *,
		 size_t count, struct cudaGraphNodeParams *p, GEMMVIZ_AT)
{ return cudaGraphAddNode(to, graph, after, count, p, GEMMVIZ_LINE); }

#endif
