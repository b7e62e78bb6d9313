/*
 * timing_members: reads the members that a runner's messages and the files of
 * benchmarks have in common. A member of the wrong type or range gives -1 with
 * e; a missing or null member leaves *to unchanged.
 */
#ifndef TIMING_TIMING_MEMBERS_H
#define TIMING_TIMING_MEMBERS_H

#include <jansson.h>

#include "timing/timing.h"

/* Sets e to a sentence and returns -1. */
PRINTF(2, 3)
int members_wrong(struct error *e, const char *fmt, ...);
int member_number(const json_t *from, const char *name, double lowest,
		  double *to, struct error *e);
/* Reads an untrusted text; *to gets a clean copy. */
int member_text(const json_t *from, const char *name, char **to,
		struct error *e);
int members_machine(struct timing *t, const json_t *from, struct error *e);
int members_counts(struct timing_counts *to, const json_t *from,
		   struct error *e);
/* Reads which case and which size a message is about. */
int members_pair(const struct timing *t, const json_t *from, size_t *size,
		 size_t *case_at, struct error *e);
/* Reads all of a result but its samples; `why` is the name of the member that
 * says why it was skipped or failed. */
int members_state(struct timing_result *r, const json_t *from,
		  const char *why, struct error *e);
int member_samples(struct timing_result *r, const json_t *list,
		   struct error *e);

#endif
