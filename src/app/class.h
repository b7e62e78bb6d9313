/*
 * class: the work of a class's members, in files that all of them can reach.
 *
 * FOLDER/NAME is a class. Each member has a file in it, WHO.jsonl, that no one
 * else writes: an event per line, as JSON, numbered from 1:
 *
 *	{"v":1,"who":"calm-otter-3f9a","n":7,"lesson":"tiling","step":2,
 *	 "steps":8,"question":1,"answer":"16","right":false}
 *
 * An event of gemmviz practice has "tries" and "hints", too. Steps and questions
 * are counted from 1; an event without an answer says that
 * a member has come to a step. WHO is a pseudonym, kept with the events in
 * $XDG_STATE_HOME/gemmviz/class/NAME.jsonl. The member's file in the class is
 * always a prefix of that file: what it lacks is appended in one write. So a
 * full disk, or a folder that is unavailable, loses nothing, and a line that
 * was cut is completed later.
 */
#ifndef APP_CLASS_H
#define APP_CLASS_H

#include "base/base.h"
#include "scene/turns.h"

#define CLASS_NAME 40		/* with its end */

struct class_event {
	char who[CLASS_NAME], lesson[64], answer[64];
	int n, step, steps, question;
	int tries, hints;		/* at a rung of practice; 0: none */
	bool answered, right;
};

/* Returns whether a word can name a class or a person: letters, digits, '-' and
 * '_', in ASCII. */
bool class_name_valid(const char *name);
/* Returns the event's line, with its newline; the caller frees it. */
char *class_event_line(const struct class_event *ev);
/* Reads an event from a line without its newline. Returns false if it is
 * none. */
bool class_event_read(const char *line, size_t len, struct class_event *ev);

/* ---- a person ---- */

struct class_member {
	char name[CLASS_NAME], who[CLASS_NAME];
	char *log;		/* the person's own file */
	char *folder;		/* of classes */
	int n;			/* events so far */
	/* where the class was last told that the person is */
	char lesson[64];
	size_t step;
};
/* Returns the default folder of classes: $GEMMVIZ_CLASS_FOLDER, or a folder of
 * the machine. */
const char *class_folder(void);
/* Joins the class; -1 with e. */
int class_join(struct class_member *m, const char *folder, const char *name,
	       struct error *e);
/* Adds the event to the person's own log. Returns -1 with e. */
int class_note(struct class_member *m, struct class_event *ev,
	       struct error *e);
/* Tells the class what it does not have yet; -1 with e: it cannot be reached
 * for now. */
int class_send(const struct class_member *m, struct error *e);
void class_leave(struct class_member *m);

/* ---- the teacher's place ---- */

/* Where the teacher reads, from 1, but for the cursor, and which picture is
 * there: FOLDER/NAME/place.json, which is written anew under another name and
 * renamed. */
struct class_place {
	char lesson[64], view[24];	/* "": the picture that suits the step */
	int step, question, warp, request, lane;
	int pane;			/* enum pane */
	bool answered;			/* the question */
	struct turns turns;
};
#define CLASS_TURNS_MOST 1000	/* of each, to either side */
bool class_place_same(const struct class_place *a, const struct class_place *b);
int class_place_write(const char *folder, const char *name,
		      const struct class_place *p, struct error *e);
/* Reads the place of the teacher of a class; returns 1, 0 if there is none, or
 * -1 with e. */
int class_place_read(const char *folder, const char *name,
		     struct class_place *p, struct error *e);

/* ---- all of them ---- */

/* Makes the folder of a class, in which all users can write. Returns -1 with e
 * if it cannot, or if the folder has another owner. */
int class_start(const char *folder, const char *name, struct error *e);
/* Adds an event from elsewhere to its person's file, unless it is there. */
int class_collect(const char *folder, const char *name,
		  const struct class_event *ev, struct error *e);

/* The lesson and step of a person. */
struct class_person { char who[CLASS_NAME], lesson[64]; int step, steps; };
struct class_room {
	struct class_event *events;	/* by person, in order */
	size_t event_count, event_capacity;
	struct class_person *people;
	size_t person_count, person_capacity;
	int damaged;			/* lines and files that are no events */
	int unread;			/* files */
};
/* Adds an event; those of a person come one after the other. */
void class_room_add(struct class_room *room, const struct class_event *ev);
/* Reads the whole class, within the limits of class_reading.h; returns -1 with
 * e if there is no such class. */
int class_read(struct class_room *room, const char *folder, const char *name,
	       struct error *e);
void class_room_done(struct class_room *room);

/* How often each answer was a person's first to a question. */
#define CLASS_ANSWERS 8
struct class_poll {
	char lesson[64];
	int step, question;		/* 0: no one has answered anything */
	struct { char text[64]; bool right; int count; }
		answers[CLASS_ANSWERS];
	int answer_count;
};
/* Finds the last answered question of the step that most people are at. */
void class_poll(const struct class_room *room, struct class_poll *poll);
/*
 * Returns the words of a question of the course, steps and questions counted
 * from 1, with "â¦" for what each person has other numbers for; heap.
 * "" where there is none. *loaded, NULL at first, keeps the lesson for the next
 * call; the caller frees it with lesson_free().
 */
struct lesson;
char *class_question(struct lesson **loaded, const char *lesson, int step,
		     int question);
/* Returns how many people are at this step of this lesson. */
int class_at(const struct class_room *room, const char *lesson, int step);

/* The lesson of a verdict of gemmviz practice begins with this, and the rung's name
 * follows; its step is the rung's place on the map, and its answer the stage that
 * failed, or "passed". */
#define CLASS_PRACTICE "practice-"
/* A rung: how many people have passed it, are at it, and of these are stuck:
 * their last five tries failed at one stage; the last such stage. */
struct class_rung {
	char name[64], stage[64];
	int place, passed, at, stuck;
};
struct class_rungs { struct class_rung *list; size_t count, capacity; };
/* Counts the verdicts of all people, by rung, in the order of the map. */
void class_rungs_read(const struct class_room *room, struct class_rungs *to);
void class_rungs_done(struct class_rungs *r);

/* The people at one step of one lesson. */
struct class_group {
	const struct class_person **people;	/* in the order of the room */
	size_t count;
};
/* Returns the groups, sorted by lesson and step, and their number; the caller
 * calls class_groups_done(). */
struct class_group *class_groups(const struct class_room *room, size_t *count);
void class_groups_done(struct class_group *groups);

#endif
