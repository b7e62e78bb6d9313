/*
 * ptx: puts recording code into a kernel's PTX.
 *
 * The text is what nvcc or NVRTC made of an unmodified kernel: unoptimized
 * with debug information (-G), which names the arrays and their dimensions, or
 * optimized with line numbers (-lineinfo). Before each instruction that
 * touches global, shared or local memory, at each barrier of the block or of a
 * warp, at each label and around each call, a call of one of the functions of
 * src/gpu/ptx/record.cu is inserted; their PTX is put in front. Debug sections
 * are taken out of the result and handed over as bytes, for libdw. Global
 * variables become visible, so that the driver finds each by its name.
 *
 * Pure text to text: no GPU and no CUDA library is needed.
 */
#ifndef GPU_PTX_PTX_H
#define GPU_PTX_PTX_H

#include "base/base.h"

/*
 * What an event says. One instruction may have several sites: atom and red a
 * load and a store; ld and st of 32 bytes two of 16; cp.async.ca and .cg a
 * load from global and a store to shared memory, the load by the lanes that
 * read any of the bytes, and with as many as they read; ldmatrix and stmatrix
 * one, of the rows that the lanes give the addresses of; wmma.load and
 * wmma.store one for each piece of a lane's fragment that is together in
 * memory.
 *
 * What a function returned, and is stored member by member, is one store of
 * the structure, where a store may be as wide.
 *
 * wmma: what fragment.h knows, in the layouts of sm_80 and newer; other shapes
 * and types are refused, and so are ldmatrix and stmatrix other than m8n8.
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
	PTX_UNSEEN,	/* no event carries it: memory is touched here, but
			   not recorded (bulk and tensor copies, wgmma,
			   tcgen05, textures, another block's shared memory,
			   st.async, red.async, multimem) */
};

enum ptx_space { PTX_GENERIC, PTX_GLOBAL, PTX_SHARED, PTX_LOCAL };

/* A place where an event is recorded. */
struct ptx_site {
	enum ptx_event event;
	enum ptx_space space;	/* as the instruction, or the variable that
				   it names, says */
	bool atomic;		/* of atom or red */
	bool strong;		/* of ld.volatile, st.release, ... */
	bool matrix;		/* of ldmatrix or stmatrix */
	bool transposed;	/* of stmatrix.trans: PTX_ROWS */
	uint32_t bytes;		/* per lane: 1, 2, 4, 8 or 16; else 0 */
	uint32_t function;	/* index of the function it is in */
	uint32_t called;	/* PTX_CALL: index of the function called, or
				   UINT32_MAX */
	/* Of the .loc before it, of what was inlined the outermost caller's;
	 * file 0: none. */
	uint32_t file;
	uint32_t line, column;
	/* The .shared or .global symbol that the address was made from, where
	 * the function shows that it can be no other, else NULL. */
	const char *symbol;
	/* Likewise: the entry's parameter, from 0; NA: none or unknown. */
	int param;
	uint32_t order;		/* position among the module's instructions
				   and sites: each has one of its own */
};

struct ptx_symbol {
	const char *name;
	enum ptx_space space;	/* PTX_SHARED or PTX_GLOBAL */
	uint32_t function;	/* where it is declared; UINT32_MAX: outside */
	uint64_t bytes;		/* 0: extern, its size comes at the launch */
	uint32_t align;
};

struct ptx_function {
	const char *name;	/* mangled */
	bool entry;
	uint32_t depot_bytes;	/* of its local variables */
	char depot[32];		/* "__local_depot3", "" without */
};

struct ptx_file {
	uint32_t index;
	const char *path;
};

/* A debug section, its bytes, and where the address of a symbol is to be
 * put. A label inside a section is that section and its place there. */
struct ptx_section {
	const char *name;		/* ".debug_info" */
	uint8_t *bytes;
	size_t length;
	struct ptx_reference {
		size_t at;		/* 8 bytes, or 4 where wide is false */
		bool wide;
		const char *symbol;	/* a variable, a label of the code, a
					   parameter, or (".") a section */
		uint64_t add;
	} *references;
	size_t reference_count;
};

struct ptx {
	char *text;			/* the instrumented module */
	struct ptx_site *sites;		/* the number an event carries */
	size_t site_count;
	struct ptx_symbol *symbols;
	size_t symbol_count;
	struct ptx_function *functions;
	size_t function_count;
	struct ptx_file *files;
	size_t file_count;
	struct ptx_section *sections;
	size_t section_count;
	void *own;			/* of ptx.c: what is pointed to */
};

/*
 * `recorder` is the PTX of src/gpu/ptx/record.cu. NULL with e (EXIT_INPUT, or
 * EXIT_RUNNER for what a kernel may hold but cannot be recorded) with the
 * line in the text; never crashes on any text.
 */
struct ptx *ptx_instrument(const char *text, size_t length,
			   const char *recorder, struct error *e);
/* The text without debug sections, lines and ", debug", and with the space
 * of each load and store that shows it, for what the hardware counts: to be
 * loaded as it is. On the heap; NULL with e. */
char *ptx_plain(const char *text, size_t length, struct error *e);
void ptx_free(struct ptx *p);

#endif
