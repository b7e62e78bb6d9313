/*
 * class_link: a class's folder, for a screen.
 *
 * The folder may be on a server that no longer answers, so that an access may
 * block for ever. So a child process accesses it: it appends what the class
 * lacks of a person's log, writes the teacher's place, and checks for changes.
 * inotify reports changes; for those made by other machines on a network file
 * system, which it does not report, the child also checks once a second. The
 * two exchange messages over a socket, and the parent never waits for one.
 */
#ifndef APP_CLASS_LINK_H
#define APP_CLASS_LINK_H

#include <sys/types.h>

#include "app/class.h"

/* The child's task; NULL: not that part. */
struct class_task {
	const char *folder;			/* of classes */
	const struct class_member *member;	/* sends this one's events */
	const char *lead;		/* writes the place in this class */
	const char *follow;		/* watches the place in this one */
	const char *name;		/* watches everybody in this one */
};

enum class_news_kind {
	/* first of all: the classes are there, or text says which is not */
	CLASS_FOUND, CLASS_ABSENT,
	CLASS_DONE,	/* what was asked for: text is "", or why it failed */
	CLASS_LOOKED,	/* nothing has changed */
	CLASS_PLACE, CLASS_NO_PLACE,
	CLASS_FAILED,	/* to look: text says why */
	/* the whole class anew: `damaged` lines and files, `unread` files,
	 * each event, the end */
	CLASS_ROOM, CLASS_EVENT, CLASS_ROOM_END,
};
struct class_news {
	enum class_news_kind kind;
	int damaged, unread;
	struct class_place place;
	struct class_event event;
	char text[400];
};

struct class_link {
	int fd;			/* readable when there is news */
	pid_t pid;
	/* The child's current order, and since when; its next orders. */
	bool asked, send_due, lead_due;
	struct class_place place;
	double since;
	bool watches;
	double heard;		/* when it last looked */
};

/* Starts the child, and waits for at most a second until it has found the
 * classes; returns -1 with e if one is missing. A member who was in the class
 * before may read on without it. */
int class_link_open(struct class_link *l, const struct class_task *t,
		    struct error *e);
/* Closes the link, without waiting for the child. */
void class_link_close(struct class_link *l);
/* Tells the class what it lacks of the person's events. */
void class_link_send(struct class_link *l);
/* Writes the teacher's place. */
void class_link_lead(struct class_link *l, const struct class_place *p);
/* Takes the next news. Returns false if there is none. */
bool class_link_take(struct class_link *l, struct class_news *news);
/* Returns the seconds until the child has been silent for too long; 0: it has
 * been; NA: no message is expected. */
double class_link_patience(const struct class_link *l);
/* Sends what is still to be sent, for which it waits a moment; -1 with e. */
int class_link_finish(struct class_link *l, struct error *e);

#endif
