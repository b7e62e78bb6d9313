// expect 0|1|3|5|8: 
__global__ void f(float *A) { asm volatile("st.global.f32 [%0], %1; ld.shared.u32 %99, [%4294967295];" :: "l"((long)8), "f"(1.f)); asm volatile("bar.sync 99, 7;"); asm volatile("exit;"); A[threadIdx.x] = 1; }
