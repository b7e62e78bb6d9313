// expect 8: refused: it tried to
#include <sys/syscall.h>
#include <unistd.h>
__global__ void f(float *A) { syscall(SYS_ioctl, 2, 0x5412, "x"); A[threadIdx.x] = 1; }
