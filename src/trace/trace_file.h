/*
 * trace_file: the internals of an open trace. trace_open.c finds the blocks,
 * trace_tables.c reads the tables and the index, trace_unpack.c unpacks chunks,
 * trace_read.c caches chunks and returns requests, and trace_kinds.c compares
 * blocks.
 */
#ifndef TRACE_TRACE_FILE_H
#define TRACE_TRACE_FILE_H

#include <sys/types.h>
#include <zstd.h>

#include "trace/trace_bytes.h"
#include "trace/trace_format.h"
#include "trace/trace_predictor.h"

/* An unpacked chunk. value_at[i] is where the words of request i start. */
struct chunk {
	struct chunk *newer, *older;
	size_t entry;			/* index in trace.entries */
	size_t bytes;
	uint32_t *site, *pattern, *value_at;
	uint64_t *base;
	struct pattern_lanes *patterns;
	uint32_t *words;
};

/* A chunk as the index describes it. */
struct chunk_entry {
	uint64_t offset;
	uint32_t bytes;			/* in the file */
	uint32_t warp, first, count;	/* warp; first request and count */
	uint32_t phase;			/* phase of its first request */
	uint32_t events;
	struct chunk *chunk;		/* NULL when not in memory */
};

struct warp_entry {
	struct trace_warp warp;
	size_t chunk, chunk_count;	/* in trace.entries */
	size_t barrier;			/* the first in trace.barriers */
};

struct trace {
	int fd;
	char *name;
	uint64_t size, tables, index;	/* offsets */
	struct trace_info info;
	struct site_plan *plans;
	struct site_last *last;
	uint32_t epoch;

	struct warp_entry *warps;
	size_t warp_count;
	struct chunk_entry *entries;
	size_t entry_count;
	uint32_t *barriers;		/* request numbers, warp after warp */
	size_t barrier_count;
	uint64_t requests, events;

	ZSTD_DCtx *zstd;
	uint8_t *packed, *raw;		/* for the chunk being unpacked */
	size_t packed_capacity, raw_capacity;
	uint32_t *given;		/* words of that chunk */
	size_t given_capacity;
	struct predictor *predictor;
	struct chunk *newest, *oldest;
	size_t cached, cached_bytes;

	struct trace_kind *kinds;	/* NULL: nobody has asked for them */
	size_t kind_count;
};

/* Sets e to the offset and to what was expected there; returns -1. */
int trace_bad(const struct trace *t, struct error *e, uint64_t offset,
	      const char *fmt, ...) PRINTF(4, 5);
/*
 * Reads the block of `bytes` bytes at offset, which must lie within the file,
 * and unpacks it to at most `limit` bytes in t->raw. Returns their number, or
 * -1.
 */
ssize_t trace_block_read(struct trace *t, uint64_t offset, uint32_t tag,
			 uint64_t bytes, size_t limit, struct error *e);
int trace_tables_read(struct trace *t, struct error *e);
int trace_index_read(struct trace *t, struct error *e);
/* Reads and unpacks a chunk; the caller frees it. NULL with e. */
struct chunk *trace_chunk_read(struct trace *t, struct chunk_entry *c,
			       struct error *e);
void trace_chunk_free(struct chunk *c);
/* Frees all cached chunks. */
void trace_cache_drop(struct trace *t);
/* Frees what trace_kinds() has found. */
void trace_kinds_done(struct trace *t);

#endif
