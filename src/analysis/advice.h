/*
 * advice: what to change in a kernel, and what that would save, computed from a
 * recording by the cost model.
 *
 * Each piece is computed as if only it were applied. It counts what was
 * recorded, not time: every recorded request is replayed as the changed kernel
 * would make it, and the costs are added up. A change that cannot be computed
 * exactly gives no advice, and neither does one that saves less than a
 * twentieth.
 *
 * The counts are those of the source, as in the report: the compiled kernel may
 * differ. But conflicts that vanish when the compiler joins adjacent accesses
 * into wider ones give no advice.
 */
#ifndef ANALYSIS_ADVICE_H
#define ANALYSIS_ADVICE_H

#include "hardware/occupancy.h"
#include "trace/trace.h"

/* The kinds, and what each changes:
 *
 *	BARRIER_MISSING	a barrier before what stands at `line`: nothing orders
 *			accesses at the lines `from` and `to`
 *	PITCH		a shared array with longer rows
 *	SWIZZLE		a shared array whose columns are permuted row by row
 *	EXCHANGE	threadIdx.x for threadIdx.y, and the other way round
 *	VECTOR		a lane's neighbouring accesses as one of 16 bytes
 *	SHARE		what several warps of a block load, once into shared
 *			memory
 *	BARRIER_IDLE	no barrier at `line`: it orders nothing
 *	BLOCK, SHARED, REGISTERS
 *			another number of threads in a block, bytes of shared
 *			memory, or registers of a thread, so that an SM holds
 *			more warps
 */
#define ADVICE_KINDS(X) \
	X(BARRIER_MISSING, "barrier-missing") X(PITCH, "pitch") \
	X(SWIZZLE, "swizzle") X(EXCHANGE, "exchange") X(VECTOR, "vector") \
	X(SHARE, "share") X(BARRIER_IDLE, "barrier-idle") \
	X(BLOCK, "block") X(SHARED, "shared") X(REGISTERS, "registers")
#define ADVICE_KIND(kind, word) ADVICE_##kind,
enum advice_kind { ADVICE_KINDS(ADVICE_KIND) ADVICE_KIND_COUNT };
#undef ADVICE_KIND

/* Units of what is counted. RACES: pairs of unordered threads. WARPS: those
 * that an SM holds at a time, of which more are better. */
#define ADVICE_UNITS(X) \
	X(WAVEFRONTS, "wavefronts") X(SECTORS, "sectors") \
	X(REQUESTS, "requests") X(BARRIERS, "barriers") X(RACES, "races") \
	X(WARPS, "warps")
#define ADVICE_UNIT(unit, word) ADVICE_##unit,
enum advice_unit { ADVICE_UNITS(ADVICE_UNIT) ADVICE_UNIT_COUNT };
#undef ADVICE_UNIT

const char *advice_kind_name(enum advice_kind k);
const char *advice_unit_name(enum advice_unit u);

struct advice_count {
	enum advice_unit unit;
	int64_t before, after;
};

/* The check of a changed kernel's result. WRONG also means a fault that the
 * original did not have; STILL_WRONG: the original's result is wrong, too. */
enum advice_answer { ADVICE_UNCHECKED, ADVICE_RIGHT, ADVICE_WRONG,
		     ADVICE_STILL_WRONG };

struct advice {
	enum advice_kind kind;
	/* Where in the text: of PITCH and SWIZZLE the declaration, if it was
	 * found, else an access; of BLOCK, SHARED and REGISTERS nowhere, 0. */
	uint32_t line, column;
	uint32_t array;			/* index, or TRACE_NO_ARRAY */
	struct advice_count counts[2];
	int count;			/* 1 or 2 */
	/* What it saves: sectors, wavefronts, requests and barriers, each
	 * counted as one. Pieces are sorted by it within each class: missing
	 * barriers, then the rest, then occupancy. */
	int64_t saves;
	/*
	 * PITCH: a row's elements now and then. SWIZZLE: element c of row r
	 * moves to c ^ (r >> shift & mask) * chunk. VECTOR: accesses of a lane
	 * that become one, 1. BLOCK, SHARED and REGISTERS: the number now and then;
	 * `arch` is the architecture.
	 */
	int64_t from, to;
	uint32_t shift, mask, chunk;
	const char *arch;
	/* The changed text was recorded: what it counted in the first unit, and
	 * the answer. */
	bool tried;
	int64_t got;
	enum advice_answer answer;
};

#define ADVICE_MOST 7

struct advice_list {
	struct advice list[ADVICE_MOST];
	size_t count;
};

/* Facts that a recording lacks; arch NULL: no advice on occupancy. */
struct advice_machine {
	const struct occupancy_arch *arch;
	int registers;		/* of a thread; 0: not known, as if no arch */
};

/* Finds the best pieces of advice, best first. Returns -1 with e if the trace
 * is damaged. */
int advice_find(struct trace *t, const struct advice_machine *machine,
		struct advice_list *out, struct error *e);

/* Returns the advice as one or two translated sentences; the caller frees
 * them. */
char *advice_text(const struct trace_info *info, const struct advice *a);
/* Applies the advice to a copy of the kernel's text. Returns NULL if no program
 * can do that (it can for BARRIER_MISSING, PITCH and EXCHANGE). EXCHANGE also
 * needs the block's x and y exchanged. The caller frees the text. */
char *advice_apply(const char *text, const struct trace_info *info,
		   const struct advice *a);

#endif
