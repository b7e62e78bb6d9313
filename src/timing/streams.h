/*
 * streams: what several queues and several GPUs gave one kernel
 * (data/streams-*.json, from bench/streams.cu).
 */
#ifndef TIMING_STREAMS_H
#define TIMING_STREAMS_H

#include "base/base.h"

/* The seconds under that name ("small_one_stream"), as measured on machines
 * with this GPU; NA: not measured, or gpu is NULL. */
double streams_seconds(const char *gpu, const char *name);

#endif
