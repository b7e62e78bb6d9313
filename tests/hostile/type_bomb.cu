// expect 0|1|2: 
struct s0 { char c; };
struct s1 { s0 a, b, c, d, e, f, g, h; };
struct s2 { s1 a, b, c, d, e, f, g, h; };
struct s3 { s2 a, b, c, d, e, f, g, h; };
struct s4 { s3 a, b, c, d, e, f, g, h; };
struct s5 { s4 a, b, c, d, e, f, g, h; };
struct s6 { s5 a, b, c, d, e, f, g, h; };
__global__ void f(s6 *A, float *B) { B[threadIdx.x] = A != 0; }
