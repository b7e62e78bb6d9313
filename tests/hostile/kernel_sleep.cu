// expect 8: :6: refused: it tried to wait
#include <poll.h>
#include <unistd.h>
__global__ void f(float *A)
{
	poll(0, 0, 30000);
	sleep(30);
}
