#include "app/class_reading.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/map.h"
#include "app/class_folder.h"

#define ENTRIES_MOST 200000	/* of a folder */
#define FILE_MOST (1 << 20)	/* bytes: of a larger file its end is read */
#define DAMAGED_MOST 1000	/* lines of a file */
#define EVENTS_MOST 50000	/* of a class */
#define BYTES_MOST (64 << 20)	/* of a look */

#define SUFFIX ".jsonl"

/* ---- one file ---- */

/* Reads the events of the text. A last line without its newline is still being
 * written, and so is not damaged. */
static void read_event_lines(struct class_file *f, const char *text,
			     size_t bytes)
{
	const char *end, *all = text + bytes;
	int n = 0;

	for (; (end = memchr(text, '\n', (size_t)(all - text))) &&
	     f->damaged < DAMAGED_MOST; text = end + 1) {
		struct class_event ev;

		if (!class_event_read(text, (size_t)(end - text), &ev) ||
		    strcmp(ev.who, f->who)) {
			f->damaged++;
		} else if (ev.n > n) {
			n = ev.n;
			grow(&f->events, &f->capacity, f->count + 1,
			     sizeof(*f->events));
			f->events[f->count++] = ev;
		}
	}
}

/* Reads the last FILE_MOST bytes; if the first line of these is cut, it counts
 * as damaged. */
static void read_file_end(struct class_file *f, int fd)
{
	size_t most = (size_t)MIN(f->size, FILE_MOST), have = 0;
	off_t from = f->size - (off_t)most;
	char *text = xmalloc(most);
	ssize_t n;

	while (have < most && (n = pread(fd, text + have, most - have,
					 from + (off_t)have)) > 0)
		have += (size_t)n;
	read_event_lines(f, text, have);
	free(text);
}

void class_file_read(int folder, struct class_file *f)
{
	char *name = xasprintf("%s" SUFFIX, f->who);
	int fd = class_file_open(folder, name);
	struct stat st;

	free(name);
	f->count = 0;
	f->damaged = 0;
	f->stale = false;
	if (fd < 0 || fstat(fd, &st) < 0) {
		f->damaged = 1;
	} else {
		f->inode = st.st_ino;
		f->size = st.st_size;
		f->changed = st.st_mtim;
		read_file_end(f, fd);
	}
	if (fd >= 0)
		close(fd);
}

/* ---- the list of files ---- */

static bool file_same(const struct class_file *f, const struct stat *st)
{
	return f->inode == st->st_ino && f->size == st->st_size &&
	       f->owner == st->st_uid &&
	       f->changed.tv_sec == st->st_mtim.tv_sec &&
	       f->changed.tv_nsec == st->st_mtim.tv_nsec;
}

/* Takes the person's name from a file's; false: it is not a person's file. */
static bool take_name(const char *name, char who[CLASS_NAME])
{
	size_t n = strlen(name), end = strlen(SUFFIX);

	if (n <= end || n - end >= CLASS_NAME || strcmp(name + n - end, SUFFIX))
		return false;
	memcpy(who, name, n - end);
	who[n - end] = '\0';
	return class_name_valid(who);
}

/* Adds a file to `to`, with what was read of it before. */
static void list_file(struct class_reading *to, int folder, const char *name,
		      struct class_reading *before, const struct map *known)
{
	struct class_file f = { .stale = true };
	struct stat st;
	uint32_t at;

	if (!take_name(name, f.who) ||
	    fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return;
	at = map_find(known, f.who, strlen(f.who));
	if (at != MAP_NONE) {
		f = before->files[at];
		before->files[at].events = NULL;
		f.stale |= !file_same(&f, &st);
	}
	f.owner = st.st_uid;
	/* Anything but a regular file is not read, and counts as damaged. */
	if (!S_ISREG(st.st_mode)) {
		f.stale = false;
		f.damaged = 1;
		f.count = 0;
	}
	grow(&to->files, &to->capacity, to->count + 1, sizeof(f));
	to->files[to->count++] = f;
}

static int compare_owners(const void *a, const void *b)
{
	const struct class_file *x = a, *y = b;

	return x->owner != y->owner ? x->owner < y->owner ? -1 : 1 :
				      strcmp(x->who, y->who);
}

static int compare_turns(const void *a, const void *b)
{
	const struct class_file *x = a, *y = b;

	return x->turn != y->turn ? x->turn < y->turn ? -1 : 1 :
				    strcmp(x->who, y->who);
}

/* Sorts the files so that owners take turns. */
static void order_files(struct class_reading *r)
{
	if (!r->count)
		return;
	qsort(r->files, r->count, sizeof(*r->files), compare_owners);
	for (size_t i = 0; i < r->count; i++)
		r->files[i].turn = i && r->files[i].owner ==
				   r->files[i - 1].owner ?
				   r->files[i - 1].turn + 1 : 0;
	qsort(r->files, r->count, sizeof(*r->files), compare_turns);
}

/* Reads the folder's list of files again. Returns -1 with errno. */
static int list_folder(struct class_reading *r, int folder)
{
	struct class_reading now = { .files = NULL };
	struct map known = { .count = 0 };
	int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = copy < 0 ? NULL : xfdopendir(copy);
	struct dirent *entry;

	if (!d)
		return -1;
	for (size_t i = 0; i < r->count; i++)
		map_add(&known, r->files[i].who, strlen(r->files[i].who));
	for (int n = 0; n < ENTRIES_MOST && (entry = readdir(d)); n++)
		list_file(&now, folder, entry->d_name, r, &known);
	closedir(d);
	map_done(&known);
	class_reading_done(r);
	*r = now;
	order_files(r);
	return 0;
}

/* ---- all of them ---- */

/* Reads the stale files, as far as time and limits go. */
static void read_files(struct class_reading *r, int folder, double end)
{
	size_t events = 0;
	off_t bytes = 0;
	bool full = false;

	for (size_t i = 0; i < r->count; i++) {
		struct class_file *f = &r->files[i];

		full = full || events >= EVENTS_MOST || bytes >= BYTES_MOST;
		if (f->stale && !full && seconds_now() < end) {
			class_file_read(folder, f);
			bytes += MIN(f->size, FILE_MOST);
		}
		full = full || f->count > EVENTS_MOST - events;
		if (full) {
			f->count = 0;
			f->stale = true;
		}
		events += f->count;
		r->damaged += f->damaged;
		r->unread += f->stale;
	}
	r->stale = full ? 0 : (size_t)r->unread;
}

int class_reading_look(struct class_reading *r, const char *folder,
		       const char *name, double seconds, struct error *e)
{
	double end = seconds_now() + seconds;
	int fd = class_folder_open(folder, name, e), failed;

	if (fd < 0)
		return -1;
	r->damaged = r->unread = 0;
	failed = list_folder(r, fd) ? errno : 0;
	if (!failed)
		read_files(r, fd, end);
	close(fd);
	return failed ? error_set(e, EXIT_INPUT, "class %s: %s", name,
				  strerror(failed)) : 0;
}

void class_reading_room(const struct class_reading *r, struct class_room *room)
{
	*room = (struct class_room){ .damaged = r->damaged,
				     .unread = r->unread };
	for (size_t i = 0; i < r->count; i++)
		for (size_t k = 0; k < r->files[i].count; k++)
			class_room_add(room, &r->files[i].events[k]);
}

void class_reading_done(struct class_reading *r)
{
	for (size_t i = 0; i < r->count; i++)
		free(r->files[i].events);
	free(r->files);
	*r = (struct class_reading){ .files = NULL };
}
