// expect 0|1|3|5|8: 
#define JOIN(a, b) a##b
JOIN(__as, m__)(".section .gnu_debugaltlink\n.string \"@DIR@/fifo\"\n.ascii \"0123456789abcdef0123\"\n.section .gnu_debuglink\n.string \"/etc/passwd\"\n.long 0\n.text");
__global__ void f(float *A) { A[threadIdx.x] = 1; }
