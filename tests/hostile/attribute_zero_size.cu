// expect 0|1|2|3|5|8: 
struct s { float x[0]; };
__global__ void f(s *A, float (*B)[0]) { A[threadIdx.x].x[1] = 1; B[3][2] = 1; }
