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
					       unsigned long long = 0,
					       GEMMVIZ_AT)
{ return gemmviz_graph_ready(to, graph, GEMMVIZ_LINE); }
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *to,
					       cudaGraph_t graph,
					       cudaGraphNode_t *, char *,
					       size_t, GEMMVIZ_AT)
{ return gemmviz_graph_ready(to, graph, GEMMVIZ_LINE); }
static inline cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *to,
							cudaGraph_t graph,
							unsigned long long = 0,
							GEMMVIZ_AT)
{ return gemmviz_graph_ready(to, graph, GEMMVIZ_LINE); }
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

#endif
