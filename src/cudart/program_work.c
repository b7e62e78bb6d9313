/*
 * program_work: see program_work.h.
 */
#include "cudart/program_work.h"

#include <stdlib.h>
#include <string.h>

#include "cudart/devices.h"

#define WORKS_MOST 20000
#define SIDES (DEVICES_MOST + 1)	/* the host is the last */

struct program_works program_works;

/* Totals of all work, listed or not. */
static struct {
	bool wanted;
	uint64_t bytes[SIDES][SIDES], transfers[SIDES][SIDES];
	uint64_t launches[DEVICES_MOST], unknown[DEVICES_MOST];
	double flops[DEVICES_MOST];
} sums;

void work_wanted(void)
{
	sums.wanted = true;
}

static bool is_wanted(void)
{
	return sums.wanted || devices.count > 1;
}

/* Adds a piece of work to the list; NULL: it is only counted. */
static struct trace_work *work_add(enum work_kind kind, struct stream_work w,
				   cudaStream_t s, struct place at,
				   const char *what)
{
	struct program_works *p = &program_works;
	struct trace_work *to;

	if (p->count == WORKS_MOST) {
		p->left_out++;
		return NULL;
	}
	grow(&p->list, &p->capacity, p->count + 1, sizeof(*p->list));
	grow(&p->file, &p->file_capacity, p->count + 1, sizeof(*p->file));
	p->file[p->count] = at.file;
	to = &p->list[p->count++];
	*to = (struct trace_work) {
		.kind = kind, .device = devices.current, .turn = w.turn,
		.stream = stream_number(s), .line = at.line,
		.what = xstrdup(what), .name = xstrdup(""),
	};
	return to;
}

/* ---- transfers ---- */

static size_t side_number(uint32_t device)
{
	return device == WORK_HOST ? DEVICES_MOST : device;
}

static void add_transfer(enum work_kind kind, struct stream_work w,
			 cudaStream_t s, struct place at, const char *what,
			 uint32_t from, uint32_t to, uint64_t bytes,
			 const char *name, uint32_t group)
{
	struct trace_work *t;

	if (!is_wanted())
		return;
	sums.bytes[side_number(from)][side_number(to)] += bytes;
	sums.transfers[side_number(from)][side_number(to)]++;
	t = work_add(kind, w, s, at, what);
	if (!t)
		return;
	t->from = from;
	t->device = to;
	t->bytes = bytes;
	t->group = group;
	free(t->name);
	t->name = xstrdup(name);
}

/* Writes the host's name of the memory at p. */
static void name_memory(const void *p, char *to, size_t bytes)
{
	const struct allocation *a = device_at((uintptr_t)p);

	*to = '\0';
	if (a)
		program_name(a, to, bytes);
}

void work_transfer(struct stream_work w, cudaStream_t s, struct place at,
		   const char *what, uint32_t from, uint32_t to,
		   uint64_t bytes, const void *into, uint32_t group)
{
	char name[64];

	name_memory(into, name, sizeof(name));
	add_transfer(WORK_TRANSFER, w, s, at, what, from, to, bytes, name,
		     group);
}

/* Returns the device that has the memory at p, or WORK_HOST. What is no
 * allocation is the host's, or one of its variables that the device has. */
static uint32_t find_side(const void *p, bool may_be_variable)
{
	const struct allocation *a = device_at((uintptr_t)p);

	if (a)
		return a->kind == ALLOCATION_DEVICE ? a->device : WORK_HOST;
	return may_be_variable ? devices.current : WORK_HOST;
}

void work_copy(struct stream_work w, cudaStream_t s, struct place at,
	       const char *what, const void *to, const void *from,
	       uint64_t bytes, enum cudaMemcpyKind kind)
{
	bool into = kind == cudaMemcpyHostToDevice ||
		    kind == cudaMemcpyDeviceToDevice;
	bool out = kind == cudaMemcpyDeviceToHost ||
		   kind == cudaMemcpyDeviceToDevice;

	if (bytes)
		work_transfer(w, s, at, what, find_side(from, out),
			      find_side(to, into), bytes, to, 0);
}

uint32_t work_group(void)
{
	return ++program_works.groups;
}

/* ---- launches ---- */

static void count_launch(struct trace_work *t, uint32_t device,
			 const struct problem_sizes *size, int count)
{
	sums.launches[device]++;
	sums.flops[device] += 2.0 * size->m * size->n * size->k * count;
	sums.unknown[device] += !size->k;
	if (!t)
		return;
	t->m = (uint32_t)size->m;
	t->n = (uint32_t)(size->n * count);	/* side by side */
	t->k = (uint32_t)size->k;
}

/* Adds, for each array of another device, the bytes that a launch reads from
 * there and writes there. */
static void peers_used(struct stream_work w, const struct launch_config *c,
		       const char *kernel)
{
	for (struct emu_array a = { .next = 0 }; emu_array_next(&a);) {
		const struct allocation *of = a.checked && a.allocated ?
					      device_at(a.lo) : NULL;

		if (!of || of->kind != ALLOCATION_DEVICE ||
		    of->device == c->device)
			continue;
		for (int written = 0; written < 2; written++) {
			uint64_t bytes = emu_array_bytes(&a, written);

			if (bytes)
				add_transfer(WORK_ACCESS, w, c->stream, c->at, kernel,
				      written ? c->device : of->device,
				      written ? of->device : c->device, bytes,
				      a.name, 0);
		}
	}
}

uint32_t work_launch(struct stream_work w, const struct launch_config *c,
		     const struct program_kernel *k,
		     const struct stub_call *call, bool hooked)
{
	struct problem_sizes size = { 0, 0, 0 };
	uint32_t number = (uint32_t)program_works.count + 1;
	struct trace_work *t;

	if (!is_wanted())
		return 0;
	call_product(k, call, &size);
	t = work_add(WORK_LAUNCH, w, c->stream, c->at, k->recorded->name);
	count_launch(t, devices.current, &size, 1);
	if (hooked && devices.count > 1)
		peers_used(w, c, k->recorded->name);
	return t ? number : 0;
}

void work_set(struct stream_work w, cudaStream_t s, struct place at,
	      const char *what)
{
	if (is_wanted())
		work_add(WORK_LAUNCH, w, s, at, what);
}

void work_product(struct stream_work w, cudaStream_t s, struct place at,
		  const char *what, int m, int n, int k, int count)
{
	struct problem_sizes size = { m, n, k };

	if (is_wanted())
		count_launch(work_add(WORK_LAUNCH, w, s, at, what),
			     devices.current, &size, count);
}

/* ---- the summary ---- */

static json_t *side_json(uint32_t device)
{
	return device == WORK_HOST ? json_null() : json_integer(device);
}

static json_t *work_json(const struct trace_work *t, const char *file)
{
	json_t *o = json_pack("{ss ss ss sI sI sI}", "kind",
			      work_kind_name(t->kind), "what", t->what, "file",
			      file ? file : "", "line", (json_int_t)t->line,
			      "stream", (json_int_t)t->stream, "turn",
			      (json_int_t)t->turn);

	if (t->kind == WORK_LAUNCH) {
		json_object_set_new(o, "device", side_json(t->device));
		json_object_set_new(o, "size", t->k ? json_pack(
			"[III]", (json_int_t)t->m, (json_int_t)t->n,
			(json_int_t)t->k) : json_null());
		return o;
	}
	json_object_set_new(o, "from", side_json(t->from));
	json_object_set_new(o, "to", side_json(t->device));
	json_object_set_new(o, "bytes", json_integer((json_int_t)t->bytes));
	json_object_set_new(o, "name", json_string(t->name));
	if (t->group)
		json_object_set_new(o, "group", json_integer(t->group));
	return o;
}

static json_t *links_json(void)
{
	json_t *list = json_array();

	for (uint32_t from = 0; from < SIDES; from++)
		for (uint32_t to = 0; to < SIDES; to++) {
			json_t *o;

			if (from == to || !sums.transfers[from][to])
				continue;
			o = json_pack("{sI sI}", "bytes",
				      (json_int_t)sums.bytes[from][to],
				      "transfers",
				      (json_int_t)sums.transfers[from][to]);
			json_object_set_new(o, "from", side_json(
				from == DEVICES_MOST ? WORK_HOST : from));
			json_object_set_new(o, "to", side_json(
				to == DEVICES_MOST ? WORK_HOST : to));
			json_array_append_new(list, o);
		}
	return list;
}

/* Makes the list of devices; "flops" is of the products whose sizes are known,
 * the rest are other launches. */
static json_t *devices_json(void)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < devices.count; i++)
		json_array_append_new(list, json_pack(
			"{sI sI sf sI}", "device", (json_int_t)i, "launches",
			(json_int_t)sums.launches[i], "flops", sums.flops[i],
			"other_launches", (json_int_t)sums.unknown[i]));
	return list;
}

void work_summary(json_t *summary)
{
	const struct program_works *p = &program_works;
	json_t *list = json_array();

	if (!is_wanted()) {
		json_decref(list);
		return;
	}
	for (size_t i = 0; i < p->count; i++)
		json_array_append_new(list, work_json(&p->list[i],
						      p->file[i]));
	json_object_set_new(summary, "devices", devices_json());
	json_object_set_new(summary, "links", links_json());
	json_object_set_new(summary, "works", list);
	json_object_set_new(summary, "works_left_out",
			    json_integer((json_int_t)p->left_out));
}
