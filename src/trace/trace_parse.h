/*
 * trace_parse: the state in which the text form of a trace is parsed. The first
 * error is kept, with line and column; everything parsed after it is 0.
 */
#ifndef TRACE_TRACE_PARSE_H
#define TRACE_TRACE_PARSE_H

#include "trace/trace_format.h"

struct parse {
	const char *p, *end;		/* position in the line, and its end */
	const char *line_start, *stop;	/* stop: end of the text */
	size_t line;
	bool bad;
	struct error *e;

	struct trace_info info;
	size_t define_capacity, array_capacity, site_capacity;
	size_t argument_capacity, finding_capacity, work_capacity;
	struct site_plan *plans;
	struct trace_writer *writer;
	bool any_warp;
	uint32_t block, warp, lanes;
};

/* Records an error; returns 0, for callers that need a number. */
uint64_t parse_expected(struct parse *s, const char *what);

void parse_line_next(struct parse *s);
void parse_line_end(struct parse *s);
/* Skips `word` if it comes next; false if it does not. */
bool parse_take(struct parse *s, const char *word);
void parse_need(struct parse *s, const char *word);
/* Tests whether the line begins with this keyword. */
bool parse_at_keyword(const struct parse *s, const char *word);

uint64_t parse_digits(struct parse *s, unsigned radix, uint64_t highest,
		      const char *what);
uint64_t parse_number(struct parse *s, uint64_t highest, const char *what);
/* These parse an item with the space before it; parse_name() parses a word that
 * `from` knows. */
uint32_t parse_u32(struct parse *s);
uint64_t parse_u64(struct parse *s);
int parse_name(struct parse *s, int (*from)(const char *), const char *what);
char *parse_string(struct parse *s);
/* Parses characters up to the end of the line, or to a quote. */
void parse_rest(struct parse *s, struct str *out, bool quoted);

void parse_head(struct parse *s);
void parse_tables(struct parse *s);

#endif
