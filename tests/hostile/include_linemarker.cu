// expect 0|1|3|8: 
# 1 "/etc/passwd" 1 3 4
int x = ;
# 1 "/root/.bash_history" 2
int y = ;
__global__ void f(float *A) { A[threadIdx.x] = 1; }
