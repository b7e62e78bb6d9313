/*
 * compile_sandbox: confines the compiler. It reads its own files, the system's
 * headers and libraries, and ours; it starts only its own programs, as many as
 * a compilation needs; it writes in the temporary folder; and it makes only the
 * system calls that a compiler needs (filter.h).
 */
#ifndef EMU_MODULE_COMPILE_SANDBOX_H
#define EMU_MODULE_COMPILE_SANDBOX_H

#include <sys/types.h>

#include "base/base.h"

/* A compiler and the tree that it belongs to. */
struct toolchain {
	char *driver;		/* g++ itself, absolute, links resolved; heap */
	char *prefix;		/* the folder above its bin; heap */
};

/* Finds KERNEL_CXX in PATH. Skips scripts and wrappers unless the compiler is
 * not confined, since the sandbox starts no shell. -1 with e (EXIT_RUNNER). */
int toolchain_find(struct toolchain *t, bool unconfined, struct error *e);
void toolchain_done(struct toolchain *t);

/* Confines this process, which then becomes the compiler, and sends the
 * filter's descriptor, which compile_sandbox_wait() needs, through the socket
 * `sends`. -1 with errno. */
int compile_sandbox_enter(const struct toolchain *t, const char *folder,
			  int sends);
/* Sets the environment to what g++ needs. */
void compile_sandbox_environment(const struct toolchain *t,
				 const char *folder);

/* How a compiler ended. */
struct compiler_end {
	int status;		/* as waitpid() says */
	bool given_up;		/* the caller no longer waits for it */
	char *refused;		/* describes the forbidden call; heap or NULL */
};
/*
 * Waits for the compiler `pid`, the leader of a process group, and for all that
 * it has started; none of it is left. Kills it when `listener` is readable or
 * closed, and when it makes a forbidden call. `most`: the processes that it may
 * start. `socket`: where compile_sandbox_enter() sends; -1: the compiler is not
 * confined.
 */
struct compiler_end compile_sandbox_wait(pid_t pid, int socket, int listener,
					 unsigned most);

#endif
