/*
 * trace_open: opens a trace from an untrusted file, and reads its blocks.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/lang.h"
#include "base/text.h"
#include "trace/trace_file.h"

/* Nothing without the sanitizer, whose header clang may lack. */
#if __has_include(<sanitizer/asan_interface.h>)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(at, n) ((void)(at), (void)(n))
#define ASAN_UNPOISON_MEMORY_REGION(at, n) ((void)(at), (void)(n))
#endif

/* Blocks looked at to say where a damaged file ends. */
#define WALK_MAX (1u << 18)

int trace_bad(const struct trace *t, struct error *e, uint64_t offset,
	      const char *fmt, ...)
{
	char what[300];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), _(fmt), ap);
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

/* Makes room for n bytes. The address sanitizer allows access to all of the
 * buffer until buffer_close(); what lies past its bytes is of an earlier block,
 * and reading it is an error. */
static void buffer_open(uint8_t **p, size_t *capacity, size_t n)
{
	grow(p, capacity, n, 1);
	ASAN_UNPOISON_MEMORY_REGION(*p, *capacity);
}

static void buffer_close(uint8_t *p, size_t capacity, size_t n)
{
	if (p)
		ASAN_POISON_MEMORY_REGION(p + n, capacity - n);
}

ssize_t trace_block_read(struct trace *t, uint64_t offset, uint32_t tag,
			 uint64_t bytes, size_t limit, struct error *e)
{
	unsigned long long raw;
	size_t n;

	if (bytes < GVT_BLOCK)
		return trace_bad(t, e, offset, _("a %s"), block_name(tag));
	if (bytes > GVT_BLOCK + ZSTD_compressBound(limit))
		return trace_bad(t, e, offset, _("a %s of fewer bytes"),
				 block_name(tag));
	buffer_open(&t->packed, &t->packed_capacity, bytes);
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
	/* Nothing has an address, too. */
	buffer_open(&t->raw, &t->raw_capacity, MAX(raw, 1));
	n = ZSTD_decompressDCtx(t->zstd, t->raw, raw, t->packed + GVT_BLOCK,
				bytes);
	if (ZSTD_isError(n) || n != raw)
		return trace_bad(t, e, offset, _("a valid zstd frame: %s"),
				 ZSTD_isError(n) ? ZSTD_getErrorName(n) :
				 _("wrong size"));
	buffer_close(t->packed, t->packed_capacity, bytes + GVT_BLOCK);
	buffer_close(t->raw, t->raw_capacity, n);
	return (ssize_t)n;
}

/* Frees the buffers, since tables and index need larger ones than any chunk. */
static void block_shrink(struct trace *t)
{
	free(t->packed);
	free(t->raw);
	t->packed = t->raw = NULL;
	t->packed_capacity = t->raw_capacity = 0;
}

/* ---- header, trailer, and what to say about a damaged file ---- */

/* Reads and checks the file's header. */
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

/* Walks the blocks of a file without a trailer, and reports at which one it
 * ends. */
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
	t->predictor = xmalloc(sizeof(*t->predictor));
	t->zstd = ZSTD_createDCtx();
	if (!t->zstd)
		fatal("out of memory");
	if (trace_check_fd(t, e) < 0 || read_header(t, e) < 0 ||
	    read_trailer(t, e) < 0 || trace_tables_read(t, e) < 0 ||
	    trace_index_read(t, e) < 0) {
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
	trace_cache_drop(t);
	trace_kinds_done(t);
	trace_info_done(&t->info);
	free(t->plans);
	free(t->last);
	free(t->warps);
	free(t->entries);
	free(t->barriers);
	free(t->predictor);
	free(t->given);
	block_shrink(t);
	ZSTD_freeDCtx(t->zstd);
	close(t->fd);
	free(t->name);
	free(t);
}
