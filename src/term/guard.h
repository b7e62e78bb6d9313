/*
 * guard: puts the terminal back when the program is killed.
 *
 * Before curses starts, the terminal's modes and the strings that leave the
 * alternate screen, show the cursor, stop the mouse and reset colours are
 * saved. Handlers for the deadly signals, on an alternate stack and with
 * async-signal-safe calls only, write them, set the modes back, and raise
 * the signal again with its default action, so that the status is 128 + n.
 */
#ifndef TERM_GUARD_H
#define TERM_GUARD_H

#include <stddef.h>

/* Saves the modes of the terminal fd and the n bytes `out` that restore the
 * screen, and installs the handlers. */
void guard_enter(int fd, const char *out, size_t n);
/* Restores now, if entered. Safe to call twice and from a handler. */
void guard_restore(void);
/* Disarms the handlers after an orderly end: they write nothing any more. */
void guard_leave(void);

#endif
