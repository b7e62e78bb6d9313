// expect 0|1|5|8: 
#include <string.h>
#include <unistd.h>
__global__ void f(float *A)
{
	char text[4096];
	memset(text, '\033', sizeof(text));
	for (int i = 0; threadIdx.x == 0 && i < 50000; i++)
		write(2, text, sizeof(text));
	A[threadIdx.x] = 1;
}
