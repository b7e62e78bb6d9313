/* system_web: what the program's system has and a browser lacks. The answers are
 * those of a system with one user, without a name, and no other process. */
#include <errno.h>
#include <pwd.h>
#include <sys/file.h>

int flock(int fd, int operation)
{
	(void)fd, (void)operation;
	return 0;
}

int getpwnam_r(const char *name, struct passwd *entry, char *buf, size_t size,
	       struct passwd **found)
{
	(void)name, (void)entry, (void)buf, (void)size;
	*found = NULL;
	return 0;
}

int getpwuid_r(uid_t uid, struct passwd *entry, char *buf, size_t size,
	       struct passwd **found)
{
	(void)uid;
	return getpwnam_r("", entry, buf, size, found);
}

/* What umask() and waitpid() of the C library call. */
long __syscall_umask(int mask);
long __syscall_wait4(int pid, int *status, int options, void *usage);

long __syscall_umask(int mask)
{
	(void)mask;
	return 022;
}

long __syscall_wait4(int pid, int *status, int options, void *usage)
{
	(void)pid, (void)status, (void)options, (void)usage;
	return -ECHILD;
}
