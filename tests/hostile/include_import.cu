// expect 0|1|3|8: 
#import "/etc/passwd"
import "/etc/shadow";
export module m;
__global__ void f(float *A) { A[threadIdx.x] = 1; }
