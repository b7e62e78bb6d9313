/* recorded: a trace that the program itself records, for tests. */
#ifndef RECORDED_H
#define RECORDED_H

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "trace/trace.h"

#ifdef __EMSCRIPTEN__
/* In a page's program, which records nothing: what tests/web_frames.sh has
 * recorded. */
static inline char *recorded_file(const char *what)
{
	return xasprintf("/recorded/%s.gvt", what);
}
#else
/* The file of what `gemmviz record WHAT` records; one that is found wrong is a
 * trace, too. NULL: it is refused. */
static inline char *recorded_file(const char *what)
{
	static unsigned count;
	const char *build = getenv("builddir"), *tmp = getenv("TMPDIR");
	char *path = xasprintf("%s/recorded-%ld-%u.gvt", tmp ? tmp : "/tmp",
			       (long)getpid(), count++);
	char *command = xasprintf("%s/gemmviz record %s --force -o %s "
				  ">/dev/null 2>&1", build ? build : ".", what,
				  path);
	int status = system(command);

	free(command);
	if (WEXITSTATUS(status) <= EXIT_CHECK)
		return path;
	unlink(path);
	free(path);
	return NULL;
}
#endif

/* The trace alone. */
static inline struct trace *recorded(const char *what)
{
	char *path = recorded_file(what);
	struct error e;
	struct trace *t = path ? trace_open(path, &e) : NULL;

	if (path)
		unlink(path);
	free(path);
	return t;
}

#endif
