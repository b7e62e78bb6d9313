/*
 * trace_writer: the internals of the writer. trace_write.c writes the file
 * and the index, trace_write_warp.c chunks, trace_write_values.c values,
 * trace_write_tables.c the tables.
 */
#ifndef TRACE_TRACE_WRITER_H
#define TRACE_TRACE_WRITER_H

#include <zstd.h>

#include "trace/trace_bytes.h"
#include "trace/trace_format.h"
#include "trace/trace_predictor.h"

#define PATTERN_SLOTS (CHUNK_REQUESTS * 4)

/* The state of a site in the current chunk. */
struct site_state {
	struct site_last last;
	struct site_plan plan;
};

/* A warp of the current block: what its entry in the index will hold, its chunks
 * that are complete, and the current one. */
struct warp_writer {
	uint32_t block, warp;
	uint32_t lanes;			/* 0 until the first request */
	uint32_t number;		/* in the trace */
	uint32_t requests, since_barrier, chunks, barriers;
	struct bytes chunk_list, barrier_list, out;

	uint32_t epoch, count, events, pattern_lanes;
	struct bytes column[COLUMN_COUNT];
	struct site_state *sites;
	size_t site_capacity;
	struct pattern_lanes *patterns;
	size_t pattern_count, pattern_capacity;
	uint16_t pattern_slot[PATTERN_SLOTS];	/* pattern's number + 1 */
	uint32_t *words;
	size_t word_count, word_seen;
	struct predictor predictor;
	struct dictionary dictionary;
};

struct trace_writer {
	int fd;
	bool values;
	struct error failure;	/* the first error; status 0: none yet */
	uint64_t written;
	ZSTD_CCtx *zstd;

	uint32_t block;
	/* Its warps so far, and those of blocks before that had more. */
	struct warp_writer **open;
	size_t open_count, open_capacity, made;
	struct warp_writer *warp;	/* the current one, or NULL */
	uint32_t warps;			/* of blocks that have ended */
	uint32_t part;			/* of them, in other parts */
	struct bytes index;
	uint32_t last_block;		/* in the index */
	struct bytes raw, out;
};

struct warp_writer *warp_writer_new(void);
void warp_writer_free(struct warp_writer *w);
/* Adds a request to the current chunk; what is wrong with it, or NULL. */
const char *warp_writer_add(struct warp_writer *w, const struct trace_info *info,
			    const struct trace_request *r, bool values);
/* Writes the chunk's columns to `raw`, uncompressed. */
void chunk_pack(struct warp_writer *w, struct bytes *raw);
void chunk_clear(struct warp_writer *w);

/* Writes the values of a request whose pattern and base are in the site's
 * state. */
void trace_put_values(struct warp_writer *w, const struct site_state *s,
		      const struct trace_request *r);

/* Checks the tables as a reader would. Returns NULL, or words that complete
 * "expected ...". */
const char *trace_tables_wrong(const struct trace_info *info);
void trace_put_tables(struct bytes *b, const struct trace_info *info);

#endif
