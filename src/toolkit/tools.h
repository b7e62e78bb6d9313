/*
 * tools: where NVIDIA's tools may be: a toolkit, or the packages of Python,
 * which need neither root nor a GPU. They are looked for in $CUDA_HOME; a
 * program next to the NVRTC that was loaded and in PATH, a library where the
 * loader finds it; in the usual folders of a toolkit, in the entries of
 * $PYTHONPATH, in the site-packages of $VIRTUAL_ENV, of the python3 in PATH and
 * of the user. In each place the newer version of a library comes first.
 */
#ifndef TOOLKIT_TOOLS_H
#define TOOLKIT_TOOLS_H

#include "base/base.h"

struct tool_paths {
	char **list;
	size_t count, capacity;
};
void tool_paths_done(struct tool_paths *p);

/* List files that exist, and names that the loader may find, in their order. */
struct tool_paths tools_nvrtc(void);
struct tool_paths tools_nvjitlink(void);
/* Finds nvdisasm, which a toolkit may lack. Returns its path, links resolved
 * (heap), or NULL. */
char *tools_nvdisasm(void);

#endif
