/*
 * ptx: inserts recording code into a kernel's PTX.
 *
 * The text is what nvcc or NVRTC generated from an unmodified kernel:
 * unoptimized with debug information (-G), which names the arrays and their
 * dimensions, or optimized with line numbers (-lineinfo). A call of one of the
 * functions of src/gpu/ptx/record.cu is inserted before each instruction that
 * accesses global, shared or local memory, at each barrier of the block or of a
 * warp, at each label and around each call; the PTX of these functions is put
 * in front. Debug sections are removed from the result and returned as bytes,
 * for libdw. Global variables become visible, so that the driver finds each by
 * its name.
 *
 * This is a pure function from text to text; it needs no GPU and no CUDA
 * library.
 */
#ifndef GPU_PTX_PTX_H
#define GPU_PTX_PTX_H

#include "base/base.h"

/*
 * What an event means. One instruction may have several sites: atom and red
 * have a load and a store; ld and st of 32 bytes have two of 16; cp.async.ca
 * and .cg have a load from global and a store to shared memory (the load only
 * in lanes that read any of the bytes, and of as many as they read); ldmatrix
 * and stmatrix have one, for the rows whose addresses the lanes give; wmma.load
 * and wmma.store have one for each piece of a lane's fragment that is
 * contiguous in memory.
 *
 * If the members of a structure that a function returned are stored one by one,
 * they are recorded as stores as wide as the loads of what was returned: those
 * are what its alignment allows.
 *
 * wmma is supported for the shapes and types that fragment.h knows, in the
 * layouts of sm_80 and newer; other shapes and types are refused, and so are
 * ldmatrix and stmatrix other than m8n8.
 */
enum ptx_event {
	PTX_LOAD,	/* bytes at the address are read */
	PTX_STORE,
	PTX_BARRIER,	/* of the whole block: without a count of threads */
	PTX_SYNC,	/* bar.warp.sync; address: the lanes it waits for */
	PTX_FENCE,	/* membar or fence, of the GPU or the system; also
			   that of .release in an access */
	PTX_LABEL,	/* a basic block begins: something jumps here */
	PTX_CALL,	/* a function is about to be called */
	PTX_RETURN,	/* it has returned */
	PTX_FRAME,	/* address: where the function's local variables
			   (__local_depot) begin, in the local space */
	PTX_PLACE,	/* address: where the .shared `symbol` begins; at the
			   start of each function that names it */
	PTX_ROWS,	/* all lanes are at a stmatrix, before the PTX_STORE
			   of those that give a row; value: the registers,
			   of which other lanes' rows are made */
	PTX_RULE,	/* wmma.load or wmma.store; recorded only where its
			   rule for memory is broken: flags say how */
	/* No event has it: memory is accessed here but not recorded (bulk and
	 * tensor copies, wgmma, tcgen05, textures, another block's shared
	 * memory, st.async, red.async, multimem). */
	PTX_UNSEEN,
};

enum ptx_space { PTX_GENERIC, PTX_GLOBAL, PTX_SHARED, PTX_LOCAL };

/* A site: a place in the code where an event is recorded. */
struct ptx_site {
	enum ptx_event event;
	/* as given by the instruction, or by the variable that it names */
	enum ptx_space space;
	bool atomic;		/* of atom or red */
	bool compares;		/* the store of atom.cas */
	bool strong;		/* of ld.volatile, st.release, ... */
	bool matrix;		/* of ldmatrix or stmatrix */
	bool transposed;	/* of stmatrix.trans: PTX_ROWS */
	uint32_t bytes;		/* bytes per lane: 1, 2, 4, 8 or 16; else 0 */
	uint32_t function;	/* index of the function it is in */
	uint32_t called;	/* PTX_CALL: index of the function called, or
				   UINT32_MAX */
	/* From the preceding .loc; for inlined code, that of the outermost
	 * caller. file 0: none. */
	uint32_t file;
	uint32_t line, column;
	/* The .shared or .global symbol that the address derives from, if the
	 * function's code shows that it can be no other; else NULL. */
	const char *symbol;
	/* Likewise the entry's parameter, from 0; NA: none or unknown. */
	int param;
	uint32_t order;		/* position among the module's instructions
				   and sites: each has one of its own */
};

struct ptx_symbol {
	const char *name;
	enum ptx_space space;	/* PTX_SHARED or PTX_GLOBAL */
	/* function that declares it; UINT32_MAX: none */
	uint32_t function;
	uint64_t bytes;		/* 0: extern; the launch gives the size */
	uint32_t align;
};

struct ptx_function {
	const char *name;	/* mangled */
	bool entry;
	uint32_t depot_bytes;	/* bytes of its local variables */
	char depot[32];		/* "__local_depot3"; "" if there is none */
};

struct ptx_file {
	uint32_t index;
	const char *path;
};

/* A debug section: its bytes, and where addresses of symbols must be filled in.
 * A label inside a section is given as that section and an offset. */
struct ptx_section {
	const char *name;		/* ".debug_info" */
	uint8_t *bytes;
	size_t length;
	struct ptx_reference {
		size_t at;	/* offset of 8 bytes, or of 4 if not wide */
		bool wide;
		/* a variable, a code label, a parameter, or (if it starts with
		 * ".") a section */
		const char *symbol;
		uint64_t add;
	} *references;
	size_t reference_count;
};

struct ptx {
	char *text;			/* the instrumented module */
	struct ptx_site *sites;	/* by the site number that an event carries */
	size_t site_count;
	struct ptx_symbol *symbols;
	size_t symbol_count;
	struct ptx_function *functions;
	size_t function_count;
	struct ptx_file *files;
	size_t file_count;
	struct ptx_section *sections;
	size_t section_count;
	void *own;	/* ptx.c's: memory that the members point to */
};

/* Instruments a module; `recorder` is the PTX of src/gpu/ptx/record.cu. NULL
 * with e, which names the line in the text: EXIT_INPUT, or EXIT_RUNNER for code
 * that is valid but cannot be recorded. Never crashes, whatever the text. */
struct ptx *ptx_instrument(const char *text, size_t length,
			   const char *recorder, struct error *e);
/*
 * Returns the text without debug sections, line numbers and ", debug", and with
 * the memory space written out in each load and store where it is evident. It
 * is for launches whose accesses the hardware counts. Heap; NULL with e.
 */
char *ptx_plain(const char *text, size_t length, struct error *e);
void ptx_free(struct ptx *p);

#endif
