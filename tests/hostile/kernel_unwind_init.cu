// expect 0|1|3|5|8: 
__global__ void f(float *A) { __builtin_unwind_init(); __builtin_longjmp((void **)A, 1); }
