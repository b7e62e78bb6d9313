/* program_devices: prints what a program had several devices do, from the
 * summary that its recorder sends (protocol.h). */
#ifndef CLI_PROGRAM_DEVICES_H
#define CLI_PROGRAM_DEVICES_H

#include <jansson.h>
#include <stdio.h>

#include "base/base.h"

/* Returns whether the program had several devices. */
bool program_has_devices(const json_t *summary);
/* Prints the order of its work, and what that comes to for each link and for
 * each device; of a program with one device nothing. */
void program_devices_print(const json_t *summary, FILE *out);
/* Describes a problem that concerns several devices; NULL: it is of another
 * kind. The caller frees it. */
char *program_devices_words(const json_t *problem);

#endif
