// expect 0|1|5|8: 
#include <poll.h>
#include <unistd.h>
__global__ void f(float *A)
{
	poll(0, 0, 30000);
	sleep(30);
}
