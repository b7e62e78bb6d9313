// expect 0|1|3|5|8: 
extern "C" void *malloc(unsigned long) { return (void *)16; }
extern "C" void free(void *) { __builtin_trap(); }
extern "C" void *memcpy(void *, const void *, unsigned long) { return 0; }
extern "C" long write(int, const void *, unsigned long) { return 1; }
__global__ void f(float *A) { free(malloc(1)); A[threadIdx.x] = 1; }
