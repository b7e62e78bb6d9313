/*
 * call_answer: compares what a launch that a program makes leaves in memory with
 * the problem that the kernel's parameters prove, or that was asked for.
 */
#ifndef EMU_CALL_ANSWER_H
#define EMU_CALL_ANSWER_H

#include "emu/launch.h"

/* Copies the launch's arrays, if they are as large as those of its problem; a
 * problem that was asked for becomes the plan's. Call when the launch is bound
 * and nothing has run. */
void call_answer_begin(struct launch *l);
/* Compares, if that was begun, and notes the result in info. `whole`: the launch
 * ended without a fault. */
void call_answer_end(struct launch *l, struct trace_info *info, bool whole);

#endif
