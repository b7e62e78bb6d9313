/*
 * benchmark_worker: the worker that times kernels. It does all that needs the
 * GPU, in a process that may be lost. It communicates only with its supervisor
 * (supervisor.h) and runs one benchmark; messages are those of protocol.h,
 * without "id", and
 *
 *   > {"type":"machine"}           answered by "machine" or "error"; no context
 *   > {"type":"time",...}          with "resume", when another was lost
 *   < {"type":"doing","entrant":E,"size":S}   its next step, which may take
 *      long or end it; entrant -1: a step for all; "preparing": true: no launch
 *      yet
 *   < {"type":"broken","entrant":E,"size":S,"text":"..."}  the GPU can no
 *      longer be used by this process, which ends
 */
#ifndef GPU_RACE_BENCHMARK_WORKER_H
#define GPU_RACE_BENCHMARK_WORKER_H

int benchmark_worker_main(void);

#endif
