// asm: PTX in asm statements, as people write it: in macros, in functions,
// with registers and predicates of its own.
#include <cuda_fp16.h>

#define COPY_16(to, from)                                        \
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], %2;\n" \
                 :: "r"(to), "l"(from), "n"(16) : "memory")
#define LDMATRIX_X4(r0, r1, r2, r3, row)                         \
    asm volatile("ldmatrix.sync.aligned.x4.m8n8.shared.b16 "     \
                 "{%0, %1, %2, %3}, [%4];\n"                     \
                 : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3)        \
                 : "r"(row))
#define COMMIT() asm volatile("cp.async.commit_group;\n" ::)
#define WAIT(n) asm volatile("cp.async.wait_group %0;\n" ::"n"(n))

__device__ __forceinline__ unsigned shared_of(const void *p)
{
    unsigned address;

    asm("{ .reg .u64 wide;       // a register of its own\n"
        "  cvta.to.shared.u64 wide, %1;\n"
        "  cvt.u32.u64 %0, wide; }"
        : "=r"(address) : "l"(p));
    return address;
}

// A warp for 16 x 8 elements of C.
__global__ void halves(const half *A, const half *B, half *C, int M, int N,
                       int K)
{
    __shared__ __align__(16) half a[16][16], b[16][8];
    int lane = threadIdx.x, row = blockIdx.y * 16, col = blockIdx.x * 8;
    unsigned c[2] = { 0, 0 }, ra[4], rb[2];

    for (int k = 0; k < K; k += 16) {
        COPY_16(shared_of(&a[lane / 2][lane % 2 * 8]),
                &A[(row + lane / 2) * K + k + lane % 2 * 8]);
        if (lane < 16)
            COPY_16((unsigned)__cvta_generic_to_shared(b[lane]),
                    &B[(k + lane) * N + col]);
        COMMIT();
#ifndef NO_WAIT
        WAIT(0);
#endif
        __syncwarp();
        LDMATRIX_X4(ra[0], ra[1], ra[2], ra[3],
                    shared_of(&a[lane % 16][lane / 16 * 8]));
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 "
                     "{%0, %1}, [%2];" : "=r"(rb[0]), "=r"(rb[1])
                     : "r"(shared_of(b[lane % 16])));
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 "
                     "{%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
                     : "+r"(c[0]), "+r"(c[1])
                     : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]),
                       "r"(rb[0]), "r"(rb[1]));
        __syncwarp();
    }
    half *to = &C[(row + lane / 4) * N + col + lane % 4 * 2];
    *reinterpret_cast<unsigned *>(to) = c[0];
    *reinterpret_cast<unsigned *>(to + 8 * N) = c[1];
}

// The same of floats, with what else there is.
__global__ void floats(const float *A, const float *B, float *C, int M, int N,
                       int K)
{
    __shared__ float a[16 * 8];
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    int row = blockIdx.y * 16, col = blockIdx.x * 8;
    const float *b = B + lane % 4 * N + col + lane / 4;
    float d[4] = { 0 };
    unsigned x[4], y[2];

    for (int k = 0; k < K; k += 8) {
        asm volatile("{\n"
                     ".reg .pred p;\n"
                     "setp.ne.b32 p, %0, 0;\n"
                     "@p cp.async.ca.shared.global [%1], [%2], 16, %3;\n"
                     "@!p wgmma.fence.sync.aligned;\n"
                     "}\n" :: "r"((int)(row + lane / 2 < M)),
                     "r"(shared_of(&a[lane * 4])),
                     "l"(A + (row + lane / 2) * K + k + lane % 2 * 4),
                     "r"(16) : "memory");
        asm volatile("cp.async.wait_all;\nbar.sync 0;");
        for (int i = 0; i < 4; i++)
            asm volatile("ld.shared.b32 %0, [%1+16];" : "=r"(x[i])
                         : "r"(shared_of(a) - 16 + 4 *
                               (lane / 4 * 8 + lane % 4 + i % 2 * 64 +
                                i / 2 * 4)));
        asm volatile("ld.global.nc.b32 %0, [%1];" : "=r"(y[0])
                     : "l"(b + k * N));
        y[1] = __float_as_uint(b[(k + 4) * N]);
        asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
                     "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                     : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]),
                       "r"(y[0]), "r"(y[1]));
        asm volatile("bar.sync 0;");
    }
    float *to = &C[(row + lane / 4) * N + col + lane % 4 * 2];
    asm volatile("st.global.v2.f32 [%0], {%1, %2};"
                 :: "l"(to), "f"(d[0]), "f"(d[1]));
    to[8 * N] = d[2];
    to[8 * N + 1] = d[3];
#ifdef UNKNOWN
    asm volatile("wgmma.fence.sync.aligned;");
#endif
}
