// A program's host does not end in time.
__global__ void k(float *A) { A[threadIdx.x] = 1; }
int main() { for (volatile long i = 0; i < 20000000000; i = i + 1) {} }
