/*
 * program_work: what a program has its devices do, in the order in which it
 * asks for it (trace/device_work.h), for the summary and for the traces of the
 * launches that are recorded. Nothing is listed for a program with one device
 * that uses no collectives.
 */
#ifndef CUDART_PROGRAM_WORK_H
#define CUDART_PROGRAM_WORK_H

#include <jansson.h>

#include "cudart/program.h"
#include "cudart/stream_order.h"
#include "trace/device_work.h"

struct program_works {
	struct trace_work *list;
	const char **file;	/* of each */
	size_t count, capacity, file_capacity;
	uint64_t left_out;	/* beyond WORKS_MOST */
	uint32_t groups;
};
extern struct program_works program_works;

/* Makes work be listed in any case: the program uses a library that is about
 * several devices. */
void work_wanted(void);
/* Adds the kernel whose launch has just run: its product's sizes, where they
 * are known, and, with the recorder's hooks, what it has used of other devices'
 * memory. Returns its number, from 1; 0: it has none. */
uint32_t work_launch(struct stream_work w, const struct launch_config *c,
		     const struct program_kernel *k,
		     const struct stub_call *call, bool hooked);
/* Adds a library's product of `count` matrices. */
void work_product(struct stream_work w, cudaStream_t s, struct place at,
		  const char *what, int m, int n, int k, int count);
/* Adds a copy of bytes by a function of the runtime. */
void work_copy(struct stream_work w, cudaStream_t s, struct place at,
	       const char *what, const void *to, const void *from,
	       uint64_t bytes, enum cudaMemcpyKind kind);
/* Adds a setting of memory by a function of the runtime. */
void work_set(struct stream_work w, cudaStream_t s, struct place at,
	      const char *what);
/* Adds a transfer from one device to another; `into` is where it is put. */
void work_transfer(struct stream_work w, cudaStream_t s, struct place at,
		   const char *what, uint32_t from, uint32_t to,
		   uint64_t bytes, const void *into, uint32_t group);
/* Returns a new number for transfers that belong together. */
uint32_t work_group(void);
/* Sets the members "devices", "links", "works" and "works_left_out" of the
 * summary. */
void work_summary(json_t *summary);

/* Finds the sizes of the product that a call surely computes
 * (program_product.c); false: they are not known. */
bool call_product(const struct program_kernel *k, const struct stub_call *c,
		  struct problem_sizes *size);

#endif
