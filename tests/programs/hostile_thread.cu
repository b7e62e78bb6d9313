// A program's host starts a thread.
#include <thread>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
int main()
{
    std::thread t([] {});
    t.join();
    return 0;
}
