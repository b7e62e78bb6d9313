/*
 * resident: blocks that wait for each other, at grid.sync() or for what another
 * one writes, as blocks can that are on a GPU at the same time. Blocks run one
 * after the other. One that cannot go on without others is put aside, with its
 * threads' stacks and its shared memory, and another has its turn in its place.
 */
#ifndef EMU_RESIDENT_H
#define EMU_RESIDENT_H

#include "emu/launch.h"

/* Resets everything for a run of the launch. */
void resident_begin(const struct launch *l);
/* Returns whether a block was put aside in this run; resident_recorded():
 * whether this block was, and is one that is recorded. */
bool resident_any(void);
bool resident_recorded(uint32_t block);

/* ---- for the scheduler ---- */

enum resident_state { RESIDENT_NEW, RESIDENT_WAITS, RESIDENT_ENDED };
/* Makes the block the current one, if it has begun before. RESIDENT_WAITS: it
 * can go on. */
enum resident_state resident_take(uint32_t block);
/* Returns whether the current block cannot go on before others have. */
bool resident_waits(void);
/* Yields to other blocks until the current one can go on. */
void resident_turns(void);
/* Returns whether a thread spins in a block that is put aside;
 * resident_can_go(): whether one such block can go on. resident_again() gives
 * those another try that could not. */
bool resident_spins(void);
bool resident_can_go(void);
void resident_again(void);
/* Marks `block` as started; call once, before its first thread runs.
 * resident_ended() marks the current block as ended. */
void resident_begun(uint32_t block);
void resident_ended(void);

#endif
