// expect 1: 
// run --on cpu
#include <csetjmp>
#include <omp.h>
#include <cuda_runtime.h>
extern "C" void GOMP_parallel(void (*)(void *), void *, unsigned, unsigned);
extern "C" bool GOMP_loop_dynamic_next(long *, long *);
extern "C" void GOMP_barrier(void);
extern "C" void GOMP_critical_end(void);
__global__ void k(float *A) { A[threadIdx.x] = 1; }
static jmp_buf home;
int main()
{
	float *d;
	long from, to;
	cudaMalloc((void **)&d, 4096);
	omp_set_num_threads(-5);
	GOMP_loop_dynamic_next(&from, &to);
	GOMP_critical_end();
	GOMP_barrier();
	static int times;
	if (!setjmp(home) || times++ < 3) {
#pragma omp parallel num_threads(4)
		{ k<<<1, 32>>>(d); if (omp_get_thread_num() == 2) longjmp(home, 1); }
	}
#pragma omp parallel num_threads(2000000000)
	k<<<1, 32>>>(d);
	GOMP_parallel((void (*)(void *))0x4141, d, 0xffffffff, 0xffffffff);
}
