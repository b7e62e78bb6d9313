/*
 * device_uninit: see device_uninit.h.
 */
#include "cudart/device_uninit.h"

#include "emu/emu.h"
#include "cudart/part_written.h"
#include "cudart/program.h"

/* The most bytes that are filled: from the beginning of one allocation, and in
 * all. */
#define EACH_MOST (32ull << 20)
#define ALL_MOST (256ull << 20)
/* Structures have fewer bytes between their members. */
#define NO_GAP 16

static uint64_t left = ALL_MOST;	/* bytes that may still be filled */

void device_uninit_begin(struct allocation *a)
{
	uint64_t bytes = MIN((a->bytes + 3) / 4 * 4, EACH_MOST);

	/* A GPU run gets a copy of memory as it is. */
	if (bytes > left || program.job.kernel.program.images)
		return;
	left -= bytes;
	a->uninit = bytes;
	emu_mark_unwritten(a->lo, bytes);
}

void device_uninit_again(uintptr_t from, uint64_t bytes)
{
	const struct allocation *a = device_at(from);

	if (from + bytes - a->lo <= a->uninit)
		emu_mark_unwritten(from, bytes);
}

/* Clears the unwritten words of a row, as far as its allocation was filled.
 * Returns their bytes, not counting gaps between the members of structures. */
static uint64_t clean_row(uintptr_t from, uint64_t bytes)
{
	const struct allocation *a = bytes ? device_at(from) : NULL;
	uint64_t off = a ? from - a->lo : 0;

	return a && a->live && off < a->uninit ?
	       emu_clear_unwritten(from, MIN(bytes, a->uninit - off), NO_GAP) :
	       0;
}

uint64_t device_uninit_read(uintptr_t from, uint64_t pitch, uint64_t width,
			   uint64_t height)
{
	uint64_t bytes = 0;

	for (uint64_t i = 0; i < height; i++)
		bytes += clean_row(from + i * pitch, width);
	return bytes;
}

void device_uninit_written(uintptr_t from, uint64_t pitch, uint64_t width,
			  uint64_t height)
{
	for (uint64_t i = 0; width && i < height; i++, from += pitch) {
		clean_row(from, 1);
		clean_row(from + width - 1, 1);
	}
}

/* Clears all unwritten words of an allocation. */
static void end_marks(struct allocation *a)
{
	if (a->live)
		emu_clear_unwritten(a->lo, a->uninit, 4);
	a->uninit = 0;
}

void device_uninit_end_at(uintptr_t address)
{
	struct allocation *a = device_at(address);

	if (a)
		end_marks(a);
}

void device_uninit_end_all(void)
{
	part_written_forget();
	for (size_t i = 0; i < device_memory.count; i++)
		if (device_memory.list[i]->uninit)
			end_marks(device_memory.list[i]);
}

/* Returns whether nobody had written any of an allocation when this was first
 * asked. That alone is no error: timings often use arrays that nobody sets, and
 * so do first launches that only warm up. */
static bool is_all_fresh(struct allocation *a)
{
	if (a->is_uninit == UNINIT_UNKNOWN)
		a->is_uninit = emu_count_unwritten(a->lo, a->uninit) < a->uninit ?
			      UNINIT_SOME : UNINIT_ALL;
	return a->is_uninit == UNINIT_ALL;
}

bool device_is_fresh(uintptr_t address)
{
	struct allocation *a = device_at(address);

	return a && is_all_fresh(a);
}
