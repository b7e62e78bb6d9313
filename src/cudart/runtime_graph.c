/*
 * runtime_graph: graphs of work. See runtime_graph.h.
 */
#include <stdlib.h>
#include <string.h>

#include "cudart/devices.h"
#include "cudart/runtime_graph.h"

static struct CUgraph_st **graphs;
static size_t graph_count, graph_capacity;

struct CUgraph_st *graph_new(bool executable)
{
	struct CUgraph_st *g = xcalloc(1, sizeof(*g));

	g->live = true;
	g->executable = executable;
	grow(&graphs, &graph_capacity, graph_count + 1, sizeof(*graphs));
	graphs[graph_count++] = g;
	return g;
}

struct CUgraph_st *graph_of(const void *handle, bool executable)
{
	for (size_t i = 0; i < graph_count; i++)
		if (graphs[i] == handle && graphs[i]->live &&
		    graphs[i]->executable == executable)
			return graphs[i];
	return NULL;
}

struct CUgraphNode_st *graph_node_add(struct CUgraph_st *g, enum node_kind kind,
				      struct place at)
{
	struct CUgraphNode_st *n = xcalloc(1, sizeof(*n));

	n->kind = kind;
	n->at = at;
	grow(&g->nodes, &g->capacity, g->count + 1, sizeof(*g->nodes));
	g->nodes[g->count++] = n;
	return n;
}

struct CUgraphNode_st *graph_node_in(const struct CUgraph_st *g,
				     const struct CUgraphNode_st *n)
{
	for (size_t i = 0; i < g->count; i++)
		if (g->nodes[i] == n || g->nodes[i]->of == n)
			return g->nodes[i];
	return NULL;
}

void graph_node_wait(struct CUgraphNode_st *n, struct CUgraphNode_st *before)
{
	grow(&n->after, &n->after_capacity, n->after_count + 1,
	     sizeof(*n->after));
	n->after[n->after_count++] = before;
}

struct CUgraph_st *graph_copy(struct CUgraph_st *from, bool executable)
{
	struct CUgraph_st *g = graph_new(executable);

	g->of = from;
	for (size_t i = 0; i < from->count; i++) {
		struct CUgraphNode_st *n = graph_node_add(
			g, NODE_NOTHING, from->nodes[i]->at);

		*n = *from->nodes[i];
		n->of = from->nodes[i];
		n->after = NULL;
		n->after_count = n->after_capacity = 0;
		graph_condition_copy(n, executable);
	}
	for (size_t i = 0; i < from->count; i++)
		for (size_t j = 0; j < from->nodes[i]->after_count; j++)
			graph_node_wait(g->nodes[i], graph_node_in(
				g, from->nodes[i]->after[j]));
	return g;
}

void graph_call_keep(struct stub_call *to, const struct stub_call *from,
		     const struct program_kernel *k, struct place at)
{
	size_t words = call_stack_words(k->recorded);
	uint64_t *stack = xcalloc(words + 1, sizeof(*stack));

	if (call_by_reference(k->recorded))
		program_unplayed(at, "an object with a copy constructor as an "
				 "argument of a kernel in a graph");
	memcpy(stack, (const void *)from->stack, words * sizeof(*stack));
	*to = *from;
	to->stack = (uintptr_t)stack;
}

/* ---- what is done ---- */

/* Runs a node's launch on the device that was current when it was put into the
 * graph. */
static int node_launch(const struct CUgraphNode_st *n, cudaStream_t s)
{
	uint32_t was = devices.current;
	int error;

	program.config = n->config;
	program.config.stream = s;
	device_use(n->config.device);
	error = program_launch(&n->call);
	device_use(was);
	return error;
}

static int node_do(struct CUgraphNode_st *n, cudaStream_t s)
{
	switch (n->kind) {
	case NODE_KERNEL:
		return node_launch(n, s);
	case NODE_COPY:
		return runtime_copy_box(&n->copy, s, true, "cudaGraphLaunch",
					n->at);
	case NODE_SET:
		return runtime_set(&n->set, s, true, "cudaGraphLaunch",
				   n->at);
	case NODE_HOST:
		gemmviz_callback(s, NULL, n->host.fn, n->host.userData);
		return 0;
	case NODE_CHILD:
		return graph_do(n->child, s);
	case NODE_ALLOC:
	case NODE_FREE:
		return graph_memory_do(n);
	case NODE_CONDITION:
		return graph_condition_do(n, s);
	case NODE_NOTHING:
		return 0;
	}
	return 0;
}

static bool node_ready(const struct CUgraphNode_st *n)
{
	if (n->done)
		return false;
	for (size_t i = 0; i < n->after_count; i++)
		if (!n->after[i]->done)
			return false;
	return true;
}

/* Performs, of the nodes that are ready, the one that was made first, until all
 * are done. */
int graph_do(struct CUgraph_st *g, cudaStream_t s)
{
	size_t left = g->count, at = 0;
	int error = 0;

	for (size_t i = 0; i < g->count; i++)
		g->nodes[i]->done = false;
	while (left && !error) {
		for (at = 0; at < g->count && !node_ready(g->nodes[at]); at++)
			;
		if (at == g->count)
			return cudaErrorInvalidValue;	/* in a circle */
		error = node_do(g->nodes[at], s);
		g->nodes[at]->done = true;
		left--;
	}
	return error;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t s,
			    const char *file, int line);
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t s,
			    const char *file, int line)
{
	struct CUgraph_st *g = graph_of(exec, true);
	int error = g ? 0 : cudaErrorInvalidValue;

	if (g && graph_captures(s)) {
		graph_node_capture(NODE_CHILD, s,
				   program_place(file, line))->child =
			graph_copy(g, true);
	} else if (g) {
		error = graph_memory_begin(g);
		graph_conditions_begin(g);
		if (!error)
			error = graph_do(g, s);
	}
	return runtime_done(error, "cudaGraphLaunch", file, line);
}

/* ---- graphs ---- */

static cudaError_t finish_call(bool good, const char *what, const char *file,
			       int line)
{
	return runtime_done(good ? 0 : cudaErrorInvalidValue, what, file,
			    line);
}

cudaError_t cudaGraphCreate(cudaGraph_t *to, unsigned int flags,
			    const char *file, int line);
cudaError_t cudaGraphCreate(cudaGraph_t *to, unsigned int flags,
			    const char *file, int line)
{
	(void)flags;
	*to = graph_new(false);
	return finish_call(true, "cudaGraphCreate", file, line);
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph, const char *file, int line);
cudaError_t cudaGraphDestroy(cudaGraph_t graph, const char *file, int line)
{
	struct CUgraph_st *g = graph_of(graph, false);

	if (g)
		g->live = false;
	return finish_call(g, "cudaGraphDestroy", file, line);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec, const char *file,
				 int line);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec, const char *file,
				 int line)
{
	struct CUgraph_st *g = graph_of(exec, true);

	if (g)
		g->live = false;
	return finish_call(g, "cudaGraphExecDestroy", file, line);
}

cudaError_t cudaGraphClone(cudaGraph_t *to, cudaGraph_t from, const char *file,
			   int line);
cudaError_t cudaGraphClone(cudaGraph_t *to, cudaGraph_t from, const char *file,
			   int line)
{
	struct CUgraph_st *g = graph_of(from, false);

	if (g && graph_has_memory(g))
		g = NULL;
	*to = g ? graph_copy(g, false) : NULL;
	return finish_call(g, "cudaGraphClone", file, line);
}

bool graph_is_instantiated(const struct CUgraph_st *g)
{
	for (size_t i = 0; i < graph_count; i++)
		if (graphs[i]->live && graphs[i]->executable &&
		    graphs[i]->of == g)
			return true;
	return false;
}

cudaError_t gemmviz_graph_ready(cudaGraphExec_t *to, cudaGraph_t graph,
				unsigned long long flags, const char *file,
				int line);
cudaError_t gemmviz_graph_ready(cudaGraphExec_t *to, cudaGraph_t graph,
				unsigned long long flags, const char *file,
				int line)
{
	struct CUgraph_st *g = graph_of(graph, false), *made = NULL;

	/* Its memory is one instance's. */
	if (g && !(graph_has_memory(g) && graph_is_instantiated(g))) {
		made = graph_copy(g, true);
		made->frees = flags & cudaGraphInstantiateFlagAutoFreeOnLaunch;
	}
	*to = (cudaGraphExec_t)made;
	return finish_call(made, "cudaGraphInstantiate", file, line);
}

/* Gives the executable graph what the other's nodes do, if they are of the same
 * kinds in the same order. */
cudaError_t gemmviz_graph_update(cudaGraphExec_t exec, cudaGraph_t graph,
				 const char *file, int line);
cudaError_t gemmviz_graph_update(cudaGraphExec_t exec, cudaGraph_t graph,
				 const char *file, int line)
{
	struct CUgraph_st *to = graph_of(exec, true);
	struct CUgraph_st *from = graph_of(graph, false);
	bool same = to && from && to->count == from->count;

	for (size_t i = 0; same && i < to->count; i++)
		same = to->nodes[i]->kind == from->nodes[i]->kind;
	if (same) {
		struct CUgraph_st *now = graph_copy(from, true);

		to->nodes = now->nodes;
		to->count = now->count;
		to->capacity = now->capacity;
		now->live = false;
	}
	return runtime_done(same ? 0 : cudaErrorGraphExecUpdateFailure,
			    "cudaGraphExecUpdate", file, line);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *to,
			      size_t *count, const char *file, int line);
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *to,
			      size_t *count, const char *file, int line)
{
	struct CUgraph_st *g = graph_of(graph, false);

	for (size_t i = 0; g && to && i < *count && i < g->count; i++)
		to[i] = g->nodes[i];
	if (g)
		*count = to ? MIN(*count, g->count) : g->count;
	return finish_call(g, "cudaGraphGetNodes", file, line);
}

/* ---- add nodes by hand ---- */

struct CUgraphNode_st *graph_node_by_hand(cudaGraphNode_t *to,
					  cudaGraph_t graph,
					  const cudaGraphNode_t *after,
					  size_t count, enum node_kind kind,
					  struct place at)
{
	struct CUgraph_st *g = graph_of(graph, false);

	*to = NULL;
	for (size_t i = 0; g && i < count; i++)
		if (!graph_node_in(g, after[i]))
			return NULL;
	if (!g || (g->body && (kind == NODE_HOST || kind == NODE_ALLOC ||
			       kind == NODE_FREE)))
		return NULL;
	*to = graph_node_add(g, kind, at);
	for (size_t i = 0; i < count; i++)
		graph_node_wait(*to, graph_node_in(g, after[i]));
	return *to;
}

/* A node that is made by hand: its function's name, the parameters that tell
 * what it does, and what becomes of them. */
#define GRAPH_NODE(name, kind, parameters, set)                                \
	cudaError_t name(cudaGraphNode_t *to, cudaGraph_t graph,               \
			 const cudaGraphNode_t *after,                         \
			 size_t count parameters, const char *file, int line); \
	cudaError_t name(cudaGraphNode_t *to, cudaGraph_t graph,               \
			 const cudaGraphNode_t *after,                         \
			 size_t count parameters, const char *file, int line)  \
	{                                                                      \
		struct CUgraphNode_st *n =                                     \
			graph_node_by_hand(to, graph, after, count, kind,      \
					   program_place(file, line));         \
		bool good = n;                                                 \
                                                                               \
		if (n) {                                                       \
			set;                                                   \
		}                                                              \
		return finish_call(good, #name, file, line);                   \
	}
#define COMMA ,

static bool kernel_set(struct CUgraphNode_st *n,
		       const struct cudaKernelNodeParams *p)
{
	const struct program_kernel *k = program_kernel((uintptr_t)p->func);
	uint64_t stack[STACK_WORDS] = { 0 };
	struct stub_call c;

	if (!k || p->extra)
		return false;
	n->config = (struct launch_config) {
		.pending = true, .at = n->at, .grid = p->gridDim,
		.block = p->blockDim, .shared = p->sharedMemBytes,
		.device = devices.current,
	};
	call_from_pointers(k, p->kernelParams, n->at, &c, stack);
	graph_call_keep(&n->call, &c, k, n->at);
	return true;
}

GRAPH_NODE(cudaGraphAddKernelNode, NODE_KERNEL,
	   COMMA const struct cudaKernelNodeParams *p, good = kernel_set(n, p))
GRAPH_NODE(cudaGraphAddMemcpyNode, NODE_COPY,
	   COMMA const struct cudaMemcpy3DParms *p, n->copy = *p)
GRAPH_NODE(cudaGraphAddMemcpyNode1D, NODE_COPY,
	   COMMA void *copy_to COMMA const void *from COMMA size_t bytes COMMA
	   enum cudaMemcpyKind kind,
	   runtime_box(&n->copy, copy_to, bytes, from, bytes, bytes, 1, kind))
GRAPH_NODE(cudaGraphAddMemsetNode, NODE_SET,
	   COMMA const struct cudaMemsetParams *p, n->set = *p)
GRAPH_NODE(cudaGraphAddHostNode, NODE_HOST,
	   COMMA const struct cudaHostNodeParams *p, n->host = *p)
GRAPH_NODE(cudaGraphAddChildGraphNode, NODE_CHILD, COMMA cudaGraph_t child,
	   struct CUgraph_st *g = graph_of(child, false);
	   good = n && g && !graph_has_memory(g);
	   if (good) n->child = graph_copy(g, true))
GRAPH_NODE(cudaGraphAddEmptyNode, NODE_NOTHING, , (void)n)

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph,
				     const cudaGraphNode_t *from,
				     const cudaGraphNode_t *to, size_t count,
				     const char *file, int line);
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph,
				     const cudaGraphNode_t *from,
				     const cudaGraphNode_t *to, size_t count,
				     const char *file, int line)
{
	struct CUgraph_st *g = graph_of(graph, false);
	bool good = g;

	for (size_t i = 0; good && i < count; i++) {
		good = graph_node_in(g, from[i]) && graph_node_in(g, to[i]);
		if (good)
			graph_node_wait(graph_node_in(g, to[i]),
					graph_node_in(g, from[i]));
	}
	return finish_call(good, "cudaGraphAddDependencies", file, line);
}

cudaError_t
cudaGraphKernelNodeSetParams(cudaGraphNode_t n,
			     const struct cudaKernelNodeParams *p,
			     const char *file, int line);
cudaError_t
cudaGraphKernelNodeSetParams(cudaGraphNode_t n,
			     const struct cudaKernelNodeParams *p,
			     const char *file, int line)
{
	return finish_call(n && n->kind == NODE_KERNEL && kernel_set(n, p),
			   "cudaGraphKernelNodeSetParams", file, line);
}

cudaError_t
cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
				 const struct cudaKernelNodeParams *p,
				 const char *file, int line);
cudaError_t
cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
				 const struct cudaKernelNodeParams *p,
				 const char *file, int line)
{
	struct CUgraph_st *g = graph_of(exec, true);
	struct CUgraphNode_st *n = g ? graph_node_in(g, node) : NULL;

	return finish_call(n && n->kind == NODE_KERNEL && kernel_set(n, p),
			   "cudaGraphExecKernelNodeSetParams", file, line);
}
