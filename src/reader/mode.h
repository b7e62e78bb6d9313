/*
 * mode: what keys and the mouse mean for a while.
 *
 * Of the modes in MODES (mode.c) the first that is on takes a key; what it
 * has no use for goes to the mode below it. The footer and the help are made
 * of the same tables. A mode is a file mode_NAME.c that ends in its entry,
 * and a line in MODES; an action is a function and an entry of a mode's.
 */
#ifndef READER_MODE_H
#define READER_MODE_H

#include "reader/reader.h"

struct action {
	uint32_t keys[3];
	/* For the footer and the help; NULL: the action above tells of both. */
	const char *key;
	const char *word;	/* in the footer; NULL: not there */
	const char *help;	/* the whole sentence; NULL: not there */
	void (*run)(struct reader *r, int arg);	/* NULL: mode.rest does it */
	int arg;
	/* Whether there is such an action now; NULL: always. */
	bool (*has)(const struct reader *r);
	/* The footer's key and word where they change; NULL: as above. */
	const char *(*key_now)(const struct reader *r);
	const char *(*word_now)(const struct reader *r);
};

struct mode {
	bool (*on)(const struct reader *r);
	bool over;		/* over another, whose footer and help stay */
	const struct action *actions;
	size_t action_count;
	/* Keys that none of them takes; false: not taken. May be NULL. */
	bool (*rest)(struct reader *r, uint32_t key);
	/* NULL: for the next mode that is on. */
	void (*mouse)(struct reader *r, const struct event *ev);
	const struct mode *below;	/* NULL: other keys mean nothing */
	const struct mode *help;	/* whose help is shown; NULL: its own */
};

/* Those that others name: below them is a step, and what is always so. */
extern const struct mode mode_step, mode_common;

void mode_key(struct reader *r, uint32_t key);
void mode_mouse(struct reader *r, const struct event *ev);
/* Fills the show's footer and the keys of its help. */
void mode_show(struct reader *r);

/* Actions of more than one mode. */
void act_lane(struct reader *r, int arg);
void act_tab(struct reader *r, int arg);

/* -1 and 1 for the wheel, 0 for a button. */
static inline int mode_wheel(const struct event *ev)
{
	return ev->mouse == MOUSE_WHEEL_UP ? -1 :
	       ev->mouse == MOUSE_WHEEL_DOWN ? 1 : 0;
}

#endif
