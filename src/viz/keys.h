/*
 * keys: turns the bytes that a terminal sends into events. Pure: needs no
 * terminal.
 *
 * It knows UTF-8, what xterm and similar terminals send for keys (in both
 * cursor modes, modifiers ignored) and for the mouse (SGR and the older X10
 * form), and the sequences given to keys_learn(). A sequence that it does not
 * know is swallowed whole: its letters are not keys. Bytes may arrive in any
 * portions. An Escape by itself is a key only if nothing follows it soon; the
 * caller measures how soon.
 */
#ifndef VIZ_KEYS_H
#define VIZ_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "viz/event.h"

struct keys {
	struct { char bytes[16]; uint32_t key; } known[32];
	size_t known_count;
	unsigned char data[256];
	size_t len;
};

/* Makes the terminal's own sequence mean a key. Sequences that are empty or too
 * long are ignored; bytes may be NULL. */
void keys_learn(struct keys *k, const char *bytes, uint32_t key);
/* A key that acts as another one. */
struct key_pair { uint32_t from, to; };
/* Returns the key of a name: a character, or one of keys_names(). K_NONE: there
 * is no such key. */
uint32_t keys_named(const char *name);
/* Returns the names of the keys that are not characters, separated by
 * blanks. */
const char *keys_names(void);

/* Returns the free space for bytes to be read into, *n bytes; report how many
 * were read with keys_got(). */
void *keys_room(struct keys *k, size_t *n);
void keys_got(struct keys *k, size_t n);
/* Takes the next event; false: none is complete. late: the pending bytes have
 * waited long enough, so that a lone Escape is the key. */
bool keys_next(struct keys *k, bool late, struct event *ev);
/* Tells whether bytes are pending that only time can decide (a lone Escape). */
bool keys_undecided(const struct keys *k);

#endif
