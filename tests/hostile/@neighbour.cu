// expect 0: 
__global__ void at(float *A) { A[threadIdx.x] = 1; }
void name_helper() { }
