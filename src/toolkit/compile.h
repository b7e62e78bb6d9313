/*
 * compile: compiles CUDA text while the program runs, with NVRTC: users' own
 * kernels, and values of parameters that were not built beforehand.
 */
#ifndef TOOLKIT_COMPILE_H
#define TOOLKIT_COMPILE_H

#include "protocol/job.h"

enum compile_for {
	COMPILE_TIMED,		/* machine code, optimized, with lines */
	COMPILE_DEBUG,		/* PTX as nvcc -G makes it, for ptx.h */
	COMPILE_NAMES,		/* the same with __shared__ left out: NVRTC
				   describes only other variables */
	COMPILE_OPTIMIZED,	/* PTX, optimized, with lines, for ptx.h */
};

struct compiled {
	char *code;		/* machine code or PTX; a NUL behind it */
	size_t length;
	char *entry;		/* the entry's name in it */
	char *log;		/* what the compiler said; or NULL */
	struct job_defines left_out;	/* headers that are missing */
};

/*
 * Compiles a text with the kernel's headers and definitions; its file's name is
 * used in messages and line numbers. `entry` is named as in the text; major and
 * minor are the GPU's. EXIT_INPUT with the compiler's first error and its line;
 * EXIT_RUNNER if there is no compiler.
 */
int nvrtc_compile(struct compiled *to, enum compile_for what,
		  const struct job_kernel *k, const char *text,
		  const char *entry, int major, int minor, struct error *e);
void compiled_done(struct compiled *c);

/* kernels/ptx.h, which kernels include. */
extern const char toolkit_ptx_header[];

/* The name of `entry` in a module's PTX, mangled or not; heap. NULL: it has no
 * such entry. */
char *compile_entry(const char *ptx, const char *entry);

#endif
