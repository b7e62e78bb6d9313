/*
 * debug: the debug information of a module: functions with their variables and
 * where these are stored, types, and the line and column of each instruction.
 * Read once, completely, with libdw; addresses are the module's own (add the
 * load address).
 */
#ifndef RECORD_DEBUG_H
#define RECORD_DEBUG_H

#include "base/base.h"
#include "trace/trace.h"

enum debug_kind {
	DEBUG_OTHER,
	DEBUG_INTEGER,		/* also bool, char, enumerations */
	DEBUG_REAL,
	DEBUG_POINTER,		/* also references */
	DEBUG_AGGREGATE,	/* array, structure */
	DEBUG_TENSOR_MAP,	/* tensor_map of src/kernels/ptx.h */
};

/*
 * A type, as far as a trace can express it. A structure whose members all have
 * one type (float4) counts as an array of it; other structures are raw bytes.
 * For a pointer, elem and elem_bytes describe what it points to; for a tensor
 * map its matrix, and dims are the rows and columns of its box.
 */
struct debug_type {
	enum debug_kind kind;
	uint64_t bytes;
	bool is_signed;
	bool is_bool;
	bool to_const;		/* a pointer to const */
	bool to_pointer;
	bool holds_pointers;	/* its elements or members are, or have, some */
	/* A structure in which there is no array: each of its members has a
	 * name, so that it is no array of a thread's, but variables. */
	bool flat;
	enum elem elem;
	uint32_t elem_bytes;
	uint32_t rank;
	uint64_t dims[TRACE_MAX_RANK];
	uint32_t swizzle;	/* of a tensor map, in bytes; 0: none */
	/* What the text calls the structure, or that which a pointer is to; "":
	 * it does not, or at length. */
	char word[40];
};

/* Where a variable is stored. DEBUG_LAUNCH: in dynamic shared memory, whose
 * size the launch gives; the outermost dimension is then 0.
 * DEBUG_FRAME_ADDRESS: the frame holds its address. */
enum debug_home { DEBUG_NOWHERE, DEBUG_FRAME, DEBUG_TLS, DEBUG_DATA,
		  DEBUG_LAUNCH, DEBUG_FRAME_ADDRESS };

struct debug_var {
	char *name;		/* of a member, "shared.full" */
	struct debug_type type;
	enum debug_home home;
	int64_t at;		/* from the frame's CFA, in the TLS block, or
				   the address */
	uint64_t low, high;	/* addresses of the code where it is in scope */
	uint32_t line, column;	/* of its declaration */
	uint32_t align;		/* alignment that it asks for; 0: its type's */
	bool parameter;
	/* For a structure of the module that is not an array of one type, or
	 * for the first structure in dynamic shared memory: its members; their
	 * `at` is relative to its first byte. */
	struct debug_var *members;
	size_t member_count;
	/* For a parameter: the pointers in the structure that it is, or in each
	 * `pointer_stride` bytes of what it points to. A name is what follows
	 * the parameter's: ".rows[2]", or "" for a pointer to pointers. */
	struct debug_pointer {
		char *name;
		uint64_t at;
		struct debug_type type;
	} *pointers;
	size_t pointer_count;
	uint64_t pointer_stride;	/* 0: there are none in it */
};

struct debug_function {
	char *name, *linkage;	/* linkage: what the linker calls it */
	uint64_t low, high;
	bool external, returns;	/* returns: it returns a value */
	bool member;		/* member of a class, so no kernel */
	uint32_t alignment;	/* bytes, as the text has it; or 0 */
	/* Of a function that the compiler made to copy a structure: that one's
	 * alignment; else 0. */
	uint32_t copies;
	int64_t cfa;		/* CFA minus frame pointer, in its body */
	/* Parameters first, in order, then locals, outer scopes first. */
	struct debug_var *vars;
	size_t var_count, var_capacity;
};

struct debug_line {
	uint64_t address;
	uint32_t line, column;
	uint32_t row;		/* the last row at an address holds */
	bool ours;		/* in the kernel's own file */
	const char *file;	/* from the compiler's folder */
};

struct debug {
	struct debug_function *functions;
	size_t function_count, function_capacity;
	const struct debug_function **by_address;	/* all of them */
	/* thread_local and global variables of the module. */
	struct debug_var *vars;
	size_t var_count, var_capacity;
	struct debug_line *lines;	/* by address */
	size_t line_count, line_capacity;
	char **files;		/* all that lines name, once each */
	size_t file_count, file_capacity;
};

/* Reads a module's debug information; fd stays the caller's. */
struct debug *debug_open(int fd, struct error *e);
void debug_free(struct debug *d);

/* Treats the lines of this file, as lines name it, as the kernel's from now
 * on. */
void debug_own(struct debug *d, const char *file);

const struct debug_function *debug_function_at(const struct debug *d,
					       uint64_t address);
/* Finds the line of the instruction that contains this address, or NULL. */
const struct debug_line *debug_line_at(const struct debug *d,
				       uint64_t address);

/* Returns the type t as an array of `bytes`: its outermost dimension becomes as
 * many whole elements as fit. */
struct debug_type debug_sized(const struct debug_type *t, uint64_t bytes);

/* Tests whether a member lies within the structure's `bytes`: the launch may
 * give less memory than its size. */
bool debug_fits(const struct debug_var *member, uint64_t bytes);

/* Returns the word that stands for a variable in the text: for a member its own
 * name, which follows some expression. */
const char *debug_word(const char *name);

/* Tests whether the code at the address is in the variable's scope. */
bool debug_in_scope(const struct debug_var *v, uint64_t address);

#endif
