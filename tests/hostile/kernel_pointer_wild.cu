// expect 0|1|3|5|8: 
__global__ void f(float *A) { void (*g)() = (void (*)())A; g(); }
