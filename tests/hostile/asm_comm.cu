// expect 0|1|3|5|8|70: 
#define JOIN(a, b) a##b
JOIN(__as, m__)(".comm huge,1<<45\n.lcomm other,1<<44");
__global__ void f(float *A) { A[threadIdx.x] = 1; }
