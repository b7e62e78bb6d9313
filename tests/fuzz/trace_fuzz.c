/*
 * Any bytes are a trace: those of a file (F first), or the parts of one
 * before compression (V with values, N without; see forge.h). Whatever is
 * given out must be in bounds.
 */
#define REPLAY_CORPUS "trace"
#include "replay.h"

#include <sys/mman.h>
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

static void check_trace(const void *data, size_t size)
{
	int fd = memfd_create("trace", MFD_CLOEXEC);
	struct error e;
	struct trace *t;
	FILE *null;

	check(fd >= 0 && write_all(fd, data, size) == 0);
	t = trace_open_fd(fd, "trace", &e);
	if (!t)
		return;
	for (size_t i = 0; i < trace_warp_count(t); i++)
		check_warp(t, i);
	null = fopen("/dev/null", "w");
	trace_dump(t, null, &e);
	fclose(null);
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
