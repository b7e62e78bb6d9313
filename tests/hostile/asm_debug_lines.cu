// expect 0|1|3|8: 
#define PASTE(a, b) a##b
PASTE(as, m)(".file 77 \"/etc/passwd\"\n.loc 77 1 0\n");
__global__ void f(float *A)
{
#line 4000000000 "/etc/passwd"
	A[threadIdx.x + 99999] = 1;
}
