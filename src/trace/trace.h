/*
 * trace: what a recorder saw, as a file (.gvt) that is also a stream.
 *
 * A trace holds one launch of one kernel: the kernel's text, the launch
 * shape, the arrays, the access sites, and for each recorded warp its
 * requests in program order. A request is one warp instruction: a site, the
 * lanes that took part, and for each of them a byte offset into the site's
 * array (and the value moved, when values were recorded). Barriers are
 * requests too; they cut a warp's sequence into phases. The recorder merges
 * the lanes (warp.h) before it writes, so everything that reads a trace sees
 * what SIMT hardware would.
 *
 * An event is one lane's part of a request: the unit of budgets and caps.
 *
 * What the bytes mean is in trace_format.h, the text form in trace_text.c.
 */
#ifndef TRACE_TRACE_H
#define TRACE_TRACE_H

#include "base/base.h"

#define WARP_LANES 32
#define TRACE_MAX_RANK 4
#define TRACE_NO_ARRAY UINT32_MAX
#define MATRIX_ROW_BYTES 16

enum space { SPACE_GLOBAL, SPACE_SHARED, SPACE_REGISTER, SPACE_COUNT };
/*
 * What a site does. Of each lane:
 *
 *	ld, st		moves a value
 *	barrier		comes to a barrier of the block
 *	sync		comes to where it waits for what it has begun, or for
 *			some threads: the line tells which
 *	mbar-arrive	arrives at an mbarrier; 2 words: the number of its
 *			phase, and the bytes that it is to wait for as well
 *	mbar-wait	waits for an mbarrier; 2 words: the number of the phase,
 *			of one that is new -1, and 0
 *
 * In bulk, without values; `bytes` are those of all that is moved, the offset
 * is that of its first element:
 *
 *	tma-ld, tma-st	begins to copy a box: two requests, one where it comes
 *			from and one where it goes
 *	wgmma		begins a product with an operand in shared memory; the
 *			registers are stored where it is waited for
 *
 * Which elements these are, struct trace_tile says.
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

/* A load or a store, of which what it costs is known. */
static inline bool op_is_access(enum op o)
{
	return o == OP_LD || o == OP_ST;
}

enum elem { ELEM_RAW, ELEM_F32, ELEM_F64, ELEM_F16, ELEM_BF16, ELEM_I8,
	    ELEM_U8, ELEM_I16, ELEM_U16, ELEM_I32, ELEM_U32, ELEM_I64,
	    ELEM_U64, ELEM_COUNT };

/* "global", "ld", "f32" ...; the other way gives -1 for an unknown word. */
const char *space_name(enum space s);
const char *op_name(enum op o);
const char *elem_name(enum elem e);
int space_from(const char *word);
int op_from(const char *word);
int elem_from(const char *word);

struct trace_array {
	char *name;		/* as in the source: A, As, accum */
	enum space space;
	enum elem elem;
	uint32_t elem_bytes;	/* > 0 */
	uint32_t rank;		/* 1..TRACE_MAX_RANK */
	uint64_t dims[TRACE_MAX_RANK];	/* outermost first, each > 0 */
	/*
	 * Byte address of the array's first byte in its space: in global
	 * memory any value with the true alignment, in shared memory the
	 * offset in the block's window, in registers 0. Sectors and banks
	 * are computed from base + offset.
	 */
	uint64_t base;
};

/*
 * What a site moves in bulk, from a request's offset on: parts `next` bytes
 * apart, of rows `pitch` bytes apart, of columns side by side, each an element
 * of `bytes`, whatever the array's elements are. In shared
 * memory 16-byte chunks change places within `swizzle` bytes (32, 64, 128; 0:
 * they do not), as bits 7 to 9 of the address say. In global memory what lies
 * past the last column or row is not there; of a box that begins before the
 * first ones, the rows and columns are those that are left, fewer than in
 * shared memory. `blocks`: to which of a cluster it goes, a bit each; 0: to
 * its own. No rows: not known.
 */
struct trace_tile {
	uint32_t parts, rows, columns, bytes;
	uint32_t next, pitch, swizzle, blocks;
};
#define TRACE_MAX_TILE (1u << 20)	/* elements */

struct trace_site {
	uint32_t line, column;	/* from 1, in the kernel's text; 0: unknown */
	enum op op;
	uint32_t array;		/* index, or TRACE_NO_ARRAY: it has none */
	/* Per lane: 1, 2, 4, 8 or 16; in bulk any number; without array 0. */
	uint32_t bytes;
	/*
	 * ldmatrix or stmatrix: a lane moves the row of an 8x8 matrix of
	 * halves that it names, MATRIX_ROW_BYTES, and other lanes get it, or
	 * give it.
	 */
	bool matrix;
	struct trace_tile tile;		/* in bulk */
};

/* "ld", or "ldmatrix" ... */
const char *trace_site_word(const struct trace_site *s);
bool trace_site_same(const struct trace_site *a, const struct trace_site *b);

struct trace_request {
	uint32_t site;
	uint32_t mask;			/* bit l: lane l took part; never 0 */
	/* For lanes in mask; in other lanes 0. */
	uint64_t offset[WARP_LANES];	/* bytes from the array's start */
	/*
	 * The value moved, little-endian, trace_value_words() words a lane
	 * from value[lane * 4]; all 0 when the trace has no values.
	 */
	uint32_t value[WARP_LANES * 4];
};

struct trace_dim { uint32_t x, y, z; };

struct trace_define { char *name, *value; };	/* -D NAME=VALUE */

/* Everything but the requests. Owned by the trace or the writer's caller. */
struct trace_info {
	char *kernel;		/* name in the table, or the function's */
	char *file;		/* file name of the text, without folder */
	char *text;		/* the whole source text */
	char *on;		/* "cpu", "gpu" */
	char *device;		/* "", or the GPU's name */
	char *problem;		/* what the kernel computes; NULL: not said */
	char *check;		/* how its answer was checked, or why not */
	uint32_t m, n, k;	/* 0 each when unknown */
	struct trace_dim grid, block;
	uint64_t seed;		/* of the inputs */
	struct trace_define *defines;
	size_t define_count;
	bool values;		/* values were recorded */
	bool partial;		/* filters, a cap or a stop left things out */
	uint32_t spaces;	/* bit per enum space that was recorded */
	struct trace_array *arrays;
	size_t array_count;
	struct trace_site *sites;
	size_t site_count;
	struct trace_finding *findings;		/* see finding.h */
	size_t finding_count;
};
void trace_info_done(struct trace_info *info);

/* One recorded warp. Warps are sorted by block, then warp number. */
struct trace_warp {
	uint32_t block;		/* linear: x + grid.x * (y + grid.y * z) */
	uint32_t warp;		/* linear thread / 32 */
	uint32_t requests;
	uint64_t events;
	uint32_t phases;	/* barriers passed + 1 */
};

/* 32-bit words a lane of this site's value takes: 1, 2 or 4; 0 where it has
 * none. */
uint32_t trace_value_words(const struct trace_site *site);

/* Elements of a site's tile; 1 where it is not known. */
uint32_t trace_tile_elements(const struct trace_site *site);
/* The offset of the nth of them, row after row; false: it is outside. */
bool trace_tile_at(const struct trace_info *info,
		   const struct trace_site *site, uint64_t offset,
		   uint32_t nth, uint64_t *at);

/* Which element of the tile in the matrix the nth one of a box in shared memory
 * is; false: it is outside. */
bool trace_tile_match(const struct trace_tile *box,
		      const struct trace_tile *matrix, uint32_t nth,
		      uint32_t *at);

/* The value of the element at byte `byte` of a request's value; false: raw
 * bytes. */
bool element_value(enum elem kind, const uint32_t *words, uint32_t byte,
		   double *v);
/* Linear block index to coordinates, and linear thread to coordinates. */
struct trace_dim dim_of(struct trace_dim size, uint32_t linear);

/* ---- reading ---- */

struct trace;

/*
 * Opens a trace in a regular file. Every count is checked against what
 * remains before anything is allocated. Errors (EXIT_INPUT) name the byte
 * offset and what was expected there. The descriptor is taken over.
 */
struct trace *trace_open(const char *path, struct error *e);
struct trace *trace_open_fd(int fd, const char *name, struct error *e);
void trace_close(struct trace *t);
/* The file behind it, to copy it from with pread(). */
int trace_fd(const struct trace *t);

const struct trace_info *trace_info(const struct trace *t);
size_t trace_warp_count(const struct trace *t);
const struct trace_warp *trace_warp(const struct trace *t, size_t index);
/* Index of the warp, or -1. */
long trace_find_warp(const struct trace *t, uint32_t block, uint32_t warp);
uint64_t trace_event_count(const struct trace *t);
uint64_t trace_request_count(const struct trace *t);

/* Whether all of it is sound; -1 with e. */
int trace_check(struct trace *t, struct error *e);

/*
 * Any request of any warp, without reading what is before it: at most one
 * chunk is read and unpacked, and the last few stay in memory. -1 with e
 * when the file is bad there.
 */
int trace_get(struct trace *t, size_t warp, uint32_t index,
	      struct trace_request *out, struct error *e);
/* Site only: cheaper, for timelines. */
int trace_get_site(struct trace *t, size_t warp, uint32_t index,
		   uint32_t *site, struct error *e);
/* The phase of a request (0 before the first barrier; a barrier belongs to
 * the phase it ends) and the first request of a phase. */
uint32_t trace_phase_of(const struct trace *t, size_t warp, uint32_t index);
uint32_t trace_phase_start(const struct trace *t, size_t warp, uint32_t phase);

/* ---- writing ---- */

/*
 * Writes to fd (a file or a pipe: never seeks). Sites and arrays may be
 * added at any time before they are used; grid and block are known before
 * the first request. Warps come in ascending order. All calls return 0, or
 * -1 with e: EXIT_OUTPUT, or EXIT_BUG for what no trace may hold (an offset
 * outside its array, a lane that the block has not). After a failure all
 * calls fail. The same calls give the same bytes.
 */
struct trace_writer;
struct trace_writer *trace_writer_new(int fd, bool values);
int trace_writer_warp(struct trace_writer *w, uint32_t block, uint32_t warp,
		      struct error *e);
int trace_writer_add(struct trace_writer *w, const struct trace_info *info,
		     const struct trace_request *r, struct error *e);
/* Ends the file: tables from info, index, trailer. Frees the writer. */
int trace_writer_finish(struct trace_writer *w, const struct trace_info *info,
			struct error *e);
void trace_writer_free(struct trace_writer *w);
uint64_t trace_writer_bytes(const struct trace_writer *w);

/* ---- text ---- */

/* The trace as stable text, and text back to the same bytes of trace. */
int trace_dump(struct trace *t, FILE *out, struct error *e);
/* Errors name the line and what was expected. */
int trace_parse(const char *text, size_t len, int fd, struct error *e);

#endif
