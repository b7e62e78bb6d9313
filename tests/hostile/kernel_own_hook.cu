// expect 3: serve_answer is not defined
extern "C" void serve_answer(const char *, void *);
__global__ void f(float *A)
{
	serve_answer("trace", 0);
	A[threadIdx.x] = 1;
}
