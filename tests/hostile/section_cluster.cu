// expect 0|1|2|3|5|8: 
__attribute__((section("gemmviz_cluster_4294967295_1_1"))) __global__ void f(float *A) { A[threadIdx.x] = 1; }
