/*
 * ptx_access: what an instruction does to memory, as calls of the recorder;
 * shared by ptx_access.c, ptx_value.c and ptx_wmma.c.
 */
#ifndef GPU_PTX_PTX_ACCESS_H
#define GPU_PTX_PTX_ACCESS_H

#include "gpu/ptx/ptx_job.h"

/* What is said of one access of an instruction. */
struct ptx_access {
	enum ptx_event event;
	enum ptx_space space;
	uint32_t bytes;
	const struct ptx_operand *address;
	const char *extra;		/* code that changes %gemmviz_a or _s */
	const char *size;		/* bytes touched, where not `bytes`;
					   flags of PTX_RULE */
	uint32_t how;			/* RECORD_FETCH, RECORD_SAME */
};

/* A register or constant of which some bytes are an access's value. */
struct ptx_element {
	struct ptx_operand operand;
	unsigned int shift;		/* bits below them */
};

#define PTX_ELEMENTS 8

struct ptx_value {
	struct ptx_element element[PTX_ELEMENTS];
	size_t count;			/* 0: there is none */
	unsigned int bytes;		/* of each */
};

/* -1 with e: what is not recorded; and what is no PTX that is known. */
int ptx_refuse(const struct ptx_job *j, const struct ptx_instruction *in);
int ptx_malformed(const struct ptx_job *j, const struct ptx_instruction *in);

bool ptx_is_address(const struct ptx_job *j, const struct ptx_instruction *in,
		    size_t operand);
/* False: of no space that is recorded. */
bool ptx_space_parse(const struct ptx_instruction *in, enum ptx_space *space);
/* The call of gemmviz_access() or gemmviz_rule(); the site's number, or -1. */
int64_t ptx_access_add(struct ptx_job *j, const struct ptx_instruction *in,
		       const struct ptx_access *a);

/* ptx_value.c */

/* A register or a constant, or all of {a, b}; count 0 for anything else. */
struct ptx_value ptx_value_of(const struct ptx_job *j, struct ptx_operand o,
			      unsigned int bytes);
/* Hands the value in, of the event `back` before the thread's newest. */
void ptx_value_add(const struct ptx_job *j, struct str *out,
		   const struct ptx_instruction *in, uint32_t site,
		   uint32_t back, const struct ptx_value *v);
/* The part of a wide vector that one event holds. */
struct ptx_value ptx_value_part(const struct ptx_value *v, size_t first,
				size_t count);

/* ptx_wmma.c: wmma.load and wmma.store. */
int ptx_wmma(struct ptx_job *j, const struct ptx_instruction *in, bool store);

#endif
