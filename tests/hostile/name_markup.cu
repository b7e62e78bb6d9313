// expect 0|1|3|8: 
__device__ float $script_alert;
__global__ void f(float *A) { A[threadIdx.x] = $script_alert; }
