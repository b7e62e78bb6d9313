/*
 * cp_async: asynchronous copies from global to shared memory (PTX ISA,
 * cp.async). A copy's accesses are recorded where it is issued. Its bytes are
 * written where it is waited for, as late as they may be; an access to them
 * before that is a finding.
 */
#include <stdlib.h>
#include <string.h>

#include "emu/unit.h"

#define COPY_BYTES 16

struct copy {
	void *to;
	unsigned char data[COPY_BYTES];
	uint32_t bytes;
	uint32_t group;
	uint32_t epoch;		/* in which it was issued */
	struct access_site *slot;
};

/* ---- shadow of copies in flight ---- */

/* Returns the shadow of a copy's destination and its length in *count; NULL:
 * the array is not checked for races. */
static struct shadow *copy_shadow(const struct copy *c, size_t *count)
{
	const struct access_site *s = c->slot;
	uint64_t off = (uintptr_t)c->to - s->lo;

	*count = s->shadow ? c->bytes >> s->shadow_shift : 0;
	return s->shadow ? &s->shadow[off >> s->shadow_shift] : NULL;
}

/* Marks the destination as in flight. */
static void mark_in_flight(const struct copy *c)
{
	size_t n;
	struct shadow *shadow = copy_shadow(c, &n);

	for (size_t i = 0; i < n; i++) {
		shadow[i].write.epoch = SHADOW_IN_FLIGHT;
		shadow[i].quiet = 0;
	}
}

/* Ends the in-flight state: the destination was written in `epoch`. Elements
 * that a thread has overwritten meanwhile, which is a finding, keep its
 * epoch. */
static void clear_in_flight(const struct copy *c, uint32_t epoch)
{
	size_t n;
	struct shadow *shadow = copy_shadow(c, &n);

	for (size_t i = 0; i < n; i++)
		if (shadow[i].write.epoch == SHADOW_IN_FLIGHT)
			shadow[i].write.epoch = epoch;
}

/* ---- copies ---- */

static void copy_add(struct thread *t, const struct copy *c)
{
	grow(&t->copies, &t->copy_capacity, t->copy_count + 1,
	     sizeof(*t->copies));
	t->copies[t->copy_count++] = *c;
	mark_in_flight(c);
}

/* Drops all copies without touching their shadow memory, which was freed with
 * the arrays. */
static void launch_begin(void)
{
	for (size_t r = 0; r < CLUSTER_MOST; r++)
		for (size_t i = 0; rec.blocks[r].threads &&
				   i < BLOCK_THREADS_MAX; i++)
			rec.blocks[r].threads[i].copy_count = 0;
}

/* Forgets copies that were never waited for. */
static void thread_begin(struct thread *t)
{
	for (size_t i = 0; i < t->copy_count; i++)
		clear_in_flight(&t->copies[i], 0);
	t->copy_count = 0;
	t->copy_groups = 0;
}

/* Ends the thread with the finding `wrong` if the slot's array is not in
 * `space`. */
static void space_check(const struct access_site *s, enum space space,
			enum finding_cause wrong)
{
	if (!s->array || s->array->info.space != space)
		emu_finding_stops(wrong);
}

/* Numbers the instructions that CUDA's header chooses from: one for each
 * combination of bytes and zero bytes. */
static uint32_t copy_variant(size_t bytes, size_t zeros)
{
	return (uint32_t)(bytes * (COPY_BYTES + 1) + zeros);
}

/* Reads a copy's source and records it as loads of a size that exists: less
 * than all bytes if the last `zeros` are to be 0. */
static void source_read(struct copy *c, const char *from, size_t zeros,
			void *here)
{
	size_t bytes = c->bytes - zeros, piece = bytes & -bytes;

	for (size_t at = 0; at < bytes; at += piece)
		space_check(thread_access_copy(here, from + at, piece, OP_LD,
					       NULL,
					       copy_variant(c->bytes, zeros)),
			    SPACE_GLOBAL, CAUSE_COPY_FROM_SPACE);
	memcpy(c->data, from, bytes);
}

void gemmviz_copy_async(void *to, const void *from, size_t bytes, size_t zeros,
			void *here);
void gemmviz_copy_async(void *to, const void *from, size_t bytes, size_t zeros,
			void *here)
{
	struct thread *t = rec.thread;
	struct copy c = { .to = to, .bytes = (uint32_t)bytes };

	if (!t)
		return;
	if (rec.fast) {
		memcpy(to, from, bytes - zeros);
		memset((char *)to + bytes - zeros, 0, zeros);
		return;
	}
	thread_at(t, here);
	if (bytes != 4 && bytes != 8 && bytes != COPY_BYTES)
		emu_finding_stops(CAUSE_COPY_BYTES);
	if (zeros > bytes)
		emu_finding_stops(CAUSE_COPY_ZEROS);
	source_read(&c, from, zeros, here);
	c.slot = (struct access_site *)thread_access_copy(here, to, bytes, OP_ST, c.data,
				    copy_variant(bytes, zeros));
	space_check(c.slot, SPACE_SHARED, CAUSE_COPY_TO_SPACE);
	c.group = t->copy_groups;
	c.epoch = rec.epoch;
	copy_add(t, &c);
}

void gemmviz_copy_commit(void);
void gemmviz_copy_commit(void)
{
	if (rec.thread)
		rec.thread->copy_groups++;
}

/* Waits until all but the last `but` committed groups have arrived. */
void gemmviz_copy_wait(size_t but, void *here);
void gemmviz_copy_wait(size_t but, void *here)
{
	struct thread *t = rec.thread;
	size_t left = 0;

	if (!t)
		return;
	thread_at(t, here);
	for (size_t i = 0; i < t->copy_count; i++) {
		const struct copy *c = &t->copies[i];

		if (c->group + but >= t->copy_groups) {
			t->copies[left++] = *c;
			continue;
		}
		memcpy(c->to, c->data, c->bytes);
		clear_in_flight(c, rec.epoch);
		if (c->epoch < rec.interval)
			c->slot->late = rec.epoch;
	}
	t->copy_count = left;
}

static void thread_free(struct thread *t)
{
	free(t->copies);
}

const struct emu_unit cp_async_unit = {
	.launch_begin = launch_begin,
	.thread_begin = thread_begin,
	.thread_free = thread_free,
};
