// expect 0|1|3|8: 
#pragma comment(linker, "-T@DIR@/x")
#pragma GCC specs "@DIR@/specs"
// -B@DIR@ -specs=@DIR@/specs @@DIR@/args
__global__ void f(float *A) { A[threadIdx.x] = 1; }
