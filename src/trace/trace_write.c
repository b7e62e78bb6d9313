/*
 * trace_write: requests into a stream of chunks. The format and what is
 * shared with the reader is in trace_format.h.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/lang.h"
#include "trace/trace_writer.h"

/* Higher levels take a few per cent off the size and twice the time. */
#define ZSTD_LEVEL 1

/* ---- output ---- */

static int writer_fail(struct trace_writer *w, struct error *e)
{
	if (e)
		*e = w->failure;
	return -1;
}

static int writer_output(struct trace_writer *w, const void *data, size_t n,
			 struct error *e)
{
	if (w->failure.status)
		return writer_fail(w, e);
	if (write_all(w->fd, data, n) < 0) {
		error_set(&w->failure, EXIT_OUTPUT,
			  _("the trace could not be written: %s"),
			  strerror(errno));
		return writer_fail(w, e);
	}
	w->written += n;
	return 0;
}

static int writer_header(struct trace_writer *w, struct error *e)
{
	uint8_t header[GVT_HEADER] = GVT_MAGIC;

	if (w->written)
		return 0;
	put_u32(header + 8, GVT_VERSION |
			    (w->values ? GVT_VALUES : 0) << 16);
	put_u32(header + 12, 0);
	return writer_output(w, header, sizeof(header), e);
}

/* One zstd frame behind a tag and its length. */
static int writer_block(struct trace_writer *w, uint32_t tag,
			const struct bytes *raw, struct error *e)
{
	size_t bound = ZSTD_compressBound(raw->len), n;

	w->out.len = 0;
	bytes_room(&w->out, GVT_BLOCK + bound);
	n = ZSTD_compress2(w->zstd, w->out.data + GVT_BLOCK, bound, raw->data,
			   raw->len);
	if (ZSTD_isError(n))
		fatal("zstd: %s", ZSTD_getErrorName(n));
	put_u32(w->out.data, tag);
	put_u32(w->out.data + 4, (uint32_t)n);
	w->out.len = GVT_BLOCK + n;
	if (writer_header(w, e) < 0)
		return -1;
	return writer_output(w, w->out.data, w->out.len, e);
}

/* ---- chunks ---- */

static void put_pattern(struct bytes *b, const struct pattern_lanes *p)
{
	uint32_t left = p->mask & (p->mask - 1);
	uint64_t at = 0, step = 0;
	uint32_t run = 0;

	put_u32(bytes_room(b, 4), p->mask);
	b->len += 4;
	for (; left; left &= left - 1) {
		uint64_t next = p->rel[__builtin_ctz(left)];

		if (run && next - at != step) {
			put_varint(b, run);
			put_varint(b, zigzag(step));
			run = 0;
		}
		step = next - at;
		at = next;
		run++;
	}
	if (run) {
		put_varint(b, run);
		put_varint(b, zigzag(step));
	}
}

static void put_planes(struct bytes *b, const uint32_t *words, size_t count)
{
	uint8_t *p = bytes_room(b, count * 4);

	for (size_t i = 0; i < count; i++) {
		p[i] = (uint8_t)words[i];
		p[count + i] = (uint8_t)(words[i] >> 8);
		p[count * 2 + i] = (uint8_t)(words[i] >> 16);
		p[count * 3 + i] = (uint8_t)(words[i] >> 24);
	}
	b->len += count * 4;
}

static void chunk_pack(struct trace_writer *w)
{
	struct bytes *raw = &w->raw;

	for (size_t i = 0; i < w->pattern_count; i++)
		put_pattern(&w->column[COLUMN_PATTERNS], &w->patterns[i]);
	put_planes(&w->column[COLUMN_WORDS], w->words, w->word_count);
	raw->len = 0;
	put_varint(raw, w->warps);
	put_varint(raw, w->requests - w->count);
	put_varint(raw, w->count);
	put_varint(raw, w->pattern_count);
	for (int i = 0; i < COLUMN_COUNT; i++)
		put_varint(raw, w->column[i].len);
	for (int i = 0; i < COLUMN_COUNT; i++)
		put_bytes(raw, w->column[i].data, w->column[i].len);
}

static void chunk_clear(struct trace_writer *w)
{
	for (int i = 0; i < COLUMN_COUNT; i++)
		w->column[i].len = 0;
	if (w->pattern_count)
		memset(w->pattern_slot, 0, sizeof(w->pattern_slot));
	if (w->word_seen) {
		memset(&w->predictor, 0, sizeof(w->predictor));
		memset(&w->dictionary, 0, sizeof(w->dictionary));
	}
	w->pattern_count = 0;
	w->word_count = w->word_seen = 0;
	w->count = w->events = w->pattern_lanes = 0;
	if (++w->epoch == 0)
		fatal("a trace of more than 2^32 chunks");
}

static int chunk_flush(struct trace_writer *w, struct error *e)
{
	if (!w->count)
		return 0;
	chunk_pack(w);
	if (writer_block(w, GVT_CHUNK, &w->raw, e) < 0)
		return -1;
	put_varint(&w->chunk_list, w->out.len);
	put_varint(&w->chunk_list, w->count);
	put_varint(&w->chunk_list, w->events);
	w->chunks++;
	chunk_clear(w);
	return 0;
}

/* ---- requests ---- */

static bool pattern_same(const struct pattern_lanes *p,
			 const struct trace_request *r, uint64_t base)
{
	uint64_t difference = 0;

	if (p->mask != r->mask)
		return false;
	if (r->mask == UINT32_MAX) {
		for (int l = 0; l < WARP_LANES; l++)
			difference |= (r->offset[l] - base) ^ p->rel[l];
		return difference == 0;
	}
	for (uint32_t m = r->mask; m; m &= m - 1) {
		int l = __builtin_ctz(m);

		difference |= (r->offset[l] - base) ^ p->rel[l];
	}
	return difference == 0;
}

static void pattern_of(struct pattern_lanes *p, const struct trace_request *r,
		       uint64_t base)
{
	memset(p, 0, sizeof(*p));
	p->mask = r->mask;
	p->count = __builtin_popcount(r->mask);
	p->row = r->mask == UINT32_MAX;
	for (uint32_t m = r->mask; m; m &= m - 1) {
		int l = __builtin_ctz(m);
		int64_t rel = (int64_t)(r->offset[l] - base);

		p->rel[l] = (uint64_t)rel;
		p->row = p->row && rel == 4 * l;
		p->lowest = MIN(p->lowest, rel);
		p->highest = MAX(p->highest, rel);
	}
}

static uint32_t pattern_hash(const struct pattern_lanes *p)
{
	uint64_t h = p->mask, g = 0;

	for (int l = 0; l < WARP_LANES; l += 2) {
		h = (h ^ p->rel[l]) * 0x9E3779B97F4A7C15u;
		g = (g ^ p->rel[l + 1]) * 0xC2B2AE3D27D4EB4Fu;
	}
	h ^= g >> 29 ^ g << 11;
	return (uint32_t)((h * 0x9E3779B97F4A7C15u) >> 40) % PATTERN_SLOTS;
}

/* The number of the request's pattern, new or known. */
static uint32_t pattern_number(struct trace_writer *w,
			       const struct trace_request *r, uint64_t base)
{
	struct pattern_lanes *p;
	uint32_t slot;

	grow(&w->patterns, &w->pattern_capacity, w->pattern_count + 1,
	     sizeof(*w->patterns));
	p = &w->patterns[w->pattern_count];
	pattern_of(p, r, base);
	slot = pattern_hash(p);
	while (w->pattern_slot[slot]) {
		uint32_t number = w->pattern_slot[slot] - 1u;

		if (pattern_same(&w->patterns[number], r, base))
			return number;
		slot = (slot + 1) % PATTERN_SLOTS;
	}
	w->pattern_slot[slot] = (uint16_t)++w->pattern_count;
	w->pattern_lanes += p->count;
	return (uint32_t)w->pattern_count - 1;
}

/* What is wrong with a request that names this site, or NULL. */
static const char *site_enter(struct trace_writer *w,
			      const struct trace_info *info, uint32_t site)
{
	struct site_state *s;
	const char *wrong;
	size_t known = w->site_capacity;

	if (site >= info->site_count)
		return "a site of the table";
	wrong = trace_site_wrong(&info->sites[site], info->array_count);
	if (!wrong && op_has_array(info->sites[site].op))
		wrong = trace_array_wrong(
				&info->arrays[info->sites[site].array]);
	if (wrong)
		return wrong;
	grow(&w->sites, &w->site_capacity, (size_t)site + 1,
	     sizeof(*w->sites));
	memset(w->sites + known, 0,
	       (w->site_capacity - known) * sizeof(*w->sites));
	s = &w->sites[site];
	s->plan = trace_site_plan(info, site);
	s->last = (struct site_last){ .epoch = w->epoch,
				      .pattern = UINT32_MAX };
	return s->plan.too_wide ? "an array as wide as the access" : NULL;
}

static const char *lanes_wrong(struct trace_writer *w,
			       const struct trace_info *info, uint32_t mask)
{
	if (!w->lanes) {
		const char *wrong = trace_launch_wrong(info);

		if (wrong)
			return wrong;
		if (w->block >= trace_blocks(info))
			return "a block of the grid";
		w->lanes = trace_warp_lanes(info, w->warp);
	}
	return mask == 0 || (mask & ~w->lanes) ? "lanes of the warp" : NULL;
}

static void add_barrier(struct trace_writer *w)
{
	put_varint(&w->barrier_list, w->since_barrier);
	w->barriers++;
	w->since_barrier = 0;
}

/* Chooses and notes pattern and base; what is wrong with them, or NULL. */
static const char *add_lanes(struct trace_writer *w,
			     const struct trace_request *r)
{
	struct site_state *s = &w->sites[r->site];
	bool bare = !op_has_array(s->plan.op);
	struct trace_request lanes;
	uint64_t base = 0;
	uint32_t number;

	if (bare) {
		lanes = (struct trace_request){ .mask = r->mask };
		r = &lanes;
	} else {
		base = r->offset[__builtin_ctz(r->mask)];
	}
	number = s->last.pattern;
	if (number == UINT32_MAX || !pattern_same(&w->patterns[number], r,
						  base))
		number = pattern_number(w, r, base);
	if (!bare && !trace_within(&w->patterns[number], base,
					 s->plan.limit))
		return "offsets inside the array";
	put_varint(&w->column[COLUMN_PATTERN],
		   number == s->last.pattern ? 0 : number + 1);
	s->last.pattern = number;
	if (!bare)
		put_varint(&w->column[COLUMN_BASE],
			   zigzag(base - s->last.base));
	s->last.base = base;
	return NULL;
}

static int request_wrong(struct trace_writer *w, const char *wrong,
			 struct error *e)
{
	error_set(&w->failure, EXIT_BUG,
		  "block %" PRIu32 ", warp %" PRIu32 ", request %" PRIu32
		  ": expected %s", w->block, w->warp, w->requests, wrong);
	return writer_fail(w, e);
}

int trace_writer_add(struct trace_writer *w, const struct trace_info *info,
		     const struct trace_request *r, struct error *e)
{
	const char *wrong;
	struct site_state *s;

	if (w->failure.status)
		return writer_fail(w, e);
	wrong = w->in_warp ? lanes_wrong(w, info, r->mask) : "a warp";
	if (!wrong && (r->site >= w->site_capacity ||
		       w->sites[r->site].last.epoch != w->epoch))
		wrong = site_enter(w, info, r->site);
	if (!wrong && w->requests == UINT32_MAX)
		wrong = "fewer requests";
	if (!wrong)
		wrong = add_lanes(w, r);
	if (wrong)
		return request_wrong(w, wrong, e);
	s = &w->sites[r->site];
	put_varint(&w->column[COLUMN_SITE], r->site);
	if (s->plan.op == OP_BARRIER)
		add_barrier(w);
	else
		w->since_barrier++;
	if (w->values && s->plan.words)
		trace_put_values(w, s, r);
	w->requests++;
	w->count++;
	w->events += w->patterns[s->last.pattern].count;
	if (w->count == CHUNK_REQUESTS || w->word_seen >= CHUNK_WORDS ||
	    w->pattern_lanes >= CHUNK_PATTERN_LANES)
		return chunk_flush(w, e);
	return 0;
}

/* ---- warps ---- */

static int warp_end(struct trace_writer *w, struct error *e)
{
	if (!w->in_warp)
		return 0;
	if (chunk_flush(w, e) < 0)
		return -1;
	put_varint(&w->index, w->block - w->last_block);
	put_varint(&w->index, w->warp);
	put_varint(&w->index, w->chunks);
	put_varint(&w->index, w->barriers);
	put_bytes(&w->index, w->chunk_list.data, w->chunk_list.len);
	put_bytes(&w->index, w->barrier_list.data, w->barrier_list.len);
	w->last_block = w->block;
	w->warps++;
	w->in_warp = false;
	return 0;
}

int trace_writer_warp(struct trace_writer *w, uint32_t block, uint32_t warp,
		      struct error *e)
{
	if (w->failure.status)
		return writer_fail(w, e);
	if (warp_end(w, e) < 0)
		return -1;
	if (w->warps && (block < w->block ||
			 (block == w->block && warp <= w->warp)))
		return request_wrong(w, "a later warp", e);
	if (w->warps == TRACE_MAX_WARPS) {
		error_set(&w->failure, EXIT_OUTPUT,
			  _("a trace holds at most %u warps"),
			  TRACE_MAX_WARPS);
		return writer_fail(w, e);
	}
	w->in_warp = true;
	w->block = block;
	w->warp = warp;
	w->lanes = 0;
	w->requests = w->since_barrier = w->chunks = w->barriers = 0;
	w->chunk_list.len = w->barrier_list.len = 0;
	return 0;
}

/* ---- the end ---- */

static int writer_end(struct trace_writer *w, const struct trace_info *info,
		      struct error *e)
{
	struct bytes index = { 0 };
	uint8_t trailer[GVT_TRAILER] = { 0 };
	const char *wrong = trace_tables_wrong(info);
	int rc = -1;

	w->raw.len = 0;
	trace_put_tables(&w->raw, info);
	if (!wrong && (w->raw.len > TABLES_RAW_MAX ||
		       w->index.len > INDEX_RAW_MAX - VARINT_MAX))
		wrong = "less text or fewer chunks";
	if (wrong)
		return error_set(e, EXIT_BUG, "the trace's tables: expected %s",
				 wrong);
	if (writer_header(w, e) < 0)
		return -1;
	put_u64(trailer, w->written);
	if (writer_block(w, GVT_TABLES, &w->raw, e) < 0)
		return -1;
	put_u64(trailer + 8, w->written);
	put_varint(&index, w->warps);
	put_bytes(&index, w->index.data, w->index.len);
	if (writer_block(w, GVT_INDEX, &index, e) == 0) {
		put_u64(trailer + 16, w->written + GVT_TRAILER);
		memcpy(trailer + 24, GVT_END, 8);
		rc = writer_output(w, trailer, sizeof(trailer), e);
	}
	free(index.data);
	return rc;
}

int trace_writer_finish(struct trace_writer *w, const struct trace_info *info,
			struct error *e)
{
	int rc = -1;

	if (w->failure.status)
		writer_fail(w, e);
	else if (warp_end(w, e) == 0)
		rc = writer_end(w, info, e);
	trace_writer_free(w);
	return rc;
}

struct trace_writer *trace_writer_new(int fd, bool values)
{
	struct trace_writer *w = xcalloc(1, sizeof(*w));

	w->fd = fd;
	w->values = values;
	w->epoch = 1;
	w->words = xcalloc(CHUNK_WORDS + WARP_LANES * 4, sizeof(*w->words));
	w->zstd = ZSTD_createCCtx();
	if (!w->zstd)
		fatal("out of memory");
	ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_compressionLevel, ZSTD_LEVEL);
	ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_checksumFlag, 1);
	return w;
}

void trace_writer_free(struct trace_writer *w)
{
	if (!w)
		return;
	for (int i = 0; i < COLUMN_COUNT; i++)
		free(w->column[i].data);
	free(w->chunk_list.data);
	free(w->barrier_list.data);
	free(w->index.data);
	free(w->raw.data);
	free(w->out.data);
	free(w->sites);
	free(w->patterns);
	free(w->words);
	ZSTD_freeCCtx(w->zstd);
	free(w);
}

/* ---- parts ---- */

struct trace_writer *trace_writer_part(int fd, bool values, uint32_t warps,
				       uint32_t last_block)
{
	struct trace_writer *w = trace_writer_new(fd, values);

	w->written = GVT_HEADER;
	w->warps = w->part = warps;
	w->block = w->last_block = last_block;
	return w;
}

int trace_writer_part_end(struct trace_writer *w, uint64_t *chunk_bytes,
			  uint64_t *index_bytes, uint32_t *warps)
{
	int rc = w->failure.status ? -1 : warp_end(w, NULL);

	*chunk_bytes = w->written - GVT_HEADER;
	*index_bytes = w->index.len;
	*warps = w->warps - w->part;
	if (rc == 0)
		rc = writer_output(w, w->index.data, w->index.len, NULL);
	trace_writer_free(w);
	return rc;
}

#define COPY_BYTES (1u << 20)

int trace_writer_join(struct trace_writer *w, int fd, uint64_t chunk_bytes,
		      uint64_t index_bytes, uint32_t warps, struct error *e)
{
	uint64_t at = 0, end = chunk_bytes + index_bytes;
	int rc = warp_end(w, e) < 0 ? -1 : writer_header(w, e);

	while (at < end && rc == 0) {
		size_t n = MIN(COPY_BYTES, (at < chunk_bytes ? chunk_bytes :
							       end) - at);
		ssize_t got;

		w->raw.len = 0;
		got = pread(fd, bytes_room(&w->raw, n), n, (off_t)at);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return error_set(e, EXIT_RUNNER, "a part of the trace "
					 "is missing");
		if (at < chunk_bytes)
			rc = writer_output(w, w->raw.data, (size_t)got, e);
		else
			put_bytes(&w->index, w->raw.data, (size_t)got);
		at += (uint64_t)got;
	}
	w->warps += warps;
	return rc;
}

uint64_t trace_writer_bytes(const struct trace_writer *w)
{
	return w->written;
}
