// A program's host never ends.
__global__ void k(float *A) { A[threadIdx.x] = 1; }
int main() { volatile int i = 0; for (;;) i = i + 1; }
