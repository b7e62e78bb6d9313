/*
 * trace_write: writes chunks of warps into a file. The format, and what the
 * writer shares with the reader, is in trace_format.h.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/lang.h"
#include "base/resource.h"
#include "trace/trace_writer.h"

/* Higher levels take a few per cent off the size and twice the time. */
#define ZSTD_LEVEL 1

/* ---- output ---- */

static int writer_fail(struct trace_writer *t, struct error *e)
{
	if (e)
		*e = t->failure;
	return -1;
}

static int writer_output(struct trace_writer *t, const void *data, size_t n,
			 struct error *e)
{
	if (t->failure.status)
		return writer_fail(t, e);
	if (write_all(t->fd, data, n) < 0) {
		error_resource(&t->failure, errno, EXIT_OUTPUT,
			       _("the trace could not be written"));
		return writer_fail(t, e);
	}
	t->written += n;
	return 0;
}

static int writer_header(struct trace_writer *t, struct error *e)
{
	uint8_t header[GVT_HEADER] = GVT_MAGIC;

	if (t->written)
		return 0;
	put_u32(header + 8, GVT_VERSION |
			    (t->values ? GVT_VALUES : 0) << 16);
	put_u32(header + 12, 0);
	return writer_output(t, header, sizeof(header), e);
}

/* Appends one zstd frame behind a tag and its length; the bytes of all this. */
static size_t put_block(struct trace_writer *t, struct bytes *out, uint32_t tag,
			const struct bytes *raw)
{
	size_t bound = ZSTD_compressBound(raw->len), n;
	uint8_t *to = bytes_room(out, GVT_BLOCK + bound);

	n = ZSTD_compress2(t->zstd, to + GVT_BLOCK, bound, raw->data,
			   raw->len);
	if (ZSTD_isError(n))
		fatal("zstd: %s", ZSTD_getErrorName(n));
	put_u32(to, tag);
	put_u32(to + 4, (uint32_t)n);
	out->len += GVT_BLOCK + n;
	return GVT_BLOCK + n;
}

static int writer_block(struct trace_writer *t, uint32_t tag,
			const struct bytes *raw, struct error *e)
{
	t->out.len = 0;
	put_block(t, &t->out, tag, raw);
	if (writer_header(t, e) < 0)
		return -1;
	return writer_output(t, t->out.data, t->out.len, e);
}

/* ---- chunks ---- */

static void end_chunk(struct trace_writer *t, struct warp_writer *w)
{
	if (!w->count)
		return;
	chunk_pack(w, &t->raw);
	put_varint(&w->chunk_list, put_block(t, &w->out, GVT_CHUNK, &t->raw));
	put_varint(&w->chunk_list, w->count);
	put_varint(&w->chunk_list, w->events);
	w->chunks++;
	chunk_clear(w);
}

static int request_wrong(struct trace_writer *t, uint32_t block, uint32_t warp,
			 uint32_t request, const char *wrong, struct error *e)
{
	error_set(&t->failure, EXIT_BUG,
		  "block %" PRIu32 ", warp %" PRIu32 ", request %" PRIu32
		  ": expected %s",
		  block, warp, request, _(wrong));
	return writer_fail(t, e);
}

int trace_writer_add(struct trace_writer *t, const struct trace_info *info,
		     const struct trace_request *r, struct error *e)
{
	struct warp_writer *w = t->warp;
	const char *wrong;

	if (t->failure.status)
		return writer_fail(t, e);
	wrong = w ? warp_writer_add(w, info, r, t->values) : "a warp";
	if (wrong)
		return request_wrong(t, t->block, w ? w->warp : 0,
				     w ? w->requests : 0, wrong, e);
	if (w->count == CHUNK_REQUESTS || w->word_seen >= CHUNK_WORDS ||
	    w->pattern_lanes >= CHUNK_PATTERN_LANES)
		end_chunk(t, w);
	return 0;
}

/* ---- warps ---- */

static int end_warp(struct trace_writer *t, struct warp_writer *w,
		    struct error *e)
{
	end_chunk(t, w);
	put_varint(&t->index, t->block - t->last_block);
	put_varint(&t->index, w->warp);
	put_varint(&t->index, w->chunks);
	put_varint(&t->index, w->barriers);
	put_bytes(&t->index, w->chunk_list.data, w->chunk_list.len);
	put_bytes(&t->index, w->barrier_list.data, w->barrier_list.len);
	t->last_block = t->block;
	if (w->out.len && writer_header(t, e) < 0)
		return -1;
	return writer_output(t, w->out.data, w->out.len, e);
}

static int block_end(struct trace_writer *t, struct error *e)
{
	int rc = 0;

	for (size_t i = 0; i < t->open_count && rc == 0; i++)
		rc = end_warp(t, t->open[i], e);
	t->warps += (uint32_t)t->open_count;
	t->open_count = 0;
	t->warp = NULL;
	return rc;
}

static void warp_begin(struct trace_writer *t, uint32_t warp)
{
	struct warp_writer *w;

	grow(&t->open, &t->open_capacity, t->open_count + 1,
	     sizeof(*t->open));
	if (t->open_count == t->made)
		t->open[t->made++] = warp_writer_new();
	w = t->warp = t->open[t->open_count];
	w->block = t->block;
	w->warp = warp;
	w->number = t->warps + (uint32_t)t->open_count++;
	w->lanes = 0;
	w->requests = w->since_barrier = w->chunks = w->barriers = 0;
	w->chunk_list.len = w->barrier_list.len = w->out.len = 0;
}

/* Finds the current block's warp among those begun; NULL when it is not. */
static struct warp_writer *warp_open(const struct trace_writer *t,
				     uint32_t warp)
{
	for (size_t i = 0; i < t->open_count; i++)
		if (t->open[i]->warp == warp)
			return t->open[i];
	return NULL;
}

int trace_writer_warp(struct trace_writer *t, uint32_t block, uint32_t warp,
		      struct error *e)
{
	bool first = t->warps == 0 && t->open_count == 0;

	if (t->failure.status)
		return writer_fail(t, e);
	t->warp = block == t->block ? warp_open(t, warp) : NULL;
	if (t->warp)
		return 0;
	if (!first && (block < t->block ||
		       (block == t->block &&
			(t->open_count == 0 ||
			 warp < t->open[t->open_count - 1]->warp))))
		return request_wrong(t, block, warp, 0, "a later warp", e);
	if (block != t->block && block_end(t, e) < 0)
		return -1;
	if (t->warps + t->open_count == TRACE_MAX_WARPS) {
		error_set(&t->failure, EXIT_OUTPUT,
			  _("a trace holds at most %u warps"),
			  TRACE_MAX_WARPS);
		return writer_fail(t, e);
	}
	t->block = block;
	warp_begin(t, warp);
	return 0;
}

/* ---- the end ---- */

static int writer_end(struct trace_writer *t, const struct trace_info *info,
		      struct error *e)
{
	struct bytes index = { 0 };
	uint8_t trailer[GVT_TRAILER] = { 0 };
	const char *wrong = trace_tables_wrong(info);
	int rc = -1;

	t->raw.len = 0;
	trace_put_tables(&t->raw, info);
	if (!wrong && (t->raw.len > TABLES_RAW_MAX ||
		       t->index.len > INDEX_RAW_MAX - VARINT_MAX))
		wrong = _("less text or fewer chunks");
	if (wrong)
		return error_set(e, EXIT_BUG, "the trace's tables: expected %s",
				 wrong);
	if (writer_header(t, e) < 0)
		return -1;
	put_u64(trailer, t->written);
	if (writer_block(t, GVT_TABLES, &t->raw, e) < 0)
		return -1;
	put_u64(trailer + 8, t->written);
	put_varint(&index, t->warps);
	put_bytes(&index, t->index.data, t->index.len);
	if (writer_block(t, GVT_INDEX, &index, e) == 0) {
		put_u64(trailer + 16, t->written + GVT_TRAILER);
		memcpy(trailer + 24, GVT_END, 8);
		rc = writer_output(t, trailer, sizeof(trailer), e);
	}
	free(index.data);
	return rc;
}

int trace_writer_finish(struct trace_writer *t, const struct trace_info *info,
			struct error *e)
{
	int rc = -1;

	if (t->failure.status)
		writer_fail(t, e);
	else if (block_end(t, e) == 0)
		rc = writer_end(t, info, e);
	trace_writer_free(t);
	return rc;
}

struct trace_writer *trace_writer_new(int fd, bool values)
{
	struct trace_writer *t = xcalloc(1, sizeof(*t));

	t->fd = fd;
	t->values = values;
	t->zstd = ZSTD_createCCtx();
	if (!t->zstd)
		fatal("out of memory");
	ZSTD_CCtx_setParameter(t->zstd, ZSTD_c_compressionLevel, ZSTD_LEVEL);
	ZSTD_CCtx_setParameter(t->zstd, ZSTD_c_checksumFlag, 1);
	return t;
}

void trace_writer_free(struct trace_writer *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->made; i++)
		warp_writer_free(t->open[i]);
	free(t->open);
	free(t->index.data);
	free(t->raw.data);
	free(t->out.data);
	ZSTD_freeCCtx(t->zstd);
	free(t);
}

/* ---- parts ---- */

struct trace_writer *trace_writer_part(int fd, bool values, uint32_t warps,
				       uint32_t last_block)
{
	struct trace_writer *t = trace_writer_new(fd, values);

	t->written = GVT_HEADER;
	t->warps = t->part = warps;
	t->block = t->last_block = last_block;
	return t;
}

int trace_writer_part_end(struct trace_writer *t, uint64_t *chunk_bytes,
			  uint64_t *index_bytes, uint32_t *warps)
{
	int rc = t->failure.status ? -1 : block_end(t, NULL);

	*chunk_bytes = t->written - GVT_HEADER;
	*index_bytes = t->index.len;
	*warps = t->warps - t->part;
	if (rc == 0)
		rc = writer_output(t, t->index.data, t->index.len, NULL);
	trace_writer_free(t);
	return rc;
}

#define COPY_BYTES (1u << 20)

int trace_writer_join(struct trace_writer *t, int fd, uint64_t chunk_bytes,
		      uint64_t index_bytes, uint32_t warps, struct error *e)
{
	uint64_t at = 0, end = chunk_bytes + index_bytes;
	int rc = block_end(t, e) < 0 ? -1 : writer_header(t, e);

	while (at < end && rc == 0) {
		size_t n = MIN(COPY_BYTES, (at < chunk_bytes ? chunk_bytes :
							       end) - at);
		ssize_t got;

		t->raw.len = 0;
		got = pread(fd, bytes_room(&t->raw, n), n, (off_t)at);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return error_set(e, EXIT_RUNNER, "a part of the trace "
					 "is missing");
		if (at < chunk_bytes)
			rc = writer_output(t, t->raw.data, (size_t)got, e);
		else
			put_bytes(&t->index, t->raw.data, (size_t)got);
		at += (uint64_t)got;
	}
	t->warps += warps;
	return rc;
}

uint64_t trace_writer_bytes(const struct trace_writer *t)
{
	return t->written;
}
