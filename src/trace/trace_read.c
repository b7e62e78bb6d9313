/*
 * trace_read: any request of a trace, from a file that nobody vouches for.
 *
 * Tables and index are read when the trace is opened; chunks when they are
 * asked for. A chunk is unpacked once into columns, from which a request is
 * made on demand; the last few stay. Nothing in a file is believed: what
 * trace_get gives has been checked, so that the layers above may trust it.
 * The format is in trace_format.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "base/lang.h"
#include "base/text.h"
#include "trace/finding.h"
#include "trace/trace_format.h"

/* What unpacked chunks may take together; two stay in any case. */
#define CACHE_BYTES (12u << 20)
/* Blocks looked at to say where a damaged file ends. */
#define WALK_MAX (1u << 18)

/* A chunk unpacked. value_at[i] is where request i's words start. */
struct chunk {
	struct chunk *newer, *older;
	size_t entry;			/* index in trace.entries */
	size_t bytes;
	uint32_t *site, *pattern, *value_at;
	uint64_t *base;
	struct pattern_lanes *patterns;
	uint32_t *words;
};

/* A chunk as the index has it. */
struct chunk_entry {
	uint64_t offset;
	uint32_t bytes;			/* in the file */
	uint32_t warp, first, count;	/* requests */
	uint32_t phase;			/* of its first request */
	uint32_t events;
	struct chunk *chunk;		/* NULL when not in memory */
};

struct warp_entry {
	struct trace_warp warp;
	size_t chunk, chunk_count;	/* in trace.entries */
	size_t barrier;			/* first in trace.barriers */
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
	uint8_t *packed, *raw;		/* of the chunk being unpacked */
	size_t packed_capacity, raw_capacity;
	uint32_t *given;		/* words of that chunk */
	size_t given_capacity;
	struct foretell *foretell;
	struct chunk *newest, *oldest;
	size_t cached, cached_bytes;
};

PRINTF(4, 5)
static int trace_bad(const struct trace *t, struct error *e, uint64_t offset,
		     const char *fmt, ...)
{
	char what[300];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	return error_set(e, EXIT_INPUT, _("%s: byte %" PRIu64 ": expected %s"),
			 text_show(t->name), offset, what);
}

/* Reads n bytes at offset, which the caller has checked to be there. */
static int trace_pread(const struct trace *t, uint64_t offset, void *buf,
		       size_t n, struct error *e)
{
	uint8_t *p = buf;

	while (n) {
		ssize_t done = pread(t->fd, p, n, (off_t)offset);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return error_set(e, EXIT_INPUT, "%s: %s",
					 text_show(t->name), strerror(errno));
		if (done == 0)
			return trace_bad(t, e, offset,
					 _("%zu more bytes, but the file "
					   "became shorter"), n);
		p += done;
		offset += done;
		n -= done;
	}
	return 0;
}

/* ---- bytes of a block, with an end ---- */

/* The first thing that is wrong stays in `wrong`; what is read after it is
 * 0. Places are told as the block's offset in the file. */
struct in {
	const uint8_t *p, *end;
	const char *wrong;
};

static uint64_t in_wrong(struct in *in, const char *expected)
{
	if (!in->wrong)
		in->wrong = expected;
	in->p = in->end;
	return 0;
}

static size_t in_left(const struct in *in)
{
	return in->end - in->p;
}

static uint64_t in_varint_slow(struct in *in)
{
	uint64_t v = 0;

	for (int shift = 0; shift < 64; shift += 7) {
		uint8_t byte;

		if (in->p == in->end)
			return in_wrong(in, _("more numbers"));
		byte = *in->p++;
		/* One form for each number: no 65th bit, no idle end. */
		if ((shift == 63 && byte > 1) || (shift && byte == 0))
			return in_wrong(in, _("a number of 64 bits"));
		v |= (uint64_t)(byte & 0x7F) << shift;
		if (!(byte & 0x80))
			return v;
	}
	return in_wrong(in, _("a number of 64 bits"));
}

static inline uint64_t in_varint(struct in *in)
{
	if (in->p != in->end && *in->p < 0x80)
		return *in->p++;
	return in_varint_slow(in);
}

static uint64_t in_limited(struct in *in, uint64_t highest,
			   const char *expected)
{
	uint64_t v = in_varint(in);

	return v > highest ? in_wrong(in, expected) : v;
}

static uint32_t in_u32(struct in *in)
{
	return (uint32_t)in_limited(in, UINT32_MAX, _("a number of 32 bits"));
}

/* A count of things that take at least `bytes` each. */
static size_t in_count(struct in *in, size_t highest, size_t bytes)
{
	uint64_t n = in_varint(in);

	if (n > highest || n > in_left(in) / bytes)
		return in_wrong(in, _("a count of what follows"));
	return n;
}

static char *in_string(struct in *in)
{
	uint64_t n = in_varint(in);
	char *s;

	if (n > in_left(in) || memchr(in->p, 0, n)) {
		in_wrong(in, _("a string without NUL"));
		n = 0;
	}
	s = xmalloc(n + 1);
	memcpy(s, in->p, n);
	s[n] = '\0';
	in->p += n;
	return s;
}

/* ---- blocks ---- */

static const char *block_name(uint32_t tag)
{
	return tag == GVT_CHUNK ? _("chunk") :
	       tag == GVT_TABLES ? _("block of tables") : _("index");
}

/* Checks a block's head: the whole block is `bytes` long. */
static int block_head(const struct trace *t, const uint8_t *head,
		      uint64_t offset, uint32_t tag, uint64_t bytes,
		      struct error *e)
{
	if (get_u32(head) != tag)
		return trace_bad(t, e, offset, _("a %s"), block_name(tag));
	if (get_u32(head + 4) != bytes - GVT_BLOCK)
		return trace_bad(t, e, offset + 4,
				 _("a %s of %" PRIu64 " bytes, not %" PRIu32),
				 block_name(tag), bytes - GVT_BLOCK,
				 get_u32(head + 4));
	return 0;
}

/*
 * Reads and unpacks the block of `bytes` bytes at offset, which lie in the
 * file, to at most `limit` bytes in t->raw. Returns their number or -1.
 */
static ssize_t block_read(struct trace *t, uint64_t offset, uint32_t tag,
			  uint64_t bytes, size_t limit, struct error *e)
{
	unsigned long long raw;
	size_t n;

	if (bytes < GVT_BLOCK)
		return trace_bad(t, e, offset, _("a %s"), block_name(tag));
	if (bytes > GVT_BLOCK + ZSTD_compressBound(limit))
		return trace_bad(t, e, offset, _("a %s of fewer bytes"),
				 block_name(tag));
	grow(&t->packed, &t->packed_capacity, bytes, 1);
	if (trace_pread(t, offset, t->packed, bytes, e) < 0 ||
	    block_head(t, t->packed, offset, tag, bytes, e) < 0)
		return -1;
	offset += GVT_BLOCK;
	bytes -= GVT_BLOCK;
	raw = ZSTD_getFrameContentSize(t->packed + GVT_BLOCK, bytes);
	if (raw == ZSTD_CONTENTSIZE_ERROR || raw == ZSTD_CONTENTSIZE_UNKNOWN)
		return trace_bad(t, e, offset, _("a zstd frame of known size"));
	if (raw > limit)
		return trace_bad(t, e, offset, _("at most %zu bytes unpacked, "
						 "not %llu"), limit, raw);
	grow(&t->raw, &t->raw_capacity, raw, 1);
	n = ZSTD_decompressDCtx(t->zstd, t->raw, raw, t->packed + GVT_BLOCK,
				bytes);
	if (ZSTD_isError(n) || n != raw)
		return trace_bad(t, e, offset, _("a sound zstd frame: %s"),
				 ZSTD_isError(n) ? ZSTD_getErrorName(n) :
				 _("wrong size"));
	return (ssize_t)n;
}

/* The buffers for tables and index are larger than any chunk's. */
static void block_shrink(struct trace *t)
{
	free(t->packed);
	free(t->raw);
	t->packed = t->raw = NULL;
	t->packed_capacity = t->raw_capacity = 0;
}

/* ---- header, trailer, and what to say about a damaged file ---- */

static int read_header(struct trace *t, struct error *e)
{
	uint8_t h[GVT_HEADER];
	uint32_t version;
	size_t n = MIN(t->size, sizeof(h));

	if (trace_pread(t, 0, h, n, e) < 0)
		return -1;
	if (n < 8 || memcmp(h, GVT_MAGIC, 8) != 0)
		return trace_bad(t, e, 0,
				 _("a trace, which begins with 89 47 56 54"));
	if (n < sizeof(h))
		return trace_bad(t, e, 8, _("a header of %d bytes, but the "
					    "file ends"), GVT_HEADER);
	version = get_u32(h + 8) & 0xFFFF;
	if (version != GVT_VERSION)
		return trace_bad(t, e, 8, _("version %d, not %" PRIu32),
				 GVT_VERSION, version);
	if (get_u32(h + 8) >> 16 & ~GVT_VALUES)
		return trace_bad(t, e, 10, _("features that this version "
					     "knows"));
	if (get_u32(h + 12) != 0)
		return trace_bad(t, e, 12, _("four bytes of 0"));
	t->info.values = get_u32(h + 8) >> 16 & GVT_VALUES;
	return 0;
}

/* A file without a trailer: says at which block it ends. */
static int read_damage(struct trace *t, struct error *e)
{
	uint64_t offset = GVT_HEADER;

	for (int i = 0; i < (int)WALK_MAX; i++) {
		uint64_t left = t->size - offset;
		uint8_t head[GVT_BLOCK];
		uint32_t tag;

		if (left < GVT_BLOCK)
			return trace_bad(t, e, offset, _("a chunk, tables or "
							 "index, but the file ends"));
		if (trace_pread(t, offset, head, sizeof(head), e) < 0)
			return -1;
		tag = get_u32(head);
		if (tag != GVT_CHUNK && tag != GVT_TABLES && tag != GVT_INDEX)
			return trace_bad(t, e, offset, _("a chunk, tables or "
							 "index"));
		left -= GVT_BLOCK;
		if (get_u32(head + 4) > left)
			return trace_bad(t, e, offset,
					 _("a %s of %" PRIu32 " bytes, but the "
					   "file ends"), block_name(tag),
					 get_u32(head + 4));
		offset += GVT_BLOCK + get_u32(head + 4);
		if (tag == GVT_INDEX)
			break;
	}
	return trace_bad(t, e, offset, _("a trailer of %d bytes that ends "
					 "the file"), GVT_TRAILER);
}

static int read_trailer(struct trace *t, struct error *e)
{
	uint8_t tail[GVT_TRAILER];
	uint64_t at = t->size - GVT_TRAILER;

	if (t->size < GVT_HEADER + GVT_TRAILER)
		return read_damage(t, e);
	if (trace_pread(t, at, tail, sizeof(tail), e) < 0)
		return -1;
	if (memcmp(tail + 24, GVT_END, 8) != 0 || get_u64(tail + 16) != t->size)
		return read_damage(t, e);
	t->tables = get_u64(tail);
	t->index = get_u64(tail + 8);
	if (t->tables < GVT_HEADER || t->tables > t->index || t->index > at)
		return trace_bad(t, e, at, _("where tables and index are"));
	return 0;
}

/* ---- tables ---- */

static struct trace_dim in_dim(struct in *in)
{
	struct trace_dim d;

	d.x = in_u32(in);
	d.y = in_u32(in);
	d.z = in_u32(in);
	return d;
}

static void in_array(struct in *in, struct trace_array *a)
{
	const char *wrong;

	a->name = in_string(in);
	a->space = in_u32(in);
	a->elem = in_u32(in);
	a->elem_bytes = in_u32(in);
	a->rank = in_limited(in, TRACE_MAX_RANK, _("1 to 4 dimensions"));
	for (uint32_t i = 0; i < a->rank; i++)
		a->dims[i] = in_varint(in);
	a->base = in_varint(in);
	wrong = trace_array_wrong(a);
	if (wrong)
		in_wrong(in, wrong);
}

static struct trace_tile in_tile(struct in *in)
{
	struct trace_tile t;

	t.parts = in_u32(in);
	t.rows = in_u32(in);
	t.columns = in_u32(in);
	t.bytes = in_u32(in);
	t.next = in_u32(in);
	t.pitch = in_u32(in);
	t.swizzle = in_u32(in);
	t.blocks = in_u32(in);
	if (!t.rows)
		in_wrong(in, _("a tile of some rows"));
	return t;
}

static void in_site(struct in *in, struct trace_site *s, size_t arrays)
{
	uint32_t array, code;
	const char *wrong;

	s->line = in_u32(in);
	s->column = in_u32(in);
	code = in_u32(in);
	trace_site_decode(s, code & ~GVT_TILE);
	array = in_u32(in);
	s->array = array ? array - 1 : TRACE_NO_ARRAY;
	s->bytes = in_u32(in);
	if (code & GVT_TILE)
		s->tile = in_tile(in);
	wrong = trace_site_wrong(s, arrays);
	if (wrong)
		in_wrong(in, wrong);
}

static void in_access(struct in *in, struct finding_access *a)
{
	a->line = in_u32(in);
	a->column = in_u32(in);
	a->op = in_u32(in);
	a->bytes = in_u32(in);
	a->block = in_u32(in);
	a->thread = in_u32(in);
}

static double in_double(struct in *in)
{
	uint64_t bits = in_varint(in);
	double v;

	memcpy(&v, &bits, sizeof(v));
	return v;
}

/* What stands behind a cause. */
static void in_cause(struct in *in, struct trace_finding *f)
{
	uint32_t array;

	f->kind = finding_cause(f->cause)->kind;
	in_access(in, &f->access);
	in_access(in, &f->other);
	array = in_u32(in);
	f->array = array ? array - 1 : TRACE_NO_ARRAY;
	f->offset = (int64_t)unzigzag(in_varint(in));
	f->word = in_string(in);
	f->other_word = in_string(in);
	for (size_t i = 0; i < finding_numbers(f->cause); i++)
		f->number[i] = in_varint(in);
	f->expected = in_double(in);
	f->got = in_double(in);
	f->count = in_varint(in);
}

static void in_finding(struct in *in, struct trace_finding *f)
{
	uint32_t code = in_limited(in, GVT_CAUSE + CAUSE_COUNT - 1,
				   _("a known finding"));

	if (code > GVT_CAUSE) {
		f->cause = code - GVT_CAUSE;
		in_cause(in, f);
		return;
	}
	f->kind = code;
	f->array = TRACE_NO_ARRAY;
	f->count = 1;
	f->access.line = in_u32(in);
	f->text = in_string(in);
}

/* Counts grow with their entries, so that all that is counted can be freed
 * at any point. */
static void in_lists(struct in *in, struct trace_info *info)
{
	size_t n = in_count(in, TRACE_MAX_DEFINES, 2);

	info->defines = xcalloc(n, sizeof(*info->defines));
	for (; !in->wrong && info->define_count < n; info->define_count++) {
		struct trace_define *d = &info->defines[info->define_count];

		d->name = in_string(in);
		d->value = in_string(in);
	}
	n = in_count(in, TRACE_MAX_ARRAYS, 7);
	info->arrays = xcalloc(n, sizeof(*info->arrays));
	for (; !in->wrong && info->array_count < n; info->array_count++)
		in_array(in, &info->arrays[info->array_count]);
	n = in_count(in, TRACE_MAX_SITES, 5);
	info->sites = xcalloc(n, sizeof(*info->sites));
	for (; !in->wrong && info->site_count < n; info->site_count++)
		in_site(in, &info->sites[info->site_count], info->array_count);
	n = in_count(in, TRACE_MAX_FINDINGS, 3);
	info->findings = xcalloc(n, sizeof(*info->findings));
	for (; !in->wrong && info->finding_count < n; info->finding_count++)
		in_finding(in, &info->findings[info->finding_count]);
}

static void in_tables(struct in *in, struct trace_info *info)
{
	const char *wrong;

	info->kernel = in_string(in);
	info->file = in_string(in);
	info->text = in_string(in);
	info->on = in_string(in);
	info->device = in_string(in);
	info->m = in_u32(in);
	info->n = in_u32(in);
	info->k = in_u32(in);
	info->grid = in_dim(in);
	info->block = in_dim(in);
	info->seed = in_varint(in);
	info->partial = in_limited(in, 1, _("0 or 1"));
	info->spaces = in_u32(in);
	in_lists(in, info);
	wrong = trace_launch_wrong(info);
	for (size_t i = 0; !wrong && i < info->finding_count; i++)
		wrong = trace_finding_wrong(info, &info->findings[i]);
	if (wrong)
		in_wrong(in, wrong);
	if (in->p != in->end)
		in_wrong(in, _("the tables to end"));
}

static int read_tables(struct trace *t, struct error *e)
{
	ssize_t n = block_read(t, t->tables, GVT_TABLES, t->index - t->tables,
			       TABLES_RAW_MAX, e);
	struct in in;

	if (n < 0)
		return -1;
	in = (struct in){ t->raw, t->raw + n, NULL };
	in_tables(&in, &t->info);
	if (in.wrong)
		return trace_bad(t, e, t->tables, _("tables with %s"),
				 in.wrong);
	t->plans = xcalloc(t->info.site_count, sizeof(*t->plans));
	t->last = xcalloc(t->info.site_count, sizeof(*t->last));
	for (size_t i = 0; i < t->info.site_count; i++)
		t->plans[i] = trace_site_plan(&t->info, i);
	return 0;
}

/* ---- index ---- */

/* Chunks have no phase yet: that needs the barriers. */
static void in_chunks(struct in *in, struct trace *t, struct warp_entry *w,
		      size_t *capacity, uint64_t *offset)
{
	for (size_t i = 0; i < w->chunk_count && !in->wrong; i++) {
		struct chunk_entry c = { .offset = *offset,
					 .warp = t->warp_count,
					 .first = w->warp.requests };

		c.bytes = in_limited(in, t->tables - *offset,
				     _("chunks that end before the tables"));
		c.count = in_limited(in, CHUNK_REQUESTS,
				     _("chunks of at most 4096 requests"));
		c.events = in_limited(in, (uint64_t)c.count * WARP_LANES,
				      _("at most 32 events a request"));
		/* Also what keeps a small file from listing many chunks. */
		if (c.bytes <= GVT_BLOCK || c.events < c.count || !c.count)
			in_wrong(in, _("chunks that are not empty"));
		if (__builtin_add_overflow(w->warp.requests, c.count,
					   &w->warp.requests))
			in_wrong(in, _("fewer than 2^32 requests a warp"));
		if (in->wrong)
			return;
		w->warp.events += c.events;
		*offset += c.bytes;
		grow(&t->entries, capacity, t->entry_count + 1,
		     sizeof(*t->entries));
		t->entries[t->entry_count++] = c;
	}
}

static void in_barriers(struct in *in, struct trace *t, struct warp_entry *w,
			size_t count, size_t *capacity)
{
	uint64_t next = 0;

	grow(&t->barriers, capacity, t->barrier_count + count,
	     sizeof(*t->barriers));
	for (size_t i = 0; i < count && !in->wrong; i++) {
		uint64_t at = next + in_u32(in);

		if (at >= w->warp.requests) {
			in_wrong(in, _("barriers among the requests"));
			return;
		}
		t->barriers[t->barrier_count++] = (uint32_t)at;
		next = at + 1;
	}
	w->warp.phases = (uint32_t)count + 1;
}

static void chunk_phases(struct trace *t, const struct warp_entry *w)
{
	uint32_t phase = 0;

	for (size_t i = 0; i < w->chunk_count; i++) {
		struct chunk_entry *c = &t->entries[w->chunk + i];

		while (phase + 1 < w->warp.phases &&
		       t->barriers[w->barrier + phase] < c->first)
			phase++;
		c->phase = phase;
	}
}

static void in_warp(struct in *in, struct trace *t, size_t *chunk_capacity,
		    size_t *barrier_capacity, uint64_t *offset)
{
	struct warp_entry *w = &t->warps[t->warp_count];
	const struct trace_warp *before = t->warp_count ? &w[-1].warp : NULL;
	uint64_t block = (before ? before->block : 0) + (uint64_t)in_u32(in);
	size_t barriers;

	w->warp.warp = in_u32(in);
	w->warp.block = (uint32_t)block;
	if (block >= trace_blocks(&t->info) ||
	    !trace_warp_lanes(&t->info, w->warp.warp))
		in_wrong(in, _("warps of the launch"));
	if (before && before->block == block &&
	    before->warp >= w->warp.warp)
		in_wrong(in, _("warps in ascending order"));
	w->chunk = t->entry_count;
	w->barrier = t->barrier_count;
	w->chunk_count = in_count(in, SIZE_MAX, 3);
	barriers = in_count(in, UINT32_MAX - 1, 1);
	in_chunks(in, t, w, chunk_capacity, offset);
	in_barriers(in, t, w, barriers, barrier_capacity);
	if (in->wrong)
		return;
	chunk_phases(t, w);
	t->requests += w->warp.requests;
	t->events += w->warp.events;
	t->warp_count++;
}

static int read_index(struct trace *t, struct error *e)
{
	uint64_t end = t->size - GVT_TRAILER, offset = GVT_HEADER;
	ssize_t n = block_read(t, t->index, GVT_INDEX, end - t->index,
			       INDEX_RAW_MAX, e);
	size_t warps, chunk_capacity = 0, barrier_capacity = 0;
	struct in in;

	if (n < 0)
		return -1;
	in = (struct in){ t->raw, t->raw + n, NULL };
	warps = in_count(&in, TRACE_MAX_WARPS, 4);
	t->warps = xcalloc(warps, sizeof(*t->warps));
	while (!in.wrong && t->warp_count < warps)
		in_warp(&in, t, &chunk_capacity, &barrier_capacity, &offset);
	if (!in.wrong && in.p != in.end)
		in_wrong(&in, _("an end"));
	if (in.wrong)
		return trace_bad(t, e, t->index, _("an index with %s"),
				 in.wrong);
	if (offset != t->tables)
		return trace_bad(t, e, offset, _("the tables behind the last "
						 "chunk of the index"));
	return 0;
}

/* ---- chunks ---- */

/* A chunk's columns, while it is unpacked. */
struct unpack {
	struct trace *t;
	const struct chunk_entry *c;
	struct chunk *chunk;
	struct in column[COLUMN_COUNT];
	size_t pattern_count, word_count, words_given;
	uint32_t phase, events, lanes;
	const char *wrong;
};

static void chunk_free(struct chunk *c)
{
	free(c->site);
	free(c->pattern);
	free(c->value_at);
	free(c->base);
	free(c->patterns);
	free(c->words);
	free(c);
}

static const char *unpack_head(struct unpack *u, struct in *in)
{
	size_t lengths[COLUMN_COUNT];

	if (in_varint(in) != u->c->warp || in_varint(in) != u->c->first ||
	    in_varint(in) != u->c->count)
		return _("the warp and requests that the index says");
	u->pattern_count = in_limited(in, u->c->count,
				      _("at most a pattern a request"));
	for (int i = 0; i < COLUMN_COUNT; i++)
		lengths[i] = in_limited(in, CHUNK_RAW_MAX, _("short columns"));
	for (int i = 0; i < COLUMN_COUNT; i++) {
		if (lengths[i] > in_left(in))
			return _("columns as long as they say");
		u->column[i] = (struct in){ in->p, in->p + lengths[i], NULL };
		in->p += lengths[i];
	}
	if (in->wrong)
		return in->wrong;
	if (in->p != in->end)
		return _("an end of the columns");
	u->words_given = lengths[COLUMN_CODES];
	if (lengths[COLUMN_WORDS] % 4)
		return _("four bytes a word");
	return NULL;
}

static void unpack_pattern(struct in *in, struct pattern_lanes *p)
{
	uint64_t at = 0, step = 0, run = 0;

	memset(p, 0, sizeof(*p));
	if (in_left(in) < 4) {
		in_wrong(in, _("a mask of 4 bytes"));
		return;
	}
	p->mask = get_u32(in->p);
	in->p += 4;
	if (!p->mask) {
		in_wrong(in, _("patterns with lanes"));
		return;
	}
	p->count = __builtin_popcount(p->mask);
	for (uint32_t m = p->mask & (p->mask - 1); m; m &= m - 1) {
		int64_t rel;

		if (run == 0) {
			run = in_limited(in, WARP_LANES, _("runs of lanes"));
			step = unzigzag(in_varint(in));
			if (run == 0) {
				in_wrong(in, _("runs of lanes"));
				return;
			}
		}
		at += step;
		rel = (int64_t)at;
		p->rel[__builtin_ctz(m)] = at;
		p->lowest = MIN(p->lowest, rel);
		p->highest = MAX(p->highest, rel);
		run--;
	}
	if (run)
		in_wrong(in, _("runs of the active lanes only"));
}

static const char *unpack_patterns(struct unpack *u)
{
	struct in *in = &u->column[COLUMN_PATTERNS];

	for (size_t i = 0; i < u->pattern_count && !in->wrong; i++) {
		struct pattern_lanes *p = &u->chunk->patterns[i];

		unpack_pattern(in, p);
		if (p->mask & ~u->lanes)
			in_wrong(in, _("lanes that the warp has"));
	}
	return in->wrong;
}

/* Site, pattern and base of request i; counts its events and words. */
static const char *unpack_request(struct unpack *u, uint32_t i)
{
	struct trace *t = u->t;
	struct chunk *c = u->chunk;
	uint64_t site = in_varint(&u->column[COLUMN_SITE]);
	uint64_t number = in_varint(&u->column[COLUMN_PATTERN]);
	const struct site_plan *plan;
	struct site_last *last;

	if (site >= t->info.site_count)
		return _("sites of the table");
	plan = &t->plans[site];
	last = &t->last[site];
	if (last->epoch != t->epoch)
		*last = (struct site_last){ t->epoch, UINT32_MAX, 0 };
	number = number ? number - 1 : last->pattern;
	if (number >= u->pattern_count)
		return _("patterns of the chunk");
	last->pattern = (uint32_t)number;
	c->site[i] = (uint32_t)site;
	c->pattern[i] = (uint32_t)number;
	c->value_at[i] = (uint32_t)u->word_count;
	u->events += c->patterns[number].count;
	if (!op_has_array(plan->op))
		return NULL;
	last->base += unzigzag(in_varint(&u->column[COLUMN_BASE]));
	c->base[i] = last->base;
	if (plan->too_wide ||
	    !trace_within(&c->patterns[number], last->base, plan->limit))
		return _("offsets inside the array");
	if (t->info.values)
		u->word_count += plan->words * c->patterns[number].count;
	return NULL;
}

/* Does the chunk have its barriers where the index has them? */
static const char *unpack_barrier(struct unpack *u, uint32_t i)
{
	const struct trace *t = u->t;
	const struct warp_entry *w = &t->warps[u->c->warp];
	bool barrier = t->plans[u->chunk->site[i]].op == OP_BARRIER;
	bool known = u->phase + 1 < w->warp.phases &&
		     t->barriers[w->barrier + u->phase] == u->c->first + i;

	if (barrier != known)
		return _("barriers where the index has them");
	u->phase += barrier;
	return NULL;
}

static const char *unpack_requests(struct unpack *u)
{
	const char *wrong;

	u->phase = u->c->phase;
	for (uint32_t i = 0; i < u->c->count; i++) {
		wrong = unpack_request(u, i);
		if (!wrong)
			wrong = unpack_barrier(u, i);
		if (wrong)
			return wrong;
	}
	if (u->events != u->c->events)
		return _("the events that the index says");
	for (int i = 0; i < COLUMN_TAG; i++)
		if (u->column[i].wrong || u->column[i].p != u->column[i].end)
			return _("columns as long as their requests");
	return NULL;
}

/* The words that were given, from their codes and planes. One more than
 * there are can be read. */
static const char *unpack_given(struct unpack *u)
{
	const uint8_t *code = u->column[COLUMN_CODES].p;
	const uint8_t *p = u->column[COLUMN_WORDS].p;
	size_t n = in_left(&u->column[COLUMN_WORDS]) / 4, at = 0;
	struct seen seen = { { 0 } };
	uint32_t *out;

	grow(&u->t->given, &u->t->given_capacity, u->words_given + 1,
	     sizeof(*out));
	out = u->t->given;
	for (size_t i = 0; i < u->words_given; i++) {
		uint32_t word = seen.word[code[i]];

		if (!code[i]) {
			if (at == n)
				return _("a word for each code of 0");
			word = p[at] | p[n + at] << 8 | p[n * 2 + at] << 16 |
			       (uint32_t)p[n * 3 + at] << 24;
			seen.word[seen_code(word)] = word;
			at++;
		}
		out[i] = word;
	}
	out[u->words_given] = 0;
	return at == n ? NULL : _("a code of 0 for each word");
}

/*
 * The words of one request; misses has a bit for each that is given. What is
 * missed is as good as random: there are no branches on it.
 */
static inline bool unpack_words(struct unpack *u, const uint32_t *given,
				const struct site_plan *plan, uint32_t i,
				bool by_loaded, const uint32_t misses[4],
				uint32_t words, uint32_t shift, bool registers)
{
	const struct chunk *c = u->chunk;
	const struct pattern_lanes *p = &c->patterns[c->pattern[i]];
	struct foretell *f = u->t->foretell;
	uint32_t next = (f->last + 1) % LOADS_KEPT;
	const uint32_t *loaded = f->loaded[f->last];
	uint32_t *load = plan->op == OP_LD ? f->loaded[next] : f->nothing;
	uint32_t *out = c->words + c->value_at[i];
	uint64_t base = c->base[i];
	uint32_t k = 0, all = 0;

	for (uint32_t m = p->mask; m; m &= m - 1) {
		uint32_t l = __builtin_ctz(m);

		for (uint32_t j = 0; j < words; j++, k++) {
			uint32_t *slot = f->shadow +
				shadow_slot(plan, registers, shift,
					    base + p->rel[l], j, l);
			uint32_t missed = misses[k / 32] >> k % 32 & 1;
			uint32_t v = by_loaded ?
				     loaded[j * WARP_LANES + l] : *slot;

			v = missed ? *given : v;
			given += missed;
			*slot = v;
			load[j * WARP_LANES + l] = v;
			out[k] = v;
			all |= v;
		}
	}
	if (plan->op == OP_LD)
		f->last = next;
	return !(all & ~plan->bits);
}

/* A store that is foretold as a sum. */
static void unpack_sum(struct unpack *u, const struct site_plan *plan,
		       uint32_t i, uint32_t addend)
{
	const struct chunk *c = u->chunk;
	const struct pattern_lanes *p = &c->patterns[c->pattern[i]];
	struct foretell *f = u->t->foretell;
	uint32_t *out = c->words + c->value_at[i], sums[WARP_LANES];

	foretell_sums(f, addend, sums);
	for (uint32_t m = p->mask; m; m &= m - 1) {
		uint32_t l = __builtin_ctz(m);
		uint32_t slot = shadow_slot(plan, plan->registers, plan->shift,
					    c->base[i] + p->rel[l], 0, l);

		f->shadow[slot] = sums[l];
		*out++ = sums[l];
	}
}

/* A row of the shadow memory with a tag for all of it; see shadow_row. */
static void unpack_row(struct unpack *u, const struct site_plan *plan,
		       uint32_t i, uint8_t tag, uint32_t *row)
{
	struct foretell *f = u->t->foretell;
	uint32_t *out = u->chunk->words + u->chunk->value_at[i];

	if (tag >= TAG_SUM)
		foretell_sums(f, tag - TAG_SUM, out);
	else
		memcpy(out, tag == TAG_SHADOW ? row : f->loaded[f->last],
		       WARP_LANES * sizeof(*out));
	memcpy(row, out, WARP_LANES * sizeof(*out));
	if (plan->op == OP_LD) {
		f->last = (f->last + 1) % LOADS_KEPT;
		memcpy(f->loaded[f->last], out, WARP_LANES * sizeof(*out));
	}
}

/* Reads tag and bits; false when the columns end too soon. */
static bool unpack_tag(struct unpack *u, uint32_t count, uint8_t *tag,
		       uint32_t misses[4])
{
	struct in *bits = &u->column[COLUMN_BITS];
	struct in *tags = &u->column[COLUMN_TAG];
	size_t n = (count + 7) / 8;
	uint8_t set[16] = { 0 };

	if (!in_left(tags) || *tags->p >= TAG_COUNT)
		return false;
	*tag = *tags->p++;
	if (*tag == TAG_SHADOW_BITS || *tag == TAG_LOADED_BITS) {
		if (in_left(bits) < n)
			return false;
		memcpy(set, bits->p, n);
		bits->p += n;
	} else if (*tag == TAG_GIVEN) {
		memset(set, 0xFF, n);
	}
	if (count % 8)
		set[n - 1] &= (1u << count % 8) - 1;
	for (int i = 0; i < 4; i++)
		misses[i] = get_u32(set + 4 * i);
	return true;
}

static const char *unpack_value(struct unpack *u, uint32_t i, size_t *at)
{
	const struct chunk *c = u->chunk;
	const struct site_plan *plan = &u->t->plans[c->site[i]];
	const struct pattern_lanes *lanes = &c->patterns[c->pattern[i]];
	const uint32_t *given = u->t->given + *at;
	uint32_t count = plan->words * lanes->count, misses[4], n = 0;
	uint32_t *row = shadow_row(u->t->foretell, plan, lanes, c->base[i]);
	bool loaded, fits;
	uint8_t tag;

	if (!count)
		return NULL;
	if (!unpack_tag(u, count, &tag, misses))
		return _("a tag and its bits for each request");
	if (tag >= TAG_SUM && tag < TAG_SHADOW_BITS && !plan->floats)
		return _("sums for stores of floats only");
	if (row && tag < TAG_SHADOW_BITS) {
		unpack_row(u, plan, i, tag, row);
		return NULL;
	}
	if (tag >= TAG_SUM && tag < TAG_SHADOW_BITS) {
		unpack_sum(u, plan, i, tag - TAG_SUM);
		return NULL;
	}
	for (int j = 0; tag >= TAG_SHADOW_BITS && j < 4; j++)
		n += __builtin_popcount(misses[j]);
	if (n > u->words_given - *at)
		return _("as many words as are missed");
	*at += n;
	loaded = tag == TAG_LOADED || tag == TAG_LOADED_BITS;
	if (plan->words == 1 && plan->shift == 2 && !plan->registers)
		fits = unpack_words(u, given, plan, i, loaded, misses, 1, 2,
				    false);
	else
		fits = unpack_words(u, given, plan, i, loaded, misses,
				    plan->words, plan->shift, plan->registers);
	return fits ? NULL : _("values as wide as the access");
}

static const char *unpack_values(struct unpack *u)
{
	const char *wrong = unpack_given(u);
	size_t at = 0;

	memset(u->t->foretell, 0, sizeof(*u->t->foretell));
	for (uint32_t i = 0; !wrong && i < u->c->count; i++)
		wrong = unpack_value(u, i, &at);
	if (wrong)
		return wrong;
	if (at != u->words_given || in_left(&u->column[COLUMN_TAG]) ||
	    in_left(&u->column[COLUMN_BITS]))
		return _("no values without requests");
	return NULL;
}

static const char *unpack(struct unpack *u, struct in *in)
{
	const char *wrong = unpack_head(u, in);
	struct chunk *c = u->chunk;
	size_t n = u->c->count;

	if (wrong)
		return wrong;
	c->patterns = xmalloc(u->pattern_count * sizeof(*c->patterns));
	c->site = xmalloc(n * sizeof(*c->site));
	c->pattern = xmalloc(n * sizeof(*c->pattern));
	c->value_at = xmalloc(n * sizeof(*c->value_at));
	c->base = xcalloc(n, sizeof(*c->base));
	wrong = unpack_patterns(u);
	if (!wrong)
		wrong = unpack_requests(u);
	if (!wrong && u->word_count > CHUNK_WORDS + WARP_LANES * 4)
		wrong = _("fewer values");
	if (wrong)
		return wrong;
	c->words = xmalloc(u->word_count * sizeof(*c->words));
	c->bytes = sizeof(*c) + u->pattern_count * sizeof(*c->patterns) +
		   n * (3 * sizeof(uint32_t) + sizeof(uint64_t)) +
		   u->word_count * sizeof(*c->words);
	if (u->t->info.values)
		return unpack_values(u);
	for (int i = COLUMN_TAG; i < COLUMN_COUNT; i++)
		if (in_left(&u->column[i]))
			return _("no values");
	return NULL;
}

static struct chunk *chunk_read(struct trace *t, struct chunk_entry *c,
				struct error *e)
{
	struct unpack u = { .t = t, .c = c };
	const char *wrong;
	struct in in;
	ssize_t n = block_read(t, c->offset, GVT_CHUNK, c->bytes,
			       CHUNK_RAW_MAX, e);

	if (n < 0)
		return NULL;
	in = (struct in){ t->raw, t->raw + n, NULL };
	/* The first chunk's is 1, so that cleared sites are not of it. */
	if (++t->epoch == 0) {
		memset(t->last, 0, t->info.site_count * sizeof(*t->last));
		t->epoch = 1;
	}
	u.lanes = trace_warp_lanes(&t->info, t->warps[c->warp].warp.warp);
	u.chunk = xcalloc(1, sizeof(*u.chunk));
	u.chunk->entry = c - t->entries;
	wrong = unpack(&u, &in);
	if (!wrong)
		return u.chunk;
	trace_bad(t, e, c->offset, _("a chunk with %s"), wrong);
	chunk_free(u.chunk);
	return NULL;
}

/* ---- the chunks in memory, newest first ---- */

static void cache_unlink(struct trace *t, struct chunk *c)
{
	*(c->newer ? &c->newer->older : &t->newest) = c->older;
	*(c->older ? &c->older->newer : &t->oldest) = c->newer;
}

static void cache_link(struct trace *t, struct chunk *c)
{
	c->newer = NULL;
	c->older = t->newest;
	*(t->newest ? &t->newest->newer : &t->oldest) = c;
	t->newest = c;
}

static void cache_drop(struct trace *t, struct chunk *c)
{
	cache_unlink(t, c);
	t->entries[c->entry].chunk = NULL;
	t->cached--;
	t->cached_bytes -= c->bytes;
	chunk_free(c);
}

static struct chunk *cache_get(struct trace *t, struct chunk_entry *entry,
			       struct error *e)
{
	struct chunk *c = entry->chunk;

	if (c && c == t->newest)
		return c;
	if (c) {
		cache_unlink(t, c);
		cache_link(t, c);
		return c;
	}
	c = chunk_read(t, entry, e);
	if (!c)
		return NULL;
	entry->chunk = c;
	cache_link(t, c);
	t->cached++;
	t->cached_bytes += c->bytes;
	while (t->cached > 2 && t->cached_bytes > CACHE_BYTES)
		cache_drop(t, t->oldest);
	return c;
}

int trace_check(struct trace *t, struct error *e)
{
	for (size_t i = 0; i < t->entry_count; i++)
		if (!cache_get(t, &t->entries[i], e))
			return -1;
	return 0;
}

/* ---- requests ---- */

/* The chunk with a warp's request `index`, and its place there. */
static struct chunk *find_request(struct trace *t, size_t warp, uint32_t index,
				  uint32_t *place, struct error *e)
{
	const struct warp_entry *w = t->warps + warp;
	size_t low, high;

	if (warp >= t->warp_count || index >= w->warp.requests) {
		error_set(e, EXIT_INPUT, _("%s: there is no request %" PRIu32
					   " of warp %zu"),
			  text_show(t->name), index, warp);
		return NULL;
	}
	if (t->newest) {
		struct chunk_entry *c = &t->entries[t->newest->entry];

		if (c->warp == warp && index - c->first < c->count) {
			*place = index - c->first;
			return t->newest;
		}
	}
	low = w->chunk;
	high = w->chunk + w->chunk_count;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (t->entries[middle].first <= index)
			low = middle;
		else
			high = middle;
	}
	*place = index - t->entries[low].first;
	return cache_get(t, &t->entries[low], e);
}

int trace_get(struct trace *t, size_t warp, uint32_t index,
	      struct trace_request *out, struct error *e)
{
	uint32_t i, words;
	struct chunk *c = find_request(t, warp, index, &i, e);
	const struct pattern_lanes *p;
	const uint32_t *v;

	if (!c)
		return -1;
	p = &c->patterns[c->pattern[i]];
	memset(out, 0, sizeof(*out));
	out->site = c->site[i];
	out->mask = p->mask;
	if (!op_has_array(t->plans[out->site].op))
		return 0;
	for (uint32_t m = p->mask; m; m &= m - 1) {
		int l = __builtin_ctz(m);

		out->offset[l] = c->base[i] + p->rel[l];
	}
	if (!t->info.values)
		return 0;
	words = t->plans[out->site].words;
	v = c->words + c->value_at[i];
	for (uint32_t m = p->mask; m; m &= m - 1) {
		int l = __builtin_ctz(m);

		for (uint32_t j = 0; j < words; j++)
			out->value[l * 4 + j] = *v++;
	}
	return 0;
}

int trace_get_site(struct trace *t, size_t warp, uint32_t index,
		   uint32_t *site, struct error *e)
{
	uint32_t i;
	struct chunk *c = find_request(t, warp, index, &i, e);

	if (!c)
		return -1;
	*site = c->site[i];
	return 0;
}

uint32_t trace_phase_of(const struct trace *t, size_t warp, uint32_t index)
{
	const struct warp_entry *w = &t->warps[warp];
	uint32_t low = 0, high = w->warp.phases - 1;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (t->barriers[w->barrier + middle] < index)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint32_t trace_phase_start(const struct trace *t, size_t warp, uint32_t phase)
{
	const struct warp_entry *w = &t->warps[warp];

	if (phase == 0)
		return 0;
	if (phase >= w->warp.phases)
		return w->warp.requests;
	return t->barriers[w->barrier + phase - 1] + 1;
}

/* ---- the trace as a whole ---- */

static int trace_check_fd(struct trace *t, struct error *e)
{
	struct stat st;

	if (fstat(t->fd, &st) < 0)
		return error_set(e, EXIT_INPUT, "%s: %s", text_show(t->name),
				 strerror(errno));
	if (S_ISDIR(st.st_mode))
		return error_set(e, EXIT_INPUT, _("%s: is a directory"),
				 text_show(t->name));
	if (!S_ISREG(st.st_mode))
		return error_set(e, EXIT_INPUT, _("%s: not a regular file"),
				 text_show(t->name));
	t->size = (uint64_t)st.st_size;
	return 0;
}

struct trace *trace_open_fd(int fd, const char *name, struct error *e)
{
	struct trace *t = xcalloc(1, sizeof(*t));

	t->fd = fd;
	t->name = xstrdup(name);
	t->foretell = xmalloc(sizeof(*t->foretell));
	t->zstd = ZSTD_createDCtx();
	if (!t->zstd)
		fatal("out of memory");
	if (trace_check_fd(t, e) < 0 || read_header(t, e) < 0 ||
	    read_trailer(t, e) < 0 || read_tables(t, e) < 0 ||
	    read_index(t, e) < 0) {
		trace_close(t);
		return NULL;
	}
	block_shrink(t);
	return t;
}

struct trace *trace_open(const char *path, struct error *e)
{
	/* Not blocking, so that a FIFO is refused and not waited for. */
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);

	if (fd < 0) {
		error_set(e, EXIT_INPUT, "%s: %s", text_show(path),
			  strerror(errno));
		return NULL;
	}
	return trace_open_fd(fd, path, e);
}

int trace_fd(const struct trace *t)
{
	return t->fd;
}

void trace_close(struct trace *t)
{
	if (!t)
		return;
	while (t->oldest)
		cache_drop(t, t->oldest);
	trace_info_done(&t->info);
	free(t->plans);
	free(t->last);
	free(t->warps);
	free(t->entries);
	free(t->barriers);
	free(t->foretell);
	free(t->given);
	block_shrink(t);
	ZSTD_freeDCtx(t->zstd);
	close(t->fd);
	free(t->name);
	free(t);
}

const struct trace_info *trace_info(const struct trace *t)
{
	return &t->info;
}

size_t trace_warp_count(const struct trace *t)
{
	return t->warp_count;
}

const struct trace_warp *trace_warp(const struct trace *t, size_t index)
{
	return &t->warps[index].warp;
}

long trace_find_warp(const struct trace *t, uint32_t block, uint32_t warp)
{
	size_t low = 0, high = t->warp_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct trace_warp *w = &t->warps[middle].warp;

		if (w->block < block ||
		    (w->block == block && w->warp < warp))
			low = middle + 1;
		else
			high = middle;
	}
	if (low == t->warp_count || t->warps[low].warp.block != block ||
	    t->warps[low].warp.warp != warp)
		return -1;
	return (long)low;
}

uint64_t trace_event_count(const struct trace *t)
{
	return t->events;
}

uint64_t trace_request_count(const struct trace *t)
{
	return t->requests;
}
