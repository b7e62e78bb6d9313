#include "app/class_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/lang.h"
#include "base/text.h"
#include "app/class.h"

#define FOLDER_FLAGS (O_RDONLY | O_DIRECTORY | O_CLOEXEC)
/* All users may add a file; none may remove another user's file. */
#define FOLDER_MODE 01777
#define SIMILAR_MOST 1000	/* folders that are compared with a name */

/* ---- starting a class ---- */

/* Returns the login name of a user, or the number; heap. */
static char *user_name(uid_t user)
{
	const struct passwd *p = getpwuid(user);

	return p ? text_clean(p->pw_name, strlen(p->pw_name), 0) :
		   xasprintf("%u", (unsigned)user);
}

/* Sets e if the open folder belongs to another user. An administrator's folder
 * will do unless this process has just made it. */
static int check_owner(int fd, const char *path, bool made, struct error *e)
{
	struct stat st;
	char *owner;

	if (fstat(fd, &st) < 0)
		return error_set(e, EXIT_OUTPUT, "%s: %m", text_show(path));
	if (st.st_uid == geteuid() || (!st.st_uid && !made))
		return 0;
	owner = user_name(st.st_uid);
	error_set(e, EXIT_REFUSED, _("%s belongs to %s: a class needs a folder "
				     "of your own (--class-folder)"),
		  text_show(path), owner);
	free(owner);
	return -1;
}

static bool folder_is_empty(int fd)
{
	int copy = openat(fd, ".", FOLDER_FLAGS);
	DIR *d = copy < 0 ? NULL : xfdopendir(copy);
	int n = 0;

	while (d && n < 3 && readdir(d))
		n++;
	if (d)
		closedir(d);
	return d && n == 2;	/* "." and ".." */
}

/* Opens a folder for everybody, which it makes if it is missing. Sets *made
 * accordingly; returns -1 with e. Somebody may exchange the name for another
 * folder or a link in the meantime, so all depends on the open descriptor. */
static int make_folder(int at, const char *name, const char *path, bool *made,
		       struct error *e)
{
	int fd, failed;

	*made = !mkdirat(at, name, 0700);
	if (!*made && errno != EEXIST)
		return error_set(e, EXIT_OUTPUT, "%s: %m", text_show(path));
	fd = openat(at, name, FOLDER_FLAGS | O_NOFOLLOW);
	if (fd < 0)
		return error_set(e, EXIT_REFUSED, errno == ENOTDIR ||
				 errno == ELOOP ? _("%s is a link or a file: "
				 "a class needs a folder") : "%s: %m",
				 text_show(path));
	failed = check_owner(fd, path, *made, e);
	if (!failed && *made && (!folder_is_empty(fd) ||
				 fchmod(fd, FOLDER_MODE)))
		failed = error_set(e, EXIT_OUTPUT, _("%s was replaced by "
						     "another folder, or its "
						     "mode cannot be set"),
				   text_show(path));
	if (!failed)
		return fd;
	close(fd);
	return -1;
}

/* Opens the folder of classes, or makes it where no other user can replace it:
 * in a folder of this user or an administrator. Returns -1 with e. */
static int make_class_folder(const char *folder, struct error *e)
{
	char *above = xstrdup(folder), *last = xstrdup(folder);
	const char *path = dirname(above), *name = basename(last);
	int at = open(path, FOLDER_FLAGS), fd = -1;
	struct stat st;
	bool made;

	if (at < 0)
		error_set(e, EXIT_OUTPUT, "%s: %m", text_show(path));
	else if (!fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW) ||
		 !check_owner(at, path, false, e))
		fd = make_folder(at, name, folder, &made, e);
	if (at >= 0)
		close(at);
	free(above);
	free(last);
	return fd;
}

int class_start(const char *folder, const char *name, struct error *e)
{
	char *path;
	bool made;
	int above, fd;

	if (!class_name_valid(name))
		return error_set(e, EXIT_USAGE, "'%s' cannot name a class: "
				 "letters, digits, - and _", text_show(name));
	above = make_class_folder(folder, e);
	if (above < 0)
		return -1;
	path = xasprintf("%s/%s", folder, name);
	fd = make_folder(above, name, path, &made, e);
	free(path);
	close(above);
	if (fd < 0)
		return -1;
	close(fd);
	return made ? 0 : error_set(e, EXIT_USAGE,
				    "there is a class '%s' already", name);
}

/* ---- opening one ---- */

/* Returns the name in the open folder that is most like `name`; heap, or NULL.
 * Closes the folder. */
static char *find_similar(int fd, const char *name)
{
	const char *names[SIMILAR_MOST], *near;
	DIR *d = xfdopendir(fd);
	struct dirent *entry;
	char *found = NULL;
	size_t n = 0;

	while (d && n < LENGTH(names) && (entry = readdir(d)))
		if (class_name_valid(entry->d_name))
			names[n++] = xstrdup(entry->d_name);
	near = nearest_name(name, names, n);
	if (near)
		found = xstrdup(near);
	while (n)
		free((char *)(uintptr_t)names[--n]);
	if (d)
		closedir(d);
	else
		close(fd);
	return found;
}

static void report_missing(int above, const char *folder, const char *name,
			   struct error *e)
{
	char *near = find_similar(above, name);

	if (near)
		error_set(e, EXIT_INPUT, _("no class '%s' in %s; did you mean "
					   "'%s'?"), text_show(name),
			  text_show(folder), near);
	else
		error_set(e, EXIT_INPUT, _("no class '%s' in %s"),
			  text_show(name), text_show(folder));
	free(near);
}

int class_folder_open(const char *folder, const char *name, struct error *e)
{
	int above = open(folder, FOLDER_FLAGS), fd = -1;

	if (above >= 0)
		fd = openat(above, name, FOLDER_FLAGS | O_NOFOLLOW);
	if (fd < 0 && above >= 0 && errno == ENOENT) {
		report_missing(above, folder, name, e);
		return -1;
	}
	if (fd < 0)
		error_set(e, EXIT_INPUT, _("class %s in %s: %s"),
			  text_show(name), text_show(folder),
			  strerror(errno));
	if (above >= 0)
		close(above);
	return fd;
}

/* ---- its files ---- */

/* Returns the descriptor if it is of a regular file, and closes it otherwise;
 * a file to write must have one name and be this user's. */
static int keep_regular(int fd, bool writes)
{
	struct stat st;

	if (fd < 0)
		return -1;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) &&
	    (!writes || (st.st_uid == geteuid() && st.st_nlink == 1)))
		return fd;
	close(fd);
	errno = EPERM;
	return -1;
}

int class_file_open(int folder, const char *name)
{
	return keep_regular(openat(folder, name, O_RDONLY | O_NOFOLLOW |
				   O_NONBLOCK | O_NOCTTY | O_CLOEXEC), false);
}

int class_file_append(int folder, const char *name)
{
	return keep_regular(openat(folder, name, O_WRONLY | O_APPEND | O_CREAT |
				   O_NOFOLLOW | O_NONBLOCK | O_NOCTTY |
				   O_CLOEXEC, 0644), true);
}

int class_file_replace(int folder, const char *name, const char *text)
{
	char *temporary;
	uint64_t number;
	int fd, failed = 0;

	if (getrandom(&number, sizeof(number), 0) != sizeof(number))
		return errno;
	temporary = xasprintf(".%s-%016llx", name, (unsigned long long)number);
	fd = openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
		    0644);
	if (fd < 0 || write_all(fd, text, strlen(text)) || fsync(fd) ||
	    renameat(folder, temporary, folder, name))
		failed = errno;
	if (fd >= 0) {
		close(fd);
		if (failed)
			unlinkat(folder, temporary, 0);
	}
	free(temporary);
	return failed;
}
