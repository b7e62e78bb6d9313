// expect 0|1|3|8: 
#pragma pack(1)
struct s { char c; float4 v; double d; };
__global__ void f(s *A) { A[threadIdx.x].d = 1; }
