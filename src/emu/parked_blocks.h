/*
 * parked_blocks: blocks that wait for each other, at grid.sync() or for what another
 * one writes, as blocks can that are on a GPU at the same time. Blocks run one
 * after the other. One that cannot go on without others is put aside, with its
 * threads' stacks and its shared memory, and another has its turn in its place.
 */
#ifndef EMU_PARKED_BLOCKS_H
#define EMU_PARKED_BLOCKS_H

#include "emu/launch.h"

/* Resets everything for a run of the launch. */
void parked_begin(const struct launch *l);
/* Returns whether a block was put aside in this run; parked_recorded():
 * whether this block was, and is one that is recorded. */
bool parked_any(void);
bool parked_recorded(uint32_t block);

/* ---- for the scheduler ---- */

enum parked_state { RESIDENT_NEW, RESIDENT_WAITS, RESIDENT_ENDED };
/* Makes the block the current one, if it has begun before. RESIDENT_WAITS: it
 * can go on. */
enum parked_state parked_take(uint32_t block);
/* Returns whether the current block cannot go on before others have. */
bool parked_waits(void);
/* Yields to other blocks until the current one can go on. */
void parked_turns(void);
/* Returns whether a thread spins in a block that is put aside;
 * parked_can_go(): whether one such block can go on. parked_again() gives
 * those another try that could not. */
bool parked_spins(void);
bool parked_can_go(void);
void parked_again(void);
/* Marks `block` as started; call once, before its first thread runs.
 * parked_ended() marks the current block as ended. */
void parked_begun(uint32_t block);
void parked_ended(void);

#endif
