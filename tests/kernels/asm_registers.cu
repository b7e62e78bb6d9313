// asm_registers: registers in PTX: their parts, signs, predicates, and copies
// that a predicate turns off. Each assert() is what a GPU computes.
#include <cassert>
#include <cstdint>

__device__ unsigned address_of(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

// Registers and their parts, the lowest first.
__device__ void parts()
{
    uint32_t low = 0x3c003c00, high = 0x40404040, l, h, pair;
    uint16_t a = 0x1234, b = 0x5678, c, d, w[4];
    uint64_t both;

    asm volatile("mov.b64 %0, {%1, %2};" : "=l"(both) : "r"(low), "r"(high));
    assert(both == 0x404040403c003c00);
    asm volatile("mov.b64 {%0, %1}, %2;" : "=r"(l), "=r"(h) : "l"(both));
    assert(l == low && h == high);
    asm volatile("mov.b32 %0, {%1, %2};" : "=r"(pair) : "h"(a), "h"(b));
    assert(pair == 0x56781234);
    asm volatile("mov.b32 {%0, %1}, %2;" : "=h"(c), "=h"(d) : "r"(pair));
    assert(c == a && d == b);
    asm volatile("mov.b64 {%0, %1, %2, %3}, %4;"
                 : "=h"(w[0]), "=h"(w[1]), "=h"(w[2]), "=h"(w[3])
                 : "l"(0x0123456789abcdef));
    assert(w[0] == 0xcdef && w[1] == 0x89ab && w[3] == 0x0123);
    asm volatile("{ .reg .b16 x<2>;\n"
                 "  mov.b32 {x0, x1}, %1;\n"
                 "  mov.b32 %0, {x1, x0}; }" : "=r"(pair) : "r"(pair));
    assert(pair == 0x12345678);
}

// Comparisons, and what a predicate then does.
__device__ void predicates()
{
    uint32_t is;
    float minus = -0.0f, nan = __int_as_float(0x7fc00000);
    uint64_t big = 1ull << 32, none = 0;

    asm volatile("{ .reg .pred p;\n"
                 "  setp.eq.f32 p, %1, %2;\n"
                 "  selp.u32 %0, 1, 0, p; }" : "=r"(is)
                 : "f"(minus), "f"(0.0f));
    assert(is == 1);
    asm volatile("{ .reg .pred p;\n"
                 "  setp.ne.f32 p, %1, %1;\n"
                 "  selp.u32 %0, 1, 0, p; }" : "=r"(is) : "f"(nan));
    assert(is == 0);
    asm volatile("{ .reg .pred p, q;\n"
                 "  setp.ne.u64 p, %1, %2;\n"
                 "  mov.pred q, p;\n"
                 "  @q mov.u32 %0, 5;\n"
                 "  @!q mov.u32 %0, 6; }" : "=r"(is) : "l"(big), "l"(none));
    assert(is == 5);
    asm volatile("{ .reg .pred p;\n"
                 "  setp.lt.s32 p, %1, 1;\n"
                 "  selp.b32 %0, 3, 0xffffffff, p; }" : "=r"(is) : "r"(-1));
    assert(is == 3);
}

// Arithmetic, in registers of their own widths and wider.
__device__ void numbers(const float *A)
{
    uint32_t sum, lane;
    int32_t small;
    uint64_t product;
    int8_t bytes[4];
    float f;

    asm volatile("{ .reg .u16 t;\n"
                 "  cvt.u16.u32 t, %1;\n"
                 "  cvt.u32.u16 %0, t; }" : "=r"(sum) : "r"(0x12345678));
    assert(sum == 0x5678);
    asm volatile("cvt.s16.s32 %0, %1;" : "=r"(small) : "r"(0x12348678));
    assert(small == (int16_t)0x8678);
    asm volatile("mad.wide.u32 %0, %1, %2, %3;" : "=l"(product)
                 : "r"(0xffffffff), "r"(0xffffffff), "l"(1ull));
    assert(product == 0xfffffffe00000002);
    asm volatile("lop3.b32 %0, %1, %2, %3, 0xea;" : "=r"(sum)
                 : "r"(0xff00ff00), "r"(0x0ff00ff0), "r"(1));
    assert(sum == 0x0f000f01);
    asm volatile("fma.rn.f32 %0, %1, %2, 0f3F800000;" : "=f"(f)
                 : "f"(3.0f), "f"(0.5f));
    assert(f == 2.5f);
    asm volatile("mov.b64 %0, 0xfffffffffffffffe;" : "=l"(product));
    assert(product == 0xfffffffffffffffe);
    asm volatile("{ .reg .u32 n;\n"
                 "  mov.u32 %0, %%tid.x;\n"
                 "  mov.u32 n, %%ntid.x;\n"
                 "  add.u32 %0, %0, n; }" : "=r"(lane));
    assert(lane == threadIdx.x + blockDim.x);
    asm volatile("ld.global.s8 %0, [%1+3];" : "=r"(small) : "l"(A));
    memcpy(bytes, A, 4);
    assert(small == bytes[3]);
}

// A copy whose fourth operand is a predicate reads nothing where it is true.
__device__ float copied(const float *from, float *to, int less)
{
    asm volatile("{ .reg .pred p;\n"
                 "  setp.ge.s32 p, %2, %3;\n"
                 "  cp.async.ca.shared.global [%0], [%1], 4, p; }"
                 :: "r"(address_of(to)), "l"(from), "r"((int)threadIdx.x),
                 "r"(less) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    return *to;
}

__device__ void video(), words();

__global__ void asm_registers(const float *A, float *C)
{
    __shared__ float s[32];
    int t = threadIdx.x;

    parts();
    predicates();
    numbers(A);
    s[t] = 7;
    float x = copied(A + t, &s[t], 8);
    assert(x == (t < 8 ? A[t] : 0));
    C[t] = x;
#ifdef UNKNOWN
    unsigned r;
    asm volatile(UNKNOWN : "=r"(r) : "r"(1), "r"(2) : "memory");
#endif
    video(), words();
}

// Bytes and halves of a word, each for itself.
__device__ void video()
{
    uint32_t a = 0x00ff7f80, b = 0x0100ff7f, c = 0x12345678, d;

    asm volatile("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;"
                 : "=r"(d) : "r"(a), "r"(b), "r"(c));
    assert(d == c + 1 + 255 + 128 + 1);
    asm volatile("vadd4.s32.s32.s32.sat %0, %1, %2, %3;"
                 : "=r"(d) : "r"(a), "r"(b), "r"(c));
    assert(d == 0x01ff7eff);
    asm volatile("vset2.u32.u32.lt %0, %1, %2, %3;"
                 : "=r"(d) : "r"(a), "r"(b), "r"(c));
    assert(d == 0x00010001);
}

// What lanes tell each other.
__device__ void words()
{
    uint32_t lane = threadIdx.x, from, is, mask = 0xffffffff;

    asm volatile("{ .reg .pred p;\n"
                 "  shfl.sync.up.b32 %0|p, %2, 3, 0, %3;\n"
                 "  selp.u32 %1, 1, 0, p; }"
                 : "=r"(from), "=r"(is) : "r"(lane), "r"(mask));
    assert(from == (lane < 3 ? lane : lane - 3) && is == (lane >= 3));
    // Eights, of which the last two lanes read themselves.
    asm volatile("{ .reg .pred p;\n"
                 "  shfl.sync.down.b32 %0|p, %2, 2, 0x181f, %3;\n"
                 "  selp.u32 %1, 1, 0, p; }"
                 : "=r"(from), "=r"(is) : "r"(lane), "r"(mask));
    assert(from == (lane % 8 < 6 ? lane + 2 : lane) && is == (lane % 8 < 6));
    asm volatile("shfl.sync.bfly.b32 %0, %1, 16, 0x1f, %2;"
                 : "=r"(from) : "r"(lane), "r"(mask));
    assert(from == (lane ^ 16));
    asm volatile("shfl.sync.idx.b32 %0, %1, 5, 0x181f, %2;"
                 : "=r"(from) : "r"(lane), "r"(mask));
    assert(from == (lane / 8 * 8 + 5));

    asm volatile("{ .reg .pred p, q;\n"
                 "  setp.lt.u32 p, %1, 32;\n"
                 "  vote.sync.all.pred q, p, %2;\n"
                 "  selp.u32 %0, 1, 0, q; }" : "=r"(is) : "r"(lane), "r"(mask));
    assert(is);
    asm volatile("{ .reg .pred p, q;\n"
                 "  setp.lt.u32 p, %1, 31;\n"
                 "  vote.sync.uni.pred q, p, %2;\n"
                 "  selp.u32 %0, 1, 0, q; }" : "=r"(is) : "r"(lane), "r"(mask));
    assert(!is);
    asm volatile("{ .reg .pred p;\n"
                 "  setp.ge.u32 p, %1, 30;\n"
                 "  vote.sync.ballot.b32 %0, p, %2; }"
                 : "=r"(is) : "r"(lane), "r"(mask));
    assert(is == 0xc0000000);
    asm volatile("activemask.b32 %0;" : "=r"(is));
    assert(is >> lane & 1);

    asm volatile("match.any.sync.b32 %0, %1, %2;"
                 : "=r"(is) : "r"(lane / 4), "r"(mask));
    assert(is == 0xfu << lane / 4 * 4);
    asm volatile("{ .reg .pred p;\n"
                 "  match.all.sync.b64 %0|p, %2, %3;\n"
                 "  selp.u32 %1, 1, 0, p; }"
                 : "=r"(from), "=r"(is) : "l"((uint64_t)lane), "r"(mask));
    assert(from == 0 && is == 0);

    asm volatile("redux.sync.add.s32 %0, %1, %2;"
                 : "=r"(is) : "r"(lane), "r"(mask));
    assert(is == 31 * 16);
    asm volatile("redux.sync.min.s32 %0, %1, %2;"
                 : "=r"(is) : "r"(lane - 16), "r"(mask));
    assert((int)is == -16);
    asm volatile("redux.sync.max.u32 %0, %1, %2;"
                 : "=r"(is) : "r"(lane - 16), "r"(mask));
    assert(is == 0xffffffff);
    asm volatile("redux.sync.xor.b32 %0, %1, %2;"
                 : "=r"(is) : "r"(1u << lane), "r"(mask));
    assert(is == 0xffffffff);
    if (lane < 8) {
        asm volatile("redux.sync.or.b32 %0, %1, 0xff;"
                     : "=r"(is) : "r"(lane));
        assert(is == 7);
    }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    asm volatile("{ .reg .pred p;\n"
                 "  elect.sync %0|p, %2;\n"
                 "  selp.u32 %1, 1, 0, p; }"
                 : "=r"(from), "=r"(is) : "r"(mask));
    assert(is == (lane == from) && from < 32);
#endif
}
