/*
 * ptx_flow: the registers of a function, and the array or parameter from which
 * the address in each is derived.
 */
#ifndef GPU_PTX_PTX_FLOW_H
#define GPU_PTX_PTX_FLOW_H

#include "base/map.h"
#include "gpu/ptx/ptx_text.h"

struct ptx_decl {
	uint32_t name;
	uint32_t shadowed;	/* the previous declaration of that name */
	uint64_t count;		/* registers in %r<count>; 0: a single one */
	int bytes;		/* 0: predicate */
};

/* The declarations in scope while a function's statements are read in order.
 * Each function's declarations are numbered from 0. */
struct ptx_registers {
	struct ptx_text *t;
	struct ptx_decl *decls;
	size_t count, capacity;
	uint32_t *live;			/* a stack of declarations in scope */
	size_t live_count, live_capacity;
	uint32_t *scopes;		/* live_count at each open brace */
	size_t depth, depth_capacity;
};

struct ptx_register {
	uint32_t decl, number;
	int bytes;			/* 0: predicate */
};

/* Starts a function at its head; r->t must be set, the rest 0 the first
 * time. */
void ptx_registers_start(struct ptx_registers *r,
			 const struct ptx_statement *head);
/* Updates the registers in scope; to be called with each statement of the
 * body. */
void ptx_registers_step(struct ptx_registers *r,
			const struct ptx_statement *s);
bool ptx_registers_find(const struct ptx_registers *r, uint32_t token,
			struct ptx_register *found);
void ptx_registers_done(struct ptx_registers *r);

/* What an address derives from: exactly one symbol or one parameter. */
struct ptx_origin {
	uint32_t symbol, param;		/* PTX_NONE: not from one */
};

struct ptx_flow {
	struct ptx_registers *r;
	uint32_t function;
	struct map registers;
	uint32_t *origins;		/* by register number */
	size_t origin_capacity;
	struct flow_move *moves;
	size_t move_count, move_capacity;
};

/* Analyses the body of function number `function`. A register that receives
 * addresses of two arrays derives from neither. */
void ptx_flow_init(struct ptx_flow *f, struct ptx_registers *r,
		   const struct ptx_statement *head,
		   const struct ptx_statement *end, uint32_t function);
/* Returns the origin of an operand, which may be an address in brackets. */
struct ptx_origin ptx_flow_origin(const struct ptx_flow *f,
				  struct ptx_operand o);
void ptx_flow_done(struct ptx_flow *f);

#endif
