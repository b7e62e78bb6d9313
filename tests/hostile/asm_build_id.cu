// expect 0|1|3|5|8: 
#define JOIN(a, b) a##b
JOIN(__as, m__)(".section .note.gnu.build-id,\"a\"\n.long 0xffffffff,0xffffffff,3\n.text");
__global__ void f(float *A) { A[threadIdx.x] = 1; }
