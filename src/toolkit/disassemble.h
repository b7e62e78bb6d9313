/* disassemble: runs nvdisasm, which this process may start and nothing else. */
#ifndef TOOLKIT_DISASSEMBLE_H
#define TOOLKIT_DISASSEMBLE_H

#include "base/base.h"

/* Makes the temporary folder of one disassembly, before the process is
 * confined; and removes it. */
char *disassemble_folder(struct error *e);
void disassemble_remove(const char *folder);

/* Returns the text of `nvdisasm -gi -c` of a cubin; heap. NULL with e
 * (EXIT_INPUT). */
char *disassemble_cubin(const char *nvdisasm, const char *folder, const void *cubin,
		  size_t length, struct error *e);
/* Returns its version, such as "13.5.37"; heap, NULL: it does not say it. */
char *disassemble_version(const char *nvdisasm);

#endif
