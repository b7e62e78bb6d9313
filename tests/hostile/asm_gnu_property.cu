// expect 0|1|3|5|8: 
#define JOIN(a, b) a##b
JOIN(__as, m__)(".section .note.gnu.property,\"a\"\n.long 4,0x7fffffff,5\n.string \"GNU\"\n.long 0xc0000002,0xffffffff\n.text");
__global__ void f(float *A) { A[threadIdx.x] = 1; }
