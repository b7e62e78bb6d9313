/*
 * streams: what one kernel gained from several streams and several GPUs
 * (data/streams-*.json, from bench/streams.cu).
 */
#ifndef TIMING_STREAMS_H
#define TIMING_STREAMS_H

#include "base/base.h"

/* Returns the seconds under that name ("small_one_stream"), as measured on
 * machines with this GPU; NA when not measured, or gpu is NULL. */
double streams_seconds(const char *gpu, const char *name);

#endif
