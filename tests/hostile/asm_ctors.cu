// expect 0|1|3|8: 
#define PASTE(a, b) a##b
extern "C" int system(const char *);
extern "C" __device__ void c() { system("touch @DIR@/canary"); }
PASTE(as, m)(".section .ctors,\"aw\"\n.quad c\n.text");
__global__ void f(float *A) { A[threadIdx.x] = 1; }
