/* drill_trace: a trace of one request, for pictures of it. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "drill/drill.h"

#define BASE 4096	/* of an array in global memory: it begins a page */

/* Makes the array of the question, with elements of at most 4 bytes. */
static struct trace_array make_array(const struct drill_question *q, char *name)
{
	const struct access *a = &q->access;
	uint32_t bytes = MIN(a->bytes, 4), each = a->bytes / bytes;
	struct trace_array array = {
		.name = name, .elem = bytes == 2 ? ELEM_F16 : ELEM_F32,
		.elem_bytes = bytes, .rank = 1,
		.space = a->space == ACCESS_GLOBAL ? SPACE_GLOBAL :
						     SPACE_SHARED,
		.base = a->space == ACCESS_GLOBAL ? BASE : 0,
	};
	uint64_t most = 0;

	for (int lane = 0; lane < WARP_LANES; lane++)
		most = MAX(most, a->address[lane]);
	array.dims[0] = most / bytes + each;
	if (q->pitch) {
		array.rank = 2;
		array.dims[0] = (uint64_t)q->rows;
		array.dims[1] = (uint64_t)q->pitch * each;
	}
	return array;
}

static uint32_t lines_in(const char *text)
{
	uint32_t n = 1;

	while ((text = strchr(text, '\n')))
		text++, n++;
	return n;
}

static int write_request_trace(const struct drill_question *q, int fd,
			       struct error *e)
{
	bool global = q->access.space == ACCESS_GLOBAL;
	char as[] = "As", a[] = "A", kernel[32], file[40], none[] = "",
	     on[] = "cpu";
	struct trace_array array = make_array(q, global ? a : as);
	struct trace_site site = { .line = lines_in(q->code), .column = 1,
				   .op = q->access.op, .array = 0,
				   .bytes = q->access.bytes };
	struct trace_info info = {
		.kernel = kernel, .file = file, .text = q->code, .on = on,
		.device = none, .problem = none, .check = none,
		.grid = { 1, 1, 1 }, .block = { WARP_LANES, 1, 1 },
		.spaces = 1u << array.space, .arrays = &array,
		.array_count = 1, .sites = &site, .site_count = 1,
	};
	struct trace_request r = { .mask = q->access.mask };
	struct trace_writer *w = trace_writer_new(fd, false);

	snprintf(kernel, sizeof(kernel), "%s", q->name ? q->name : "drill");
	snprintf(file, sizeof(file), "%s.cu", kernel);
	for (int lane = 0; lane < WARP_LANES; lane++)
		r.offset[lane] = q->access.address[lane];
	if (trace_writer_warp(w, 0, 0, e) ||
	    trace_writer_add(w, &info, &r, e)) {
		trace_writer_free(w);
		return -1;
	}
	return trace_writer_finish(w, &info, e);
}

struct trace *drill_trace(const struct drill_question *q, struct error *e)
{
	int fd = temporary_file(e);

	if (fd < 0)
		return NULL;
	if (write_request_trace(q, fd, e) || lseek(fd, 0, SEEK_SET)) {
		close(fd);
		return NULL;
	}
	return trace_open_fd(fd, "drill", e);
}
