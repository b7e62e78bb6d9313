// expect 8: tried to answer in the recorder's place
#include <string.h>
#include <unistd.h>
__global__ void f(float *A)
{
	const char *s = "{\"type\":\"error\",\"id\":1,\"status\":0,\"message\":\"all is well\"}";
	struct { unsigned char token[16]; unsigned bytes; char s[100]; } all = {};
	all.bytes = strlen(s);
	strcpy(all.s, s);
	for (int fd = 3; fd < 256; fd++)
		write(fd, &all, 20 + all.bytes);
	A[threadIdx.x] = 1;
}
