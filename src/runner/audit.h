/*
 * audit: a trace's judgement, held to its events.
 *
 * Who records a reader's file shares a process with that file's code, which can
 * change what was found before it is sent. Here is another process, which has
 * never loaded the file. Counts and costs are worked out here in any case, from
 * the events alone; and a trace in which nothing is found fault with is looked
 * through again:
 *
 * - it does not say that something stopped the kernel without saying what;
 * - where it says that the answer is right, the output was stored, each element
 *   with its right value, by a reference computed here (if values were
 *   recorded);
 * - no two warps of a block access one place in shared memory between the same
 *   two barriers, one of them to store.
 *
 * So what hides a finding must hide its events, too, and put others in their
 * place that are those of a kernel without faults. An access out of bounds is
 * no event: whether there was one, only the recorder knows.
 *
 * The last two are not looked for where it would take long, where not all was
 * recorded, and where the text has other means than barriers to order threads.
 */
#ifndef RUNNER_AUDIT_H
#define RUNNER_AUDIT_H

#include "trace/trace.h"

/* -1 with e (EXIT_REFUSED), a sentence that begins with the file's name: what
 * the trace says of itself is not so, or the trace is damaged. */
int audit_trace(struct trace *t, struct error *e);

#endif
