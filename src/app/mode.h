/*
 * mode: what keys and the mouse do at the moment.
 *
 * The first mode in MODES (mode.c) that is on gets each key; a key that it does
 * not handle goes to the mode below it. The footer and the help are made from
 * the same tables. A mode is a file mode_NAME.c that ends in its struct mode,
 * and a line in MODES; an action is a function and an entry in a mode's table.
 */
#ifndef APP_MODE_H
#define APP_MODE_H

#include "app/reader.h"

struct action {
	uint32_t keys[3];
	/* The key's name in the footer and the help; NULL: the action above
	 * describes this one, too. */
	const char *key;
	const char *word;	/* in the footer; NULL: left out */
	const char *help;	/* the help's sentence; NULL: left out */
	void (*run)(struct reader *r, int arg);	/* NULL: mode.rest acts */
	int arg;
	/* Whether the action is possible now; NULL: always. */
	bool (*has)(const struct reader *r);
	/* The footer's key and word, if they vary; NULL: key and word above. */
	const char *(*key_now)(const struct reader *r);
	const char *(*word_now)(const struct reader *r);
};

struct mode {
	bool (*on)(const struct reader *r);
	/* The mode lies over another, whose help stays, and whose footer does
	 * where nothing covers the screen. */
	bool over;
	/* Characters are answers or text: a key that rest() handles is not
	 * mapped to another one. */
	bool typing;
	const struct action *actions;
	size_t action_count;
	/* Handles keys that no action takes; false: not handled. May be
	 * NULL. */
	bool (*rest)(struct reader *r, uint32_t key);
	/* NULL: the next mode that is on gets the mouse */
	void (*mouse)(struct reader *r, const struct event *ev);
	/* gets the other keys; NULL: they do nothing */
	const struct mode *below;
	/* the mode whose help is shown; NULL: this */
	const struct mode *help;
};

/* Modes that other modes refer to: a lesson's or trace's step, the keys of the
 * picture on the screen, and the keys that always work. */
extern const struct mode mode_step, mode_picture, mode_common;

/* All modes, in the order in which they get keys. */
extern const struct mode *const modes[];
extern const size_t mode_count;

/* Handles a key of the keyboard, which may stand for another
 * (reader_options.keys). */
void mode_key(struct reader *r, uint32_t key);
void mode_mouse(struct reader *r, const struct event *ev);
/* Appends the character of a key to a typed text of `size` bytes. Returns whether
 * the key has one and there is room. */
bool mode_type_key(char *text, size_t size, uint32_t key);
/* Removes the last character of a typed text; false: it is empty. */
bool mode_erase_character(char *text);
/* Fills in the show's footer and the keys of its help. */
void mode_show(struct reader *r);

/* ---- run actions that several modes share ---- */
void act_lane(struct reader *r, int arg);
void act_tab(struct reader *r, int arg);
void act_lessons(struct reader *r, int arg);
void act_glossary(struct reader *r, int arg);
void act_help(struct reader *r, int arg);
void act_uncover(struct reader *r, int arg);
void act_advice(struct reader *r, int arg);
void act_search(struct reader *r, int arg);
/* Returns whether there is something on the screen to be searched. */
bool can_search(const struct reader *r);

/* Returns -1 for the wheel up, 1 for the wheel down, 0 for a button. */
static inline int mode_wheel(const struct event *ev)
{
	return ev->mouse == MOUSE_WHEEL_UP ? -1 :
	       ev->mouse == MOUSE_WHEEL_DOWN ? 1 : 0;
}

#endif
