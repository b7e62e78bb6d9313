/*
 * embedded_source: finds CUDA text in the strings of a Python file, or in the
 * cells of a notebook, without executing any of it.
 */
#ifndef PROTOCOL_EMBEDDED_SOURCE_H
#define PROTOCOL_EMBEDDED_SOURCE_H

#include <stdbool.h>

#include "base/base.h"

/* The most bytes of a notebook, whose outputs are in it. */
#define NOTEBOOK_MOST (32u << 20)

/* Tests for the name of a notebook. */
bool embedded_is_notebook(const char *file);

struct embedded_source {
	char *text;	/* lines have the numbers that they have in the file */
	char *file;	/* its name; of a notebook "FILE:cell 3" */
	char *entry;	/* the kernel, or NULL */
};

/*
 * Finds the string with the kernel `entry`, or the only string with kernels if
 * entry is NULL. "NAME@N" is the kernel at line N of a Python file or in cell N
 * of a notebook, "@N" is without a name. A cell that begins with %%cu or
 * %%writefile F.cu is CUDA text itself. Cells are counted from 1, and those
 * with text count. Returns -1 with e, which lists the kernels if there are
 * several; embedded_source_done() must follow in either case.
 */
int embedded_source_find(struct embedded_source *s, const char *file,
			 const char *text, const char *entry, struct error *e);
void embedded_source_done(struct embedded_source *s);

#endif
