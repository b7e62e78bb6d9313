// expect 0|1|2|3|5|8: 
__attribute__((section("gemmviz_cluster_[2J"))) __global__ void f(float *A) { A[threadIdx.x] = 1; }
