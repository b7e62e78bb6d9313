/* compile_folder: see compile_folder.h. */
#include "emu/module/compile_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FOLDER (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
/* Entries that are removed or moved at most. */
#define STEPS_MOST (1l << 20)

int compile_folder_make(struct compile_folder *f)
{
	const char *tmp = getenv("TMPDIR");
	char *in = realpath(tmp && *tmp ? tmp : "/tmp", NULL);

	f->fd = -1;
	f->path = xasprintf("%s/gemmviz-XXXXXX", in ? in : "/tmp");
	free(in);
	errno = 0;
	if (!mkdtemp(f->path))
		return -1;
	f->fd = open(f->path, FOLDER);
	return f->fd < 0 ? -1 : 0;
}

/* ---- removing ---- */

/* An entry of a folder, as the system gives it. */
struct folder_entry {
	uint64_t inode;
	int64_t next;
	unsigned short length;
	unsigned char type;
	char name[];
};

struct emptying {
	int top;		/* the folder that is emptied */
	long steps;		/* that are left */
	unsigned long moved;	/* numbers the names of what was moved */
};

typedef bool take_entry(struct emptying *m, int in, const char *name);

/* Calls `take` with each entry of a folder. Returns whether one was taken. */
static bool take_entries(struct emptying *m, int in, take_entry *take)
{
	_Alignas(struct folder_entry) char bytes[4096];
	bool any = false;
	long n;

	lseek(in, 0, SEEK_SET);
	while ((n = syscall(SYS_getdents64, in, bytes, sizeof(bytes))) > 0)
		for (long at = 0; at < n;) {
			const struct folder_entry *d =
				(const void *)(bytes + at);

			at += d->length;
			if (strcmp(d->name, ".") && strcmp(d->name, "..") &&
			    m->steps-- > 0)
				any |= take(m, in, d->name);
		}
	return any;
}

/* Opens a folder of the caller's, even if nobody may enter it. */
static int open_folder(int in, const char *name)
{
	int fd = openat(in, name, FOLDER);

	if (fd >= 0 || errno != EACCES)
		return fd;
	(void)!fchmodat(in, name, 0700, 0);
	return openat(in, name, FOLDER);
}

/* Moves an entry to the top, under a name that no compiler gives. */
static bool move_up(struct emptying *m, int in, const char *name)
{
	char to[64];

	snprintf(to, sizeof(to), ".gemmviz-moved-%lu", m->moved++);
	if (renameat(in, name, m->top, to) == 0)
		return true;
	/* A folder whose own entries nobody may change cannot move. */
	(void)!fchmodat(in, name, 0700, 0);
	return renameat(in, name, m->top, to) == 0;
}

/* Removes an entry of the top. What is in a folder is moved to the top before, so
 * that the depth of folders costs neither descriptors nor stack. */
static bool remove_entry(struct emptying *m, int in, const char *name)
{
	int fd;

	if (unlinkat(in, name, 0) == 0 || unlinkat(in, name, AT_REMOVEDIR) == 0)
		return true;
	fd = open_folder(in, name);
	if (fd < 0)
		return false;
	while (take_entries(m, fd, move_up))
		;
	close(fd);
	return unlinkat(in, name, AT_REMOVEDIR) == 0;
}

int compile_folder_empty(const struct compile_folder *f)
{
	struct emptying m = { .top = f->fd, .steps = STEPS_MOST };

	fchmod(f->fd, 0700);
	while (take_entries(&m, f->fd, remove_entry))
		;
	return m.steps > 0 ? 0 : -1;
}

void compile_folder_remove(const struct compile_folder *f)
{
	if (f->fd < 0)
		return;
	compile_folder_empty(f);
	rmdir(f->path);
}

/* ---- files ---- */

/* Opens the folder that a file is in, and makes those that are missing; sets
 * *base to the file's own name in `path`, which it changes. */
static int open_parents(const struct compile_folder *f, char *path,
			const char **base)
{
	int in = fcntl(f->fd, F_DUPFD_CLOEXEC, 0), next;
	char *slash;

	for (; in >= 0 && (slash = strchr(path, '/')); path = slash + 1) {
		*slash = '\0';
		mkdirat(in, path, 0700);
		next = openat(in, path, FOLDER);
		close(in);
		in = next;
	}
	*base = path;
	return in;
}

int compile_folder_write(const struct compile_folder *f, const char *name,
			 const char *text)
{
	char *path = xstrdup(name);
	const char *base;
	int in = open_parents(f, path, &base), fd = -1, rc = -1, problem;

	if (in >= 0)
		fd = openat(in, base, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW |
				      O_CLOEXEC, 0600);
	if (fd >= 0)
		rc = write_all(fd, text, strlen(text));
	problem = errno;
	if (fd >= 0)
		close(fd);
	if (in >= 0)
		close(in);
	free(path);
	errno = problem;
	return rc;
}

int compile_folder_open(const struct compile_folder *f, const char *name,
			uint64_t most)
{
	char *path = xstrdup(name);
	const char *base;
	int in = open_parents(f, path, &base), fd = -1;
	struct stat st;

	if (in >= 0) {
		fd = openat(in, base, O_RDONLY | O_NOFOLLOW | O_NONBLOCK |
				      O_CLOEXEC);
		close(in);
	}
	free(path);
	if (fd >= 0 && (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) ||
			st.st_nlink != 1 || (uint64_t)st.st_size > most)) {
		close(fd);
		fd = -1;
		errno = EINVAL;
	}
	return fd;
}
