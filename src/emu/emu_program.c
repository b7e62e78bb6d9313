/*
 * emu_program: what a program's runtime uses of the recorder. See emu.h.
 */
#include "emu/emu.h"

#include <stdlib.h>

#include "emu/parallel_record.h"
#include "emu/recording.h"
#include "emu/parked_blocks.h"

struct emu_program emu_program;

/* ---- launches ---- */

enum emu_end emu_launch_end(void)
{
	if (rec.stop)
		return EMU_END_STOPPED;
	return rec.spoiled ? EMU_END_FAULT : EMU_END_GOOD;
}

bool emu_blocks_waited(void)
{
	return parked_any();
}

/* ---- the running thread ---- */

bool emu_in_kernel(void)
{
	return rec.thread;
}

void emu_leave_kernel(void)
{
	rec.thread = NULL;
}

void emu_in_order(void)
{
	parallel_in_order();
}

void emu_host_tls_begin(unsigned long module, void *own)
{
	rec.host_tls.module = module;
	rec.host_tls.own = own;
}

void *emu_host_tls(void)
{
	return rec.host_tls.own;
}

void emu_host_tls_use(void *own)
{
	rec.host_tls.own = own;
}

/* ---- memory ---- */

void emu_array_add(const struct emu_memory *m)
{
	struct debug_type bytes = {
		.elem = ELEM_RAW, .elem_bytes = m->bytes % 4 ? 1 : 4,
		.rank = 1,
	};
	struct array *to;

	if (rec.fast)
		return;
	bytes.dims[0] = MAX(m->bytes / bytes.elem_bytes, 1);
	to = memory_borrow(&rec.memory, m->name, &bytes, m->lo, m->slot,
			   m->slot_bytes, m->base);
	to->uninit = m->unwritten;
	to->made = m->made;
	to->copy = m->copy;
	to->copied = m->copied;
	to->heap = m->heap;
	to->pitch = m->pitch;
	to->width = m->width;
}

uint64_t emu_next_base(void)
{
	return rec.memory.next_base;
}

/* ---- use of arrays by the last launch ---- */

bool emu_array_next(struct emu_array *a)
{
	const struct array *of;
	size_t next = a->next;

	if (next == rec.memory.count)
		return false;
	of = rec.memory.arrays[next];
	*a = (struct emu_array) {
		.name = of->info.name, .lo = of->lo, .bytes = of->bytes,
		.global = of->info.space == SPACE_GLOBAL,
		.allocated = of->borrowed,
		.variable = of->var && of->var->home == DEBUG_DATA,
		.checked = of->shadow, .array = of, .next = next + 1,
	};
	return true;
}

/* Returns whether an access was none by which a kernel tells a host that does
 * not wait how far it is. */
static bool is_plain_use(const struct shadow_access *a)
{
	const struct access_site *s = rec.slot[shadow_access_access(a)];

	return a->epoch && !(s->atomic && s->manner == PLAIN);
}

void emu_array_shared(const struct emu_array *of, uint64_t most,
		      emu_used *used, void *ctx)
{
	const struct array *a = of->array;
	uint64_t each = 1u << a->shadow_shift;

	for (uint64_t off = 0; off < a->bytes && off < most; off += each) {
		const struct shadow *s = &a->shadow[off >> a->shadow_shift];
		bool reads = is_plain_use(&s->read) || is_plain_use(&s->other);
		int how = (is_plain_use(&s->write) ? EMU_WRITES : 0) |
			  (reads ? EMU_READS : 0);

		if (how)
			used(ctx, off, each, how);
	}
}

/* Returns how an access uses memory; `plain`: what it is if not atomic. */
static int how_used(const struct shadow_access *a, int plain)
{
	return !a->epoch ? 0 : a->who & SHADOW_ATOMIC ? EMU_ATOMICS : plain;
}

void emu_array_ordered(const struct emu_array *of, emu_used *used, void *ctx)
{
	const struct array *a = of->array;
	uint64_t each = 1u << a->shadow_shift;
	size_t n = shadow_count(a->bytes, a->shadow_shift);

	for (uint64_t off = 0; off < a->bytes; off += each) {
		size_t i = off >> a->shadow_shift;
		const struct shadow *s = &a->shadow[i];
		const struct shadow_history *h;
		int how = how_used(&s->write, EMU_WRITES) |
			  how_used(&s->read, EMU_READS) |
			  how_used(&s->other, EMU_READS);

		if (how & EMU_ATOMICS) {
			h = shadow_history(a->shadow, n, i);
			how |= how_used(&h->plain, EMU_WRITES);
		}
		if (how)
			used(ctx, off, MIN(each, a->bytes - off), how);
	}
}

uint64_t emu_array_bytes(const struct emu_array *of, bool written)
{
	const struct array *a = of->array;
	uint64_t each = 1u << a->shadow_shift, bytes = 0;

	for (uint64_t off = 0; off < a->bytes; off += each) {
		const struct shadow *s = &a->shadow[off >> a->shadow_shift];

		if (written ? s->write.epoch : s->read.epoch || s->other.epoch)
			bytes += MIN(each, a->bytes - off);
	}
	return bytes;
}

bool emu_launch_tells(void)
{
	return rec.tells;
}

bool emu_launch_tells_host(void)
{
	bool tells = rec.tells_host;

	rec.tells_host = false;
	return tells;
}
