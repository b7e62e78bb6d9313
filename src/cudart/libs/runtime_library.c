/*
 * runtime_library: what the functions of CUDA's libraries have in common, which
 * work on a device's memory. See runtime.h.
 */
#include "cudart/program_judge.h"
#include "cudart/runtime.h"
#include "cudart/stream_race.h"

/* Stops the program at a function that is not supported. The compiler does not
 * know that it does not return: its calls would be moved to where no line is
 * known. */
void gemmviz_unplayed(const char *name);
void gemmviz_unplayed(const char *name)
{
	program_unplayed(program_line((uintptr_t)__builtin_return_address(0)),
			 name);
}

int runtime_fails(const char *what, struct place at, int status)
{
	struct program_fault p = program_fault("status", at, what);

	p.bytes = (uint64_t)status;
	program_problem(p);
	return status;
}

void runtime_host_uses(const void *p, bool writes, struct place at)
{
	const struct allocation *a = device_at((uintptr_t)p);

	if (a && a->kind == ALLOCATION_DEVICE)
		program_stray((uintptr_t)p, at, writes);
}

void runtime_foreign(const struct allocation *a, uint32_t device,
		     const char *what, struct place at)
{
	struct program_fault p = program_fault("other-device", at, what);

	program_fault_about(&p, a);
	p.bytes = a->device;
	p.room = device;
	program_problem(p);
}

bool runtime_there(const void *p, uint64_t bytes)
{
	uintptr_t at = (uintptr_t)p;
	const struct allocation *a = device_at(at);
	const struct module *m = program.host;

	/* Or a variable of the program's. */
	return a ? a->live && at - a->lo + bytes <= a->bytes :
		   at >= m->load && at + bytes <= m->load + m->bytes;
}

/* Reports what is wrong with memory that the device does not have. */
static void report_absent(const struct runtime_use *u, const char *what,
			  struct place at)
{
	const struct allocation *a = device_at((uintptr_t)u->p);

	runtime_failed(!a ? "set-host" : a->live ? "too-large" : "freed", what,
		       at, a, a ? (uintptr_t)u->p - a->lo + u->bytes : 0);
}

bool runtime_uses(cudaStream_t s, const struct runtime_use *uses, size_t count,
		  const char *what, struct place at)
{
	struct stream_work w;

	for (size_t i = 0; i < count; i++)
		if (!runtime_there(uses[i].p, uses[i].bytes)) {
			report_absent(&uses[i], what, at);
			return false;
		}
	judge_library(what, at);
	w = stream_begin(s);
	stream_race_begin(w, at, what);
	for (size_t i = 0; i < count; i++) {
		const struct runtime_use *u = &uses[i];

		stream_race_rows(u->p, u->bytes, u->bytes, 1,
				 u->writes ? RACE_WRITES : RACE_READS);
		host_race_work(w, at, what, u->p, u->bytes, u->bytes, 1,
			       u->writes);
	}
	stream_race_end();
	return true;
}
