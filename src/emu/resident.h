/*
 * resident: blocks that wait for each other, at grid.sync() or for what another
 * one writes, as those can that are on a GPU at the same time. Blocks are run one
 * behind the other; one that cannot go on without others is put aside, with its
 * threads' stacks and its shared memory, and another has its turn in its place.
 */
#ifndef EMU_RESIDENT_H
#define EMU_RESIDENT_H

#include "emu/launch.h"

/* A run of the launch begins: how many blocks the GPU has at the same time. */
void resident_begin(const struct launch *l);
/* Whether a block was put aside in this run; and if so, whether the block is
 * one that is recorded. */
bool resident_any(void);
bool resident_recorded(uint32_t block);

/* ---- for the scheduler ---- */

enum resident_state { RESIDENT_NEW, RESIDENT_WAITS, RESIDENT_ENDED };
/* Makes the block, if it has begun before, the current one. RESIDENT_WAITS: it
 * can go on. */
enum resident_state resident_take(uint32_t block);
/* Whether the current block cannot go on before others have. */
bool resident_waits(void);
/* Others have their turns, until the current block can go on. */
void resident_turns(void);
/* Whether a thread spins in a block that is put aside; whether one such block
 * can go on. Those may that could not. */
bool resident_spins(void);
bool resident_can_go(void);
void resident_again(void);
/* A block has begun; the current one has ended. */
void resident_begun(uint32_t block);
void resident_ended(void);

#endif
