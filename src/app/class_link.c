/* class_link: a child process that accesses a class's folder. */
#include "app/class_link.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/lang.h"
#include "app/class_folder.h"
#include "app/class_reading.h"

#define PERIOD_MS 1000
#define PATIENCE 3.0	/* seconds for an answer */
#define BREATH_MS 100	/* between two looks, when much changes at once */
#define GREETING 1.0	/* seconds that a class may take to be found */
#define READING 0.5	/* seconds of a look that files are read */

enum order_kind { ORDER_SEND, ORDER_LEAD };
struct class_order { enum order_kind kind; struct class_place place; };

/* ---- the child ---- */

struct watcher {
	const struct class_task *task;
	int fd, inotify;
	char *folder;			/* of the class; NULL: none is watched */
	struct class_place place;	/* told last; step 0: none */
	uint64_t room;			/* of the class as told last */
	struct class_reading reading;
	char failed[400];		/* said last; "": it went well */
	bool missing;			/* so much was said of the place */
};

static void send_news(struct watcher *w, const struct class_news *news)
{
	if (send(w->fd, news, sizeof(*news), MSG_NOSIGNAL) < 0)
		_exit(0);	/* the parent has ended */
}

static void send_text(struct watcher *w, enum class_news_kind kind,
		      const char *text)
{
	struct class_news news = { .kind = kind };

	snprintf(news.text, sizeof(news.text), "%.*s",
		 (int)sizeof(news.text) - 1, text);
	send_news(w, &news);
}

static void execute_order(struct watcher *w, const struct class_order *o)
{
	const struct class_task *t = w->task;
	struct error e;
	int status = o->kind == ORDER_LEAD ?
		     class_place_write(t->folder, t->lead, &o->place, &e) :
		     class_send(t->member, &e);

	send_text(w, CLASS_DONE, status ? e.text : "");
}

/* Reports a failure, once for each reason. */
static void report_failure(struct watcher *w, const char *why)
{
	if (!strcmp(w->failed, why)) {
		send_text(w, CLASS_LOOKED, "");
		return;
	}
	snprintf(w->failed, sizeof(w->failed), "%s", why);
	w->place.step = 0;
	w->room = 0;
	send_text(w, CLASS_FAILED, why);
}

static void look_at_place(struct watcher *w)
{
	struct class_news news = { .kind = CLASS_LOOKED };
	struct error e;
	int found = class_place_read(w->task->folder, w->task->follow,
				     &news.place, &e);

	if (found < 0) {
		report_failure(w, e.text);
		return;
	}
	if (!found) {
		news.kind = w->missing ? CLASS_LOOKED : CLASS_NO_PLACE;
		w->missing = true;
	} else if (!class_place_same(&news.place, &w->place)) {
		news.kind = CLASS_PLACE;
		w->place = news.place;
		w->missing = false;
	}
	w->failed[0] = 0;
	send_news(w, &news);
}

static uint64_t room_hash(const struct class_room *room)
{
	uint64_t hash = hash_bytes(&room->damaged, sizeof(room->damaged)) +
			(uint64_t)room->unread;

	for (size_t i = 0; i < room->event_count; i++)
		hash = hash * 31 + hash_bytes(&room->events[i],
			offsetof(struct class_event, right) + sizeof(bool));
	return hash | 1;
}

static void tell_room(struct watcher *w, const struct class_room *room)
{
	struct class_news news = { .kind = CLASS_ROOM,
				   .damaged = room->damaged,
				   .unread = room->unread };

	send_news(w, &news);
	news.kind = CLASS_EVENT;
	for (size_t i = 0; i < room->event_count; i++) {
		news.event = room->events[i];
		send_news(w, &news);
	}
	news.kind = CLASS_ROOM_END;
	send_news(w, &news);
}

static void look_at_room(struct watcher *w)
{
	struct class_room room;
	struct error e;
	uint64_t hash;

	if (class_reading_look(&w->reading, w->task->folder, w->task->name,
			       READING, &e)) {
		report_failure(w, e.text);
		return;
	}
	class_reading_room(&w->reading, &room);
	hash = room_hash(&room);
	if (hash == w->room)
		send_text(w, CLASS_LOOKED, "");
	else
		tell_room(w, &room);
	w->room = hash;
	w->failed[0] = 0;
	class_room_done(&room);
}

/* Checks the place and the room for changes. The watch is renewed, for the
 * folder may have been replaced. */
static void check_folder(struct watcher *w)
{
	if (w->inotify >= 0)
		inotify_add_watch(w->inotify, w->folder, IN_CLOSE_WRITE |
				  IN_MOVED_TO | IN_MODIFY | IN_DELETE |
				  IN_MOVE_SELF | IN_DELETE_SELF | IN_ONLYDIR |
				  IN_DONT_FOLLOW);
	if (w->task->follow)
		look_at_place(w);
	if (w->task->name)
		look_at_room(w);
}

static void drain_events(int fd)
{
	const struct timespec breath = { .tv_nsec = BREATH_MS * 1000000L };
	char buf[4096];

	nanosleep(&breath, NULL);
	while (read(fd, buf, sizeof(buf)) > 0)
		;
}

static int milliseconds_until(double when)
{
	double left = when - seconds_now();

	return left <= 0 ? 0 : (int)(left * 1000) + 1;
}

/* Runs the child: executes orders, and checks the folder when it has changed or
 * a second has passed. Does not return. */
_Noreturn static void run_child(struct watcher *w)
{
	struct pollfd fds[2] = { { .fd = w->fd, .events = POLLIN },
				 { .fd = w->inotify, .events = POLLIN } };
	double due = 0;		/* the next look */
	struct class_order o;

	for (;;) {
		bool changed;

		if (poll(fds, 2, w->folder ? milliseconds_until(due) : -1) < 0)
			continue;
		changed = fds[1].revents & POLLIN;
		if (fds[0].revents) {
			if (recv(w->fd, &o, sizeof(o), 0) != sizeof(o))
				_exit(0);
			execute_order(w, &o);
		}
		if (changed)
			drain_events(w->inotify);
		if (w->folder && (changed || seconds_now() >= due)) {
			check_folder(w);
			due = seconds_now() + (w->reading.stale ? BREATH_MS :
					       PERIOD_MS) / 1000.0;
		}
	}
}

/* Returns the folder of the class that is watched, heap, or NULL. */
static char *watched_folder(const struct class_task *t)
{
	const char *name = t->name ? t->name : t->follow;

	return name ? xasprintf("%s/%s", t->folder, name) : NULL;
}

/* Tells whether the classes are there. */
static void report_classes(struct watcher *w)
{
	const struct class_task *t = w->task;
	const char *const names[] = { t->name, t->lead, t->follow,
				      t->member ? t->member->name : NULL };
	struct error e;

	for (size_t i = 0; i < LENGTH(names); i++) {
		int fd;

		if (!names[i])
			continue;
		fd = class_folder_open(t->folder, names[i], &e);
		if (fd < 0) {
			send_text(w, CLASS_ABSENT, e.text);
			return;
		}
		close(fd);
	}
	send_text(w, CLASS_FOUND, "");
}

_Noreturn static void be_child(const struct class_task *t, int fd, pid_t parent)
{
	struct watcher w = { .task = t, .fd = fd, .inotify = -1,
			     .folder = watched_folder(t) };
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	setsid();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(0);
	for (int i = 0; null >= 0 && i < 3; i++)
		dup2(null, i);
	if (w.folder)
		w.inotify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	report_classes(&w);
	run_child(&w);
}

/* ---- the parent ---- */

/* Waits for the child's first news; returns -1 with e if a class is missing. */
static int await_greeting(struct class_link *l, struct error *e)
{
	double end = seconds_now() + GREETING;
	struct pollfd fd = { .fd = l->fd, .events = POLLIN };
	struct class_news news = { .kind = CLASS_FOUND };

	while (poll(&fd, 1, milliseconds_until(end)) < 0 && errno == EINTR)
		;
	if (!class_link_take(l, &news) || news.kind != CLASS_ABSENT)
		return 0;
	return error_set(e, EXIT_INPUT, "%s", news.text);
}

int class_link_open(struct class_link *l, const struct class_task *t,
		    struct error *e)
{
	pid_t parent = getpid();
	int fd[2];

	*l = (struct class_link){ .fd = -1, .watches = t->follow || t->name,
				  .heard = seconds_now() };
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fd) < 0)
		return error_set(e, EXIT_RUNNER, "socketpair: %m");
	l->pid = fork();
	if (!l->pid) {
		close(fd[0]);
		be_child(t, fd[1], parent);
	}
	close(fd[1]);
	l->fd = fd[0];
	fcntl(l->fd, F_SETFL, O_NONBLOCK);
	if (l->pid < 0) {
		class_link_close(l);
		return error_set(e, EXIT_RUNNER, "fork: %m");
	}
	if (!await_greeting(l, e) || (t->member && t->member->n))
		return 0;
	class_link_close(l);
	return -1;
}

/* Closes the link without waiting: a child that waits for a dead server may not
 * even end by a signal. */
void class_link_close(struct class_link *l)
{
	if (l->fd >= 0)
		close(l->fd);
	if (l->pid > 0) {
		kill(l->pid, SIGKILL);
		waitpid(l->pid, NULL, WNOHANG);
	}
	*l = (struct class_link){ .fd = -1 };
}

/* Sends the child an order that is due, if it has none. Of several places only
 * the newest counts. */
static void send_order(struct class_link *l)
{
	struct class_order o = { .kind = l->send_due ? ORDER_SEND : ORDER_LEAD,
			   .place = l->place };

	if (l->asked || !(l->send_due || l->lead_due) || l->fd < 0)
		return;
	if (send(l->fd, &o, sizeof(o), MSG_NOSIGNAL) != sizeof(o))
		return;
	*(l->send_due ? &l->send_due : &l->lead_due) = false;
	l->asked = true;
	l->since = seconds_now();
}

void class_link_send(struct class_link *l)
{
	l->send_due = true;
	send_order(l);
}

void class_link_lead(struct class_link *l, const struct class_place *p)
{
	l->place = *p;
	l->lead_due = true;
	send_order(l);
}

bool class_link_take(struct class_link *l, struct class_news *news)
{
	ssize_t n = l->fd < 0 ? 0 : recv(l->fd, news, sizeof(*news), 0);

	if (n != sizeof(*news)) {
		if (l->fd >= 0 && !(n < 0 && (errno == EAGAIN ||
					      errno == EINTR)))
			class_link_close(l);
		return false;
	}
	l->heard = seconds_now();
	if (news->kind == CLASS_DONE) {
		l->asked = false;
		send_order(l);
	}
	return true;
}

double class_link_patience(const struct class_link *l)
{
	double since = l->asked ? l->since : seconds_now();

	if (!l->asked && !l->watches)
		return NA;
	if (l->watches)
		since = MIN(since, l->heard);
	return MAX(0, since + PATIENCE - seconds_now());
}

int class_link_finish(struct class_link *l, struct error *e)
{
	double end = seconds_now() + PATIENCE;
	struct class_news news;

	class_link_send(l);
	while (l->fd >= 0 && (l->asked || l->send_due)) {
		struct pollfd fd = { .fd = l->fd, .events = POLLIN };

		if (seconds_now() >= end)
			break;
		poll(&fd, 1, milliseconds_until(end));
		while (class_link_take(l, &news))
			if (news.kind == CLASS_DONE && !l->asked &&
			    news.text[0])
				return error_set(e, EXIT_OUTPUT, "%s",
						 news.text);
	}
	return l->fd >= 0 && !l->asked ? 0 :
	       error_set(e, EXIT_OUTPUT, "%s",
			 _("The class does not answer. Your answers are kept, "
			   "and sent later."));
}
