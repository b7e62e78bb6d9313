// expect 0: 
__global__ void dash(float *A) { A[threadIdx.x] = 1; }
void name_dash_helper() { }
