// expect 1: 
// What the recorder puts into a finding, it reads itself.
#include <stdlib.h>
extern "C" void __assert_fail(const char *, const char *, unsigned, const char *);
__global__ void f(float *A)
{
	const char *s = getenv("GEMMVIZ_CANARY");
	__assert_fail(s ? s : "nothing is known", "", 0, "");
}
