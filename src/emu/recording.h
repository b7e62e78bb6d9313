/*
 * recording: the inlined paths of hooks.c and control.c, and what only the
 * files of the hooks share.
 */
#ifndef EMU_RECORDING_H
#define EMU_RECORDING_H

#include <string.h>

#include "emu/hooks.h"
#include "emu/resolve.h"

#define TICK (1u << 16)
/* The longest loop, in basic blocks, that is detected when it accesses nothing,
 * and how many control events in a row are kept of it in any case; see
 * control_again(). */
#define LOOP_BLOCKS 8
#define CONTROLS_KEPT 4096
/* The room that a thread has left before it is grown. */
#define EVENTS_SPARE 4
#define WORDS_SPARE 16

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define ALWAYS_INLINE inline __attribute__((always_inline))
#define CALLER ((uintptr_t)__builtin_return_address(0))

/* The kind of an access. REMOTE and above: to the shared memory of the
 * cluster's block of that number. COPY and above: an asynchronous copy; each
 * number is another instruction. STRUCTURE and above: an instruction of a
 * function that copies structures, by its position in the text. */
enum manner { PLAIN, ATOMIC, EXCHANGE, MATRIX, REMOTE,
	      COPY = REMOTE + CLUSTER_MOST };
#define STRUCTURE (1u << 31)

static inline bool manner_remote(uint32_t manner)
{
	return manner >= REMOTE && manner < COPY;
}

/* ---- thread.c, race_check.c, atomics.c ---- */

/* Makes the thread's arrays of events larger. */
void thread_grow(struct thread *t);
/* Checks the access of the slot's bytes at `off` in its array for data races
 * and for reading what was never written. */
void race_check(const struct thread *t, const struct access_site *s, uint64_t off);
/* Checks whether a load from an extern __shared__ array reads what was stored in
 * another such array, which begins at the same byte. */
void dynamic_check(const struct thread *t, const struct access_site *s, uint64_t off);
/* Checks whether a load from a register array reads what the thread has not
 * written. */
void unset_check(const struct thread *t, const struct access_site *s,
		 uintptr_t address, uint64_t off);
/* Records `events` accesses side by side, of s->bytes each; hooks.c. */
void access_record(struct thread *t, struct access_site *s, uintptr_t address,
		   size_t events);
/* Records an access on behalf of the code that `here` returns to;
 * builtin_access.c. */
struct access_site *builtin_access(void *here, const void *p, size_t bytes,
			 enum op op, uint32_t manner);

/* Records an access of the function that copies a structure for the thread, on
 * behalf of its caller; struct_copy.c. */
void struct_copy_access(struct thread *t, uint32_t pc, uintptr_t address,
			uint64_t bytes, enum op op);

/* ---- guards ---- */

static ALWAYS_INLINE bool guarded(const struct thread *t, uintptr_t address,
				  uint64_t bytes)
{
	return address + (bytes - 1) - t->guarded <
	       t->guarded_bytes + (bytes - 1);
}

/* ---- events ---- */

static ALWAYS_INLINE void add_thread_event(struct thread *t, uint32_t id,
				       uint32_t offset)
{
	if (unlikely(t->count + EVENTS_SPARE > t->capacity ||
		     t->words + WORDS_SPARE > t->word_capacity))
		thread_grow(t);
	t->id[t->count] = id;
	t->offset[t->count] = offset;
	t->count++;
}

/*
 * Checks whether an earlier event stands for the basic block that is entered.
 * Rounds of a loop are kept, even those in which a lane accesses nothing: lanes
 * of a warp go through the same round together. But if a loop goes round and
 * round without an access, earlier rounds are dropped, so that memory stays
 * bounded.
 */
static ALWAYS_INLINE bool control_again(struct thread *t, uint32_t id)
{
	uint32_t back = MIN(t->controls, (uint32_t)LOOP_BLOCKS);

	if (t->controls < CONTROLS_KEPT)
		return false;
	for (uint32_t i = 1; i <= back; i++) {
		if (t->id[t->count - i] == id) {
			t->count -= i - 1;
			t->controls -= i - 1;
			return true;
		}
	}
	return false;
}

static ALWAYS_INLINE void push_control(struct thread *t, uint32_t id)
{
	if (control_again(t, id))
		return;
	add_thread_event(t, id, 0);
	t->controls++;
}

static ALWAYS_INLINE void value_read(uint32_t *to, uintptr_t from,
				     uint32_t bytes)
{
	switch (bytes) {
	case 4:
		memcpy(to, (const void *)from, 4);
		break;
	case 16:
		memcpy(to, (const void *)from, 16);
		break;
	case 8:
		memcpy(to, (const void *)from, 8);
		break;
	default:
		to[(bytes - 1) / 4] = 0;
		memcpy(to, (const void *)from, bytes);
	}
}

/* Reads `count` values side by side, of `bytes` each. */
static ALWAYS_INLINE void values_read(uint32_t *to, uintptr_t from,
				      uint32_t bytes, size_t count)
{
	if (bytes % 4 == 0) {
		memcpy(to, (const void *)from, count * bytes);
		return;
	}
	for (size_t i = 0; i < count; i++, from += bytes)
		value_read(to + i * ((bytes + 3) / 4), from, bytes);
}

/* Reads the value of the most common store, of one word; false: thread_settle()
 * is needed. */
static ALWAYS_INLINE bool settle_plain(struct thread *t)
{
	if (!t->store_bytes)
		return true;
	if (t->store_bytes != 4 || t->store_events != 1 || !rec.values)
		return false;
	value_read(t->value + t->store_word, t->store_address, 4);
	t->store_bytes = 0;
	return true;
}

/* Reads the value of a pending store as thread_settle() does, for the path of
 * each access. */
static ALWAYS_INLINE void settle_store(struct thread *t)
{
	if (unlikely(!settle_plain(t)))
		thread_settle(t);
}

/* Ends the run, or just the thread's turn, for count_event() when nothing is
 * left (thread.c). */
void account_full(void);

/* Counts one more event against the budget, exactly; false: there is nothing
 * left for it. */
static ALWAYS_INLINE bool count_event(struct thread *t)
{
	if (unlikely(rec.events_left == 0)) {
		account_full();
		return false;
	}
	rec.events_left--;
	t->controls = 0;
	return true;
}

static ALWAYS_INLINE void call_watch(struct thread *t, const struct access_site *s)
{
	if (rec.watched == t)
		rec.watch(t, s);
}

/* ---- shadows ---- */

static ALWAYS_INLINE struct shadow_access
shadow_access_by(const struct thread *t, const struct access_site *s)
{
	return (struct shadow_access){
		rec.epoch, shadow_access_who(t->number, s->index) |
				   (s->atomic ? SHADOW_ATOMIC : 0)
	};
}

/* Returns whether an access of an earlier block is surely not ordered before
 * this one. */
static ALWAYS_INLINE bool shadow_apart(const struct thread *t)
{
	return rec.cluster == 1 && !t->remote.known &&
	       !rec.blocks[0].acquired.known;
}

/* Returns whether a read by the thread is one more of a cell that is only read,
 * and changes nothing. */
static ALWAYS_INLINE bool shadow_read_again(const struct shadow *c,
					    const struct thread *t)
{
	return c->quiet == rec.epoch &&
	       shadow_access_thread(&c->other) != t->number;
}

/*
 * Does what shadow_read() does for a cell that was written earlier in this
 * block, or, in global memory, never, which is no finding; doing it a second
 * time changes nothing. False, and nothing is done, if there is more to look
 * at. Where `other` is of this interval, so is `read`, and it is another
 * thread's: then further reads are quiet.
 */
static ALWAYS_INLINE bool
shadow_read_plain(struct shadow *c, const struct thread *t,
		  const struct access_site *s)
{
	uint32_t now = rec.epoch, turn = s->global ? rec.turn : rec.block_epoch;

	if (shadow_read_again(c, t))
		return true;
	if (c->write.epoch >= rec.interval || now != rec.interval ||
	    (c->write.who | c->read.who | c->other.who) & SHADOW_ASYNC ||
	    c->write.who & SHADOW_ATOMIC)
		return false;
	if (c->write.epoch < turn &&
	    !(s->global && c->write.epoch < rec.grid_epoch))
		return false;
	if (c->read.epoch != now) {
		if (c->read.epoch < turn)
			c->other = c->read;
		c->read = shadow_access_by(t, s);
	} else if (shadow_access_thread(&c->read) != t->number) {
		/* The read of another block conflicts with more. */
		if (s->global && c->other.epoch >= rec.grid_epoch &&
		    c->other.epoch < turn)
			return shadow_apart(t);
		c->other = shadow_access_by(t, s);
		c->quiet = now;
	}
	return true;
}

/* Returns whether the access was before this interval, or is the thread's own,
 * so that a write of the thread does not conflict with it. */
static ALWAYS_INLINE bool shadow_behind(const struct shadow_access *o,
					const struct thread *t,
					const struct access_site *s)
{
	if (o->who & (SHADOW_ASYNC | SHADOW_ATOMIC) || o->epoch > rec.epoch)
		return false;
	if (o->epoch < (s->global ? rec.turn : rec.block_epoch))
		return !s->global || o->epoch < rec.grid_epoch;
	return o->epoch < rec.interval || shadow_access_thread(o) == t->number;
}

/* Does what shadow_write() does, likewise. */
static ALWAYS_INLINE bool
shadow_write_plain(struct shadow *c, const struct thread *t,
		   const struct access_site *s)
{
	if (!shadow_behind(&c->write, t, s) || !shadow_behind(&c->read, t, s) ||
	    !shadow_behind(&c->other, t, s))
		return false;
	c->write = shadow_access_by(t, s);
	c->quiet = 0;
	return true;
}

/* Returns how many bytes from `off` on these two settle, of an access that is
 * not atomic. */
static ALWAYS_INLINE uint32_t shadows_plain(const struct thread *t,
					    const struct access_site *s, uint64_t off,
					    uint32_t bytes)
{
	uint32_t step = 1u << s->shadow_shift, done = 0;
	struct shadow *c = &s->shadow[off >> s->shadow_shift];

	while (done < bytes && (s->op == OP_LD ? shadow_read_plain(c, t, s) :
						 shadow_write_plain(c, t, s))) {
		done += step;
		c++;
	}
	return done;
}

/* Returns the place of `given` for a scalar at an address. */
static inline uintptr_t *scalar_given(struct thread *t, uintptr_t address)
{
	return &t->given[address / 4 % LENGTH(t->given)];
}

static ALWAYS_INLINE bool is_unset(const void *p, size_t bytes)
{
	const unsigned char *at = p;

	return unlikely(at[0] == REGISTER_PATTERN) &&
	       !memcmp(at, at + 1, bytes - 1);
}

#endif
