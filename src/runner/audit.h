/*
 * audit: checks what a trace says of itself against its events.
 *
 * A recorder shares its process with the code of the file that it records, and
 * that code can change the findings before they are sent. The audit runs in
 * another process, which has never loaded the file. Counts and costs are always
 * computed here, from the events alone. A trace without faults is checked
 * again:
 *
 * - it does not report that something stopped the kernel without saying what;
 * - if it reports that the output is right, each element was stored with its
 * right value, according to a reference computed here (if values were
 * recorded);
 * - no two warps of a block access one address in shared memory between the
 * same two barriers, one of them to store.
 *
 * So code that hides a finding must also hide its events, and replace them with
 * those of a kernel without faults. An access out of bounds is not an event:
 * only the recorder knows whether there was one.
 *
 * The last two are not checked where it would take long, where part of the
 * launch was not recorded, and where the text has other means than barriers to
 * order threads.
 */
#ifndef RUNNER_AUDIT_H
#define RUNNER_AUDIT_H

#include "trace/trace.h"

/* Checks a trace. -1 with e (EXIT_REFUSED), a sentence that begins with the
 * file's name, when the trace contradicts its events or is damaged. */
int audit_trace(struct trace *t, struct error *e);

#endif
