/*
 * verdict: whether a launch, or a whole program, is right. All commands and
 * the screen take their verdict from here.
 */
#ifndef ANALYSIS_VERDICT_H
#define ANALYSIS_VERDICT_H

#include "trace/finding.h"

/* WRONG: a fault was found, or the output is not what the problem defines.
 * RIGHT: the whole output was compared and is as defined. Otherwise
 * NOT_JUDGED. */
enum verdict_kind { VERDICT_RIGHT, VERDICT_WRONG, VERDICT_NOT_JUDGED };

struct verdict {
	enum verdict_kind kind;
	char *why;	/* one line in the reader's language; owned */
};

/* Judges one launch by its findings, by whether the recording was cut short,
 * and by how its output was compared. The trace may be NULL. */
struct verdict verdict_make(const struct trace_info *info, struct trace *t);
/* At which sizes a kernel was tried. */
struct sizes_tried {
	const struct trace_info *second;	/* NULL: one size alone */
	bool multiples;		/* others than multiples are not meant */
	bool given;		/* the user gave the size, */
	bool chosen;		/* or nobody did */
};
/* Makes the verdict on one launch at all sizes at which it was tried. */
struct verdict verdict_of_sizes(const struct trace_info *info, struct trace *t,
				const struct sizes_tried *s);
/* Returns the sizes of a launch, "57x43x39" or "n = 57", those that the launch
 * `of` (of the same kernel, or the same launch) has; the caller frees it. NULL:
 * the kernel gets none. */
char *sizes_text(const struct trace_info *of, const struct trace_info *info);
/* Tests whether a finding may be one of the launch's sizes alone. */
bool finding_depends_on_sizes(const struct trace_info *info,
			      const struct trace_finding *f);
/* Returns a finding's text with the remark, where it applies, that gemmviz chose
 * the sizes that it may depend on; the caller frees it. */
char *finding_text_chosen(const struct trace_info *info,
			  const struct trace_finding *f, const char *text,
			  const struct sizes_tried *s);
/* Makes a verdict with a copy of these words. */
struct verdict verdict_say(enum verdict_kind kind, const char *why);
void verdict_done(struct verdict *v);

/* A launch, or what else a verdict on several takes into account. */
struct verdict_part {
	struct verdict verdict;		/* owned by the caller */
	const char *name;		/* the kernel; NULL: the host's code */
};

/* Joins verdicts: wrong if a part is, else right if each is. A part without
 * `why` that is right adds nothing. No parts: not judged. */
struct verdict verdict_join(const struct verdict_part *parts, size_t count);

/* Returns "right", "wrong" or "not-judged". */
const char *verdict_word(enum verdict_kind kind);
/* Returns the verdict as one line, "right: C = A B checked"; the caller frees
 * it. */
char *verdict_text(const struct verdict *v);

/* Ranks findings by severity, from 0: wrong results, races, bad accesses,
 * other faults, recordings cut short, notes. */
int finding_severity(const struct trace_finding *f);

#endif
