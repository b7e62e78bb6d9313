/* class_member: a member of a class. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/lang.h"
#include "base/text.h"
#include "app/class.h"
#include "app/class_folder.h"

#define LOG_MOST (16u << 20)
#define DEFAULT_FOLDER "/var/tmp/gemmviz-class"

const char *class_folder(void)
{
	const char *folder = getenv("GEMMVIZ_CLASS_FOLDER");

	return folder && *folder ? folder : DEFAULT_FOLDER;
}

/* ---- a pseudonym ---- */

static void invent_name(char who[CLASS_NAME])
{
	static const char *const how[] = { "calm", "brave", "quick", "kind",
		"merry", "quiet", "sunny", "witty" };
	static const char *const what[] = { "otter", "heron", "panda", "lynx",
		"finch", "koala", "tapir", "crane" };
	uint32_t r;

	if (getrandom(&r, sizeof(r), 0) != sizeof(r))
		fatal("getrandom: %m");
	snprintf(who, CLASS_NAME, "%s-%s-%06x", how[r % 8], what[r / 8 % 8],
		 r >> 8);
}

/* ---- write the person's own file ---- */

/* Returns the path of the person's log, or NULL; the caller frees it. */
static char *make_log_path(const char *name)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");

	if (state && *state)
		return xasprintf("%s/gemmviz/class/%s.jsonl", state, name);
	return home && *home ?
	       xasprintf("%s/.local/state/gemmviz/class/%s.jsonl", home,
			 name) : NULL;
}

/* Takes the name and the number of events from the last valid line of the
 * log. */
static void read_log_state(struct class_member *m, const char *text)
{
	struct class_event ev;

	for (size_t n; *text; text += n + (text[n] == '\n')) {
		n = strcspn(text, "\n");
		if (!class_event_read(text, n, &ev))
			continue;
		memcpy(m->who, ev.who, sizeof(m->who));
		m->n = MAX(m->n, ev.n);
	}
}

int class_join(struct class_member *m, const char *folder, const char *name,
	       struct error *e)
{
	char *text;
	size_t len;

	*m = (struct class_member){0};
	if (!class_name_valid(name))
		return error_set(e, EXIT_USAGE, "'%s' cannot name a class: "
				 "letters, digits, - and _", text_show(name));
	snprintf(m->name, sizeof(m->name), "%s", name);
	m->log = make_log_path(name);
	if (!m->log)
		return error_set(e, EXIT_INPUT, "%s",
				 _("nothing can be kept: HOME is not set"));
	text = access(m->log, F_OK) ? NULL : file_read(m->log, LOG_MOST, &len,
						       e);
	if (text)
		read_log_state(m, text);
	free(text);
	if (!m->who[0])
		invent_name(m->who);
	m->folder = xstrdup(folder);
	return 0;
}

void class_leave(struct class_member *m)
{
	free(m->log);
	free(m->folder);
	*m = (struct class_member){0};
}

/* ---- events ---- */

static void make_folders(const char *path)
{
	char *copy = xstrdup(path);

	for (char *p = strchr(copy + 1, '/'); p; p = strchr(p + 1, '/')) {
		*p = 0;
		mkdir(copy, 0700);
		*p = '/';
	}
	free(copy);
}

/* Appends a line as a whole or not at all. Returns 0 or errno. */
static int append_line(int fd, const char *line)
{
	off_t end = lseek(fd, 0, SEEK_END);
	int failed = 0;

	if (write_all(fd, line, strlen(line)) || fsync(fd)) {
		failed = errno;
		if (ftruncate(fd, end))
			failed = errno;
	}
	return failed;
}

/* Adds an event to the log. Two programs of one person may do so at once, so
 * the event's number is known only under the lock. */
int class_note(struct class_member *m, struct class_event *ev,
	       struct error *e)
{
	int fd, failed;
	char *line, *text;
	size_t len;

	make_folders(m->log);
	fd = open(m->log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		return error_set(e, EXIT_OUTPUT, "%s: %m", text_show(m->log));
	flock(fd, LOCK_EX);
	text = file_read(m->log, LOG_MOST, &len, e);
	if (text)
		read_log_state(m, text);
	free(text);
	memcpy(ev->who, m->who, sizeof(ev->who));
	ev->n = ++m->n;
	line = class_event_line(ev);
	failed = append_line(fd, line);
	close(fd);
	free(line);
	return failed ? error_set(e, EXIT_OUTPUT, "%s: %s", text_show(m->log),
				  strerror(failed)) : 0;
}

/* Reads the log from a place on; the caller frees the text. The lock is held
 * only while reading. */
static char *read_log_from(int log, off_t from, size_t *n)
{
	struct stat all;
	char *text = NULL;
	ssize_t got = 0;

	flock(log, LOCK_SH);
	if (!fstat(log, &all) && all.st_size > from) {
		text = xmalloc((size_t)(all.st_size - from));
		got = pread(log, text, (size_t)(all.st_size - from), from);
	}
	flock(log, LOCK_UN);
	*n = got > 0 ? (size_t)got : 0;
	return text;
}

/* Appends what the class's file lacks of the log. */
static int catch_up(int log, int file)
{
	struct stat have;
	char *text;
	size_t n;
	int failed = 0;

	if (fstat(file, &have))
		return errno;
	text = read_log_from(log, have.st_size, &n);
	if (n && (write(file, text, n) != (ssize_t)n || fsync(file)))
		failed = errno ? errno : ENOSPC;
	free(text);
	return failed;
}

/* Takes the lock for sending, so that two programs of one person do not send at
 * once. It is not the log's lock: waiting for a dead server does not keep
 * others from writing the log. Returns its descriptor. */
static int lock_sending(const struct class_member *m)
{
	char *path = xasprintf("%s.lock", m->log);
	int turn = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	if (turn >= 0)
		flock(turn, LOCK_EX);
	free(path);
	return turn;
}

/* Opens the person's file in the class to append to it; returns -1 with errno
 * and the reason. */
static int open_own_file(const struct class_member *m, struct error *e)
{
	int dir = class_folder_open(m->folder, m->name, e), fd;
	char *name;

	if (dir < 0)
		return -1;
	name = xasprintf("%s.jsonl", m->who);
	fd = class_file_append(dir, name);
	if (fd < 0)
		error_set(e, EXIT_OUTPUT, "%s: %m", name);
	free(name);
	close(dir);
	return fd;
}

int class_send(const struct class_member *m, struct error *e)
{
	int log = open(m->log, O_RDONLY | O_CLOEXEC), turn, file, failed;
	struct error why;

	if (log < 0)
		return 0;	/* nothing to tell */
	turn = lock_sending(m);
	errno = 0;
	file = open_own_file(m, &why);
	failed = file < 0 ? 1 : catch_up(log, file);
	if (failed && file >= 0)
		error_set(&why, EXIT_OUTPUT, "%s", strerror(failed));
	if (file >= 0)
		close(file);
	if (turn >= 0)
		close(turn);
	close(log);
	return failed ? error_set(e, EXIT_OUTPUT, _("The class cannot be "
				  "reached (%s). Your answers are kept, and "
				  "sent later."), why.text) : 0;
}
