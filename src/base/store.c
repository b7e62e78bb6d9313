/* store: see store.h. */
#include "base/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/lang.h"
#include "base/text.h"

/* ---- the folder ---- */

/* Returns $XDG_CACHE_HOME, or what stands for it; heap, or NULL. */
static char *cache_home(void)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

	if (cache && *cache == '/')
		return xstrdup(cache);
	return home && *home == '/' ? xasprintf("%s/.cache", home) : NULL;
}

char *store_path(const char *name, struct error *e)
{
	char *cache = cache_home(), *path;

	if (!cache) {
		error_set(e, EXIT_OUTPUT,
			  _("neither XDG_CACHE_HOME nor HOME is set"));
		return NULL;
	}
	path = xasprintf("%s/gemmviz/%s", cache, name);
	free(cache);
	return path;
}

/* Opens the cache folder of the user, which may be a link to one. */
static int open_cache_home(bool make)
{
	char *cache = cache_home();
	struct stat st;
	int fd;

	if (!cache) {
		errno = ENOENT;
		return -1;
	}
	if (make)
		mkdir(cache, 0700);
	fd = open(cache, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	free(cache);
	if (fd >= 0 && (fstat(fd, &st) < 0 || st.st_uid != geteuid())) {
		close(fd);
		errno = EACCES;
		return -1;
	}
	return fd;
}

/* Opens a folder in `in` that belongs to the caller alone; closes `in`. */
static int open_private_folder(int in, const char *name, bool make)
{
	struct stat st;
	int fd = -1, failure;

	if (in < 0)
		return -1;
	if (!make || mkdirat(in, name, 0700) == 0 || errno == EEXIST)
		fd = openat(in, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW |
				      O_CLOEXEC);
	if (fd >= 0 && (fstat(fd, &st) < 0 || st.st_uid != geteuid() ||
			(st.st_mode & 077))) {
		close(fd);
		fd = -1;
		errno = EACCES;
	}
	failure = errno;
	close(in);
	errno = failure;
	return fd;
}

int store_open(struct store *s, const char *name, uint64_t most, bool make,
	       struct error *e)
{
	char *path = store_path(name, e);
	int fd;

	*s = (struct store) { .folder = -1, .most = most };
	if (!path)
		return -1;
	fd = open_private_folder(open_cache_home(make), "gemmviz", make);
	s->folder = open_private_folder(fd, name, make);
	if (s->folder < 0)
		error_set(e, EXIT_OUTPUT, errno == EACCES ?
			  _("%s belongs to another user, or other users can "
			    "enter it") : "%s: %s",
			  text_show(path), strerror(errno));
	free(path);
	return s->folder < 0 ? -1 : 0;
}

void store_close(struct store *s)
{
	if (s->folder >= 0)
		close(s->folder);
	s->folder = -1;
}

/* ---- a file ---- */

/* Returns whether only the caller can have written the file. */
static bool is_own_file(const struct stat *st)
{
	return S_ISREG(st->st_mode) && st->st_uid == geteuid() &&
	       !(st->st_mode & 022) && st->st_nlink == 1;
}

int store_find(const struct store *s, const char *key)
{
	int fd = openat(s->folder, key, O_RDONLY | O_NOFOLLOW | O_NONBLOCK |
					O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) < 0 || !is_own_file(&st)) {
		close(fd);
		return -1;
	}
	(void)!futimens(fd, NULL);
	return fd;
}

void store_drop(const struct store *s, const char *key)
{
	unlinkat(s->folder, key, 0);
}

/* ---- all files ---- */

struct store_file {
	char *name;
	uint64_t bytes;
	struct timespec used;
};

struct store_list {
	struct store_file *files;
	size_t count, capacity;
};

static int compare_use(const void *a, const void *b)
{
	const struct store_file *x = a, *y = b;

	if (x->used.tv_sec != y->used.tv_sec)
		return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
	return (x->used.tv_nsec > y->used.tv_nsec) -
	       (x->used.tv_nsec < y->used.tv_nsec);
}

static void free_list(struct store_list *l)
{
	for (size_t i = 0; i < l->count; i++)
		free(l->files[i].name);
	free(l->files);
}

/* Lists the files of the store. */
static struct store_list list_store(const struct store *s)
{
	struct store_list l = { .count = 0 };
	int fd = openat(s->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : xfdopendir(fd);
	struct dirent *entry;
	struct stat st;

	while (d && (entry = readdir(d))) {
		if (fstatat(s->folder, entry->d_name, &st,
			    AT_SYMLINK_NOFOLLOW) < 0 || !S_ISREG(st.st_mode))
			continue;
		grow(&l.files, &l.capacity, l.count + 1, sizeof(*l.files));
		l.files[l.count++] = (struct store_file) {
			xstrdup(entry->d_name), (uint64_t)st.st_size, st.st_mtim,
		};
	}
	if (d)
		closedir(d);
	return l;
}

/* Returns the bytes of all listed files. */
static uint64_t sum_bytes(const struct store_list *l)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < l->count; i++)
		bytes += l->files[i].bytes;
	return bytes;
}

struct store_size store_measure(const struct store *s)
{
	struct store_list l = list_store(s);
	struct store_size size = { l.count, sum_bytes(&l) };

	free_list(&l);
	return size;
}

/* Removes the files that were used longest ago, until `bytes` more fit. */
static void make_room(const struct store *s, uint64_t bytes)
{
	struct store_list l = list_store(s);
	uint64_t have = sum_bytes(&l);

	if (have + bytes > s->most)
		qsort(l.files, l.count, sizeof(*l.files), compare_use);
	for (size_t i = 0; i < l.count && have + bytes > s->most; i++)
		if (unlinkat(s->folder, l.files[i].name, 0) == 0)
			have -= l.files[i].bytes;
	free_list(&l);
}

/* Writes the data to a file without a name, and names it. */
static int write_unnamed(const struct store *s, const char *key,
			 const void *data, size_t bytes)
{
	int fd = openat(s->folder, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
	int rc = -1, failure;
	char path[64];

	if (fd < 0)
		return -1;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (write_all(fd, data, bytes) == 0)
		rc = linkat(AT_FDCWD, path, s->folder, key, AT_SYMLINK_FOLLOW);
	failure = errno;
	close(fd);
	errno = failure;
	return rc;
}

int store_put(const struct store *s, const char *key, const void *data,
	      size_t bytes)
{
	if (bytes > s->most) {
		errno = EFBIG;
		return -1;
	}
	make_room(s, bytes);
	if (write_unnamed(s, key, data, bytes) == 0 || errno == EEXIST)
		return 0;
	return -1;
}
