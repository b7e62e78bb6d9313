/* link: machine code from PTX, by nvJitLink, which needs no GPU. */
#ifndef TOOLKIT_LINK_H
#define TOOLKIT_LINK_H

#include "toolkit/compile.h"

/* Opens nvJitLink if the code is PTX, and sets *compiler to its name (heap), or
 * to NULL. -1 with e (EXIT_RUNNER): it is not installed. */
int link_open(const char *code, char **compiler, struct error *e);
/* Makes a cubin for an architecture, 90 for sm_90. EXIT_INPUT with what it says
 * of the text. */
int link_ptx(struct compiled *to, const char *ptx, uint32_t arch,
	     struct error *e);

#endif
