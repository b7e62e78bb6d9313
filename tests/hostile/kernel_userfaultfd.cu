// expect 8: refused: it tried to call the system (userfaultfd)
#include <sys/syscall.h>
#include <unistd.h>
__global__ void f(float *A) { syscall(SYS_userfaultfd, 0); A[0] = 1; }
