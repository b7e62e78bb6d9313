/*
 * runtime_memory: memory that a program allocates. See runtime.h.
 */
#include <stdlib.h>
#include <string.h>

#include "cudart/part_written.h"
#include "cudart/device_uninit.h"
#include "cudart/devices.h"
#include "cudart/pending_launch.h"
#include "cudart/program_failing.h"
#include "cudart/program_judge.h"
#include "cudart/program_work.h"
#include "cudart/runtime.h"
#include "cudart/stream_race.h"
#include "cudart/texture.h"

#define PITCH 512

void runtime_failed(const char *kind, const char *what, struct place at,
		    const struct allocation *a, uint64_t bytes)
{
	struct program_fault p = program_fault(kind, at, what);

	p.bytes = bytes;
	if (a) {
		program_fault_about(&p, a);
		p.room = a->bytes;
	}
	if (a && !a->live && a->freed.file)
		p.other = a->freed;
	else if (a && !a->live)
		p.kind = "unallocated";
	program_problem(p);
}

cudaError_t gemmviz_malloc(void **to, size_t bytes, int kind, const char *file,
			   int line)
{
	static const char *const words[] = { "cudaMalloc", "cudaMallocManaged",
					     "cudaMallocHost" };
	struct place at = program_place(file, line);
	struct allocation *a;
	int error;

	if (!to)
		return runtime_done(cudaErrorInvalidValue, words[kind], file,
				    line);
	*to = NULL;
	error = graph_capture_break(CAPTURE_UNSAFE);
	if (failing_call(words[kind], at, cudaErrorMemoryAllocation))
		error = cudaErrorMemoryAllocation;
	if (error || bytes == 0)
		return runtime_done(error, words[kind], file, line);
	a = device_allocate((enum allocation_kind)kind, bytes, at);
	if (!a) {
		runtime_failed("no-memory", words[kind], at, NULL,
			       device_memory.most >> 20);
		return runtime_done(cudaErrorMemoryAllocation, words[kind],
				    file, line);
	}
	if (kind != ALLOCATION_DEVICE)
		judge_host_memory(words[kind], at);
	*to = (void *)a->lo;
	return runtime_done(0, words[kind], file, line);
}

cudaError_t cudaMallocPitch(void **to, size_t *pitch, size_t width,
			    size_t height, const char *file, int line);
cudaError_t cudaMallocPitch(void **to, size_t *pitch, size_t width,
			    size_t height, const char *file, int line)
{
	cudaError_t error;
	struct allocation *a;

	*pitch = (width + PITCH - 1) / PITCH * PITCH;
	error = gemmviz_malloc(to, *pitch * height, ALLOCATION_DEVICE, file,
			       line);
	a = error || !*to ? NULL : device_at((uintptr_t)*to);
	if (a) {
		a->pitch = *pitch;
		a->width = width;
	}
	return error;
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *to, struct cudaExtent e,
			 const char *file, int line);
cudaError_t cudaMalloc3D(struct cudaPitchedPtr *to, struct cudaExtent e,
			 const char *file, int line)
{
	to->xsize = e.width;
	to->ysize = e.height;
	return cudaMallocPitch(&to->ptr, &to->pitch, e.width,
			       e.height * e.depth, file, line);
}

void runtime_release(struct allocation *a, struct place at)
{
	host_race_freed(a);
	stream_race_freed(a);
	device_free(a, at);
	runtime_pool_freed(a);
	graph_memory_freed(a);
}

static cudaError_t free_checked(void *p, bool of_host, const char *what,
				const char *file, int line)
{
	struct allocation *a = p ? device_at((uintptr_t)p) : NULL;
	struct place at = program_place(file, line);

	if (!p)
		return runtime_done(0, what, file, line);
	if (!a || a->lo != (uintptr_t)p ||
	    (a->live && (a->kind == ALLOCATION_HOST) != of_host)) {
		runtime_failed("free-other", what, at, a, 0);
		return runtime_done(cudaErrorInvalidValue, what, file, line);
	}
	if (!a->live) {
		runtime_failed("free-twice", what, at, a, 0);
		return runtime_done(cudaErrorInvalidValue, what, file, line);
	}
	runtime_release(a, at);
	return runtime_done(0, what, file, line);
}

cudaError_t cudaFree(void *p, const char *file, int line);
cudaError_t cudaFree(void *p, const char *file, int line)
{
	const struct allocation *a;
	int error = graph_capture_break(CAPTURE_UNSAFE);

	if (error)
		return runtime_done(error, "cudaFree", file, line);
	a = p ? device_at((uintptr_t)p) : NULL;
	stream_finish_device(a ? a->device : devices.current);
	return free_checked(p, false, "cudaFree", file, line);
}

/* Frees memory without waiting for the device. */
cudaError_t cudaFreeAsync(void *p, cudaStream_t s, const char *file, int line);
cudaError_t cudaFreeAsync(void *p, cudaStream_t s, const char *file, int line)
{
	if (graph_captures(s))
		return graph_capture_free(p, s, file, line);
	pending_refuse(s);
	return free_checked(p, false, "cudaFreeAsync", file, line);
}

cudaError_t cudaFreeHost(void *p, const char *file, int line);
cudaError_t cudaFreeHost(void *p, const char *file, int line)
{
	int error = graph_capture_break(CAPTURE_UNSAFE);

	if (error)
		return runtime_done(error, "cudaFreeHost", file, line);
	stream_finish_all();
	return free_checked(p, true, "cudaFreeHost", file, line);
}

/* ---- copies ---- */

/* One side of a copy. */
struct side {
	const struct allocation *a;	/* NULL: the host's own */
	bool variable;	/* of the program: a __device__ one, or the host's */
};

bool runtime_in_module(const void *p)
{
	const struct module *m = program.host, *r = program.recorder;

	return (uintptr_t)p - m->load < m->bytes ||
	       (uintptr_t)p - r->load < r->bytes;
}

static struct side find_side_of(const void *p)
{
	struct side s = { device_at((uintptr_t)p), false };

	s.variable = !s.a && runtime_in_module(p);
	return s;
}

/* Returns whether this side can be the device's, or the host's. */
static bool can_be(const struct side *s, bool device)
{
	if (!s->a)
		return s->variable || !device;
	return device ? true : s->a->kind != ALLOCATION_DEVICE;
}

static bool is_device_pointer(const struct side *s)
{
	return s->a && s->a->kind == ALLOCATION_DEVICE;
}

static bool direction_fits(const struct side *to, const struct side *from,
			   enum cudaMemcpyKind kind)
{
	bool to_device = kind == cudaMemcpyHostToDevice ||
			 kind == cudaMemcpyDeviceToDevice;
	bool from_device = kind == cudaMemcpyDeviceToHost ||
			   kind == cudaMemcpyDeviceToDevice;

	/* Addresses alone say where the device's own memory is. */
	return kind == cudaMemcpyDefault || (is_device_pointer(to) && is_device_pointer(from)) ||
	       (can_be(to, to_device) && can_be(from, from_device));
}

/* Checks that `bytes` from p on are all there, and reports it if they are not;
 * 0: they are. */
static int side_check(const struct side *s, const void *p, uint64_t bytes,
		      const char *what, struct place at)
{
	uint64_t before;

	if (!s->a)
		return 0;
	before = (uintptr_t)p - s->a->lo;
	if (!s->a->live) {
		runtime_failed("freed", what, at, s->a, bytes);
		return cudaErrorInvalidValue;
	}
	if (before <= s->a->bytes && bytes <= s->a->bytes - before)
		return 0;
	runtime_failed("too-large", what, at, s->a, before + bytes);
	return cudaErrorInvalidValue;
}

int runtime_span(const void *p, uint64_t bytes, const char *what,
		 struct place at)
{
	struct side s = find_side_of(p);

	return side_check(&s, p, bytes, what, at);
}

/* Copies rows; returns how many of the bytes were never written. */
static uint64_t rows_copy(char *to, size_t to_pitch, const char *from,
			  size_t from_pitch, size_t width, size_t height)
{
	uint64_t unwritten;

	device_open_told();
	part_written_copy((uintptr_t)to, (uintptr_t)from,
			  from_pitch == width || height == 1 ? width * height :
							       width);
	device_uninit_written((uintptr_t)to, to_pitch, width, height);
	unwritten = device_uninit_read((uintptr_t)from, from_pitch, width,
				      height);
	for (size_t row = 0; row < height; row++)
		memmove(to + row * to_pitch, from + row * from_pitch, width);
	device_close();
	return unwritten;
}

/* Stores, in an allocation, a copy that leaves a part of it unwritten. */
static void copy_note(const void *to, uint64_t bytes, struct place at)
{
	struct allocation *a = device_at((uintptr_t)to);

	if (!a || a->lo != (uintptr_t)to || bytes >= a->bytes)
		return;
	a->copy = at;
	a->copied = bytes;
}

static const char *kind_name(enum cudaMemcpyKind kind)
{
	static const char *const names[] = {
		"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
		"cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice",
		"cudaMemcpyDefault" };

	return (unsigned)kind < LENGTH(names) ? names[kind] : "?";
}

int runtime_copy(void *to, size_t to_pitch, const void *from,
		 size_t from_pitch, size_t width, size_t height,
		 enum cudaMemcpyKind kind, const char *what, struct place at)
{
	struct side d = find_side_of(to), s = find_side_of(from);
	uint64_t unwritten = 0;
	int error = 0;

	if (!width || !height)
		return 0;
	if ((unsigned)kind > cudaMemcpyDefault)
		return cudaErrorInvalidMemcpyDirection;
	if (!to || !from)
		return cudaErrorInvalidValue;
	/* One row needs no pitch: a GPU takes 0. */
	to_pitch = height == 1 && !to_pitch ? width : to_pitch;
	from_pitch = height == 1 && !from_pitch ? width : from_pitch;
	if (to_pitch < width || from_pitch < width)
		return height > 1 ? cudaErrorInvalidPitchValue :
				    cudaErrorInvalidValue;
	if (!direction_fits(&d, &s, kind)) {
		bool into = !can_be(&d, kind == cudaMemcpyHostToDevice ||
					kind == cudaMemcpyDeviceToDevice);

		runtime_failed(into ? "direction-to" : "direction-from",
		       kind_name(kind), at, into ? d.a : s.a, 0);
		return cudaErrorInvalidValue;
	}
	error = side_check(&d, to, (height - 1) * to_pitch + width, what, at);
	if (!error)
		error = side_check(&s, from, (height - 1) * from_pitch + width,
				   what, at);
	/* Behind a kernel that has failed nothing is done. */
	if (!error)
		error = program.sticky;
	if (!error && part_written_unread((uintptr_t)to, (uintptr_t)from,
					  width * height))
		runtime_failed("overwritten", what, at, d.a, width * height);
	if (!error)
		judge_copy(to, from, kind, what, at);
	if (!error)
		copy_note(to, width * height, at);
	if (!error)
		unwritten = rows_copy(to, to_pitch, from, from_pitch, width,
				      height);
	/* What is copied elsewhere on a device need not be used. */
	if (unwritten && can_be(&d, false) && !can_be(&s, false) &&
	    kind != cudaMemcpyDeviceToDevice)
		runtime_failed("unwritten", what, at, s.a, unwritten);
	return error;
}

/* Adds a side of a copy as work of its stream. */
static void rows_work(struct stream_work w, struct place at, const char *what,
		      const void *p, size_t pitch, size_t width, size_t height,
		      bool writes, bool waited)
{
	stream_race_rows(p, pitch, width, height,
			 writes ? RACE_WRITES : RACE_READS);
	if (!waited)
		host_race_work(w, at, what, p, pitch, width, height, writes);
}

/* Starts the work of a copy. One between two devices in a default stream waits
 * for all work of both, and all their later work for it. */
static struct stream_work copy_begin(const void *to, const void *from,
				     cudaStream_t s, struct place at)
{
	const struct allocation *a = device_at((uintptr_t)to);
	const struct allocation *b = device_at((uintptr_t)from);

	if (!a || !b || a->kind != ALLOCATION_DEVICE ||
	    b->kind != ALLOCATION_DEVICE || a->device == b->device)
		return stream_begin(s);
	runtime_peer_copy(a->device, b->device, at);
	if (stream_number(s))
		return stream_begin(s);
	return stream_begin_alone(1u << a->device | 1u << b->device);
}

/* A copy of rows, as it was asked for. */
struct row_copy {
	void *to;
	size_t to_pitch;
	const void *from;
	size_t from_pitch, width, height;
	enum cudaMemcpyKind kind;
	cudaStream_t s;
	const char *what;
	struct place at;
	bool waits;		/* the host, for it */
};

static int rows_do(const struct row_copy *r)
{
	int error = runtime_copy(r->to, r->to_pitch, r->from, r->from_pitch,
				 r->width, r->height, r->kind, r->what, r->at);
	struct stream_work w = copy_begin(r->to, r->from, r->s, r->at);

	if (error || !r->width || !r->height)
		return error;
	work_copy(w, r->s, r->at, r->what, r->to, r->from,
		  r->width * r->height, r->kind);
	stream_race_begin(w, r->at, r->what);
	rows_work(w, r->at, r->what, r->to, r->to_pitch, r->width, r->height,
		  true, r->waits);
	rows_work(w, r->at, r->what, r->from, r->from_pitch, r->width,
		  r->height, false, r->waits);
	stream_race_end();
	return 0;
}

static void rows_later(void *with)
{
	const struct row_copy *r = with;

	program_fail(rows_do(r), r->at, r->what);
}

/* Copies rows. The host waits for it, unless it is one within the device, or an
 * asynchronous one to memory that the device knows. */
cudaError_t gemmviz_symbol_check(size_t whole, size_t offset, size_t bytes,
				 const char *what, const char *file, int line);
cudaError_t gemmviz_symbol_check(size_t whole, size_t offset, size_t bytes,
				 const char *what, const char *file, int line)
{
	struct program_fault p =
		program_fault("symbol", program_place(file, line), what);

	if (offset <= whole && bytes <= whole - offset)
		return cudaSuccess;
	p.bytes = offset + bytes;
	p.room = whole;
	program_problem(p);
	return runtime_done(cudaErrorInvalidValue, what, file, line);
}

cudaError_t gemmviz_copy_rows(void *to, size_t to_pitch, const void *from,
			      size_t from_pitch, size_t width, size_t height,
			      enum cudaMemcpyKind kind, cudaStream_t s,
			      int async, const char *what, const char *file,
			      int line)
{
	struct place at = program_place(file, line);
	struct row_copy r = { to, to_pitch, from, from_pitch, width, height,
			      kind, s, what, at,
			      async ? !device_at((uintptr_t)to) :
				      kind != cudaMemcpyDeviceToDevice };
	int error;

	if (failing_call(what, at, cudaErrorInvalidValue))
		return runtime_done(cudaErrorInvalidValue, what, file, line);
	if (async && graph_captures(s)) {
		struct cudaMemcpy3DParms p;

		runtime_box(&p, to, to_pitch, from, from_pitch, width, height,
			    kind);
		graph_capture_copy(&p, s, at);
		return runtime_done(0, what, file, line);
	}
	error = graph_capture_work(s);
	if (error)
		return runtime_done(error, what, file, line);
	if (pending_later(s, r.waits, at, rows_later, &r, sizeof(r)))
		return runtime_done(0, what, file, line);
	error = rows_do(&r);
	if (r.waits)
		stream_finish(s);
	return runtime_done(error, what, file, line);
}

void runtime_box(struct cudaMemcpy3DParms *p, void *to, size_t to_pitch,
		 const void *from, size_t from_pitch, size_t width,
		 size_t height, enum cudaMemcpyKind kind)
{
	*p = (struct cudaMemcpy3DParms) {
		.srcPtr = { (void *)(uintptr_t)from, from_pitch, width,
			    height },
		.dstPtr = { to, to_pitch, width, height },
		.extent = { width, height, 1 }, .kind = kind,
	};
}

struct box_copy {
	struct cudaMemcpy3DParms p;
	struct cudaMemsetParams set;
	cudaStream_t s;
	bool async;
	const char *what;
	struct place at;
};

static void box_later(void *with)
{
	const struct box_copy *b = with;

	program_fail(runtime_copy_box(&b->p, b->s, b->async, b->what, b->at),
		     b->at, b->what);
}

int runtime_copy_box(const struct cudaMemcpy3DParms *p, cudaStream_t s,
		     bool async, const char *what, struct place at)
{
	struct cudaMemcpy3DParms rows = *p;
	const struct cudaPitchedPtr *to = &rows.dstPtr, *from = &rows.srcPtr;
	int error = array_box(&rows);
	size_t width = rows.extent.width, height = rows.extent.height;
	bool waits = async ? !device_at((uintptr_t)to->ptr) :
			     p->kind != cudaMemcpyDeviceToDevice;
	struct stream_work w;

	if (pending_later(s, waits, at, box_later, &(struct box_copy){
			.p = *p, .s = s, .async = async, .what = what,
			.at = at }, sizeof(struct box_copy)))
		return 0;
	w = copy_begin(to->ptr, from->ptr, s, at);
	p = &rows;
	stream_race_begin(w, at, what);
	for (size_t z = 0; z < p->extent.depth && !error; z++) {
		char *into = (char *)to->ptr + p->dstPos.x + to->pitch *
			(p->dstPos.y + to->ysize * (p->dstPos.z + z));
		char *of = (char *)from->ptr + p->srcPos.x + from->pitch *
			(p->srcPos.y + from->ysize * (p->srcPos.z + z));

		error = runtime_copy(into, to->pitch, of, from->pitch, width,
				     height, p->kind, what, at);
		if (error)
			break;
		rows_work(w, at, what, into, to->pitch, width, height, true,
			  waits);
		rows_work(w, at, what, of, from->pitch, width, height, false,
			  waits);
	}
	stream_race_end();
	if (!error)
		work_copy(w, s, at, what, to->ptr, from->ptr, width * height *
			  p->extent.depth, p->kind);
	if (waits)
		stream_finish(s);
	return error;
}

cudaError_t gemmviz_copy_box(const struct cudaMemcpy3DParms *p, cudaStream_t s,
			     int async, const char *what, const char *file, int line);
cudaError_t gemmviz_copy_box(const struct cudaMemcpy3DParms *p, cudaStream_t s,
			     int async, const char *what, const char *file, int line)
{
	struct place at = program_place(file, line);
	int error = graph_capture_work(s);

	if (graph_captures(s))
		graph_capture_copy(p, s, at);
	else if (!error)
		error = runtime_copy_box(p, s, async, what, at);
	return runtime_done(error, what, file, line);
}

static void set_later(void *with)
{
	const struct box_copy *b = with;

	program_fail(runtime_set(&b->set, b->s, b->async, b->what, b->at),
		     b->at, b->what);
}

/* Sets rows of memory; the host waits if they are its own page-locked
 * memory. */
int runtime_set(const struct cudaMemsetParams *p, cudaStream_t s, bool async,
		const char *what, struct place at)
{
	size_t bytes = p->elementSize, width = p->width * bytes;
	size_t all = (p->height - 1) * p->pitch + width;
	struct side d = find_side_of(p->dst);
	struct stream_work w;
	bool waits;
	int error = 0;

	if (!width || !p->height)
		return 0;
	if ((bytes != 1 && bytes != 2 && bytes != 4) ||
	    (p->height > 1 && p->pitch < width))
		return cudaErrorInvalidValue;
	waits = d.a && d.a->kind == ALLOCATION_HOST && !async;
	if (pending_later(s, waits, at, set_later, &(struct box_copy){
			.set = *p, .s = s, .async = async, .what = what,
			.at = at }, sizeof(struct box_copy)))
		return 0;
	if (!can_be(&d, true) ||
	    (d.variable && !device_has_variable(p->dst) &&
	     !device_has_managed(p->dst))) {
		runtime_failed("set-host", what, at, NULL, 0);
		error = cudaErrorInvalidValue;
	}
	if (!error)
		error = side_check(&d, p->dst, all, what, at);
	if (!error)
		error = program.sticky;
	device_open_told();
	if (!error)
		device_uninit_written((uintptr_t)p->dst, p->pitch, width,
				     p->height);
	for (size_t row = 0; row < p->height && !error; row++) {
		char *to = (char *)p->dst + row * p->pitch;

		if (bytes == 1)
			memset(to, (int)p->value, width);
		for (size_t i = 0; bytes > 1 && i < width; i += bytes)
			memcpy(to + i, &p->value, bytes);
	}
	device_close();
	w = stream_begin(s);
	if (!error) {
		stream_race_begin(w, at, what);
		rows_work(w, at, what, p->dst, p->pitch, width, p->height,
			  true, waits);
		stream_race_end();
		work_set(w, s, at, what);
	}
	if (waits)
		stream_finish(s);
	return error;
}

cudaError_t gemmviz_set_rows(void *to, size_t pitch, int value, size_t width,
			     size_t height, cudaStream_t s, int async,
			     const char *what, const char *file, int line);
cudaError_t gemmviz_set_rows(void *to, size_t pitch, int value, size_t width,
			     size_t height, cudaStream_t s, int async,
			     const char *what, const char *file, int line)
{
	struct cudaMemsetParams p = { to, pitch, (unsigned)value, 1, width,
				      height };
	struct place at = program_place(file, line);
	int error = graph_capture_work(s);

	if (async && graph_captures(s))
		graph_capture_set(&p, s, at);
	else if (!error)
		error = runtime_set(&p, s, async, what, at);
	return runtime_done(error, what, file, line);
}
