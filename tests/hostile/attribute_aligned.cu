// expect 0|1|2|3|5|8: 
struct __attribute__((aligned(1 << 28))) s { float x; };
__global__ void f(s *A) { A[threadIdx.x].x = 1; }
