/*
 * timing_members: members that a runner's messages and the files of races
 * have in common, read strictly: a number, a text or a list is what it must
 * be, or -1 with e. What is not there, or null, leaves *to alone.
 */
#ifndef TIMING_TIMING_MEMBERS_H
#define TIMING_TIMING_MEMBERS_H

#include <jansson.h>

#include "timing/timing.h"

/* -1, with a sentence. */
PRINTF(2, 3)
int members_wrong(struct error *e, const char *fmt, ...);
int member_number(const json_t *from, const char *name, double lowest,
		  double *to, struct error *e);
/* The text is somebody else's: in *to it is clean. */
int member_text(const json_t *from, const char *name, char **to,
		struct error *e);
int members_machine(struct timing *t, const json_t *from, struct error *e);
/* Which case at which size. */
int members_pair(const struct timing *t, const json_t *from, size_t *size,
		 size_t *case_at, struct error *e);
/* All of a result but its samples; `why` names the member that says why. */
int members_state(struct timing_result *r, const json_t *from,
		  const char *why, struct error *e);
int member_samples(struct timing_result *r, const json_t *list,
		   struct error *e);

#endif
