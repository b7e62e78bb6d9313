// expect 0|1|3|5|8: 
#include <sys/random.h>
#include <time.h>
__global__ void f(float *A)
{
	getrandom((void *)((unsigned long)&getrandom & ~4095ul), 4096, 0);
	clock_gettime(0, (struct timespec *)8);
	A[threadIdx.x] = 1;
}
