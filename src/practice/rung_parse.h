/* rung_parse: what the files share that parse a rung. */
#ifndef PRACTICE_RUNG_PARSE_H
#define PRACTICE_RUNG_PARSE_H

#include "practice/rung.h"

struct rung_parser {
	struct rung *rung;
	struct error *error;
	int line;
};

/* Sets the error, with file and line; returns -1. */
int rung_fail(struct rung_parser *p, const char *fmt, ...) PRINTF(2, 3);
/* Parses a line of the block `gemmviz`, which it may change. */
int rung_directive(struct rung_parser *p, char *line);
/* Reads the parameters of launch() from the skeleton, or of the reference. */
int rung_signature(struct rung_parser *p);

#endif
