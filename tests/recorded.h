/* recorded: a trace that the program itself records, for tests. */
#ifndef RECORDED_H
#define RECORDED_H

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "trace/trace.h"

/* What `gemmviz record WHAT` records; one that is found wrong is a trace, too.
 * NULL: it is refused. */
static inline struct trace *recorded(const char *what)
{
	const char *build = getenv("builddir"), *tmp = getenv("TMPDIR");
	char *path = xasprintf("%s/recorded-%ld.gvt", tmp ? tmp : "/tmp",
			       (long)getpid());
	char *command = xasprintf("%s/gemmviz record %s --force -o %s "
				  ">/dev/null 2>&1", build ? build : ".", what,
				  path);
	int status = system(command);
	struct error e;
	struct trace *t = WEXITSTATUS(status) > EXIT_CHECK ? NULL :
			  trace_open(path, &e);

	unlink(path);
	free(command);
	free(path);
	return t;
}

#endif
