/* Files, as base.h says. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/openat2.h>
#include <sys/syscall.h>
#endif

#include "base/base.h"
#include "base/lang.h"
#include "base/resource.h"
#include "base/text.h"

static int file_check(int fd, const char *path, struct error *e)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return error_set(e, EXIT_INPUT, "%s: %s", text_show(path),
				 strerror(errno));
	if (S_ISDIR(st.st_mode))
		return error_set(e, EXIT_INPUT, _("%s: is a directory"),
				 text_show(path));
	if (!S_ISREG(st.st_mode))
		return error_set(e, EXIT_INPUT, _("%s: not a regular file"),
				 text_show(path));
	return 0;
}

/* Reads to the end, which may be elsewhere than fstat says. */
static char *file_slurp(int fd, const char *path, size_t limit, size_t *len,
			struct error *e)
{
	size_t capacity = 0, have = 0;
	char *data = NULL;

	for (;;) {
		ssize_t n;

		grow(&data, &capacity, have + 4096, 1);
		n = read(fd, data + have, capacity - have - 1);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			error_set(e, EXIT_INPUT, "%s: %s", text_show(path),
				  strerror(errno));
			break;
		}
		have += n;
		if (have > limit) {
			error_set(e, EXIT_INPUT,
				  _("%s: larger than %zu bytes"),
				  text_show(path), limit);
			break;
		}
		if (n == 0) {
			data[have] = '\0';
			*len = have;
			return data;
		}
	}
	free(data);
	return NULL;
}

const char *file_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Not blocking, so that a FIFO is refused and not waited for. */
#define READ_FLAGS (O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)

/* Reads the file that was opened, or reports why it was not, and closes it. */
static char *read_opened(int fd, const char *path, size_t limit, size_t *len,
			 struct error *e)
{
	char *data = NULL;

	if (fd < 0) {
		error_set(e, EXIT_INPUT, "%s: %s", text_show(path),
			  strerror(errno));
		return NULL;
	}
	if (file_check(fd, path, e) == 0)
		data = file_slurp(fd, path, limit, len, e);
	close(fd);
	return data;
}

char *file_read(const char *path, size_t limit, size_t *len, struct error *e)
{
	return read_opened(open(path, READ_FLAGS), path, limit, len, e);
}

char *file_read_input(const char *name, size_t limit, size_t *len,
		      struct error *e)
{
	static char *input;
	static size_t length;
	char *copy;

	if (!input)
		input = file_slurp(STDIN_FILENO, name, limit, &length, e);
	if (!input)
		return NULL;
	copy = xmalloc(length + 1);
	memcpy(copy, input, length + 1);
	*len = length;
	return copy;
}

/* Returns the path of a descriptor's file; heap, or NULL. */
static char *read_descriptor_path(int fd)
{
	char *link = xasprintf("/proc/self/fd/%d", fd), path[PATH_MAX];
	ssize_t n = readlink(link, path, sizeof(path));

	free(link);
	return n > 0 && n < (ssize_t)sizeof(path) && *path == '/' ?
	       xstrndup(path, (size_t)n) : NULL;
}

int file_place(const char *path, char **real)
{
	int place = open(path, O_PATH | O_CLOEXEC);
	struct stat st;

	*real = NULL;
	if (place >= 0 && fstat(place, &st) == 0 && S_ISREG(st.st_mode))
		*real = read_descriptor_path(place);
	if (*real || place < 0)
		return place;
	close(place);
	return -1;
}

char *file_read_place(int place, const char *path, size_t limit, size_t *len,
		      struct error *e)
{
	char *link = xasprintf("/proc/self/fd/%d", place);
	char *data = read_opened(open(link, READ_FLAGS), path, limit, len, e);

	free(link);
	return data;
}

bool file_is_below(const char *path, const char *folder)
{
	size_t n = strlen(folder);

	n -= n && folder[n - 1] == '/';		/* the root's */
	return !strncmp(path, folder, n) && path[n] == '/';
}

/* Opens a file below the open folder where the kernel has no openat2(): by its
 * resolved name. */
static int open_resolved(int folder, const char *name)
{
	char *at = xasprintf("/proc/self/fd/%d", folder);
	char *below = xasprintf("%s/%s", at, name);
	char *top = realpath(at, NULL), *path = realpath(below, NULL);
	size_t n = top ? strlen(top) : 0;
	int fd = -1;

	n -= n == 1;	/* "/" */
	if (*name == '/' ||
	    (top && path && (strncmp(path, top, n) || path[n] != '/')))
		errno = EXDEV;
	else if (top && path)
		fd = open(path, READ_FLAGS | O_NOFOLLOW);
	free(at);
	free(below);
	free(top);
	free(path);
	return fd;
}

#ifdef __linux__
int file_open_below(int folder, const char *name)
{
	struct open_how how = { .flags = READ_FLAGS,
				.resolve = RESOLVE_BENEATH |
					   RESOLVE_NO_MAGICLINKS };
	int fd = (int)syscall(SYS_openat2, folder, name, &how, sizeof(how));

	return fd < 0 && (errno == ENOSYS || errno == EPERM) ?
	       open_resolved(folder, name) : fd;
}
#else
int file_open_below(int folder, const char *name)
{
	return open_resolved(folder, name);
}

/* Returns what a Linux does that cannot rename without replacing. */
static int renameat2(int from_folder, const char *from, int to_folder,
		     const char *to, unsigned how)
{
	(void)from_folder, (void)from, (void)to_folder, (void)to, (void)how;
	errno = ENOSYS;
	return -1;
}
#define RENAME_NOREPLACE 1
#endif

char *file_read_below(const char *folder, const char *name, size_t limit,
		      size_t *len, struct error *e)
{
	char *path = xasprintf("%s%s", *name == '/' ? "" : folder, name), *text;
	int top = open(*folder ? folder : ".", O_PATH | O_DIRECTORY |
		       O_CLOEXEC);
	int fd = top < 0 ? -1 : file_open_below(top, name);

	if (fd < 0 && errno == EXDEV) {
		error_set(e, EXIT_REFUSED, _("%s is not in the folder %s, or "
					     "below it"), text_show(path),
			  *folder ? text_show(folder) : "./");
		text = NULL;
	} else {
		text = read_opened(fd, path, limit, len, e);
	}
	if (top >= 0)
		close(top);
	free(path);
	return text;
}

char *file_read_text(const char *path, size_t limit, size_t *len,
		     struct error *e)
{
	static const char mark[] = "\xef\xbb\xbf";
	char *text = file_read(path, limit, len, e);
	size_t from = 0, n = 0;

	if (!text)
		return NULL;
	if (!strncmp(text, mark, strlen(mark)))
		from = strlen(mark);
	for (; from < *len; from++)
		if (text[from] != '\r' || !strchr("\n", text[from + 1]))
			text[n++] = text[from];
	text[n] = '\0';
	*len = n;
	return text;
}

static int file_out_fail(struct file_out *f, const char *path,
			 struct error *e)
{
	error_resource(e, errno, EXIT_OUTPUT, "%s", text_show(path));
	file_out_abandon(f);
	return -1;
}

/* Checks what is at the path already: 0 to go on with a temporary file, 1 when
 * the file is open and written in place (a device, a pipe), -1 with e. */
static int file_out_existing(struct file_out *f, const char *path,
			     struct error *e)
{
	struct stat st;

	if (stat(path, &st) < 0) {
		f->path = xstrdup(path);
		return 0;
	}
	if (S_ISDIR(st.st_mode))
		return error_set(e, EXIT_OUTPUT, _("%s: is a directory"),
				 text_show(path));
	if (!S_ISREG(st.st_mode)) {
		f->fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
		return f->fd < 0 ? file_out_fail(f, path, e) : 1;
	}
	if (!f->force)
		return error_set(e, EXIT_USAGE,
				 _("%s: already exists (--force overwrites "
				   "it)"),
				 text_show(path));
	/* A symbolic link stays; what it points to is replaced. */
	f->path = realpath(path, NULL);
	return f->path ? 0 : file_out_fail(f, path, e);
}

int file_out_open(struct file_out *f, const char *path, bool force,
		  struct error *e)
{
	mode_t mask;
	int found;

	*f = (struct file_out){ .fd = -1, .force = force };
	if (!*path)
		return error_set(e, EXIT_USAGE,
				 _("the output file has no name"));
	if (strcmp(path, "-") == 0) {
		f->fd = STDOUT_FILENO;
		return 0;
	}
	found = file_out_existing(f, path, e);
	if (found)
		return found < 0 ? -1 : 0;
	f->temporary = xasprintf("%.*s.gemmviz-XXXXXX",
				 (int)(file_base(f->path) - f->path), f->path);
	f->fd = mkostemp(f->temporary, O_CLOEXEC);
	if (f->fd < 0) {
		free(f->temporary);
		f->temporary = NULL;
		return file_out_fail(f, path, e);
	}
	mask = umask(0);
	umask(mask);
	(void)!fchmod(f->fd, 0666 & ~mask);
	return 0;
}

/* A rename that without force does not replace a file made meanwhile. */
static int file_out_rename(const struct file_out *f)
{
	if (f->force)
		return rename(f->temporary, f->path);
	if (renameat2(AT_FDCWD, f->temporary, AT_FDCWD, f->path,
		      RENAME_NOREPLACE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -1;
	if (access(f->path, F_OK) == 0) {
		errno = EEXIST;
		return -1;
	}
	return rename(f->temporary, f->path);
}

int file_out_commit(struct file_out *f, struct error *e)
{
	const char *name = f->path ? f->path : _("output");

	if (fsync(f->fd) < 0 && errno != EINVAL && errno != EROFS &&
	    errno != ENOTSUP)
		return file_out_fail(f, name, e);
	if (f->fd != STDOUT_FILENO) {
		int fd = f->fd;

		f->fd = -1;
		if (close(fd) < 0)
			return file_out_fail(f, name, e);
	}
	if (f->temporary && file_out_rename(f) < 0)
		return file_out_fail(f, name, e);
	free(f->temporary);
	f->temporary = NULL;
	file_out_abandon(f);
	return 0;
}

void file_out_abandon(struct file_out *f)
{
	int saved = errno;

	if (f->fd >= 0 && f->fd != STDOUT_FILENO)
		close(f->fd);
	if (f->temporary)
		unlink(f->temporary);
	free(f->temporary);
	free(f->path);
	*f = (struct file_out){ .fd = -1 };
	errno = saved;
}

int file_out_text(const char *path, const char *text, bool force,
		  struct error *e)
{
	struct file_out f;

	if (file_out_open(&f, path, force, e) < 0)
		return -1;
	if (write_all(f.fd, text, strlen(text)) == 0)
		return file_out_commit(&f, e);
	error_resource(e, errno, EXIT_OUTPUT, "cannot write %s",
		       text_show(path));
	file_out_abandon(&f);
	return -1;
}

/* Makes the folders above a file. */
static int make_folders_above(const char *path, struct error *e)
{
	char *copy = xstrdup(path);
	int status = 0;

	for (char *s = copy + 1; !status && (s = strchr(s, '/')); s++) {
		*s = '\0';
		if (mkdir(copy, 0777) < 0 && errno != EEXIST)
			status = error_set(e, EXIT_OUTPUT, "cannot make %s: "
					   "%m", text_show(copy));
		*s = '/';
	}
	free(copy);
	return status;
}

int file_write(const char *path, const char *text, struct error *e)
{
	return make_folders_above(path, e) < 0 ?
		       -1 :
		       file_out_text(path, text, true, e);
}

int write_all(int fd, const void *data, size_t n)
{
	const char *p = data;

	while (n) {
		ssize_t done = write(fd, p, n);

		if (done < 0 && errno == EAGAIN) {
			struct pollfd ready = { .fd = fd, .events = POLLOUT };

			poll(&ready, 1, -1);
			continue;
		}
		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -1;
		p += done;
		n -= done;
	}
	return 0;
}

void standard_streams(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", fd == STDOUT_FILENO ? O_RDONLY :
							     O_RDWR) < 0)
			_exit(EXIT_OUTPUT);
}

int temporary_file(struct error *e)
{
	const char *folder = getenv("TMPDIR");
	char *path;
	int fd;

	if (!folder || !*folder)
		folder = "/tmp";
	fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
	if (fd >= 0)
		return fd;
	path = xasprintf("%s/gemmviz-XXXXXX", folder);
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		error_resource(e, errno, EXIT_OUTPUT, _("cannot create a "
							"temporary file in %s"),
			       text_show(folder));
#ifndef __EMSCRIPTEN__	/* whose fstat() fails for a file without a name */
	else
		unlink(path);
#endif
	free(path);
	return fd;
}

int temporary_room(int fd, uint64_t bytes, struct error *e)
{
	struct statvfs f;
	uint64_t room;

	if (fstatvfs(fd, &f) < 0)
		return 0;
	room = (uint64_t)f.f_bavail * f.f_frsize;
	if (bytes <= room)
		return 0;
	return error_set(e, EXIT_OUTPUT, _("no room for temporary files: %llu "
					   "kB are needed, %llu kB are left"),
			 (unsigned long long)(bytes + 1023) >> 10,
			 (unsigned long long)room >> 10);
}
