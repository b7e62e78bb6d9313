/*
 * queue: takes tickets and locks. See queue.h.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "gpu/device/queue.h"

/* "t" and the number in hexadecimal; longer ones are not ours. */
#define TICKET_DIGITS 12
#define TICKET_NAME (TICKET_DIGITS + 2)
#define TRIES 1000

struct queue {
	char *path;
	int folder;			/* locked when it is our turn */
	int ticket;			/* locked */
	char name[TICKET_NAME];
	unsigned long long number;
	bool ours;
};

static void ticket_name(char name[TICKET_NAME], unsigned long long number)
{
	snprintf(name, TICKET_NAME, "t%0*llx", TICKET_DIGITS,
		 number & ((1ull << 4 * TICKET_DIGITS) - 1));
}

/* Parses a ticket's name; false for other names. */
static bool ticket_number(const char *name, unsigned long long *number)
{
	if (name[0] != 't' || strlen(name) != TICKET_DIGITS + 1)
		return false;
	for (const char *c = name + 1; *c; c++)
		if (!isxdigit((unsigned char)*c) || isupper((unsigned char)*c))
			return false;
	*number = strtoull(name + 1, NULL, 16);
	return true;
}

/* Tests whether a process holds the ticket; removes a ticket of a dead one,
 * where permissions allow. */
static bool ticket_alive(const struct queue *q, const char *name)
{
	int fd = openat(q->folder, name,
			O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;
	bool alive;

	if (fd < 0)
		return false;
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		close(fd);
		return false;
	}
	alive = flock(fd, LOCK_EX | LOCK_NB) < 0;
	if (!alive)
		unlinkat(q->folder, name, 0);
	close(fd);
	return alive;
}

/* Counts the tickets held with a number below `below`; *highest gets the
 * highest of all that are held. */
static int tickets_count(const struct queue *q, unsigned long long below,
			 unsigned long long *highest)
{
	int fd = openat(q->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	int count = 0;

	*highest = 0;
	if (!d) {
		if (fd >= 0)
			close(fd);
		return 0;
	}
	while ((entry = readdir(d))) {
		unsigned long long number;

		if (!ticket_number(entry->d_name, &number) ||
		    !strcmp(entry->d_name, q->name) ||
		    !ticket_alive(q, entry->d_name))
			continue;
		count += number < below;
		*highest = MAX(*highest, number);
	}
	closedir(d);
	return count;
}

static int fail_queue(struct queue *q, const char *path, struct error *e)
{
	error_set(e, EXIT_RUNNER, "the queue for the GPU, %s: %s",
		  text_show(path), strerror(errno));
	queue_leave(q);
	return -1;
}

/* Opens the folder, made for all users if it is not there. */
static int folder_open(struct queue *q, struct error *e)
{
	struct stat st;

	if (mkdir(q->path, 0700) == 0 && chmod(q->path, 01777) < 0)
		return fail_queue(q, q->path, e);
	q->folder = open(q->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW |
				  O_CLOEXEC);
	if (q->folder < 0 || fstat(q->folder, &st) < 0)
		return fail_queue(q, q->path, e);
	return 0;
}

/* Takes a ticket. The file is locked before it gets the ticket's name, so that
 * it never looks like one of a dead process. */
static int ticket_take(struct queue *q, struct error *e)
{
	char *draft = xasprintf("new-%ld", (long)getpid());
	unsigned long long next;
	int rc = -1;

	unlinkat(q->folder, draft, 0);
	q->ticket = openat(q->folder, draft, O_RDWR | O_CREAT | O_EXCL |
			   O_NOFOLLOW | O_CLOEXEC, 0644);
	if (q->ticket >= 0 && fchmod(q->ticket, 0644) == 0 &&
	    flock(q->ticket, LOCK_EX | LOCK_NB) == 0) {
		tickets_count(q, 0, &next);
		for (int i = 0; i < TRIES && rc < 0; i++) {
			q->number = ++next;
			ticket_name(q->name, q->number);
			rc = linkat(q->folder, draft, q->folder, q->name, 0);
			if (rc < 0 && errno != EEXIST)
				break;
		}
	}
	if (rc < 0) {
		q->name[0] = '\0';
		fail_queue(q, draft, e);
	} else {
		unlinkat(q->folder, draft, 0);
	}
	free(draft);
	return rc;
}

struct queue *queue_enter(const char *folder, const char *uuid,
			  struct error *e)
{
	struct queue *q = xcalloc(1, sizeof(*q));

	q->folder = q->ticket = -1;
	q->path = xasprintf("%s/gemmviz-%s", folder ? folder : "/tmp", uuid);
	if (folder_open(q, e) < 0 || ticket_take(q, e) < 0)
		return NULL;
	return q;
}

int queue_place(struct queue *q)
{
	unsigned long long highest;
	int before;

	if (q->ours)
		return 0;
	before = tickets_count(q, q->number, &highest);
	if (before == 0 && flock(q->folder, LOCK_EX | LOCK_NB) == 0)
		q->ours = true;
	return q->ours ? 0 : MAX(before, 1);
}

void queue_leave(struct queue *q)
{
	if (!q)
		return;
	if (q->name[0])
		unlinkat(q->folder, q->name, 0);
	if (q->ticket >= 0)
		close(q->ticket);
	if (q->folder >= 0)
		close(q->folder);
	free(q->path);
	free(q);
}
