/*
 * program_options: a FILE.cu with a main() is run as a program, unless options
 * describe a launch of one of its kernels.
 */
#ifndef CLI_PROGRAM_OPTIONS_H
#define CLI_PROGRAM_OPTIONS_H

#include "cli/launch_options.h"

extern const struct option_def program_option_defs[];

/* Applies one of these options; -1 with e. */
int program_option(struct launch_options *l, int option, const char *value,
		   struct error *e);
/* Takes the arguments after the options: the file, more files of the program,
 * then the program's own arguments. Keeps what follows the file. Returns -1
 * with e. */
int program_arguments(struct launch_options *l, int argc, char **argv,
		      struct error *e);
/* Marks the job if the file, whose text is in it, is to be run. Returns -1 with
 * e if it is not, but there are arguments for it. */
int program_choose(struct launch_options *l, struct error *e);
/* Takes what was found that a refused program lacks (l->adds), and says so; the
 * job of the file `what` can be recorded again. False: nothing was. */
bool program_complete(struct launch_options *l, const char *what);
/* Opens the traces of a program, which stand in fd one behind the other; the
 * first, or NULL with e. fd is taken over. */
struct trace *program_traces(struct launch_options *l, const struct runner *r,
			     int fd, struct error *e);

/* Returns the number of the launch that trace i is of; 0: the program took too
 * long to be run again. */
uint32_t program_launch_of(const struct launch_options *l, size_t i);

#endif
