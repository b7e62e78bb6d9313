/* system_web: what the program's system has and a browser lacks. The answers are
 * those of a system with one user, without a name, and no other process. */
#include <errno.h>
#include <pwd.h>
#include <sys/file.h>
#include <sys/inotify.h>

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

int inotify_init1(int flags)
{
	(void)flags;
	errno = ENOSYS;
	return -1;
}

int inotify_add_watch(int fd, const char *path, uint32_t events)
{
	(void)fd, (void)path, (void)events;
	errno = ENOSYS;
	return -1;
}

/* What link(), umask() and waitpid() of the C library call. */
long __syscall_link(const char *from, const char *to);
long __syscall_umask(int mask);
long __syscall_wait4(int pid, int *status, int options, void *usage);

long __syscall_link(const char *from, const char *to)
{
	(void)from, (void)to;
	return -EPERM;
}

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
