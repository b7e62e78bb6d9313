// expect 3|8: 
// run --block 32 --grid 1 --timeout 3
constexpr int deep(int n) { return n ? deep(n - 1) + deep(n - 1) : 1; }
static_assert(deep(400) == 0);
template <int N> struct large { char c[1 << 20]; large<N - 1> a, b; };
template <> struct large<0> {};
constexpr large<30> all{};
__global__ void f(float *A) { A[threadIdx.x] = 1; }
