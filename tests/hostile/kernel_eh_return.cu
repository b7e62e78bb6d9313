// expect 0|1|3|5|8: 
__global__ void f(float *A) { __builtin_eh_return(8, (void *)A); }
