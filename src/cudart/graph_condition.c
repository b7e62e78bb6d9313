/*
 * graph_condition: graph nodes whose bodies run once, repeatedly or not at all,
 * depending on a value that a kernel sets (CUDA programming guide, "Conditional
 * Graph Nodes").
 */
#include <string.h>

#include "cudart/runtime_graph.h"

/* All conditions; handle n is the one at n - 1. */
static struct condition {
	unsigned int value, first;
	bool has_first;		/* a launch begins with value = first */
} *conditions;
static size_t count, capacity;

static struct condition *condition_of(cudaGraphConditionalHandle handle)
{
	return handle - 1 < count ? &conditions[handle - 1] : NULL;
}

cudaError_t
cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *to,
				 cudaGraph_t graph, unsigned int value,
				 unsigned int flags, const char *file,
				 int line);
cudaError_t
cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *to,
				 cudaGraph_t graph, unsigned int value,
				 unsigned int flags, const char *file, int line)
{
	bool good = graph_of(graph, false) &&
		    !(flags & ~(unsigned)cudaGraphCondAssignDefault);

	*to = 0;
	if (good) {
		grow(&conditions, &capacity, count + 1, sizeof(*conditions));
		conditions[count++] = (struct condition) {
			.value = value, .first = value, .has_first = flags };
		*to = count;
	}
	return runtime_done(good ? 0 : cudaErrorInvalidValue,
			    "cudaGraphConditionalHandleCreate", file, line);
}

void gemmviz_set_condition(unsigned long long handle, unsigned int value);
/* Sets a condition's value from a kernel. Blocks that run in several processes
 * run in order from here on. */
void gemmviz_set_condition(unsigned long long handle, unsigned int value)
{
	struct condition *c = condition_of(handle);

	emu_in_order();
	if (!c)
		program_stop(program.config.at, "cudaGraphSetConditional() "
			     "gets a handle that belongs to no graph");
	c->value = value;
}

void graph_conditions_begin(const struct CUgraph_st *g)
{
	for (size_t i = 0; g && i < g->count; i++) {
		const struct CUgraphNode_st *n = g->nodes[i];
		struct condition *c = condition_of(n->condition);

		if (n->kind == NODE_CONDITION && c->has_first)
			c->value = c->first;
		for (size_t b = 0; b < n->body_count; b++)
			graph_conditions_begin(n->bodies[b]);
		graph_conditions_begin(n->child);
	}
}

void graph_condition_copy(struct CUgraphNode_st *n, bool executable)
{
	struct CUgraph_st **of = n->bodies;

	if (n->kind != NODE_CONDITION)
		return;
	n->bodies = xcalloc(n->body_count, sizeof(*n->bodies));
	for (size_t i = 0; i < n->body_count; i++)
		n->bodies[i] = graph_copy(of[i], executable);
}

/* Runs the body of a while node until its value is 0, or the program's time is
 * over. */
static int run_while_node(const struct CUgraphNode_st *n, cudaStream_t s)
{
	int error = 0;

	program.whiles++;
	while (!error && condition_of(n->condition)->value) {
		error = graph_do(n->bodies[0], s);
		if (!error && seconds_now() > program.deadline) {
			program_problem(program_fault("cut", n->at, ""));
			error = cudaErrorLaunchTimeout;
		}
	}
	program.whiles--;
	return error;
}

int graph_condition_do(const struct CUgraphNode_st *n, cudaStream_t s)
{
	unsigned int value = condition_of(n->condition)->value;

	switch (n->type) {
	case cudaGraphCondTypeIf:
		return value ? graph_do(n->bodies[0], s) :
		       n->body_count > 1 ? graph_do(n->bodies[1], s) : 0;
	case cudaGraphCondTypeWhile:
		return run_while_node(n, s);
	case cudaGraphCondTypeSwitch:
		return value < n->body_count ? graph_do(n->bodies[value], s) :
					       0;
	}
	return 0;
}

cudaError_t gemmviz_graph_condition(cudaGraphNode_t *to, cudaGraph_t graph,
				    const cudaGraphNode_t *after,
				    size_t after_count,
				    struct cudaConditionalNodeParams *p,
				    const char *file, int line);
/* Adds a conditional node to a graph and creates its bodies: one for while, one
 * or two for if (then, else), any number for switch. */
cudaError_t gemmviz_graph_condition(cudaGraphNode_t *to, cudaGraph_t graph,
				    const cudaGraphNode_t *after,
				    size_t after_count,
				    struct cudaConditionalNodeParams *p,
				    const char *file, int line)
{
	unsigned int most = p->type == cudaGraphCondTypeIf ? 2 :
			    p->type == cudaGraphCondTypeWhile ? 1 : UINT32_MAX;
	struct CUgraphNode_st *n = NULL;

	if (condition_of(p->handle) && p->size >= 1 && p->size <= most)
		n = graph_node_by_hand(to, graph, after, after_count,
				       NODE_CONDITION,
				       program_place(file, line));
	if (n) {
		n->type = p->type;
		n->condition = p->handle;
		n->body_count = p->size;
		n->bodies = xcalloc(p->size, sizeof(*n->bodies));
		for (size_t i = 0; i < p->size; i++) {
			n->bodies[i] = graph_new(false);
			n->bodies[i]->body = true;
		}
		p->phGraph_out = n->bodies;
	}
	return runtime_done(n ? 0 : cudaErrorInvalidValue, "cudaGraphAddNode",
			    file, line);
}
