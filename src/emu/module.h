/*
 * module: a kernel's text as machine code that records itself: a shared
 * object, built beforehand or compiled now, loaded into this process.
 */
#ifndef EMU_MODULE_H
#define EMU_MODULE_H

#include "base/base.h"
#include "trace/trace.h"
#include "record/debug.h"
#include "record/strip_host.h"

struct module {
	void *handle;
	struct debug *debug;
	uintptr_t load;			/* address it is loaded at */
	uintptr_t text;			/* its code, and how much */
	size_t text_bytes;
	/* What its variables are before any launch. */
	struct module_data { void *at, *was; size_t bytes; } *data;
	size_t data_count, data_capacity;
	/* Code of kernels with __cluster_dims__(), and what is in those
	 * parentheses. */
	struct module_cluster { uint64_t low, high; char dims[80]; } *clusters;
	size_t cluster_count, cluster_capacity;
};

/* A file built beforehand; NULL with e. */
struct module *module_open(const char *path, struct error *e);
/* Compiled from `text` with definitions: see compile_text(). */
struct module *module_compile(const char *name, const char *text,
			      size_t length,
			      const struct trace_define *defines,
			      size_t define_count, struct error *e);
void module_free(struct module *m);
/* Its variables are again as when it was loaded. */
void module_renew(struct module *m);

/* Blocks of a cluster, along x, by the kernel's own words; 1 without any, 0
 * with e (EXIT_USAGE) where the recorder does not understand them. */
uint32_t module_cluster(const struct module *m,
			const struct debug_function *entry, struct error *e);

/* The kernel's function; NULL entry: the only one there can be. `text` is the
 * text it is from; of one of the table's, empty. */
const struct debug_function *module_entry(const struct module *m,
					  const struct strip_host_text *text,
					  const char *entry, struct error *e);
/* What a text needs behind it for the instance of a template that the entry
 * names ("mm<float, 16>"): to be free()d. */
char *module_instance(const char *entry);

#endif
