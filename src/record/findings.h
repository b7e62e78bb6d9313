/*
 * findings: what a recorder must say, each thing once, in sentences. The same
 * finding from many threads is counted; the first thread in the launch's
 * order stands for all of them.
 */
#ifndef RECORD_FINDINGS_H
#define RECORD_FINDINGS_H

#include "trace/trace.h"

/* What is compared, and what the sentence is made of. */
struct finding {
	enum finding_kind kind;
	uint32_t line, line2;
	const char *name;	/* of the array, or NULL */
	uint32_t block, thread;	/* who stands for all */
	uint64_t count;
	char *text;		/* without the count */
};

struct findings {
	struct trace_dim grid, block;	/* the launch's shape */
	struct finding *list;
	size_t count, capacity;
};

/* Who did what where: a thread at an access. */
struct deed {
	uint32_t block, thread;		/* linear */
	uint32_t line, column;		/* 0: not known */
	enum op op;
	uint32_t bytes;
};

/* An access outside its array; off counts bytes from its start. */
void finding_bounds(struct findings *f, const struct deed *d,
		    const struct trace_array *a, int64_t off);
/* ... of no array; address 0 to 4095 is said to be a null pointer. */
void finding_wild(struct findings *f, const struct deed *d, uint64_t address);
void finding_misaligned(struct findings *f, const struct deed *d,
			const struct trace_array *a, int64_t off);
/* A fragment of wmma that is loaded or stored against its rules: for how far
 * rows or columns are apart (pitch), or for where the first one is. */
void finding_fragment(struct findings *f, const struct deed *d, bool pitch);
void finding_unwritten(struct findings *f, const struct deed *d,
		       const struct trace_array *a, uint64_t off);
/* `other` touched the same place earlier, and nothing orders the two. */
void finding_race(struct findings *f, const struct deed *d,
		  const struct deed *other, const struct trace_array *a,
		  uint64_t off);
/* `other` copies asynchronously to a place and has not waited for it. */
void finding_early(struct findings *f, const struct deed *d,
		   const struct deed *other, const struct trace_array *a,
		   uint64_t off);
/* `other` has stored what d has TMA or wgmma read, with no fence between. */
void finding_unfenced(struct findings *f, const struct deed *d,
		      const struct deed *other, const struct trace_array *a,
		      uint64_t off);
/* `waiting` threads such as d wait at a barrier that `others` such as never
 * do not reach: these have ended, or wait elsewhere. */
void finding_barrier(struct findings *f, const struct deed *d,
		     const struct deed *never, bool ended, uint32_t waiting,
		     uint32_t others);
/* What d reads there with an atomic, again and again, nothing changes. */
void finding_spin(struct findings *f, const struct deed *d,
		  const struct trace_array *a, uint64_t off);
/* Threads such as d wait at `word` for lanes of their warp, of which `others`
 * never come: never is one of them, and waits at `where`. */
void finding_meeting(struct findings *f, const struct deed *d,
		     const char *word, const struct deed *never,
		     const char *where, uint32_t others);
/* "thread 3 of block 0 " and what it does; `what` stands for its kind. */
void finding_deed(struct findings *f, enum finding_kind kind,
		  const struct deed *d, const char *what, const char *fmt,
		  ...) PRINTF(5, 6);
/* what: "divides by zero"; one constant for each kind of crash. */
void finding_crash(struct findings *f, const struct deed *d, const char *what);
/* Any other sentence. */
void finding_say(struct findings *f, enum finding_kind kind, uint32_t line,
		 const char *fmt, ...) PRINTF(4, 5);

/* Moves all of them, with counts in their text, to info. */
void findings_take(const struct findings *f, struct trace_info *info);
void findings_done(struct findings *f);

/* "(3,5)" for a linear number in a shape. Static buffers, a few in turn. */
const char *finding_index_text(uint32_t number, const struct trace_dim *of);
struct trace_dim finding_index(uint32_t number, const struct trace_dim *of);

#endif
