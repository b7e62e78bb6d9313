/*
 * asm_fuse_parts: what asm_fuse.c finds in a function and asm_fuse_write.c
 * writes.
 */
#ifndef EMU_MODULE_ASM_FUSE_PARTS_H
#define EMU_MODULE_ASM_FUSE_PARTS_H

#include "emu/module/asm_lines.h"

#define REGISTERS 16
#define NONE UINT32_MAX

struct asm_value {
	bool wide; /* double */
	bool product, negated;
	uint32_t plain; /* the value that it is the negative of, or itself */
	/* Of a product: its multiplication, the plain values of its factors,
	 * and the first product of the same ones, which has the uses of all. */
	size_t line;
	uint32_t factor[2], first;
	uint32_t sums, others; /* uses by sums, and by anything else */
	uint32_t block;	       /* of its first use; 0: none */
	int32_t kept; /* where its factors are, from %rbp; 0: not kept */
};

struct asm_sum {
	size_t line;
	uint32_t to, from; /* products that its operands hold, or NONE */
	bool wide, minus;
};

struct asm_function {
	struct asm_lines *lines;
	size_t begin, end; /* of its lines */
	struct asm_value *values;
	size_t value_count, value_capacity;
	struct asm_sum *sums;
	size_t sum_count, sum_capacity;
	uint32_t in_register[REGISTERS]; /* values, or NONE */
	bool unread[REGISTERS];		 /* since it was written */
	/* Of each byte of the frame, by its distance below %rbp. */
	uint32_t *in_frame; /* the value, or NONE */
	uint32_t *written;  /* the last block that wrote it */
	uint8_t *writes;    /* 0, 1, or 2 for more */
	bool *outlives;	    /* some block reads it that has not written it */
	uint32_t block;	    /* counted from 1 */
	/* Of each line: the furthest line that the lines before it jump to. */
	size_t *reached;
	int32_t frame; /* bytes below %rbp in use; 0: unknown */
};

/* Returns the line "subq $N, %rsp" of a function's prologue, with N in *bytes
 * and how many registers are pushed before it; 0: it has no such prologue. */
size_t asm_find_prologue(const struct asm_function *f, int32_t *bytes,
			 int32_t *pushes);
/* Chooses the products that are fused, writes them and their sums, and grows
 * the frame of `bytes` bytes. */
void asm_write_function(struct asm_function *f, size_t prologue, int32_t bytes);

#endif
