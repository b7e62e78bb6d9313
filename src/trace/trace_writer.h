/*
 * trace_writer: the internals of the writer. trace_write.c writes chunks and
 * the index, trace_write_values.c values, trace_write_tables.c the tables.
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

struct trace_writer {
	int fd;
	bool values;
	struct error failure;	/* the first error; status 0: none yet */
	uint64_t written;
	ZSTD_CCtx *zstd;

	/* The current warp, and the lists for its entry in the index. */
	bool in_warp;
	uint32_t block, warp, lanes;	/* lanes: 0 until the first request */
	uint32_t warps;			/* warps ended before it */
	uint32_t part;			/* of them, in other parts */
	uint32_t requests, since_barrier, chunks, barriers;
	struct bytes chunk_list, barrier_list, index;
	uint32_t last_block;		/* block of the previous warp */

	/* The current chunk. */
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
	struct bytes raw, out;
};

/* Writes the values of a request whose pattern and base are in the site's
 * state. */
void trace_put_values(struct trace_writer *w, const struct site_state *s,
		      const struct trace_request *r);

/* NULL, or which part of the tables a reader would reject. */
const char *trace_tables_wrong(const struct trace_info *info);
void trace_put_tables(struct bytes *b, const struct trace_info *info);

#endif
