/*
 * lesson_parse: what the parser's files share. lesson_parse.c reads the
 * Markdown, lesson_directives.c the lines of its gemmviz blocks, and
 * lesson_record.c the directives that say what to record.
 */
#ifndef LESSON_LESSON_PARSE_H
#define LESSON_LESSON_PARSE_H

#include "lesson/lesson.h"
#include "base/text.h"

#define LESSON_MAX_BYTES (1u << 18)

struct parser {
	char *text;			/* clean, with its newlines */
	size_t len;
	struct lesson *lesson;
	struct error *error;

	/* The position of the last text: md4c passes pointers into `text`. */
	const char *seen;
	int line;

	bool words_alone;	/* nothing is recorded */
	bool directives;		/* in a block of directives */
	bool heading;
	/* number: of the list's next item; 0: not ordered */
	int list_depth, number;
	bool item;			/* the next paragraph is an item */
	bool unsupported;		/* in a block that is not supported */
	bool unsupported_span;
	bool question;			/* the step's last question may go on */
	unsigned style;
	bool soft_break;	/* a soft break precedes the next text */
	uint32_t last;	/* last character of the paragraph, or 0 */
	struct str words;		/* a heading's, a span's, a directive */
	unsigned words_style;
};

/* Sets the error, with file and line; returns -1. */
int parse_fail(struct parser *p, const char *fmt, ...) PRINTF(2, 3);
/* Sets an error such as "expected a view, got 'bnks'; did you mean 'banks'?";
 * returns -1. */
int parse_fail_name(struct parser *p, const char *wanted, const char *got,
		    const char *const *names, size_t count);
int parse_check_expr(struct parser *p, const char *expr);
int parse_check_words(struct parser *p, const char *words);

/* Appends a zeroed element to an array whose capacity is its count. */
void *parse_append(void *array, size_t *count, size_t size);
/* Return the last step, and its question that may still go on; NULL: there is
 * none. */
struct lesson_step *parse_step(struct parser *p);
struct lesson_question *parse_question(struct parser *p);

/* Splits off the next word of a line, in place. Returns NULL at the line's
 * end. */
char *parse_word(char **line);
bool parse_is_name(const char *s);

/* Returns the language of a lesson's path, such as lessons/zh/tiling.md, and
 * sets the folder of all its languages, lessons/; the caller frees that. */
const char *lesson_path_lang(const char *path, char **folder);

/* Parses a line of a gemmviz block. */
int lesson_directive(struct parser *p, char *line);
int lesson_record_directive(struct parser *p, char *rest);
/* Ends a question, which must have an answer. */
int lesson_question_end(struct parser *p);

#endif
