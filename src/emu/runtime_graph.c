/*
 * runtime_graph: graphs of work, made by hand or captured from streams. A
 * graph's launch does its nodes one after the other, each behind those that it
 * depends on. Nodes and graphs are never freed, so that their use after that is
 * seen. See runtime.h.
 */
#include <stdlib.h>
#include <string.h>

#include "emu/devices.h"
#include "emu/program_call.h"
#include "emu/runtime.h"

enum node_kind { NODE_NOTHING, NODE_KERNEL, NODE_COPY, NODE_SET, NODE_HOST,
		 NODE_CHILD };

struct CUgraphNode_st {
	enum node_kind kind;
	struct place at;	/* the call that made it */
	struct CUgraphNode_st *of;	/* what it is a copy of */
	struct CUgraphNode_st **after;	/* it waits for these */
	size_t after_count, after_capacity;
	bool done;
	/* By its kind. */
	struct launch_config config;
	struct entry_call call;
	struct cudaMemcpy3DParms copy;
	struct cudaMemsetParams set;
	struct cudaHostNodeParams host;
	struct CUgraph_st *child;
};

/* An executable graph is one, too: a copy, with CUDA's other name. */
struct CUgraph_st {
	bool live, executable;
	struct CUgraphNode_st **nodes;
	size_t count, capacity;
};

static struct CUgraph_st **graphs;
static size_t graph_count, graph_capacity;

static struct CUgraph_st *graph_new(bool executable)
{
	struct CUgraph_st *g = xcalloc(1, sizeof(*g));

	g->live = true;
	g->executable = executable;
	grow(&graphs, &graph_capacity, graph_count + 1, sizeof(*graphs));
	graphs[graph_count++] = g;
	return g;
}

/* The graph of a handle; NULL: there is none, or no more. */
static struct CUgraph_st *graph_of(const void *handle, bool executable)
{
	for (size_t i = 0; i < graph_count; i++)
		if (graphs[i] == handle && graphs[i]->live &&
		    graphs[i]->executable == executable)
			return graphs[i];
	return NULL;
}

static struct CUgraphNode_st *node_add(struct CUgraph_st *g,
				       enum node_kind kind, struct place at)
{
	struct CUgraphNode_st *n = xcalloc(1, sizeof(*n));

	n->kind = kind;
	n->at = at;
	grow(&g->nodes, &g->capacity, g->count + 1, sizeof(*g->nodes));
	g->nodes[g->count++] = n;
	return n;
}

/* The copy of a graph's node, or the node itself. */
static struct CUgraphNode_st *node_in(const struct CUgraph_st *g,
				      const struct CUgraphNode_st *n)
{
	for (size_t i = 0; i < g->count; i++)
		if (g->nodes[i] == n || g->nodes[i]->of == n)
			return g->nodes[i];
	return NULL;
}

static void node_wait(struct CUgraphNode_st *n, struct CUgraphNode_st *before)
{
	grow(&n->after, &n->after_capacity, n->after_count + 1,
	     sizeof(*n->after));
	n->after[n->after_count++] = before;
}

static struct CUgraph_st *graph_copy(const struct CUgraph_st *from,
				     bool executable)
{
	struct CUgraph_st *g = graph_new(executable);

	for (size_t i = 0; i < from->count; i++) {
		struct CUgraphNode_st *n = node_add(g, NODE_NOTHING,
						    from->nodes[i]->at);

		*n = *from->nodes[i];
		n->of = from->nodes[i];
		n->after = NULL;
		n->after_count = n->after_capacity = 0;
	}
	for (size_t i = 0; i < from->count; i++)
		for (size_t j = 0; j < from->nodes[i]->after_count; j++)
			node_wait(g->nodes[i],
				  node_in(g, from->nodes[i]->after[j]));
	return g;
}

/* ---- what is captured ---- */

static struct CUgraph_st *capture;	/* NULL: nothing is */

static struct CUgraphNode_st *node_capture(enum node_kind kind, cudaStream_t s,
					   struct place at)
{
	capture_work_add(s);
	return node_add(capture, kind, at);
}

/* A kernel's arguments by registers and stack, kept. */
static void call_keep(struct entry_call *to, const struct entry_call *from,
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

void graph_capture_launch(const struct entry_call *c,
			  const struct program_kernel *k,
			  const struct launch_config *config)
{
	struct CUgraphNode_st *n = node_capture(NODE_KERNEL, config->stream,
						config->at);

	n->config = *config;
	call_keep(&n->call, c, k, config->at);
}

void graph_capture_copy(const struct cudaMemcpy3DParms *p, cudaStream_t s,
			struct place at)
{
	node_capture(NODE_COPY, s, at)->copy = *p;
}

void graph_capture_set(const struct cudaMemsetParams *p, cudaStream_t s,
		       struct place at)
{
	node_capture(NODE_SET, s, at)->set = *p;
}

void graph_capture_host(cudaHostFn_t f, void *with, cudaStream_t s)
{
	struct place nowhere = { .file = NULL };

	node_capture(NODE_HOST, s, nowhere)->host =
		(struct cudaHostNodeParams) { f, with };
}

cudaError_t cudaStreamBeginCapture(cudaStream_t s, int mode, const char *file,
				   int line);
cudaError_t cudaStreamBeginCapture(cudaStream_t s, int mode, const char *file,
				   int line)
{
	if (!s || graph_captures(s))
		return runtime_done(cudaErrorStreamCaptureUnsupported,
				    "cudaStreamBeginCapture", file, line);
	graph_refuse(program_place(file, line),
		     "two streams that are captured into two graphs");
	capture = graph_new(false);
	capture_begin(s, mode == cudaStreamCaptureModeRelaxed);
	return runtime_done(0, "cudaStreamBeginCapture", file, line);
}

cudaError_t cudaStreamEndCapture(cudaStream_t s, cudaGraph_t *to,
				 const char *file, int line);
cudaError_t cudaStreamEndCapture(cudaStream_t s, cudaGraph_t *to,
				 const char *file, int line)
{
	int error;

	*to = NULL;
	if (!capture_is_of(s))
		return runtime_done(cudaErrorStreamCaptureUnsupported,
				    "cudaStreamEndCapture", file, line);
	error = capture_end();
	if (!error)
		*to = capture;
	capture = NULL;
	return runtime_done(error, "cudaStreamEndCapture", file, line);
}

/* ---- what is done ---- */

static int graph_do(struct CUgraph_st *g, cudaStream_t s);

/* On the device that was current when it was put into the graph. */
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

/* Of those that are ready, the one that was made first. */
static int graph_do(struct CUgraph_st *g, cudaStream_t s)
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

	if (g && graph_captures(s))
		node_capture(NODE_CHILD, s, program_place(file, line))->child =
			graph_copy(g, 1);
	else if (g)
		error = graph_do(g, s);
	return runtime_done(error, "cudaGraphLaunch", file, line);
}

/* ---- graphs ---- */

static cudaError_t answer(bool good, const char *what, const char *file,
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
	return answer(true, "cudaGraphCreate", file, line);
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph, const char *file, int line);
cudaError_t cudaGraphDestroy(cudaGraph_t graph, const char *file, int line)
{
	struct CUgraph_st *g = graph_of(graph, false);

	if (g)
		g->live = false;
	return answer(g, "cudaGraphDestroy", file, line);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec, const char *file,
				 int line);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec, const char *file,
				 int line)
{
	struct CUgraph_st *g = graph_of(exec, true);

	if (g)
		g->live = false;
	return answer(g, "cudaGraphExecDestroy", file, line);
}

cudaError_t cudaGraphClone(cudaGraph_t *to, cudaGraph_t from, const char *file,
			   int line);
cudaError_t cudaGraphClone(cudaGraph_t *to, cudaGraph_t from, const char *file,
			   int line)
{
	struct CUgraph_st *g = graph_of(from, false);

	*to = g ? graph_copy(g, false) : NULL;
	return answer(g, "cudaGraphClone", file, line);
}

cudaError_t gemmviz_graph_ready(cudaGraphExec_t *to, cudaGraph_t graph,
				const char *file, int line);
cudaError_t gemmviz_graph_ready(cudaGraphExec_t *to, cudaGraph_t graph,
				const char *file, int line)
{
	struct CUgraph_st *g = graph_of(graph, false);

	*to = g ? (cudaGraphExec_t)graph_copy(g, true) : NULL;
	return answer(g, "cudaGraphInstantiate", file, line);
}

/* The executable graph gets what the other's nodes do, if they are of the same
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
	return answer(g, "cudaGraphGetNodes", file, line);
}

/* ---- nodes made by hand ---- */

/* NULL: the graph is none, or what it waits for is not in it. */
static struct CUgraphNode_st *by_hand(cudaGraphNode_t *to, cudaGraph_t graph,
				      const cudaGraphNode_t *after,
				      size_t count, enum node_kind kind,
				      struct place at)
{
	struct CUgraph_st *g = graph_of(graph, false);

	*to = NULL;
	for (size_t i = 0; g && i < count; i++)
		if (!node_in(g, after[i]))
			return NULL;
	if (!g)
		return NULL;
	*to = node_add(g, kind, at);
	for (size_t i = 0; i < count; i++)
		node_wait(*to, node_in(g, after[i]));
	return *to;
}

/* A node that is made by hand: its function's name, the parameters that say
 * what it does, and what becomes of them. */
#define GRAPH_NODE(name, kind, parameters, set) \
	cudaError_t name(cudaGraphNode_t *to, cudaGraph_t graph, \
			 const cudaGraphNode_t *after, size_t count \
			 parameters, const char *file, int line); \
	cudaError_t name(cudaGraphNode_t *to, cudaGraph_t graph, \
			 const cudaGraphNode_t *after, size_t count \
			 parameters, const char *file, int line) \
	{ \
		struct CUgraphNode_st *n = by_hand( \
			to, graph, after, count, kind, \
			program_place(file, line)); \
		bool good = n; \
	\
		if (n) { \
			set; \
		} \
		return answer(good, #name, file, line); \
	}
#define COMMA ,

static bool kernel_set(struct CUgraphNode_st *n,
		       const struct cudaKernelNodeParams *p)
{
	const struct program_kernel *k = program_kernel((uintptr_t)p->func);
	uint64_t stack[STACK_WORDS] = { 0 };
	struct entry_call c;

	if (!k || p->extra)
		return false;
	n->config = (struct launch_config) {
		.pending = true, .at = n->at, .grid = p->gridDim,
		.block = p->blockDim, .shared = p->sharedMemBytes,
		.device = devices.current,
	};
	call_from_pointers(k, p->kernelParams, n->at, &c, stack);
	call_keep(&n->call, &c, k, n->at);
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
	   good = g; if (g) n->child = graph_copy(g, true))
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
		good = node_in(g, from[i]) && node_in(g, to[i]);
		if (good)
			node_wait(node_in(g, to[i]), node_in(g, from[i]));
	}
	return answer(good, "cudaGraphAddDependencies", file, line);
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
	return answer(n && n->kind == NODE_KERNEL && kernel_set(n, p),
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
	struct CUgraphNode_st *n = g ? node_in(g, node) : NULL;

	return answer(n && n->kind == NODE_KERNEL && kernel_set(n, p),
		      "cudaGraphExecKernelNodeSetParams", file, line);
}
