/*
 * compile_store: stores machine code of texts that were compiled before.
 *
 * There are two stores. The read-only one ships with the program, in `kernels`
 * of paths()->modules, where make puts what lessons record (fill_store.sh). A
 * file there is named by the hash of the text and of all that is compiled with
 * it, so it works without a compiler. In the user's own store (base/store.h)
 * that name is followed by "-" and a hash of the compiler and of the state of
 * the system's headers, so a file copied without this part belongs to the first
 * store. A stored object is as untrusted as its text: it
 * runs in the recorder's sandbox only, and neither store is used by an
 * unconfined recording.
 */
#ifndef EMU_MODULE_COMPILE_STORE_H
#define EMU_MODULE_COMPILE_STORE_H

#include "emu/module/compile.h"

/*
 * Finds the stored object of a job and returns a descriptor of it. Adds to
 * left_out the headers that were left out when it was compiled, as
 * compile_text() does. -1: neither store has it.
 */
int compile_store_find(const struct compile_job *job,
		       struct job_defines *left_out);
/* Stores the object of a job. If that is not possible, nothing is stored and no
 * error is reported. */
void compile_store_put(const struct compile_job *job, int object,
		       const struct job_defines *left_out);

#endif
