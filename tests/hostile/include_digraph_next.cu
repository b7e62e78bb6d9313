// expect 0|1|3|8: 
%:include_next "/etc/passwd"
%:import "/etc/passwd"
__global__ void f(float *A) { A[threadIdx.x] = 1; }
