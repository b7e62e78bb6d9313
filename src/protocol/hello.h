/*
 * hello: a runner's first message, which identifies it: it must use this
 * protocol, be of this version, and run on the requested device.
 */
#ifndef PROTOCOL_HELLO_H
#define PROTOCOL_HELLO_H

#include <jansson.h>

#include "base/base.h"

/* Sets *on to "cpu" or "gpu". -1 with e, which says what is wrong with it;
 * `name` is the runner's, `want` "cpu", "gpu" or NULL. */
int hello_read(const json_t *hello, const char *name, const char *want,
	       const char **on, struct error *e);

#endif
