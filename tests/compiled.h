/* compiled: the machine code of a kernel of ours as tests/machine has it, for
 * tests of what is shown of it where there are no NVIDIA tools. */
#ifndef COMPILED_H
#define COMPILED_H

#include <stdlib.h>

#include "machine/machine.h"

/* Runs tests/machine/NAME.90.sass for a trace of that product; for
 * reader_options.compile, whose ctx is the name. */
static inline int compiled_copy(void *name, size_t recording, struct trace *t,
				struct machine_launch *m, struct error *e)
{
	struct machine_code code = {
		.compiler = xstrdup("nvcc 13.0"), .arch = 90,
		.registers = NA, .spill_stores = NA, .spill_loads = NA,
		.parameter_count = 6, .parameter_bytes = 36,
		.parameters = { { 0, 8 }, { 8, 8 }, { 16, 8 }, { 24, 4 },
				{ 28, 4 }, { 32, 4 } },
	};
	const char *src = getenv("srcdir");
	char *path = xasprintf("%s/tests/machine/%s.90.sass", src ? src : ".",
			       (const char *)name);
	size_t length;
	char *text = file_read(path, 1 << 24, &length, e);

	(void)recording;
	free(path);
	code.sass = text ? sass_parse(text, NULL, e) : NULL;
	free(text);
	return code.sass ? machine_make(m, &code, t, e) : -1;
}

#endif
