/*
 * compile: compiles a kernel's text to a shared object with the host's C++
 * compiler.
 */
#ifndef EMU_COMPILE_H
#define EMU_COMPILE_H

#include "base/base.h"
#include "trace/trace.h"

/*
 * Returns an open descriptor of the object; `name` is the file name used in
 * messages. -1 with e; EXIT_INPUT: the compiler's first error, with its line.
 * All temporary files are gone when it returns, and also if this process is
 * killed meanwhile.
 */
int compile_text(const char *name, const char *text, size_t length,
		 const struct trace_define *defines, size_t define_count,
		 struct error *e);

#endif
