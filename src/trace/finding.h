/*
 * finding: what a recorder found, as data. The cause of a finding says exactly
 * what is wrong, and which of the finding's members are used;
 * analysis/finding_text.h puts a finding into words.
 */
#ifndef TRACE_FINDING_H
#define TRACE_FINDING_H

#include "trace/trace.h"

enum finding_kind { FINDING_OUT_OF_BOUNDS, FINDING_READ_BEFORE_WRITE,
		    FINDING_RACE, FINDING_BARRIER, FINDING_ENDLESS,
		    FINDING_CAP, FINDING_CRASH, FINDING_RESULT, FINDING_NOTE,
		    FINDING_COUNT };
/* Returns "out-of-bounds", "read-before-write", "race", "barrier", "endless",
 * "cap", "crash", "wrong-result" or "note". */
const char *finding_name(enum finding_kind k);
int finding_from(const char *word);
/* Tests whether a finding is a fault of the kernel, not a note. */
bool finding_is_fault(const struct trace_finding *f);
/* Tests whether threads were stopped by a fault: the requests after it lack
 * their lanes. */
bool findings_stop_lanes(const struct trace_info *info);
/* Counts the findings before the first note; recorders put notes last. */
size_t findings_before_notes(const struct trace_info *info);

/* Which members of a finding its cause uses besides `access`. `other` may name
 * only a block, the one whose shared memory holds an mbarrier. */
#define FINDING_ARRAY 1
#define FINDING_OTHER 2
#define FINDING_MBARRIER 4	/* the array, if the mbarrier is in one */

/*
 * X(cause, kind, word, members used, names of its numbers ...). Findings of
 * traces older than causes have the cause TOLD: only their text is known.
 * Traces store the number of a cause, so new causes are added at the end; no
 * recorder finds ENDLESS_STEPS, _SECONDS, _EVENTS, _MEMORY and _THREAD any more,
 * for a limit that is reached shows no endless loop.
 */
#define FINDING_CAUSES(X) \
	X(TOLD, COUNT, "told", 0, NULL) \
	X(OUTSIDE_ARRAY, OUT_OF_BOUNDS, "outside-array", FINDING_ARRAY, NULL) \
	X(NULL_POINTER, OUT_OF_BOUNDS, "null-pointer", 0, NULL) \
	X(NO_ARRAY, OUT_OF_BOUNDS, "no-array", 0, NULL) \
	X(UNWRITTEN, READ_BEFORE_WRITE, "unwritten", FINDING_ARRAY, NULL) \
	X(UNWRITTEN_REGISTER, READ_BEFORE_WRITE, "unwritten-register", \
	  FINDING_ARRAY, NULL) \
	X(READ_EARLY, READ_BEFORE_WRITE, "read-early", \
	  FINDING_ARRAY | FINDING_OTHER, NULL) \
	X(SUMS_UNWRITTEN, READ_BEFORE_WRITE, "sums-unwritten", 0, NULL) \
	X(WGMMA_EARLY, READ_BEFORE_WRITE, "wgmma-early", 0, NULL) \
	X(UNORDERED, RACE, "unordered", FINDING_ARRAY | FINDING_OTHER, NULL) \
	X(UNORDERED_BLOCKS, RACE, "unordered-blocks", \
	  FINDING_ARRAY | FINDING_OTHER, NULL) \
	X(WRITTEN_EARLY, RACE, "written-early", \
	  FINDING_ARRAY | FINDING_OTHER, NULL) \
	X(WRITTEN_TWICE, RACE, "written-twice", \
	  FINDING_ARRAY | FINDING_OTHER, NULL) \
	X(READ_UNFENCED, RACE, "read-unfenced", \
	  FINDING_ARRAY | FINDING_OTHER, NULL) \
	X(WRITTEN_UNFENCED, RACE, "written-unfenced", \
	  FINDING_ARRAY | FINDING_OTHER, NULL) \
	X(MBARRIER_UNORDERED, RACE, "mbarrier-unordered", \
	  FINDING_MBARRIER | FINDING_OTHER, NULL) \
	X(MBARRIER_UNFENCED, RACE, "mbarrier-unfenced", \
	  FINDING_MBARRIER | FINDING_OTHER, NULL) \
	X(BOX_OUTLIVES, RACE, "box-outlives-block", \
	  FINDING_MBARRIER | FINDING_OTHER, NULL) \
	X(ARRIVAL_OUTLIVES, RACE, "arrival-outlives-block", \
	  FINDING_MBARRIER | FINDING_OTHER, NULL) \
	X(TMA_STORE_UNREAD, RACE, "tma-store-unread", 0, NULL) \
	X(WGMMA_UNFENCED, RACE, "wgmma-unfenced", 0, NULL) \
	X(WGMMA_UNFINISHED, RACE, "wgmma-unfinished", 0, NULL) \
	X(BARRIER_ENDED, BARRIER, "barrier-ended", FINDING_OTHER, "waiting", \
	  "threads") \
	X(BARRIER_ELSEWHERE, BARRIER, "barrier-elsewhere", FINDING_OTHER, \
	  "waiting", "threads") \
	X(LANES_MISSING, BARRIER, "lanes-missing", FINDING_OTHER, "missing") \
	X(LANES_FEW, BARRIER, "lanes-few", 0, "lanes") \
	X(MASK_WITHOUT_SELF, BARRIER, "mask-without-self", 0, "mask") \
	X(SHUFFLE_FROM_NONE, BARRIER, "shuffle-from-none", 0, "lane") \
	X(NAMED_BARRIER, BARRIER, "named-barrier", 0, "barrier", "threads", \
	  "missing") \
	X(WGMMA_MISSING, BARRIER, "wgmma-missing", 0, "threads", "missing") \
	X(WGMMA_OPERANDS, BARRIER, "wgmma-operands", FINDING_OTHER, NULL) \
	X(CLUSTER_MISSING, BARRIER, "cluster-missing", 0, NULL) \
	X(MBARRIER_WAIT, BARRIER, "mbarrier-wait", \
	  FINDING_MBARRIER | FINDING_OTHER, "phase", "arrived", "arrivals", \
	  "bytes_arrived", "bytes_expected") \
	X(SPIN, ENDLESS, "spin", FINDING_ARRAY, NULL) \
	X(ENDLESS_STEPS, ENDLESS, "endless-steps", 0, "limit") \
	X(ENDLESS_SECONDS, ENDLESS, "endless-seconds", 0, "milliseconds") \
	X(ENDLESS_IDLE, ENDLESS, "endless-idle", 0, NULL) \
	X(ENDLESS_EVENTS, ENDLESS, "endless-events", 0, "limit") \
	X(ENDLESS_MEMORY, ENDLESS, "endless-memory", 0, "events") \
	X(ENDLESS_THREAD, ENDLESS, "endless-thread", 0, NULL) \
	X(CAP_EVENTS, CAP, "cap-events", 0, "limit", "complete", "blocks", \
	  "ended", "threads") \
	X(CAP_MEMORY, CAP, "cap-memory", 0, "events", "complete", "blocks", \
	  "ended", "threads") \
	X(CAP_BLOCKS, CAP, "cap-blocks", 0, "limit", "complete", "blocks") \
	X(MISALIGNED, CRASH, "misaligned", FINDING_ARRAY, NULL) \
	X(STACK_OVERFLOW, CRASH, "stack-overflow", 0, NULL) \
	X(DIVISION_BY_ZERO, NOTE, "division-by-zero", 0, NULL) \
	X(INVALID_MEMORY, CRASH, "invalid-memory", 0, NULL) \
	X(ILLEGAL_INSTRUCTION, CRASH, "illegal-instruction", 0, NULL) \
	X(TRAP, CRASH, "trap", 0, NULL) \
	X(ASSERT, CRASH, "assert", 0, NULL) \
	X(WMMA_PITCH, CRASH, "wmma-pitch", 0, NULL) \
	X(WMMA_ALIGN, CRASH, "wmma-align", 0, NULL) \
	X(LDMATRIX_SPACE, CRASH, "ldmatrix-space", 0, NULL) \
	X(STMATRIX_SPACE, CRASH, "stmatrix-space", 0, NULL) \
	X(COPY_FROM_SPACE, CRASH, "copy-from-space", 0, NULL) \
	X(COPY_TO_SPACE, CRASH, "copy-to-space", 0, NULL) \
	X(COPY_BYTES, CRASH, "copy-bytes", 0, NULL) \
	X(COPY_ZEROS, CRASH, "copy-zeros", 0, NULL) \
	X(TMA_SPACE, CRASH, "tma-space", 0, NULL) \
	X(TMA_ALIGN, CRASH, "tma-align", 0, NULL) \
	X(TMA_MULTICAST, CRASH, "tma-multicast", 0, NULL) \
	X(WGMMA_SPACE, CRASH, "wgmma-space", 0, NULL) \
	X(WGMMA_START, CRASH, "wgmma-start", 0, NULL) \
	X(WGMMA_GROUP, CRASH, "wgmma-group", 0, NULL) \
	X(NAMED_BARRIER_NUMBER, CRASH, "named-barrier-number", 0, NULL) \
	X(NAMED_BARRIER_WARPS, CRASH, "named-barrier-warps", 0, NULL) \
	X(NAMED_BARRIER_COUNT, CRASH, "named-barrier-count", 0, NULL) \
	X(CLUSTER_ARRIVE, CRASH, "cluster-arrive", 0, NULL) \
	X(CLUSTER_WAIT, CRASH, "cluster-wait", 0, NULL) \
	X(MBARRIER_RANK, CRASH, "mbarrier-rank", FINDING_MBARRIER, NULL) \
	X(MBARRIER_ENDED, CRASH, "mbarrier-ended", \
	  FINDING_MBARRIER | FINDING_OTHER, NULL) \
	X(MBARRIER_NONE, CRASH, "mbarrier-none", \
	  FINDING_MBARRIER | FINDING_OTHER, NULL) \
	X(MBARRIER_NO_ARRIVALS, CRASH, "mbarrier-no-arrivals", \
	  FINDING_MBARRIER, NULL) \
	X(MBARRIER_OVERRUN, CRASH, "mbarrier-overrun", \
	  FINDING_MBARRIER | FINDING_OTHER, NULL) \
	X(WRONG_ELEMENT, RESULT, "wrong-element", FINDING_ARRAY, "wrong", \
	  "all") \
	X(NO_NUMBER, RESULT, "no-number", FINDING_ARRAY, "wrong", "all") \
	X(UNORDERED_LANES, RACE, "unordered-lanes", \
	  FINDING_ARRAY | FINDING_OTHER, "pairs", "first_line", "last_line") \
	X(OUTSIDE_ASSUMED, OUT_OF_BOUNDS, "outside-assumed", FINDING_ARRAY, \
	  NULL) \
	X(BEYOND_ASSUMED, NOTE, "beyond-assumed", FINDING_ARRAY, "assumed") \
	X(BEFORE_ASSUMED, NOTE, "before-assumed", FINDING_ARRAY, "before") \
	X(UNORDERED_LINES, RACE, "unordered-lines", \
	  FINDING_ARRAY | FINDING_OTHER, "pairs", "first_line", "last_line") \
	X(HEADER_MISSING, NOTE, "header-missing", 0, NULL) \
	X(HEADER_BROKEN, NOTE, "header-broken", 0, NULL) \
	X(AFTER_FREE, OUT_OF_BOUNDS, "after-free", 0, "made", "freed") \
	X(HOST_MEMORY, OUT_OF_BOUNDS, "host-memory", 0, NULL) \
	X(CAP_SECONDS, CAP, "cap-seconds", 0, "milliseconds", "complete", \
	  "blocks") \
	X(CAP_STEPS, CAP, "cap-steps", 0, "limit", "complete", "blocks", \
	  "ended", "threads") \
	X(CAP_THREAD, CAP, "cap-thread", 0, NULL) \
	X(ENDLESS_LOOP, ENDLESS, "endless-loop", 0, NULL) \
	X(GRID_MISSING, BARRIER, "grid-missing", 0, "blocks", "missing") \
	X(GRID_LARGE, BARRIER, "grid-large", 0, "blocks", "limit") \
	X(GRID_PLAIN, CRASH, "grid-plain", 0, NULL) \
	X(OTHER_DEVICE, OUT_OF_BOUNDS, "other-device", 0, "memory_of", \
	  "kernel_on", "made") \
	X(SPIN_HOST, ENDLESS, "spin-host", FINDING_ARRAY, "host_waits") \
	X(NEVER_WRITTEN, READ_BEFORE_WRITE, "never-written", FINDING_ARRAY, \
	  "made") \
	X(NEVER_SET, NOTE, "never-set", FINDING_ARRAY, "made") \
	X(PADDING, NOTE, "padding", FINDING_ARRAY, "row", "columns", "apart", \
	  "made") \
	X(CLUSTER_STORE, CRASH, "cluster-store", 0, NULL) \
	X(FREE_OTHER, CRASH, "free-other", 0, NULL) \
	X(FREE_TWICE, CRASH, "free-twice", 0, "freed") \
	X(BELOW_ZERO, OUT_OF_BOUNDS, "below-zero", FINDING_ARRAY, NULL) \
	X(CLUSTER_OUTLIVES, RACE, "cluster-outlives", FINDING_ARRAY, NULL) \
	X(SHARED_NONE, OUT_OF_BOUNDS, "shared-none", 0, NULL) \
	X(UNSET_VARIABLE, READ_BEFORE_WRITE, "unset-variable", FINDING_ARRAY, \
	  "declared") \
	X(SHARED_SAME, READ_BEFORE_WRITE, "shared-same", FINDING_OTHER, NULL) \
	X(COPIED_SHORT, READ_BEFORE_WRITE, "copied-short", FINDING_ARRAY, \
	  "made", "copy", "copied", "whole") \
	X(HEAP_OVERRUN, OUT_OF_BOUNDS, "heap-overrun", 0, "past", "room", \
	  "made") \
	X(UNTOUCHED, RESULT, "untouched", FINDING_ARRAY, "first_row", \
	  "last_row", "first_column", "last_column", "unwritten") \
	X(ADDED_TO, RESULT, "added-to", FINDING_ARRAY, "wrong", "all") \
	X(BYTES_ALIGN, NOTE, "bytes-align", 0, NULL)

#define FINDING_CAUSE(cause, ...) CAUSE_##cause,
enum finding_cause { FINDING_CAUSES(FINDING_CAUSE) CAUSE_COUNT };
#undef FINDING_CAUSE

#define FINDING_NUMBERS 5
#define FINDING_MAX_OFFSET (INT64_C(1) << 60)

struct finding_cause_info {
	const char *word;		/* in the text form and in reports */
	enum finding_kind kind;		/* FINDING_COUNT: any */
	unsigned has;			/* FINDING_ARRAY ... */
	const char *number[FINDING_NUMBERS];	/* names, NULL-terminated */
};
const struct finding_cause_info *finding_cause(enum finding_cause c);
int finding_cause_from(const char *word);
size_t finding_numbers(enum finding_cause c);

/* A thread at a memory access, or at another operation (`bytes` is then 0). */
struct finding_access {
	uint32_t block, thread;		/* linear */
	uint32_t line, column;		/* 0: unknown */
	enum op op;			/* OP_LD or OP_ST for memory accesses */
	uint32_t bytes;
};

struct trace_finding {
	enum finding_kind kind;
	enum finding_cause cause;
	/* The first thread, in the launch's order, that the finding
	 * applies to. */
	struct finding_access access;
	struct finding_access other;	/* the earlier access, or what
					   `access` waits for */
	uint32_t array;			/* index, or TRACE_NO_ARRAY */
	int64_t offset;			/* bytes from the array's start; may
					   be outside */
	/*
	 * What each access is at, such as "__syncwarp", or the assertion that
	 * failed. Of a wrong result, what is expected if a reader's kernel
	 * computes what its arguments suggest.
	 */
	const char *word, *other_word;	/* or NULL */
	uint64_t number[FINDING_NUMBERS];
	double expected, got;		/* values of a wrong result */
	uint64_t count;			/* occurrences over all threads; at
					   least 1 */
	char *text;			/* cause TOLD: one English line; else
					   NULL */
};

/* Checks a finding against a launch that is known to be valid: NULL, or words
 * that complete "expected ...". */
const char *trace_finding_wrong(const struct trace_info *info,
				const struct trace_finding *f);
void trace_finding_done(struct trace_finding *f);

/*
 * Formats the coordinates of a linear number in a shape, as many as the shape
 * has dimensions: "3", "(3,5)", "(3,5,0)". The text is in one of a few static
 * buffers, used in turn.
 */
const char *finding_index_text(uint32_t number, const struct trace_dim *of);

#endif
