// expect 0|1|3|8: 
#inc\
lude "/etc/pas\
swd"
__global__ void f(float *A) { A[threadIdx.x] = 1; }
