/*
 * fail_malloc: a library to be loaded before a program (LD_PRELOAD), in which
 * an allocation fails: in malloc(), and below it, where base/memory.c asks, and
 * in mmap() and memfd_create(), where the program asks the system itself.
 *
 *   FAIL_PROGRAM=NAME   the program that is meant; others are left alone
 *   FAIL_AT=N           the Nth allocation fails
 *   FAIL_EVER=1         and all that follow it
 *   FAIL_LIST=FILE      none fails; each kind, by the functions that lead to
 *                       it, has a line in the file: its number, the first time
 *   FAIL_SAID=FILE      a line in it where one has failed in the program
 *                       itself
 *
 * A process that was forked counts on from where its parent was; a key that
 * ends the program may come before its failure.
 */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define DEPTH 10
#define KINDS 65536

static bool meant, ever;
static long at;
static pid_t program_pid;
static atomic_long count;
static int list = -1, said = -1;
static uint64_t kinds[KINDS];
static _Thread_local bool inside;

/* Now: later the process may open none. */
static int open_file(const char *variable)
{
	const char *path = getenv(variable);

	return path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC,
			   0600) : -1;
}

__attribute__((constructor)) static void begin(void)
{
	const char *program = getenv("FAIL_PROGRAM"), *n = getenv("FAIL_AT");
	void *frames[DEPTH];

	if (!program || strcmp(program, program_invocation_short_name))
		return;
	/* Its first call allocates. */
	inside = true;
	backtrace(frames, DEPTH);
	inside = false;
	at = n ? atol(n) : 0;
	ever = getenv("FAIL_EVER") != NULL;
	said = open_file("FAIL_SAID");
	list = open_file("FAIL_LIST");
	program_pid = getpid();
	meant = true;
}

/* Whether this way to an allocation was not seen yet. */
static bool is_new(void)
{
	void *frames[DEPTH];
	int n = backtrace(frames, DEPTH);
	uint64_t h = 0xcbf29ce484222325u;

	for (int i = 0; i < n; i++)
		h = (h ^ (uintptr_t)frames[i]) * 0x100000001b3u;
	h |= 1;
	for (size_t i = h >> 40, tries = 0; tries < KINDS; i++, tries++) {
		uint64_t *kind = &kinds[i % KINDS];

		if (*kind == h)
			return false;
		if (*kind)
			continue;
		*kind = h;
		return true;
	}
	return false;
}

static void note(long n)
{
	char line[32];
	int length = snprintf(line, sizeof(line), "%ld\n", n);

	if (write(list, line, (size_t)length) < 0)
		_exit(99);
}

static bool fails(void)
{
	long n;

	if (!meant || inside)
		return false;
	n = atomic_fetch_add(&count, 1) + 1;
	inside = true;
	if (list >= 0 && is_new())
		note(n);
	if (said >= 0 && n == at && program_pid == getpid() &&
	    write(said, "failed\n", 7) < 0)
		_exit(99);
	inside = false;
	if (!at || (ever ? n < at : n != at))
		return false;
	errno = ENOMEM;
	return true;
}

/* ---- the C library's, by both names ---- */

static void *malloc_or_not(size_t size)
{
	static void *(*real)(size_t);

	if (!real)
		real = (void *(*)(size_t))dlsym(RTLD_NEXT, "__libc_malloc");
	return fails() ? NULL : real(size);
}

static void *calloc_or_not(size_t n, size_t size)
{
	static void *(*real)(size_t, size_t);

	if (!real)
		real = (void *(*)(size_t, size_t))dlsym(RTLD_NEXT,
							"__libc_calloc");
	return fails() ? NULL : real(n, size);
}

static void *realloc_or_not(void *p, size_t size)
{
	static void *(*real)(void *, size_t);

	if (!real)
		real = (void *(*)(void *, size_t))dlsym(RTLD_NEXT,
							"__libc_realloc");
	return fails() ? NULL : real(p, size);
}

void *__libc_malloc(size_t size) { return malloc_or_not(size); }
void *__libc_calloc(size_t n, size_t size) { return calloc_or_not(n, size); }
void *__libc_realloc(void *p, size_t size) { return realloc_or_not(p, size); }
void *malloc(size_t size) { return malloc_or_not(size); }
void *calloc(size_t n, size_t size) { return calloc_or_not(n, size); }
void *realloc(void *p, size_t size) { return realloc_or_not(p, size); }

/* ---- the system's, where the program asks itself ---- */

void *mmap(void *at, size_t n, int protection, int flags, int fd, off_t from)
{
	static void *(*real)(void *, size_t, int, int, int, off_t);

	if (!real)
		real = (void *(*)(void *, size_t, int, int, int,
				  off_t))dlsym(RTLD_NEXT, "mmap");
	return fails() ? MAP_FAILED : real(at, n, protection, flags, fd, from);
}

int memfd_create(const char *name, unsigned flags)
{
	static int (*real)(const char *, unsigned);

	if (!real)
		real = (int (*)(const char *, unsigned))dlsym(RTLD_NEXT,
							      "memfd_create");
	return fails() ? -1 : real(name, flags);
}
