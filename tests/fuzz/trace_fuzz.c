/*
 * Any bytes are a trace: those of a file (F first), or the parts of one
 * before compression (V with values, N without; see forge.h). Whatever is
 * given out must be in bounds.
 */
#define REPLAY_CORPUS "trace"
#include "replay.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "forge.h"

/* A crash that the fuzzer sees. */
static void check(bool holds)
{
	if (!holds)
		abort();
}

static void check_request(const struct trace_info *info, uint32_t lanes,
			  const struct trace_request *r)
{
	const struct trace_site *s;
	uint64_t bytes, reach;

	check(r->site < info->site_count && r->mask && !(r->mask & ~lanes));
	s = &info->sites[r->site];
	bytes = op_has_array(s->op) ?
		trace_array_bytes(&info->arrays[s->array]) : 0;
	reach = op_has_array(s->op) ? trace_site_reach(info, s) : 0;
	for (int l = 0; l < WARP_LANES; l++)
		check(r->offset[l] + reach <= bytes ||
		      !(r->mask >> l & 1));
}

static void check_warp(struct trace *t, size_t warp)
{
	const struct trace_info *info = trace_info(t);
	const struct trace_warp *w = trace_warp(t, warp);
	uint32_t lanes = trace_warp_lanes(info, w->warp), phase = 0;
	struct trace_request r;
	struct error e;

	check(trace_find_warp(t, w->block, w->warp) == (long)warp);
	for (uint32_t i = 0; i < w->requests; i++) {
		if (trace_get(t, warp, i, &r, &e) < 0)
			return;
		check_request(info, lanes, &r);
		check(trace_phase_of(t, warp, i) == phase);
		check(trace_phase_start(t, warp, phase) <= i);
		phase += info->sites[r.site].op == OP_BARRIER;
	}
	check(w->phases == phase + 1);
}

/* ---- a file of these bytes ---- */

#ifdef FUZZER
/*
 * In memory, for a file a trace takes most of the time; the linker puts these
 * in between. zstd's context, which is large, is made once.
 */
#define MEMORY_FD 1000

static struct { const void *data; size_t size; } memory;

ssize_t __wrap_pread(int fd, void *to, size_t n, off_t at);
int __wrap_fstat(int fd, struct stat *st);
int __wrap_close(int fd);
ZSTD_DCtx *__real_ZSTD_createDCtx(void);
ZSTD_DCtx *__wrap_ZSTD_createDCtx(void);
size_t __wrap_ZSTD_freeDCtx(ZSTD_DCtx *zstd);

ssize_t __wrap_pread(int fd, void *to, size_t n, off_t at)
{
	check(fd == MEMORY_FD);
	if (at < 0 || (size_t)at >= memory.size)
		return 0;
	n = MIN(n, memory.size - (size_t)at);
	memcpy(to, (const char *)memory.data + at, n);
	return (ssize_t)n;
}

int __wrap_fstat(int fd, struct stat *st)
{
	check(fd == MEMORY_FD);
	*st = (struct stat){ .st_mode = S_IFREG,
			     .st_size = (off_t)memory.size };
	return 0;
}

int __wrap_close(int fd)
{
	check(fd == MEMORY_FD);
	return 0;
}

ZSTD_DCtx *__wrap_ZSTD_createDCtx(void)
{
	static ZSTD_DCtx *zstd;

	return zstd ? zstd : (zstd = __real_ZSTD_createDCtx());
}

size_t __wrap_ZSTD_freeDCtx(ZSTD_DCtx *zstd)
{
	(void)zstd;
	return 0;
}

static int file_of(const void *data, size_t size)
{
	memory.data = data;
	memory.size = size;
	return MEMORY_FD;
}
#else
static int file_of(const void *data, size_t size)
{
	int fd = memfd_create("trace", MFD_CLOEXEC);

	check(fd >= 0 && write_all(fd, data, size) == 0);
	return fd;
}
#endif

static void check_trace(const void *data, size_t size)
{
	static FILE *null;
	struct trace *t;
	struct error e;

	if (!null)
		null = fopen("/dev/null", "w");
	t = trace_open_fd(file_of(data, size), "trace", &e);
	if (!t)
		return;
	for (size_t i = 0; i < trace_warp_count(t); i++)
		check_warp(t, i);
	trace_dump(t, null, &e);
	trace_close(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str file = { 0 };

	if (size < 1 || size > FORGE_MAX)
		return 0;
	if (data[0] == 'F') {
		check_trace(data + 1, size - 1);
	} else {
		forge_pack(&file, data[0] == 'V', data + 1, size - 1);
		check_trace(file.data, file.len);
		str_done(&file);
	}
	return 0;
}
