/*
 * worker_memory: measures the memory that a worker and its helpers take. A file
 * runs in these processes, so that another one measures, and what it reads is
 * the system's: /proc, and the sizes of files that exist in memory only.
 */
#ifndef WORKER_WORKER_MEMORY_H
#define WORKER_WORKER_MEMORY_H

#include <sys/types.h>

#include "base/base.h"
#include "emu/parallel_record.h"

/* Files in memory, which outlive the addresses where they are mapped: of the
 * memory that the blocks of a cluster share, a part for each process; and what
 * each helper hands over. -1: there is none. */
struct worker_memory {
	int shared, part[PARTS_MOST];
};

/* Makes the files. -1 with e, and there are none. */
int worker_memory_open(struct worker_memory *m, struct error *e);
void worker_memory_close(struct worker_memory *m);

/* Returns the bytes that the process `worker` and its children take: pages
 * present and swapped out, page tables, and the files. */
uint64_t worker_memory_bytes(const struct worker_memory *m, pid_t worker);
/* Returns how many milliseconds, at most `most`, may pass until the next
 * measurement, where `left` bytes may still be taken. */
int worker_memory_pause(uint64_t left, int most);

#endif
