/*
 * kernel_heap: malloc(), new, free() and delete of a program. A kernel's use
 * the device's heap (device_heap.c), through emu.h; its host's are those of the
 * C and C++ libraries.
 */
#include <dlfcn.h>
#include <stdlib.h>

#include "emu/emu.h"
#include "emu/emu_findings.h"
#include "emu/hang_check.h"
#include "emu/hooks.h"
#include "emu/parallel_record.h"
#include "emu/unit.h"

/* Returns a number for the running thread's block and index. */
static uint64_t current_thread_key(void)
{
	return (uint64_t)rec.block_number << 32 | rec.thread->number;
}

/* Allocates memory for the running thread; `here`: its call's return address.
 * NULL: the heap's limit is reached. */
static void *allocate_piece(size_t bytes, void *here)
{
	hang_unsure();
	parallel_in_order();
	return emu_program.heap_take(bytes, current_thread_key(), here);
}

/* Frees memory for the running thread. Ends it with a finding if `of` is none
 * of the heap's, or was freed before. */
static void free_piece(void *of, void *here)
{
	uint64_t freed = 0;
	enum emu_free done;

	if (!of)
		return;
	thread_at(rec.thread, here);
	done = emu_program.heap_free((uintptr_t)of, current_thread_key(), here,
				     &freed);
	if (done == EMU_FREE_OTHER)
		emu_finding_stops(CAUSE_FREE_OTHER);
	if (done == EMU_FREE_TWICE) {
		emu_finding(rec.thread, (struct trace_finding) {
			.cause = CAUSE_FREE_TWICE, .number = { freed },
		});
		thread_stop();
	}
}

/* ---- allocation functions of programs ---- */

/* The host's allocation functions. A module that needs nothing else of the C++
 * library has no new and delete. */
static struct {
	void *(*new)(size_t), *(*new_array)(size_t);
	void (*delete)(void *), (*delete_array)(void *);
} host = { malloc, malloc, free, free };

static void *find_host_function(void *module, const char *name)
{
	void *f = dlsym(RTLD_DEFAULT, name);

	return f ? f : dlsym(module, name);
}

void emu_host_heap(void *module)
{
	void *new = find_host_function(module, "_Znwm");

	if (!new)
		return;
	*(void **)&host.new = new;
	*(void **)&host.new_array = find_host_function(module, "_Znam");
	*(void **)&host.delete = find_host_function(module, "_ZdlPv");
	*(void **)&host.delete_array = find_host_function(module, "_ZdaPv");
}

/* Allocates from the heap in a kernel, by of_host() elsewhere. */
static void *allocate_by_caller(size_t bytes, void *here,
				void *(*of_host)(size_t))
{
	return rec.thread ? allocate_piece(bytes, here) : of_host(bytes);
}

/* Frees a piece of the heap in a kernel, calls of_host() elsewhere. */
static void free_by_caller(void *p, void *here, void (*of_host)(void *))
{
	if (rec.thread)
		free_piece(p, here);
	else
		of_host(p);
}

#define HERE __builtin_return_address(0)

void *__wrap_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes)
{
	return allocate_by_caller(bytes, HERE, malloc);
}

void __wrap_free(void *p);
void __wrap_free(void *p)
{
	free_by_caller(p, HERE, free);
}

void *__wrap__Znwm(size_t bytes);
void *__wrap__Znwm(size_t bytes)
{
	return allocate_by_caller(bytes, HERE, host.new);
}

void *__wrap__Znam(size_t bytes);
void *__wrap__Znam(size_t bytes)
{
	return allocate_by_caller(bytes, HERE, host.new_array);
}

/* Replaces delete. The compiler calls the variant with a size where it knows
 * the size. */
void __wrap__ZdlPv(void *p);
void __wrap__ZdlPv(void *p)
{
	free_by_caller(p, HERE, host.delete);
}

void __wrap__ZdlPvm(void *p, size_t bytes);
void __wrap__ZdlPvm(void *p, size_t bytes)
{
	(void)bytes;
	free_by_caller(p, HERE, host.delete);
}

void __wrap__ZdaPv(void *p);
void __wrap__ZdaPv(void *p)
{
	free_by_caller(p, HERE, host.delete_array);
}

void __wrap__ZdaPvm(void *p, size_t bytes);
void __wrap__ZdaPvm(void *p, size_t bytes)
{
	(void)bytes;
	free_by_caller(p, HERE, host.delete_array);
}

static void launch_begin(void)
{
	emu_program.launch_begin();
}

const struct emu_unit kernel_heap_unit = { .launch_begin = launch_begin };
