/*
 * device_heap: what malloc() and new give in a kernel, from memory of the
 * device that lives as long as the program and that the host cannot use. What a
 * thread has freed no other gets in that launch: that would be a race. The heap
 * is one array for each 64 KB, or for what is larger.
 */
#ifndef EMU_DEVICE_HEAP_H
#define EMU_DEVICE_HEAP_H

#include "emu/emu.h"

/* cudaLimitMallocHeapSize of the current device: bytes. False: it is in use. */
size_t device_heap_limit(void);
bool device_heap_set_limit(size_t bytes);

/* ---- what the recorder asks; see struct emu_program ---- */

void *device_heap_take(size_t bytes, uint64_t who, void *here);
enum emu_free device_heap_free(uintptr_t address, uint64_t who, void *here,
			       uint64_t *freed);
bool device_heap_lines(uintptr_t address, uint64_t *made, uint64_t *freed);
void device_heap_launch_begin(void);

#endif
