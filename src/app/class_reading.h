/*
 * class_reading: reads the files of a class, a bounded part at a time.
 *
 * A look takes a given time: what it does not reach is read by the next one,
 * and counted as unread until then. Files are read in turns of their owners, so
 * that a person who makes thousands of files delays nobody else's. The limits
 * on the whole are in class_reading.c; what is beyond them stays unread.
 */
#ifndef APP_CLASS_READING_H
#define APP_CLASS_READING_H

#include <sys/types.h>
#include <time.h>

#include "app/class.h"

struct class_file {
	char who[CLASS_NAME];
	uid_t owner;
	size_t turn;			/* number among its owner's files */
	ino_t inode;			/* these three: when it was read */
	off_t size;
	struct timespec changed;
	bool stale;			/* has changed since, or was never read */
	struct class_event *events;
	size_t count, capacity;
	int damaged;			/* lines */
};

/* {0} has read nothing. */
struct class_reading {
	struct class_file *files;
	size_t count, capacity;
	size_t stale;			/* files that another look reads */
	int unread, damaged;		/* files, also those beyond the limits */
};

/* Looks at the folder, and reads what has changed for at most so many seconds;
 * returns -1 with e if there is no such class. */
int class_reading_look(struct class_reading *r, const char *folder,
		       const char *name, double seconds, struct error *e);
/* Fills the room with what was read so far; class_room_done() frees it. */
void class_reading_room(const struct class_reading *r, struct class_room *room);
void class_reading_done(struct class_reading *r);

/* Reads the file of f->who in an open folder into f. */
void class_file_read(int folder, struct class_file *f);

#endif
