/*
 * thread: a CUDA thread's events, and the recorder before another launch. See
 * hooks.h.
 */
#include <stdlib.h>
#include <string.h>

#include "emu/hang_check.h"
#include "emu/fibre.h"
#include "emu/load_order.h"
#include "emu/recording.h"
#include "emu/scheduler.h"
#include "emu/unit.h"

struct recorder rec;

/* ---- room for events ---- */

/* Takes memory for events; a block whose events take all the memory there is
 * for them is stopped. */
static void take_event_memory(uint64_t bytes)
{
	if (bytes < rec.memory_left) {
		rec.memory_left -= bytes;
		return;
	}
	rec.memory_left = 0;
	rec.events_aside += rec.events_left;
	rec.events_left = 0;
	rec.ticks = 1;
}

/* Sets full and words_full. */
void thread_limit(struct thread *t)
{
	bool plain = t->record && !rec.watched && !rec.proving &&
		     t->capacity > 0;

	t->full = plain ? t->capacity - EVENTS_SPARE : 0;
	t->words_full = plain ? t->word_capacity - WORDS_SPARE : 0;
}

void thread_guard(struct thread *t, uintptr_t from, uintptr_t to)
{
	t->guarded = from < to ? from : 0;
	t->guarded_bytes = from < to ? to - from : 0;
}

void thread_grow(struct thread *t)
{
	size_t was = t->capacity, words = t->word_capacity, same = was;

	grow(&t->id, &same, t->count + 256, sizeof(*t->id));
	grow(&t->offset, &t->capacity, t->count + 256, sizeof(*t->offset));
	grow(&t->value, &t->word_capacity, t->words + 256,
	     sizeof(*t->value));
	take_event_memory((t->capacity - was) * 8 +
			  (t->word_capacity - words) * 4);
	thread_limit(t);
}

void account_full(void)
{
	enum launch_stop why = rec.memory_left == 0 ? STOP_MEMORY :
						      STOP_EVENTS;

	if (hang_limit(why))
		return;
	run_stop(why);
	thread_stop();
}

void thread_settle(struct thread *t)
{
	if (rec.values && t->store_bytes)
		values_read(t->value + t->store_word, t->store_address,
			    t->store_bytes, t->store_events);
	t->store_bytes = 0;
}

_Noreturn void thread_stop(void)
{
	struct thread *t = rec.thread;

	settle_store(t);
	t->state = THREAD_STOPPED;
	rec.tainted = true;
	fibre_yield();
	abort();
}

/* ---- reset ---- */

static void paths_free(struct call_path *p)
{
	while (p) {
		struct call_path *next = p->sibling;

		paths_free(p->child);
		free(p);
		p = next;
	}
}

void recorder_reset(void)
{
	for (size_t i = 0; i < rec.slot_count; i++)
		free(rec.slot[i]);
	rec.slot_count = rec.point_count = rec.began_count = 0;
	if (rec.slots)
		memset(rec.slots, 0, rec.text_bytes * sizeof(*rec.slots));
	paths_free(rec.paths);
	rec.paths = NULL;
	rec.thread = NULL;
	rec.watched = NULL;
	rec.stop = rec.tainted = rec.spoiled = false;
	rec.host_waits = 0;
	rec.proving = rec.unsure = false;
	rec.epoch = rec.interval = rec.block_epoch = rec.turn = 0;
	rec.grid_epoch = 1;
	rec.ticks = TICK;
	load_order_reset();
	units_launch_begin();
	findings_done(&rec.findings);
	memory_done(&rec.memory);
}

void thread_reset(struct thread *t)
{
	t->count = t->words = 0;
	t->controls = 0;
	t->block_count = 0;
	t->state = THREAD_READY;
	t->at = NULL;
	t->path = NULL;
	t->depth = 0;
	t->copy = (struct struct_copy){ 0 };
	t->copied = 0;
	t->left = 0;
	t->store_bytes = 0;
	t->seen = 0;
	t->unset = NULL;
	t->product.frame = NULL;
	t->synced_count = 0;
	memset(t->given, 0, sizeof(t->given));
	units_thread_begin(t);
	thread_limit(t);
}

bool block_ended(uint32_t rank)
{
	for (uint32_t i = 0; i < rec.thread_count; i++)
		if (rec.blocks[rank].threads[i].state != THREAD_ENDED)
			return false;
	return true;
}
