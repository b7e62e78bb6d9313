/*
 * device_heap: malloc() and new in a kernel. The memory is the device's, lives
 * as long as the program and cannot be used by the host. What one thread has
 * freed is not given to another in the same launch, for that would be a race.
 * The heap is one array for each 64 KB, or for each larger piece.
 */
#ifndef CUDART_DEVICE_HEAP_H
#define CUDART_DEVICE_HEAP_H

#include "emu/emu.h"

/* Get and set cudaLimitMallocHeapSize of the current device, in bytes. Setting
 * fails (false) once the heap is in use. */
size_t device_heap_limit(void);
bool device_heap_set_limit(size_t bytes);

/* Tests whether an access to the heap ends behind the bytes that the kernel asked
 * for when it allocated the piece there: *past is the access's offset in it,
 * *room its bytes, *made the line of its allocation. */
bool device_heap_overrun(uintptr_t address, uint64_t bytes, uint64_t *past,
			 uint64_t *room, uint64_t *made);
/* ---- what the recorder asks; see struct emu_program ---- */

void *device_heap_take(size_t bytes, uint64_t who, void *here);
enum emu_free device_heap_free(uintptr_t address, uint64_t who, void *here,
			       uint64_t *freed);
bool device_heap_lines(uintptr_t address, uint64_t *made, uint64_t *freed);
void device_heap_launch_begin(void);

#endif
