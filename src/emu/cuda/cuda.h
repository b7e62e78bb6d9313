/* The driver's functions are not played; its version is asked for. */
#ifndef CUDA_H
#define CUDA_H
#define CUDA_VERSION 12040
#endif
