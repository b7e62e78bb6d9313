/*
 * runtime_graph: graphs of work, between the files that play them
 * (runtime_graph.c, runtime_capture.c, graph_memory.c, graph_condition.c). A
 * graph's launch does its nodes one after the other, each after those that it
 * depends on. Nodes and graphs are never freed, so that their use after that is
 * seen.
 */
#ifndef CUDART_RUNTIME_GRAPH_H
#define CUDART_RUNTIME_GRAPH_H

#include "cudart/program_call.h"
#include "cudart/runtime.h"

enum node_kind { NODE_NOTHING, NODE_KERNEL, NODE_COPY, NODE_SET, NODE_HOST,
		 NODE_CHILD, NODE_ALLOC, NODE_FREE, NODE_CONDITION };

struct CUgraphNode_st {
	enum node_kind kind;
	struct place at;	/* the call that made it */
	struct CUgraphNode_st *of;	/* what it is a copy of */
	struct CUgraphNode_st **after;	/* it waits for these */
	size_t after_count, after_capacity;
	bool done;
	/* By its kind. */
	struct launch_config config;
	struct stub_call call;
	struct cudaMemcpy3DParms copy;
	struct cudaMemsetParams set;
	struct cudaHostNodeParams host;
	struct CUgraph_st *child;
	struct allocation *memory;
	/* Which of the bodies is done, and how often; see graph_condition.c. */
	enum cudaGraphConditionalNodeType type;
	cudaGraphConditionalHandle condition;
	struct CUgraph_st **bodies;
	size_t body_count;
};

/* An executable graph is one, too: a copy, with CUDA's other name. */
struct CUgraph_st {
	bool live, executable;
	bool body;	/* of a node: it does neither host's work nor memory's */
	bool frees;	/* what it has allocated, before it is launched again */
	struct CUgraph_st *of;	/* what it is a copy of */
	struct CUgraphNode_st **nodes;
	size_t count, capacity;
};

struct CUgraph_st *graph_new(bool executable);
/* Finds the graph of a handle; NULL: there is none, or it was destroyed. */
struct CUgraph_st *graph_of(const void *handle, bool executable);
struct CUgraph_st *graph_copy(struct CUgraph_st *from, bool executable);
/* Returns whether an executable graph was made of this one, and is there. */
bool graph_is_instantiated(const struct CUgraph_st *g);
/* Performs a graph's nodes; returns a cudaError_t. */
int graph_do(struct CUgraph_st *g, cudaStream_t s);
struct CUgraphNode_st *graph_node_add(struct CUgraph_st *g, enum node_kind kind,
				      struct place at);
/* Finds the copy of a node in a graph, or the node itself; NULL: there is
 * none. */
struct CUgraphNode_st *graph_node_in(const struct CUgraph_st *g,
				     const struct CUgraphNode_st *n);
void graph_node_wait(struct CUgraphNode_st *n, struct CUgraphNode_st *before);
/* Adds a node that a program makes; NULL: the graph is none, or what the node
 * waits for is not in it. */
struct CUgraphNode_st *graph_node_by_hand(cudaGraphNode_t *to,
					  cudaGraph_t graph,
					  const cudaGraphNode_t *after,
					  size_t count, enum node_kind kind,
					  struct place at);
/* Copies a kernel's arguments, in registers and on the stack. */
void graph_call_keep(struct stub_call *to, const struct stub_call *from,
		     const struct program_kernel *k, struct place at);

/* ---- runtime_capture.c ---- */

/* Returns the graph whose nodes captured work becomes; NULL: nothing is
 * captured. */
struct CUgraph_st *graph_captured(void);
/* Adds a node to it: work of a stream that is captured. */
struct CUgraphNode_st *graph_node_capture(enum node_kind kind, cudaStream_t s,
					  struct place at);

/* ---- graph_memory.c: what graphs allocate and free ---- */

/* Returns whether a graph allocates or frees memory. */
bool graph_has_memory(const struct CUgraph_st *g);
/* Checks that what a graph allocates is free; frees it, where the graph does
 * that. A cudaError_t. */
int graph_memory_begin(const struct CUgraph_st *g);
int graph_memory_do(const struct CUgraphNode_st *n);

/* ---- graph_condition.c ---- */

/* Gives each condition that has one its default value. */
void graph_conditions_begin(const struct CUgraph_st *g);
/* Copies the bodies of a node that is a copy. */
void graph_condition_copy(struct CUgraphNode_st *n, bool executable);
int graph_condition_do(const struct CUgraphNode_st *n, cudaStream_t s);

#endif
