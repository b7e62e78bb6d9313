// expect 8: refused: it tried to
#include <sys/syscall.h>
#include <unistd.h>
__global__ void f(float *A) { syscall(SYS_shmget, 0, 1 << 20, 01600); A[threadIdx.x] = 1; }
