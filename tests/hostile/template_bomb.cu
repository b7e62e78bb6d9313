// expect 3|8: 
template <int N> struct T { typedef typename T<N - 1>::t a; typedef typename T<N - 2>::t t; };
template <int N> struct S { static const int v = S<N + 1>::v; };
__device__ int x = S<0>::v;
__global__ void f(float *A) { A[threadIdx.x] = 1; }
