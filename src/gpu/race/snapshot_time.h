/*
 * snapshot_time: times one launch of a user's program, and cuBLAS where it is a
 * product of matrices. It runs in a process of its own, since the kernel may
 * fault or hang. It reads a request, a line of JSON on standard input,
 *
 *   {"source":{...},"defines":{...},"image":{...},"file":"/proc/../fd/9",
 *    "repeat":15,"seconds":1.0}
 *
 * and writes one line: the measured members of a launch in the answer
 * "launches" (protocol.h), or {"why":"..."}.
 */
#ifndef GPU_RACE_SNAPSHOT_TIME_H
#define GPU_RACE_SNAPSHOT_TIME_H

int snapshot_time_main(void);

#endif
