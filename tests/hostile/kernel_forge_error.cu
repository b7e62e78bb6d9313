// expect 8: tried to answer in the recorder's place
#include <string.h>
#include <unistd.h>
__global__ void f(float *A)
{
	const char *s = "{\"type\":\"error\",\"id\":1,\"status\":0,\"message\":\"all is well\"}\n";
	for (int fd = 0; fd < 256; fd++)
		write(fd, s, strlen(s));
	A[threadIdx.x] = 1;
}
