/*
 * queue: whose turn it is on a GPU. One run at a time times kernels there, or
 * records, whoever the users are; the others know how many are before them.
 *
 * A folder per GPU, for everybody (mode 1777), holds a ticket a run: an empty
 * file, its number its name, locked by its owner as long as that lives. What
 * is not locked belongs to the dead. The folder itself is locked by the run
 * whose turn it is.
 */
#ifndef GPU_QUEUE_H
#define GPU_QUEUE_H

#include "base/base.h"

struct queue;

/* Enters the queue of a GPU; `folder` has the queues (NULL: /tmp). NULL with e
 * (EXIT_RUNNER). */
struct queue *queue_enter(const char *folder, const char *uuid,
			  struct error *e);
/* How many runs are ahead of this one; 0: it is this one's turn, until it
 * leaves. Never blocks. */
int queue_place(struct queue *q);
void queue_leave(struct queue *q);

#endif
