// expect 0|1|3|5|8: 
extern "C" __attribute__((visibility("hidden"))) void __tsan_write4(void *) { }
extern "C" __attribute__((visibility("hidden"))) void __tsan_read8(void *) { }
extern "C" __attribute__((visibility("hidden"))) void __sanitizer_cov_trace_pc() { }
__global__ void f(float *A) { A[threadIdx.x + 1000000] = 1; for (;;); }
