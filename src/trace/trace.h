/*
 * trace: what a recorder saw, as a file (.gvt) that can also be streamed.
 *
 * A trace holds one launch of one kernel: the kernel's source text, the launch
 * shape, the arrays, the access sites, and for each recorded warp its requests
 * in program order. A request is one warp instruction: a site, the lanes that
 * took part, and for each of them a byte offset into the site's array (and the
 * value moved, when values were recorded). Barriers are requests too; they
 * divide a warp's sequence into phases, the intervals between barriers. The
 * recorder merges the lanes (warp.h) before it writes, so every reader of a
 * trace sees what SIMT hardware would execute.
 *
 * An event is a lane access, one lane's part of a request; budgets and caps
 * count events.
 *
 * trace_format.h documents the bytes of the file, trace_text.c its text form.
 */
#ifndef TRACE_TRACE_H
#define TRACE_TRACE_H

#include "base/base.h"
#include "trace/device_work.h"

#define WARP_LANES 32
#define TRACE_MAX_RANK 4
#define TRACE_NO_ARRAY UINT32_MAX
#define MATRIX_ROW_BYTES 16

/* SPACE_CONSTANT: what the kernel declares as __constant__. */
enum space { SPACE_GLOBAL, SPACE_SHARED, SPACE_REGISTER, SPACE_CONSTANT,
	     SPACE_COUNT };
/*
 * What the instruction at a site does. For each lane that takes part:
 *
 *	ld, st		the lane loads or stores one value
 *	barrier		the lane arrives at a barrier of the block
 *	sync		the lane reaches a wait, for operations that it began
 *			or for other threads; the source line tells which
 *	mbar-arrive	the lane arrives at an mbarrier; its value is 2 words:
 *			the number of the mbarrier's phase, and the bytes that
 *			the phase must wait for as well (expect_tx)
 *	mbar-wait	the lane waits on an mbarrier; its value is 2 words: the
 *			number of the phase (-1: the one before the first phase
 *			of a new mbarrier), and 0
 *
 * Bulk operations have no values. Their `bytes` are those of everything that is
 * moved, and their offset is that of the first element:
 *
 *	tma-ld, tma-st	TMA begins to copy a box (cp.async.bulk.tensor): two
 *			requests, one for the source, one for the destination
 *	wgmma		wgmma.mma_async begins, with an operand in shared
 *			memory; its registers are stored where it is waited for
 *
 * struct trace_tile says which elements a bulk operation moves.
 */
enum op { OP_LD, OP_ST, OP_BARRIER, OP_SYNC, OP_MBAR_ARRIVE, OP_MBAR_WAIT,
	  OP_TMA_LD, OP_TMA_ST, OP_WGMMA, OP_COUNT };

static inline bool op_has_array(enum op o)
{
	return o != OP_BARRIER && o != OP_SYNC;
}

static inline bool op_is_bulk(enum op o)
{
	return o >= OP_TMA_LD;
}

/* Tests for loads and stores, the only ops whose cost is modelled. */
static inline bool op_is_access(enum op o)
{
	return o == OP_LD || o == OP_ST;
}

enum elem { ELEM_RAW, ELEM_F32, ELEM_F64, ELEM_F16, ELEM_BF16, ELEM_I8,
	    ELEM_U8, ELEM_I16, ELEM_U16, ELEM_I32, ELEM_U32, ELEM_I64,
	    ELEM_U64, ELEM_COUNT };

/* The names of a space, an op and an element type ("global", "ld", "f32"), and
 * the reverse, which returns -1 for an unknown word. */
const char *space_name(enum space s);
const char *op_name(enum op o);
const char *elem_name(enum elem e);
int space_from(const char *word);
/* Returns the set of spaces, a bit each, of a list such as "global,shared"; 0 if a
 * word is none. */
uint32_t spaces_from(const char *list);
int op_from(const char *word);
int elem_from(const char *word);
uint32_t elem_size(enum elem e);	/* bytes; 0: of no size of its own */
bool elem_is_real(enum elem e);

struct trace_array {
	char *name;		/* name in the source: A, As, accum */
	enum space space;
	enum elem elem;
	uint32_t elem_bytes;	/* > 0 */
	uint32_t rank;		/* 1..TRACE_MAX_RANK */
	uint64_t dims[TRACE_MAX_RANK];	/* outermost first, each > 0 */
	/*
	 * Byte address of the array's first byte in its space: for global
	 * memory any value with the true alignment, for shared memory the
	 * offset in the block's shared window, for registers 0. Sectors and
	 * banks are computed from base + offset.
	 */
	uint64_t base;
};

/* Returns the size of a valid array in bytes. */
uint64_t trace_array_bytes(const struct trace_array *a);

/*
 * The elements that a bulk operation moves, from the request's offset on:
 * `parts` parts that are `next` bytes apart, each of `rows` rows that are
 * `pitch` bytes apart, each of `columns` adjacent elements of `bytes` bytes,
 * whatever the array's own element size. In shared memory the 16-byte chunks
 * are swizzled within `swizzle` bytes (32, 64 or 128; 0: not swizzled), by bits
 * 7 to 9 of the address. In global memory elements past the last row or column
 * do not exist. A tile in global memory that begins before the first row or
 * column lists only the rows and columns that are inside, fewer than its tile
 * in shared memory. `blocks` has a bit for each block of the cluster that
 * receives the box (multicast); 0: only the block itself. A tile without rows
 * is unknown.
 *
 * A st to the shared memory of a block of the cluster, or a ld from it, has a
 * tile of one element, in whose `blocks` is that one, which may be its own.
 */
struct trace_tile {
	uint32_t parts, rows, columns, bytes;
	uint32_t next, pitch, swizzle, blocks;
};
#define TRACE_MAX_TILE (1u << 20)	/* elements */

/* Makes the tile of an access of `bytes` bytes to the shared memory of the
 * cluster's block `rank`. */
static inline struct trace_tile trace_tile_remote(uint32_t bytes, uint32_t rank)
{
	return (struct trace_tile){ .parts = 1, .rows = 1, .columns = 1,
				    .bytes = bytes, .pitch = bytes,
				    .blocks = 1u << rank };
}

/* Tests whether the data that block `from` moves arrives at `block`, in
 * clusters of `cluster` blocks. */
static inline bool trace_tile_comes(const struct trace_tile *t, uint32_t from,
				    uint32_t block, uint32_t cluster)
{
	return t->blocks ? t->blocks >> block % cluster & 1 : from == block;
}

struct trace_site {
	uint32_t line, column;	/* from 1, in the source text; 0: unknown */
	enum op op;
	uint32_t array;		/* index, or TRACE_NO_ARRAY for no array */
	/* Bytes per lane: 1, 2, 4, 8 or 16; any number for bulk operations; 0
	 * for a site without an array. */
	uint32_t bytes;
	/*
	 * The site is an ldmatrix or stmatrix: each lane gives the address of
	 * one row of an 8x8 matrix of 16-bit elements (MATRIX_ROW_BYTES) and
	 * moves that row, while other lanes receive its elements or supply
	 * them.
	 */
	bool matrix;
	/* Of a bulk operation, or of a store to a block of the cluster. */
	struct trace_tile tile;
};

/* Returns the site's instruction as a word: "ld", "ldmatrix", ... */
const char *trace_site_word(const struct trace_site *s);
bool trace_site_same(const struct trace_site *a, const struct trace_site *b);

struct trace_request {
	uint32_t site;
	uint32_t mask;			/* bit l: lane l is active; never 0 */
	/* Offsets of the active lanes; 0 for the others. */
	uint64_t offset[WARP_LANES];	/* bytes from the array's start */
	/* The values moved, little-endian: lane l has trace_value_words() words
	 * from value[l * 4] on. All 0 when the trace has no values. */
	uint32_t value[WARP_LANES * 4];
};

struct trace_dim { uint32_t x, y, z; };

struct trace_define { char *name, *value; };	/* -D NAME=VALUE */

/*
 * Who decided what a parameter of the kernel gets: the reader; the kernel's
 * problem; the parameter's name, or its position; nobody, so that it was
 * assumed. GROWN: an array's size was assumed, and the kernel accessed more, so
 * it was made larger. PROGRAM: the launch is a program's own. LAUNCH: a launch in the
 * text that is not run.
 */
enum decided { DECIDED_GIVEN, DECIDED_PROBLEM, DECIDED_NAME, DECIDED_POSITION,
	       DECIDED_ASSUMED, DECIDED_GROWN, DECIDED_PROGRAM,
	       DECIDED_LAUNCH, DECIDED_COUNT };
/* Returns "given", "problem", "name", "position", "assumed", "grown",
 * "program" or "launch". */
const char *decided_name(enum decided d);
int decided_from(const char *word);

/* What the launch passed for a parameter of the kernel. */
struct trace_argument {
	char *name, *type;	/* "N", "int"; "A", "const float *" */
	uint32_t array;		/* index, or TRACE_NO_ARRAY: it is a value */
	enum decided decided;	/* who decided the value, or the size */
	/* Of a value: as text, and 'm', 'n' or 'k' if it is that size. */
	char *value;
	uint32_t size;
	/* Of an array: the elements before the one that the pointer points to;
	 * the least and the greatest number in it before the launch (NaN: all
	 * bits were set), and who decided on them. */
	uint64_t before;
	double low, high;
	enum decided filled;
};
#define TRACE_MAX_ARGUMENTS 64

/* Everything in a trace but its requests. The trace owns it, or the writer's
 * caller. */
struct trace_info {
	char *kernel;		/* name in kernels[], or the function's */
	char *file;		/* name of the source file, without folder */
	char *text;		/* the whole source text */
	char *on;		/* "cpu", "gpu" */
	char *device;		/* "", or the GPU's name */
	char *problem;		/* what the kernel computes; NULL: not stated */
	char *check;		/* how the result was checked, or why not */
	uint32_t m, n, k;	/* each 0 when unknown */
	struct trace_dim grid, block;
	uint64_t seed;		/* seed of the inputs */
	struct trace_define *defines;
	size_t define_count;
	/* What was passed for each parameter, in order; none: not known. */
	struct trace_argument *arguments;
	size_t argument_count;
	bool values;		/* values were recorded */
	bool partial;		/* filters, a cap or a stop left requests out */
	uint32_t spaces;	/* a bit for each enum space recorded */
	struct trace_array *arrays;
	size_t array_count;
	struct trace_site *sites;
	size_t site_count;
	struct trace_finding *findings;		/* see finding.h */
	size_t finding_count;
	/* Of a program's launch: how many devices it was told of, and what all
	 * of them did; own: which of these the launch is, from 1. No devices:
	 * not known. */
	uint32_t devices, own;
	struct trace_work *works;
	size_t work_count;
};
void trace_info_done(struct trace_info *info);
/* Tests whether M, N and K describe the launch: the kernel's problem is stated,
 * or an argument is one of the three, or the arguments are not known. */
bool trace_has_size(const struct trace_info *info);

/* One recorded warp. A trace's warps are sorted by block, then by warp
 * number. */
struct trace_warp {
	uint32_t block;		/* linear: x + grid.x * (y + grid.y * z) */
	uint32_t warp;		/* linear thread / 32 */
	uint32_t requests;
	uint64_t events;
	uint32_t phases;	/* barriers passed + 1 */
};

/* Returns the 32-bit words that the value of one lane takes at this site: 1, 2
 * or 4; 0 where the site has no values. */
uint32_t trace_value_words(const struct trace_site *site);

/* Returns the number of elements of a site's tile; 1 where the tile is not
 * known. */
uint32_t trace_tile_elements(const struct trace_site *site);
/* Sets *at to the offset of the tile's nth element, counted row by row; false
 * when that element is outside its array. */
bool trace_tile_at(const struct trace_info *info,
		   const struct trace_site *site, uint64_t offset,
		   uint32_t nth, uint64_t *at);
/* A tile's elements one after the other, those outside their array left out:
 * what trace_tile_at() gives for each, without its divisions. */
struct trace_tile_walk {
	uint64_t at;			/* the element's offset */
	uint32_t nth;
	/* for trace_tile_next() alone */
	const struct trace_tile *tile;
	uint64_t first, line, base, size, left;
	uint32_t row, column, elements;
};
void trace_tile_begin(struct trace_tile_walk *w, const struct trace_info *info,
		      const struct trace_site *site, uint64_t offset);
bool trace_tile_next(struct trace_tile_walk *w);

/*
 * Sets *at to the number of the element, in the tile `matrix` in global memory,
 * that corresponds to the nth element of `box` in shared memory; false when
 * that element is outside the matrix.
 */
bool trace_tile_match(const struct trace_tile *box,
		      const struct trace_tile *matrix, uint32_t nth,
		      uint32_t *at);

/* Sets *v to the element at byte `byte` of a request's value; false when the
 * array's elements are raw bytes. */
bool element_value(enum elem kind, const uint32_t *words, uint32_t byte,
		   double *v);
/* Converts a linear block index, or a linear thread index, to coordinates in a
 * shape of `size`. */
struct trace_dim dim_of(struct trace_dim size, uint32_t linear);

/* ---- reading ---- */

struct trace;

/*
 * Opens the trace in a regular file. Every count is checked against the
 * remaining bytes before anything is allocated. NULL with e (EXIT_INPUT), which
 * names the byte offset and what was expected there. trace_open_fd() takes over
 * the descriptor.
 */
struct trace *trace_open(const char *path, struct error *e);
struct trace *trace_open_fd(int fd, const char *name, struct error *e);
void trace_close(struct trace *t);
/* The trace's file descriptor, from which the file can be copied with
 * pread(). */
int trace_fd(const struct trace *t);

const struct trace_info *trace_info(const struct trace *t);
/* Returns the value of a macro of the recording, a struct trace_info; NULL: it
 * has none of this name. For kernel_values(). */
const char *trace_define(const void *info, const char *name);
size_t trace_warp_count(const struct trace *t);
const struct trace_warp *trace_warp(const struct trace *t, size_t index);
/* Finds the index of a block's warp; -1 when it is not recorded. */
long trace_find_warp(const struct trace *t, uint32_t block, uint32_t warp);
uint64_t trace_event_count(const struct trace *t);
uint64_t trace_request_count(const struct trace *t);

/* Checks the whole trace: 0 when all of it is sound; else -1 with e. */
int trace_check(struct trace *t, struct error *e);

/*
 * Reads request `index` of a warp without reading those before it: at most one
 * chunk is read and unpacked, and the last few chunks stay in memory. -1 with e
 * when the file is damaged there.
 */
int trace_get(struct trace *t, size_t warp, uint32_t index,
	      struct trace_request *out, struct error *e);
/* Reads a request like trace_get(), but leaves out->value unset, which is
 * faster. */
int trace_get_lanes(struct trace *t, size_t warp, uint32_t index,
		    struct trace_request *out, struct error *e);
/* Reads only the request's site, which is cheaper; used for timelines. */
int trace_get_site(struct trace *t, size_t warp, uint32_t index,
		   uint32_t *site, struct error *e);
/* Finds the first of a warp's requests in [from, end) whose site has a bit of
 * `kind` in kinds[site]. Returns `end` when there is none, or when the file is
 * damaged before it. */
uint32_t trace_next(struct trace *t, size_t warp, uint32_t from, uint32_t end,
		    const uint8_t *kinds, uint8_t kind);
/* Returns the phase that a request is in (0 before the first barrier; a barrier
 * belongs to the phase that it ends). The second function returns the first
 * request of a phase. */
uint32_t trace_phase_of(const struct trace *t, size_t warp, uint32_t index);
uint32_t trace_phase_start(const struct trace *t, size_t warp, uint32_t phase);

/*
 * A block, and how many are like it: their requests are the same, but for how
 * far the offsets in each array of global memory are shifted, the same for a
 * whole block, and by multiples of TRACE_KIND_ALIGN bytes, so that what they
 * cost is the same, too. `shifts` has the bounds of that for each array, beside
 * the first block; NULL: there is no other. In no block an access is outside
 * its array.
 */
#define TRACE_KIND_ALIGN 32
struct trace_kind {
	size_t warp, warps;	/* the block's first, and how many it has */
	uint64_t times;
	struct trace_shift { int64_t least, most; } *shifts;
};

/*
 * Returns the kinds of a trace's blocks, in the order of the first block of
 * each. Where the trace has values, is partial or damaged, or its blocks differ
 * too much, each block is its own kind.
 */
const struct trace_kind *trace_kinds(struct trace *t, size_t *count);

/* ---- writing ---- */

/*
 * Writes a trace to fd, a file or a pipe, without seeking. Sites and arrays may
 * be added at any time before they are used; grid and block are known before
 * the first request. Blocks come in ascending order, and the warps of each begin
 * so; one that has begun may go on until the next block. All calls return 0, or -1
 * with e: EXIT_OUTPUT, or EXIT_BUG for what no trace may hold (an offset
 * outside its array, a lane that the block does not have). After a failure all
 * further calls fail. The same calls write the same bytes.
 */
struct trace_writer;
struct trace_writer *trace_writer_new(int fd, bool values);
int trace_writer_warp(struct trace_writer *w, uint32_t block, uint32_t warp,
		      struct error *e);
int trace_writer_add(struct trace_writer *w, const struct trace_info *info,
		     const struct trace_request *r, struct error *e);
/* Ends the file with the tables (from info), the index and the trailer, and
 * frees the writer. */
int trace_writer_finish(struct trace_writer *w, const struct trace_info *info,
			struct error *e);
void trace_writer_free(struct trace_writer *w);
uint64_t trace_writer_bytes(const struct trace_writer *w);
/*
 * A trace may be written in parts, each by a writer of its own: one as above,
 * the others to files of their own behind so many warps, the last of that
 * block. Such a part ends with its index, and is then put behind what the first
 * has written, which gets no more warps of its own. Its sites are those of the
 * first, whose tables are the whole's.
 */
struct trace_writer *trace_writer_part(int fd, bool values, uint32_t warps,
				       uint32_t last_block);
int trace_writer_part_end(struct trace_writer *w, uint64_t *chunk_bytes,
			  uint64_t *index_bytes, uint32_t *warps);
int trace_writer_join(struct trace_writer *w, int fd, uint64_t chunk_bytes,
		      uint64_t index_bytes, uint32_t warps, struct error *e);

/* ---- text ---- */

/* Writes the trace as text whose format is stable; trace_parse() turns that
 * text back into the same bytes of trace. */
int trace_dump(struct trace *t, FILE *out, struct error *e);
/* Errors name the line and what was expected there. */
int trace_parse(const char *text, size_t len, int fd, struct error *e);

#endif
