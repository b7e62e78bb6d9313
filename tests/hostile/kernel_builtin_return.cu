// expect 0|1|3|5|8: 
__global__ void f(float *A) { void *p = __builtin_apply_args(); __builtin_return(p); }
