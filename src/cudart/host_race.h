/*
 * host_race: finds accesses by the host to memory that it shares with the
 * device, managed or page-locked, while work that it has not waited for may
 * still use it. The recorder does all work at once, so results would not show
 * this. What a launch or a copy has touched there is kept until the host has
 * waited for it; meanwhile those pages are inaccessible to the host, or
 * read-only, and a signal reports its access. Launches without the recorder's
 * hooks are not checked.
 */
#ifndef CUDART_HOST_RACE_H
#define CUDART_HOST_RACE_H

#include "cudart/device_memory.h"
#include "emu/emu.h"
#include "cudart/stream_order.h"

/* Adds the accesses of the launch that has just run with the recorder's hooks.
 * `what` describes it and is copied. */
void host_race_launch(struct stream_work w, struct place at, const char *what);
/* Adds the accesses of a runtime function that reads or writes these rows;
 * `pitch` and `width` in bytes. */
void host_race_work(struct stream_work w, struct place at, const char *what,
		    const void *p, size_t pitch, size_t width, size_t height,
		    bool writes);
/* Forget the accesses of work that the host has waited for, or to an allocation
 * that is freed. */
void host_race_waited(void);
void host_race_freed(const struct allocation *a);
/* Make the memory accessible to all, or again inaccessible to the host. */
void host_race_open(void);
void host_race_close(void);
/* Handles a signal for an address. EMU_FAULT_STEP: the instruction may be done,
 * and host_race_stepped() is to be called after it. */
enum emu_fault host_race_fault(uintptr_t address, bool writes,
			       struct place at);
bool host_race_stepped(void);

#endif
