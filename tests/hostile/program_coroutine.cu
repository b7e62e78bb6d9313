// expect 0|1|5: 
// run --std c++20
// A kernel's thread goes on with what the host left, on the host's heap.
#include <coroutine>
#include <cuda_runtime.h>
struct task {
	struct promise_type {
		task get_return_object() { return { std::coroutine_handle<promise_type>::from_promise(*this) }; }
		std::suspend_always initial_suspend() { return {}; }
		std::suspend_never final_suspend() noexcept { return {}; }
		void return_void() { }
		void unhandled_exception() { }
	};
	std::coroutine_handle<promise_type> h;
};
static task t;
__global__ void k(float *A) { A[threadIdx.x] = 1; t.h.resume(); t.h.destroy(); }
static task run(float *d) { for (int i = 0; i < 100; i++) { k<<<1, 64>>>(d); co_await std::suspend_always(); } }
int main()
{
	float *d;
	cudaMalloc((void **)&d, 4096);
	t = run(d);
	t.h.resume();
	k<<<1, 32>>>(d);
	cudaDeviceSynchronize();
}
