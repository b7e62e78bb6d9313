/*
 * cpp_words: reads C++ and CUDA text word by word. Nothing is copied and
 * nothing left out: the words of a text stand one behind the other from its
 * first byte to its last, whatever the bytes are.
 *
 * A string is one word with its prefix, u8R"x(...)x". A comment or a raw
 * string that nothing closes ends with the text, another literal with its
 * line. A backslash before a newline is blank, and lets a directive, a string
 * or a // comment go on in the next line.
 */
#ifndef BASE_CPP_WORDS_H
#define BASE_CPP_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* Any other byte is a word of one sign: that sign is its kind. */
enum cpp_kind {
	CPP_END = 0,		/* behind the last word, empty */
	CPP_WORD = 'w',		/* identifier or keyword */
	CPP_NUMBER = '0',	/* 16u, 1'000, 0x1p-3f */
	CPP_STRING = '"',
	CPP_CHARACTER = '\'',
	CPP_COMMENT = 'c',
	CPP_BLANK = ' ',	/* as many blanks and newlines as there are */
	CPP_DIRECTIVE = 'd',	/* #define ..., up to the end of its line */
};

struct cpp_word {
	int kind;
	const char *at;
	size_t length;
};

/* Where a reader is; a copy of it goes on by itself. */
struct cpp_text {
	const char *at, *end;
	bool directives;	/* each is one word, else # is a sign */
	bool inside_line;	/* a # here begins no directive */
};

/* The next word of any kind; of kind CPP_END ever after the last. */
struct cpp_word cpp_next(struct cpp_text *t);
/* The next that is no blank and no comment. */
struct cpp_word cpp_next_code(struct cpp_text *t);

/* All of those, and one of kind CPP_END behind the last. Heap. */
struct cpp_word *cpp_code(const char *text, size_t length, bool directives,
			  size_t *count);

bool cpp_is(const struct cpp_word *w, const char *text);
/* Behind the comment that begins at s, before end; s where none does. */
const char *cpp_comment_end(const char *s, const char *end);

/* What an identifier consists of; it does not begin with a digit. */
static inline bool cpp_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool cpp_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
	       c == '$' || (unsigned char)c >= 0x80;
}

static inline bool cpp_word_char(char c)
{
	return cpp_letter(c) || cpp_digit(c);
}

#endif
