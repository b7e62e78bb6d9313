// expect 0|1|3|8: 
#ident "[2J"
#sccs "[2J"
#assert machine(x)
#unassert machine
__global__ void f(float *A) { A[threadIdx.x] = 1; }
