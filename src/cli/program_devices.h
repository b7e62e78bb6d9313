/*
 * program_devices: what a program had several devices do, from the summary that
 * its recorder sends (protocol.h), for people.
 */
#ifndef CLI_PROGRAM_DEVICES_H
#define CLI_PROGRAM_DEVICES_H

#include <jansson.h>
#include <stdio.h>

#include "base/base.h"

/* Whether it was told of several devices. */
bool program_has_devices(const json_t *summary);
/* Prints the order of its work, and what that comes to for each link and for
 * each device; of a program with one device nothing. */
void program_devices_print(const json_t *summary, FILE *out);
/* A problem that is about several devices, in words, which the caller frees;
 * NULL: it is another. */
char *program_devices_words(const json_t *problem);

#endif
