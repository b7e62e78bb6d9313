/*
 * recorder: the worker that records launches on the GPU and reads their
 * counters. It serves the protocol to its supervisor.
 */
#ifndef GPU_RECORDER_H
#define GPU_RECORDER_H

int recorder_main(void);

#endif
