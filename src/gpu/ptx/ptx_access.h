/*
 * ptx_access: records the memory accesses of instructions as calls of the
 * recording code; shared by ptx_access.c, ptx_value.c and ptx_wmma.c.
 */
#ifndef GPU_PTX_PTX_ACCESS_H
#define GPU_PTX_PTX_ACCESS_H

#include "gpu/ptx/ptx_job.h"

/* One access of an instruction, as it is recorded. */
struct ptx_access {
	enum ptx_event event;
	enum ptx_space space;
	uint32_t bytes;
	const struct ptx_operand *address;
	const char *extra;		/* code that changes %gemmviz_a or _s */
	/* bytes accessed, if not `bytes`; or the flags of PTX_RULE */
	const char *size;
	uint32_t how;			/* RECORD_FETCH, RECORD_SAME */
};

/* A register or constant of which some bytes are part of an access's value. */
struct ptx_element {
	struct ptx_operand operand;
	unsigned int shift;		/* bits below those bytes */
};

#define PTX_ELEMENTS 8

struct ptx_value {
	struct ptx_element element[PTX_ELEMENTS];
	size_t count;			/* 0: no value */
	unsigned int bytes;		/* of each */
};

/* Return -1 with e: PTX that is not recorded; PTX that is malformed or not
 * known. */
int ptx_refuse(const struct ptx_job *j, const struct ptx_instruction *in);
int ptx_malformed(const struct ptx_job *j, const struct ptx_instruction *in);

bool ptx_is_address(const struct ptx_job *j, const struct ptx_instruction *in,
		    size_t operand);
/* Finds the memory space of an instruction; false for one that is not
 * recorded. */
bool ptx_space_parse(const struct ptx_instruction *in, enum ptx_space *space);
/* Adds a call of gemmviz_access() or gemmviz_rule(); returns the site's number,
 * or -1. */
int64_t ptx_access_add(struct ptx_job *j, const struct ptx_instruction *in,
		       const struct ptx_access *a);

/* ptx_value.c */

/* Returns the value of an operand: a register or a constant, or all of {a, b};
 * count is 0 for anything else. */
struct ptx_value ptx_value_of(const struct ptx_job *j, struct ptx_operand o,
			      unsigned int bytes);
/* Adds code that records the value of the event that is `back` events before
 * the thread's newest. */
void ptx_value_add(const struct ptx_job *j, struct str *out,
		   const struct ptx_instruction *in, uint32_t site,
		   uint32_t back, const struct ptx_value *v);
/* Returns the part of a wide vector that one event holds. */
struct ptx_value ptx_value_part(const struct ptx_value *v, size_t first,
				size_t count);

/* Records wmma.load and wmma.store (ptx_wmma.c). */
int ptx_wmma(struct ptx_job *j, const struct ptx_instruction *in, bool store);

#endif
