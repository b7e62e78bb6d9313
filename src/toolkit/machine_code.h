/*
 * machine_code: makes the machine code of a job's kernel and its text, in a
 * process that may do nothing else; see machine.c.
 */
#ifndef TOOLKIT_MACHINE_CODE_H
#define TOOLKIT_MACHINE_CODE_H

#include <jansson.h>

#include "protocol/job.h"

/* Returns the members of the answer "machine" (protocol.h), or NULL with e. It
 * may write in `folder`. Confines this process for good, unless the job says
 * otherwise. */
json_t *machine_code_make(struct job *job, const char *folder,
			  struct error *e);
/* Returns the members of the answer "tools": what was found, and what was
 * not. */
json_t *machine_tools(void);

#endif
