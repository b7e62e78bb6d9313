// expect 8: refused: it tried to
#include <sys/syscall.h>
#include <unistd.h>
__global__ void f(float *A) { syscall(SYS_setpriority, 0, 0, 19); A[threadIdx.x] = 1; }
