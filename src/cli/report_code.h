/*
 * report_code: a report of anybody's machine code: of a cubin, of PTX, or of a
 * kernel in Triton's cache (a folder).
 */
#ifndef CLI_REPORT_CODE_H
#define CLI_REPORT_CODE_H

#include "cli/launch_options.h"

/* Tests whether what is to be reported is such a file or folder. */
bool report_code_is(const char *path);
/* Prints its report, as JSON or for people; an exit status. */
int report_code(const struct launch_options *l, const char *path, bool json);

#endif
