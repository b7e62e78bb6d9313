/*
 * nccl: NCCL's communicators and calls (cuda/gemmviz_nccl.h), played on the
 * host's memory: a collective is done as soon as all its ranks have called it,
 * a message as soon as it is sent and received. If the host waits for something
 * that is never done, the program ends here, as it would hang on GPUs.
 *
 * By NCCL's documentation ("Group Calls") a call may block until all ranks have
 * called, so that a thread's calls of several ranks belong in a group.
 */
#ifndef CUDART_LIBS_NCCL_H
#define CUDART_LIBS_NCCL_H

#include <gemmviz_nccl.h>

#include "cudart/program.h"
#include "cudart/stream_order.h"

/* The ranks that were made together. */
struct nccl_clique {
	struct ncclComm **ranks;
	uint32_t count, there;	/* ranks, and those that have come */
	uint64_t id;		/* of ncclGetUniqueId(); 0: none */
};

struct ncclComm {
	struct nccl_clique *of;
	uint32_t rank, device;
	bool live;
	struct place made;
	/* The arguments of ncclCommSplit(), until all ranks have called it. */
	struct nccl_split {
		bool asked;
		int color, key;
		struct ncclComm *to;
	} split;
};

/* A call of one rank. */
struct nccl_posted {
	struct gemmviz_nccl as;
	struct place at;
	/* Its work has a number in its stream, though not all ranks had called
	 * then: those that had not, "1, 3". */
	bool begun;
	char waited[64];
	bool stuck;		/* others ask for something else */
	struct stream_work work;
};

/* Finds the communicator of a handle (nccl.c); NULL: it is none, which is
 * reported. */
struct ncclComm *nccl_comm(ncclComm_t handle, const char *what,
			   struct place at);
/* Returns the name of a call in the program's text. */
const char *nccl_call_name(enum gemmviz_nccl_call call);
/* Finishes whatever waits for all ranks to come, where they have. False: some
 * have not. */
bool nccl_comms_complete(void);

/* Reports an error of the host's (nccl_post.c), at ... */
void nccl_problem(const char *kind, struct place at, const char *word,
		  const char *name, uint64_t a, uint64_t b);
/* Returns whether a group is open, in which calls are only collected. */
bool nccl_in_group(void);
/* Ends the program if calls still wait in a communicator that ends. */
void nccl_comm_ends(const struct ncclComm *c);

/* Performs a collective, by rank, or a message, which ranks[0] sends and
 * ranks[1] receives (nccl_do.c). */
void nccl_do(struct nccl_posted *const *ranks, uint32_t count);
/* Returns whether a communicator has this reduction. */
bool nccl_op_known(int op, const struct ncclComm *comm);

#endif
