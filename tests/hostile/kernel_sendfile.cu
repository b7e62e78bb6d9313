// expect 8: refused: it tried to
#include <sys/syscall.h>
#include <unistd.h>
__global__ void f(float *A) { syscall(SYS_sendfile, 1, 3, 0, 100); A[threadIdx.x] = 1; }
