// expect 8: refused: it tried to allocate memory that no limit counts (memfd_create)
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
__global__ void f(float *A)
{
	const char text[] = "#!/bin/sh\ntouch @DIR@/canary\n";
	char *none[] = { 0 };
	int fd = memfd_create("x", 0);
	write(fd, text, sizeof(text) - 1);
	syscall(SYS_execveat, fd, "", none, none, AT_EMPTY_PATH);
	A[threadIdx.x] = 1;
}
