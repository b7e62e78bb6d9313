/*
 * compile: the host's C++ compiler makes a shared object of a kernel's text.
 */
#ifndef EMU_COMPILE_H
#define EMU_COMPILE_H

#include "base/base.h"
#include "trace/trace.h"

/*
 * The open descriptor of the object; `name` is the file that the text is said
 * to be in messages. -1 with e; EXIT_INPUT: the compiler's first error, with
 * its line. Everything temporary is gone when it returns, and also when this
 * process is killed meanwhile.
 */
int compile_text(const char *name, const char *text, size_t length,
		 const struct trace_define *defines, size_t define_count,
		 struct error *e);

#endif
