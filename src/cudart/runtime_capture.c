/*
 * runtime_capture: the work of streams becomes the nodes of a graph. See
 * runtime_graph.h.
 */
#include "cudart/runtime_graph.h"

static struct CUgraph_st *capture;	/* NULL: nothing is */
/* The streams whose work is captured, the first one that of the call that began
 * it, and how far each of them has come for each: the origin must have come to
 * all. */
static struct captured_stream {
	cudaStream_t s;
	struct stream_clock clock;
} * captured;
static size_t captured_count, captured_capacity;
static bool relaxed, broken;

struct CUgraph_st *graph_captured(void)
{
	return capture;
}

static struct captured_stream *captured_of(cudaStream_t s)
{
	for (size_t i = 0; capture && i < captured_count; i++)
		if (captured[i].s == s)
			return &captured[i];
	return NULL;
}

bool graph_captures(cudaStream_t s)
{
	return captured_of(s);
}

static uint32_t *done_of(struct stream_clock *c, cudaStream_t s)
{
	return &c->done[MIN(stream_number(s), STREAMS_MOST - 1)];
}

struct CUgraphNode_st *graph_node_capture(enum node_kind kind, cudaStream_t s,
					  struct place at)
{
	++*done_of(&captured_of(s)->clock, s);
	return graph_node_add(capture, kind, at);
}

void graph_refuse(struct place at, const char *what)
{
	if (capture)
		program_unplayed(at, what);
}

int graph_capture_break(enum capture_call what)
{
	if (!capture || (what == CAPTURE_UNSAFE && relaxed))
		return 0;
	broken = true;
	return what == CAPTURE_EVENT ? cudaErrorCapturedEvent :
				       cudaErrorStreamCaptureUnsupported;
}

int graph_capture_work(cudaStream_t s)
{
	bool breaks = false;

	for (size_t i = 0; capture && stream_legacy(s) && i < captured_count;
	     i++)
		breaks = breaks || stream_blocking(captured[i].s);
	broken = broken || breaks;
	return breaks ? cudaErrorStreamCaptureImplicit : 0;
}

void graph_capture_event(cudaStream_t s, struct stream_clock *to)
{
	*to = captured_of(s)->clock;
}

void graph_capture_join(cudaStream_t s, const struct stream_clock *event)
{
	struct captured_stream *c = captured_of(s);

	if (!c) {
		grow(&captured, &captured_capacity, captured_count + 1,
		     sizeof(*captured));
		c = &captured[captured_count++];
		*c = (struct captured_stream){ .s = s };
	}
	for (size_t i = 0; i < STREAMS_MOST; i++)
		c->clock.done[i] = MAX(c->clock.done[i], event->done[i]);
}

/* Returns whether the origin comes after all that is captured. */
static bool all_joined(void)
{
	for (size_t i = 1; i < captured_count; i++)
		if (*done_of(&captured[0].clock, captured[i].s) <
		    *done_of(&captured[i].clock, captured[i].s))
			return false;
	return true;
}

void graph_capture_launch(const struct stub_call *c,
			  const struct program_kernel *k,
			  const struct launch_config *config)
{
	struct CUgraphNode_st *n = graph_node_capture(NODE_KERNEL,
						      config->stream,
						      config->at);

	n->config = *config;
	graph_call_keep(&n->call, c, k, config->at);
}

void graph_capture_copy(const struct cudaMemcpy3DParms *p, cudaStream_t s,
			struct place at)
{
	graph_node_capture(NODE_COPY, s, at)->copy = *p;
}

void graph_capture_set(const struct cudaMemsetParams *p, cudaStream_t s,
		       struct place at)
{
	graph_node_capture(NODE_SET, s, at)->set = *p;
}

void graph_capture_host(cudaHostFn_t f, void *with, cudaStream_t s)
{
	struct place nowhere = { .file = NULL };

	graph_node_capture(NODE_HOST, s, nowhere)->host =
		(struct cudaHostNodeParams) { f, with };
}

/* Starts to capture into a graph; NULL: into a new one. */
static int capture_begin(cudaStream_t s, struct CUgraph_st *g, int mode,
			 struct place at)
{
	if (!s || graph_captures(s))
		return cudaErrorStreamCaptureUnsupported;
	graph_refuse(at, "two captures into different graphs at the same time");
	capture = g ? g : graph_new(false);
	captured_count = 0;
	relaxed = mode == cudaStreamCaptureModeRelaxed;
	broken = false;
	graph_capture_join(s, &(struct stream_clock){ .turn = 0 });
	return 0;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t s, int mode, const char *file,
				   int line);
cudaError_t cudaStreamBeginCapture(cudaStream_t s, int mode, const char *file,
				   int line)
{
	return runtime_done(capture_begin(s, NULL, mode,
					  program_place(file, line)),
			    "cudaStreamBeginCapture", file, line);
}

cudaError_t cudaStreamBeginCaptureToGraph(
	cudaStream_t s, cudaGraph_t graph, const cudaGraphNode_t *after,
	const cudaGraphEdgeData *edges, size_t count, int mode,
	const char *file, int line);
/* Starts to capture into a graph. What is captured comes after all that the
 * graph has, what it is to wait for included. */
cudaError_t cudaStreamBeginCaptureToGraph(
	cudaStream_t s, cudaGraph_t graph, const cudaGraphNode_t *after,
	const cudaGraphEdgeData *edges, size_t count, int mode,
	const char *file, int line)
{
	struct CUgraph_st *g = graph_of(graph, false);
	int error = g ? 0 : cudaErrorInvalidValue;

	(void)edges;
	for (size_t i = 0; g && i < count; i++)
		if (!graph_node_in(g, after[i]))
			error = cudaErrorInvalidValue;
	if (!error)
		error = capture_begin(s, g, mode, program_place(file, line));
	return runtime_done(error, "cudaStreamBeginCaptureToGraph", file, line);
}

cudaError_t cudaStreamEndCapture(cudaStream_t s, cudaGraph_t *to,
				 const char *file, int line);
/* The graph's name may be known already. */
cudaError_t cudaStreamEndCapture(cudaStream_t s, cudaGraph_t *to,
				 const char *file, int line)
{
	int error = !capture || s != captured[0].s ?
		    cudaErrorStreamCaptureUnsupported :
		    broken ? cudaErrorStreamCaptureInvalidated :
		    all_joined() ? 0 : cudaErrorStreamCaptureUnjoined;

	if (to)
		*to = error ? NULL : capture;
	if (error != cudaErrorStreamCaptureUnsupported)
		capture = NULL;
	return runtime_done(error, "cudaStreamEndCapture", file, line);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t s,
				  enum cudaStreamCaptureStatus *to,
				  const char *file, int line);
cudaError_t gemmviz_capture_info(cudaStream_t s,
				 enum cudaStreamCaptureStatus *status,
				 unsigned long long *id, cudaGraph_t *graph,
				 const cudaGraphNode_t **after, size_t *count,
				 const char *file, int line);
/* Tells that the next node comes after all there are, for which the last one
 * stands. */
cudaError_t gemmviz_capture_info(cudaStream_t s,
				 enum cudaStreamCaptureStatus *status,
				 unsigned long long *id, cudaGraph_t *graph,
				 const cudaGraphNode_t **after, size_t *count,
				 const char *file, int line)
{
	struct CUgraph_st *g = graph_captures(s) ? capture : NULL;
	bool any = g && g->count;

	if (id)
		*id = g ? (uintptr_t)g : 0;
	if (graph)
		*graph = g;
	if (after)
		*after = any ? &g->nodes[g->count - 1] : NULL;
	if (count)
		*count = any;
	return cudaStreamIsCapturing(s, status, file, line);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t s,
				  enum cudaStreamCaptureStatus *to,
				  const char *file, int line)
{
	*to = !graph_captures(s) ? cudaStreamCaptureStatusNone :
	      broken ? cudaStreamCaptureStatusInvalidated :
		       cudaStreamCaptureStatusActive;
	return runtime_done(0, "cudaStreamIsCapturing", file, line);
}
