// expect 0|1|3|8: 
/*â® } â¦ if (0) â© â¦ */
__global__ void f(float *Aâ) { A[threadIdx.x] = 1; /*â® { */ }
