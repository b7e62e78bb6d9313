/*
 * queue: whose turn it is on a GPU. One run at a time times or records kernels
 * there, whoever the users are; the others know how many are before them.
 *
 * A folder per GPU, open to all users (mode 1777), holds a ticket for each run:
 * an empty file whose name is its number, locked by its owner while that lives.
 * A file that is not locked belongs to a dead process. The folder itself is
 * locked by the run whose turn it is.
 */
#ifndef GPU_DEVICE_QUEUE_H
#define GPU_DEVICE_QUEUE_H

#include "base/base.h"

struct queue;

/* Enters the queue of a GPU; `folder` has the queues (NULL: /tmp). NULL with e
 * (EXIT_RUNNER). */
struct queue *queue_enter(const char *folder, const char *uuid,
			  struct error *e);
/* Returns how many runs are ahead of this one; 0 when it is this one's turn,
 * until it leaves. Never blocks. */
int queue_place(struct queue *q);
void queue_leave(struct queue *q);

#endif
