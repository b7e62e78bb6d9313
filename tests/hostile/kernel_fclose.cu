// expect 0|1|5|8: 
#include <stdio.h>
__global__ void f(float *A)
{
	if (threadIdx.x == 0) {
		setvbuf(stdout, (char *)A, _IOFBF, 1 << 30);
		setvbuf(stderr, (char *)0x4141, _IOFBF, 4096);
		fprintf(stderr, "gemmviz: all is right\n");
		fclose(stdin), fclose(stdout), fclose(stdout);
		fcloseall();
		fclose(stderr);
		stderr = nullptr;
	}
	A[threadIdx.x] = 1;
}
