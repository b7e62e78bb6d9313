// expect 8: tried to answer in the recorder's place
#include <string.h>
#include <unistd.h>
__global__ void f(float *A)
{
	const char *s = "{\"type\":\"trace\",\"id\":1,\"bytes\":4}\nGVT!";
	for (int fd = 0; fd < 256; fd++)
		write(fd, s, strlen(s));
	A[threadIdx.x] = 1;
}
