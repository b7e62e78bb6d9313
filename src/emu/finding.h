/*
 * finding: what a recorder must say, each thing once. The same finding from
 * many threads is counted; the first thread in the launch's order stands for
 * all of them.
 */
#ifndef EMU_FINDING_H
#define EMU_FINDING_H

#include "../trace.h"

struct slot;
struct thread;
struct touch;

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
	struct finding *list;
	size_t count, capacity;
	uint64_t dropped;	/* kinds beyond the most that are kept */
};

/* An access outside its array; off counts bytes from its start. */
void finding_bounds(const struct thread *t, const struct slot *s,
		    const struct trace_array *a, int64_t off);
void finding_wild(const struct thread *t, const struct slot *s,
		  uintptr_t address);
void finding_misaligned(const struct thread *t, const struct slot *s,
			int64_t off);
void finding_unwritten(const struct thread *t, const struct slot *s,
		       uint64_t off);
void finding_race(const struct thread *t, const struct slot *s,
		  const struct touch *other, uint64_t off);
/* Thread `waits` is at a barrier that `never` does not reach. */
void finding_barrier(const struct thread *waits, const struct thread *never,
		     uint32_t waiting, uint32_t others);
void finding_crash(const struct thread *t, uint32_t line, const char *what);
/* Any other sentence. */
void finding_say(enum finding_kind kind, uint32_t line, const char *fmt, ...)
	PRINTF(3, 4);

/* Moves all of them, with counts in their text, to info. */
void findings_take(struct findings *f, struct trace_info *info);
void findings_done(struct findings *f);

/* "thread (3,5) of block (0,1)"; "(3,5)". Static buffers, a few in turn. */
const char *finding_thread(const struct trace_dim *i);
const char *finding_block(uint32_t number);
struct trace_dim finding_index(uint32_t number, const struct trace_dim *dims);

#endif
