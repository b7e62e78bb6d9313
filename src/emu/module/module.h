/*
 * module: a kernel's text as machine code that records itself: a shared object,
 * built in advance or compiled now, and loaded into this process.
 */
#ifndef EMU_MODULE_MODULE_H
#define EMU_MODULE_MODULE_H

#include <sys/types.h>

#include "base/base.h"
#include "emu/module/compile.h"
#include "trace/trace.h"
#include "record/debug.h"
#include "record/strip_host.h"

struct module {
	void *handle;
	struct debug *debug;
	uintptr_t load;			/* address it is loaded at */
	uintptr_t text;			/* start of its code */
	size_t text_bytes;
	size_t bytes;			/* of all of it, from load on */
	unsigned long tls;	/* its number for __tls_get_addr(), and what */
	size_t tls_bytes;	/* its variables take there */
	const void *tls_was;	/* what is in them at first, and how much; */
	size_t tls_was_bytes;	/* the rest is 0 */
	uintptr_t init;		/* what is called when it is loaded: where, */
	size_t init_count;	/* and how many */
	/* Its variables' contents before any launch. */
	struct module_data { void *at, *was; size_t bytes; } *data;
	size_t data_count, data_capacity;
	struct job_defines left_out;	/* headers: see compile.h */
};

/* Opens a shared object that was built in advance; NULL with e. */
struct module *module_open(const char *path, struct error *e);
/* Compiles and loads a module: see compile_text(). `ready` is called after it
 * is compiled, before any of it is loaded; -1 with e: it must not be loaded.
 * NULL: nothing is called. */
typedef int module_ready(const void *ctx, struct error *e);
struct module *module_compile(const struct compile_job *job,
			      module_ready *ready, const void *ctx,
			      struct error *e);
/* Begins to compile a job in a process of its own, for the store: later,
 * module_compile() finds it there, after module_compile_await() with what this
 * returned. 0: it could not begin, or is not needed. */
pid_t module_compile_ahead(const struct compile_job *job);
void module_compile_await(pid_t pid);
/* Runs the module's constructors, which are the first of its code to run. Call
 * once. */
void module_initialize(struct module *m);
/* Runs the module's constructors, and keeps what its variables hold then. */
void module_construct(struct module *m);
/* Resets the module's variables to what they were when it was loaded. */
void module_renew(struct module *m);

/* The most threads of a block, and blocks of a cluster, that every GPU runs. */
#define BLOCK_THREADS_MAX 1024
#define CLUSTER_MOST 8

/* What a program's kernels are aligned to, and nothing else: bytes; a kernel with
 * __cluster_dims__ to 16 << the blocks of a cluster (cuda/cuda_words.h). */
#define KERNEL_ALIGNMENT 32u

/* Returns the blocks per cluster, along x, by the kernel's own
 * __cluster_dims__; 1 if it has none, 0 with e (EXIT_USAGE) if the recorder
 * does not understand them. */
uint32_t module_cluster(const struct debug_function *entry, struct error *e);
/* Returns the blocks per cluster for clusters with these dimensions; 0 with e
 * likewise. */
uint32_t cluster_along_x(const struct debug_function *entry,
			 const struct trace_dim *d, struct error *e);

/* Finds the kernel's function; entry NULL: the only one. `text` is the text
 * that it was compiled from; empty for a kernel of the table. */
const struct debug_function *module_entry(const struct module *m,
					  const struct strip_host_text *text,
					  const char *entry, struct error *e);
/* Returns the code to append to a text to instantiate the template that the
 * entry names ("mm<float, 16>"); to be free()d. */
char *module_instance(const char *entry);

#endif
