/*
 * image_time: times one launch of a reader's program, beside cuBLAS where it is
 * a product of matrices. In a process of its own, for the kernel may fault or
 * hang: it reads a request, a line of JSON on standard input,
 *
 *   {"source":{...},"defines":{...},"image":{...},"file":"/proc/../fd/9",
 *    "repeat":15,"seconds":1.0}
 *
 * and writes one line: the members of a launch of the answer "launches"
 * (protocol.h) that are measured, or {"why":"..."}.
 */
#ifndef GPU_IMAGE_TIME_H
#define GPU_IMAGE_TIME_H

int image_time_main(void);

#endif
