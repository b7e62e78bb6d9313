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

/* Makes the terminal's own sequence mean a key; sequences that are empty or too
 * long are ignored. bytes may be NULL. */
void keys_learn(struct keys *k, const char *bytes, uint32_t key);
/* A key that does what another does. */
struct key_pair { uint32_t from, to; };
/* The key of a name: a character, or one of keys_names(); K_NONE: no name. */
uint32_t keys_named(const char *name);
/* The names of the keys that are no characters, between blanks. */
const char *keys_names(void);

/* Room for bytes to be read into; keys_got() says how many there were. */
void *keys_room(struct keys *k, size_t *n);
void keys_got(struct keys *k, size_t n);
/* The next event; false: none is complete. late: what is pending has waited
 * long enough, so that a lone Escape is the key. */
bool keys_next(struct keys *k, bool late, struct event *ev);
/* Whether something is pending that time may decide. */
bool keys_undecided(const struct keys *k);

#endif
