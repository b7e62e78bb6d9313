/*
 * cpp_words: reads C++ and CUDA text word by word, that is, as tokens. Nothing
 * is copied and nothing left out: the words of a text are adjacent from its
 * first byte to its last, whatever the bytes are.
 *
 * A string is one word with its prefix, u8R"x(...)x". An unterminated comment
 * or raw string ends with the text, any other unterminated literal with its
 * line. A backslash before a newline is a blank, and continues a directive, a
 * string or a // comment on the next line.
 */
#ifndef BASE_CPP_WORDS_H
#define BASE_CPP_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* The kinds of words. Any other byte is a word of one character, whose kind is
 * that character. */
enum cpp_kind {
	CPP_END = 0,		/* after the last word; empty */
	CPP_WORD = 'w',		/* identifier or keyword */
	CPP_NUMBER = '0',	/* 16u, 1'000, 0x1p-3f */
	CPP_STRING = '"',
	CPP_CHARACTER = '\'',
	CPP_COMMENT = 'c',
	CPP_BLANK = ' ',	/* all adjacent blanks and newlines */
	CPP_DIRECTIVE = 'd',	/* #define ..., up to the end of its line */
};

struct cpp_word {
	int kind;
	const char *at;
	size_t length;
};

/* The position of a reader; a copy of it reads on independently. */
struct cpp_text {
	const char *at, *end;
	bool directives;	/* each is one word, else # is a character */
	bool inside_line;	/* a # here does not begin a directive */
};

/* Reads the next word of any kind; after the last word always CPP_END. */
struct cpp_word cpp_next(struct cpp_text *t);
/* Reads the next word that is neither a blank nor a comment. */
struct cpp_word cpp_next_code(struct cpp_text *t);

/* Returns all words that are neither blanks nor comments, then one of kind
 * CPP_END; the caller frees them. */
struct cpp_word *cpp_code(const char *text, size_t length, bool directives,
			  size_t *count);

bool cpp_is(const struct cpp_word *w, const char *text);
/* Tests whether `word` is one of a text's words, comments not counted. */
bool cpp_has(const char *text, size_t length, const char *word);
/* Returns the end of the comment that begins at s, at most `end`; s where none
 * begins. */
const char *cpp_comment_end(const char *s, const char *end);

/* Tests for the digits of an identifier, which does not begin with one. The
 * next two functions test for its other characters. */
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
