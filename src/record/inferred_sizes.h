/*
 * inferred_sizes: arrays whose size is not known. A kernel's pointers do not tell how
 * much memory they point to, so their arrays get the sizes of a product unless
 * the user or the kernel's problem specifies others. An access beyond an
 * assumed size is no fault: the array is enlarged and the launch is recorded
 * again, until all accesses are inside or the array is too large. The first
 * access outside is noted.
 */
#ifndef RECORD_INFERRED_SIZES_H
#define RECORD_INFERRED_SIZES_H

#include <sys/types.h>

#include "record/arguments.h"
#include "record/findings.h"

/* Bytes that an assumed array may grow to. */
#define ASSUMED_MOST (UINT64_C(1) << 28)

struct inferred_sizes {
	struct inferred_array {
		uint64_t elements;	/* 0: those that the problem has */
		uint64_t before; /* elements before the one that is passed */
		struct trace_finding note;	/* count 0: none */
	} arrays[ARGUMENTS_MOST];	/* by parameter */
	const struct argument *arguments;
	int count;
	bool again;	/* an array has grown: the recording is of no use */
	/* Sizes that nobody gave: an access outside an array of the problem
	 * asks for a larger launch, and sets `larger` (and `again`). */
	bool open, larger;
};

/* Sets the sizes of arrays that have grown; the arguments are borrowed. */
void inferred_apply(struct inferred_sizes *s, struct argument *arguments, int count);
/*
 * Records an access outside the array of this parameter, and chooses its
 * finding's cause. Returns false when the array grows instead, so that there is
 * no finding.
 */
bool inferred_outside(struct inferred_sizes *s, uint32_t parameter,
		     const struct trace_array *array, struct trace_finding *f);
/* Tests whether the launch must be recorded again, and then cuts the file to
 * `from` bytes; -1 with e. */
int inferred_again(struct inferred_sizes *s, int fd, off_t from,
		   struct error *e);
/* Removes what the file has after `from` bytes; -1 with e. */
int trace_rewind(int fd, off_t from, struct error *e);
/* Adds the notes; to what is found in a recording that is used. */
void inferred_note(const struct inferred_sizes *s, struct findings *f,
		  const struct trace_info *info);

#endif
