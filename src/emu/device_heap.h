/*
 * device_heap: what malloc() and new give in a kernel, from memory of the
 * device that lives as long as the program and that the host cannot use. What a
 * thread has freed no other gets in that launch: that would be a race. The heap
 * is one array for each 64 KB, or for what is larger.
 */
#ifndef EMU_DEVICE_HEAP_H
#define EMU_DEVICE_HEAP_H

#include "base/base.h"

/* cudaLimitMallocHeapSize of the current device: bytes. False: it is in use. */
size_t device_heap_limit(void);
bool device_heap_set_limit(size_t bytes);
/* Of the piece that the address is in: the lines in which it was allocated and,
 * 0: it is not, freed. False: there is no such piece. */
bool device_heap_lines(uintptr_t address, uint64_t *made, uint64_t *freed);
/* What the host's new and delete are, which the module is linked with. */
void device_heap_host(void *module);

#endif
