/*
 * text: the one place where bytes become text that is safe to show.
 *
 * Text from a file, a kernel, a trace, a message or a name is untrusted:
 * text_clean() makes it safe for every kind of output (screen, plain text,
 * messages, exports). Text is strict UTF-8: each invalid byte becomes U+FFFD.
 * C0 and C1 controls, DEL, bidirectional controls, zero-width characters, line
 * and paragraph separators, noncharacters and whatever wcwidth() calls -1
 * become a visible replacement: U+2400 + c for C0, U+2421 for DEL, else U+FFFD
 * (with TEXT_ASCII: '?', as is everything that is not ASCII). Up to four
 * combining marks are kept on a base character. Tabs become spaces to the next
 * multiple of 8 columns, or are kept with TEXT_TABS; newlines are kept with
 * TEXT_LINES.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum text_flags {
	TEXT_LINES = 1,		/* keep '\n' */
	TEXT_TABS = 2,		/* keep '\t' */
	TEXT_ASCII = 4,		/* the output supports only ASCII */
};

/* Returns a copy that is safe to show, on the heap, never NULL. */
char *text_clean(const char *s, size_t n, unsigned flags);
/* Tells whether s is longer than an ending that it has. */
bool text_ends(const char *s, const char *ending);
/* Returns a copy for data that programs read: each byte that is not UTF-8
 * becomes U+FFFD, all else is unchanged. */
char *text_utf8(const char *s);
bool text_is_utf8(const char *s);
/* Returns a file's text as UTF-8, on the heap: unchanged, or converted from
 * GB18030, which contains GBK (sets *other). NULL when it is neither. */
char *text_decoded(const char *s, bool *other);
/* Returns clean text for one short line in a message, cut at 200 columns, in
 * characters of the locale. The result is in a ring of 8 buffers, of each
 * thread its own. */
const char *text_show(const char *s);

/* Returns a word for a command line: the text itself, or in quotes if a shell
 * would read it otherwise or a terminal would not show it; heap. What begins
 * with "-" gets "./" before it. */
char *text_shell_word(const char *s);

/*
 * Decodes one character from clean or unclean UTF-8 (n > 0 bytes): sets the
 * code point, U+FFFD for a bad byte, and returns the number of bytes used (>=
 * 1).
 */
size_t text_decode(const char *s, size_t n, uint32_t *cp);
/* Encodes a code point as 1 to 4 bytes, without terminator; returns how
 * many. */
size_t text_encode(uint32_t cp, char out[4]);

/* Returns the columns of a clean text: each character takes 0, 1 or 2 as
 * wcwidth() says, and 1 where it says nothing. */
int text_width(const char *s);
int text_char_width(uint32_t cp);

/* Returns the number of bytes of s that fit in `columns`; sets *used to their
 * columns. Never splits a character. */
size_t text_fit(const char *s, int columns, int *used);
/* Makes the first letter a capital, if it is an ASCII one; returns s. */
char *text_capital(char *s);

#endif
