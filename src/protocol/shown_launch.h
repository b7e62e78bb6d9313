/*
 * shown_launch: how a user's text itself launches its kernel, where options do
 * not say: k<16><<<dim3(n / 16, m / 16), 256, bytes>>>(...). Values that the
 * text does not show stay unset.
 */
#ifndef PROTOCOL_SHOWN_LAUNCH_H
#define PROTOCOL_SHOWN_LAUNCH_H

#include "protocol/shown_value.h"

/* What the launch passes for a parameter. */
struct shown_passed {
	bool known;		/* the text shows its value, */
	bool sized;		/* or it follows from -m, -n or -k */
	double value;
	/* "" or the variable of the launch's function that it is. */
	char name[64];
};
#define SHOWN_PASSED 16

struct shown_launch {
	char *file;		/* NULL: the text shows no launch of the kernel */
	uint32_t line;
	/* The kernel, with a template's arguments; NULL: they are not shown. */
	char *entry;
	bool has_block, has_grid, has_shared;
	struct trace_dim block, grid;
	uint32_t shared;
	char unknown[64];	/* the first name without a value, or "" */
	bool sized;		/* -m, -n or -k stood for M, N or K */
	bool none;		/* its grid or its block has a 0 */
	/* There is no entry, and the text launches more than one kernel. */
	bool several;
	struct shown_passed passed[SHOWN_PASSED];
	size_t passed_count;
};

/* Finds the launch of the job's entry, or of the only kernel that is launched.
 * `set`: values of variables, in place of those that the text shows; NULL:
 * none. `literal`: as in struct shown_texts. */
void shown_launch_find(struct shown_launch *s, const struct job *job,
		       const struct shown_names *set, uint32_t literal);
void shown_launch_done(struct shown_launch *s);

#endif
