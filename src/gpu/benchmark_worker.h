/*
 * benchmark_worker: the worker that races kernels: it does all that needs the
 * GPU, in a process that may be lost. It speaks with its supervisor only
 * (supervisor.h) and does one race; messages are those of protocol.h, without
 * "id", and
 *
 *   > {"type":"machine"}           answered by "machine" or "error"; no context
 *   > {"type":"time",...}          with "resume", when another was lost
 *   < {"type":"doing","entrant":E,"size":S}   what it is about to do, which
 *      may take long or be its end; entrant -1: what all need; "preparing":
 *      true: no launch yet
 *   < {"type":"broken","entrant":E,"size":S,"text":"..."}  the GPU can no
 *      longer be used by this process, which ends
 */
#ifndef GPU_BENCHMARK_WORKER_H
#define GPU_BENCHMARK_WORKER_H

int benchmark_worker_main(void);

#endif
