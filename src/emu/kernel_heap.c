/*
 * kernel_heap: malloc() and new in a kernel, and in the program's host, whose
 * own they are there. The device's heap is device_heap.c's.
 */
#include <dlfcn.h>
#include <stdlib.h>

#include "emu/emu.h"
#include "emu/emu_findings.h"
#include "emu/endless.h"
#include "emu/hooks.h"
#include "emu/parts.h"
#include "emu/unit.h"

static uint64_t who(void)
{
	return (uint64_t)rec.block_number << 32 | rec.thread->number;
}

static void *take(size_t bytes, void *here)
{
	endless_unsure();
	parts_in_order();
	return emu_program.heap_take(bytes, who(), here);
}

static void give_back(void *of, void *here)
{
	uint64_t freed = 0;
	enum emu_free done;

	if (!of)
		return;
	thread_at(rec.thread, here);
	done = emu_program.heap_free((uintptr_t)of, who(), here, &freed);
	if (done == EMU_FREE_OTHER)
		emu_finding_stops(CAUSE_FREE_OTHER);
	if (done == EMU_FREE_TWICE) {
		emu_finding(rec.thread, (struct trace_finding) {
			.cause = CAUSE_FREE_TWICE, .number = { freed },
		});
		thread_stop();
	}
}

/* ---- what a program calls ---- */

/* The host's own: what needs nothing else of the C++ library has none. */
static struct {
	void *(*new)(size_t), *(*new_array)(size_t);
	void (*delete)(void *), (*delete_array)(void *);
} host = { malloc, malloc, free, free };

static void *function(void *module, const char *name)
{
	void *f = dlsym(RTLD_DEFAULT, name);

	return f ? f : dlsym(module, name);
}

void emu_host_heap(void *module)
{
	void *new = function(module, "_Znwm");

	if (!new)
		return;
	*(void **)&host.new = new;
	*(void **)&host.new_array = function(module, "_Znam");
	*(void **)&host.delete = function(module, "_ZdlPv");
	*(void **)&host.delete_array = function(module, "_ZdaPv");
}

static void *get(size_t bytes, void *here, void *(*of_host)(size_t))
{
	return rec.thread ? take(bytes, here) : of_host(bytes);
}

static void release(void *p, void *here, void (*of_host)(void *))
{
	if (rec.thread)
		give_back(p, here);
	else
		of_host(p);
}

#define HERE __builtin_return_address(0)

void *__wrap_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes)
{
	return get(bytes, HERE, malloc);
}

void __wrap_free(void *p);
void __wrap_free(void *p)
{
	release(p, HERE, free);
}

void *__wrap__Znwm(size_t bytes);
void *__wrap__Znwm(size_t bytes)
{
	return get(bytes, HERE, host.new);
}

void *__wrap__Znam(size_t bytes);
void *__wrap__Znam(size_t bytes)
{
	return get(bytes, HERE, host.new_array);
}

/* The one with a size is called where that is known. */
void __wrap__ZdlPv(void *p);
void __wrap__ZdlPv(void *p)
{
	release(p, HERE, host.delete);
}

void __wrap__ZdlPvm(void *p, size_t bytes);
void __wrap__ZdlPvm(void *p, size_t bytes)
{
	(void)bytes;
	release(p, HERE, host.delete);
}

void __wrap__ZdaPv(void *p);
void __wrap__ZdaPv(void *p)
{
	release(p, HERE, host.delete_array);
}

void __wrap__ZdaPvm(void *p, size_t bytes);
void __wrap__ZdaPvm(void *p, size_t bytes)
{
	(void)bytes;
	release(p, HERE, host.delete_array);
}

static void launch_begin(void)
{
	emu_program.launch_begin();
}

const struct emu_unit kernel_heap_unit = { .launch_begin = launch_begin };
