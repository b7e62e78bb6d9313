// expect 1|5: 
// All memory is locked by its key, with no call of the system.
__attribute__((target("pku"))) __global__ void f(float *A)
{
	__builtin_ia32_wrpkru(0xffffffff);
	A[threadIdx.x] = 1;
}
