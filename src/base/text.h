/*
 * text: the one place where bytes become something safe to show.
 *
 * Text from a file, a kernel, a trace, a message or a name is untrusted:
 * text_clean() makes it fit for every output there is (screen, plain text,
 * messages, exports). Strict UTF-8; each byte that is not becomes U+FFFD;
 * C0 and C1 controls, DEL, bidirectional controls, zero-width characters,
 * line and paragraph separators, noncharacters and whatever wcwidth() calls
 * -1 become a visible stand-in: U+2400 + c for C0, U+2421 for DEL, else
 * U+FFFD (with TEXT_ASCII: '?', as is all that is not ASCII). A combining
 * mark stays where it has a character to stand on, up to four of them. Tabs
 * become spaces to the next multiple of 8 columns, or stay with TEXT_TABS;
 * newlines stay with TEXT_LINES.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stddef.h>
#include <stdint.h>

enum text_flags {
	TEXT_LINES = 1,		/* keep '\n' */
	TEXT_TABS = 2,		/* keep '\t' */
	TEXT_ASCII = 4,		/* the output can do ASCII only */
};

/* A cleaned copy on the heap, never NULL. */
char *text_clean(const char *s, size_t n, unsigned flags);
/* A copy that is UTF-8, and else what it was, for data that programs read: each
 * byte that is not UTF-8 is U+FFFD. */
char *text_utf8(const char *s);
/* Clean, for one short line in a message, cut at 200 columns, in what the
 * locale can show; a static ring of 8 buffers. */
const char *text_show(const char *s);

/*
 * Decodes one character from clean or unclean UTF-8 (n > 0 bytes): returns
 * the bytes used (>= 1) and the code point, U+FFFD for a bad byte.
 */
size_t text_decode(const char *s, size_t n, uint32_t *cp);
/* Encodes; returns 1 to 4 bytes, no terminator. */
size_t text_encode(uint32_t cp, char out[4]);

/* Columns of a clean text: each character 0, 1 or 2 as wcwidth() says, and
 * 1 where it says nothing. */
int text_width(const char *s);
int text_char_width(uint32_t cp);

/*
 * The bytes of s that fit in `columns`; *used gets their columns. Never
 * splits a character.
 */
size_t text_fit(const char *s, int columns, int *used);

#endif
