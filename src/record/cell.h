/*
 * cell: who touched an element last, to find races within a barrier interval
 * and reads of shared memory that nothing wrote. The accesses of a block come
 * interval by interval; within one, the order of the threads does not matter.
 */
#ifndef RECORD_CELL_H
#define RECORD_CELL_H

#include <stdbool.h>
#include <stdint.h>

/*
 * When and by whom a cell was touched. An epoch is one barrier interval of
 * one block; epochs count up over the whole launch, from 1; 0 is never.
 */
struct touch {
	uint32_t epoch;
	uint32_t who;			/* see touch_who() */
};

/* Thread (10 bits) and access (a number of the recorder's) in one word. */
static inline uint32_t touch_who(uint32_t thread, uint32_t access)
{
	return access << 10 | thread;
}

static inline uint32_t touch_thread(const struct touch *t)
{
	return t->who & 1023;
}

static inline uint32_t touch_access(const struct touch *t)
{
	return t->who >> 10;
}

/*
 * One element (or 4 bytes of a wider one): its last write, its last read,
 * and another thread's read that may conflict as well.
 */
struct cell {
	struct touch write, read, other;
};

enum cell_found { CELL_FINE, CELL_RACE, CELL_UNWRITTEN };

/* Whether nothing orders o, an earlier touch, and me; in global memory
 * nothing orders blocks. */
static inline bool touch_conflicts(const struct touch *o,
				   const struct touch *me,
				   uint32_t block_epoch, bool global)
{
	if (o->epoch == me->epoch)
		return touch_thread(o) != touch_thread(me);
	return global && o->epoch && o->epoch < block_epoch;
}

/* block_epoch: the first of me's block. *with: whom a race is with. */
static inline enum cell_found cell_read(struct cell *c,
					const struct touch *me,
					uint32_t block_epoch, bool global,
					struct touch *with)
{
	enum cell_found found = CELL_FINE;

	*with = c->write;
	if (touch_conflicts(&c->write, me, block_epoch, global))
		found = CELL_RACE;
	else if (!global && c->write.epoch < block_epoch)
		found = CELL_UNWRITTEN;
	if (c->read.epoch == me->epoch) {
		/* Two readers conflict with any writer, and one of another
		 * block does. */
		if (touch_thread(&c->read) != touch_thread(me) &&
		    !touch_conflicts(&c->other, me, block_epoch, global))
			c->other = *me;
		return found;
	}
	if (c->read.epoch < block_epoch)
		c->other = c->read;
	c->read = *me;
	return found;
}

static inline enum cell_found cell_write(struct cell *c,
					 const struct touch *me,
					 uint32_t block_epoch, bool global,
					 struct touch *with)
{
	const struct touch *all[] = { &c->write, &c->read, &c->other };
	enum cell_found found = CELL_FINE;

	for (int i = 0; i < 3 && found == CELL_FINE; i++) {
		if (!touch_conflicts(all[i], me, block_epoch, global))
			continue;
		*with = *all[i];
		found = CELL_RACE;
	}
	c->write = *me;
	return found;
}

#endif
