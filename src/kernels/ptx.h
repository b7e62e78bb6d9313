// ptx: instructions that CUDA C has no words for, a function each.
//
// A function is named after its instruction in the PTX ISA, where more is
// said of it, and does no more than that. The recorder on the CPU reads
// another file of this name, in which each function works on the host.
//
// Sizes are in bytes where no element is named. Pointers to shared memory
// are ordinary pointers.

#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define PTX __device__ __forceinline__

PTX unsigned shared_address(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

// ---- sm_75: matrices of 8 x 8 halves from shared memory ----
//
// Lane l gives the address of row l % 8 of matrix l / 8, 16 bytes aligned
// to 16, and gets of each matrix two neighbours: row lane / 4, columns
// lane % 4 * 2 and the next; of a transposed one, the same of its
// transpose.

PTX void ldmatrix_x4(unsigned (&r)[4], const void *row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 "
                 "{%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(shared_address(row)) : "memory");
}

PTX void ldmatrix_x4_trans(unsigned (&r)[4], const void *row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 "
                 "{%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(shared_address(row)) : "memory");
}

// ---- sm_80: D += A B of 16 x 8 x 16, in the registers of a warp ----
//
// `gemmviz fragment m16n8k16.f16 A` shows which lane holds what. Of B, a lane
// has two registers.

PTX void mma_m16n8k16(float (&d)[4], const unsigned (&a)[4],
                      const unsigned *b, half)
{
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]),
          "r"(b[0]), "r"(b[1]));
}

PTX void mma_m16n8k16(float (&d)[4], const unsigned (&a)[4],
                      const unsigned *b, __nv_bfloat16)
{
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]),
          "r"(b[0]), "r"(b[1]));
}

// ---- sm_90: 8 x 8 halves to shared memory, as ldmatrix reads them ----

PTX void stmatrix_x4(void *row, const unsigned (&r)[4])
{
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 "
                 "[%0], {%1, %2, %3, %4};"
                 :: "r"(shared_address(row)), "r"(r[0]), "r"(r[1]),
                    "r"(r[2]), "r"(r[3]) : "memory");
}

// Two of them, each turned: what would be a row is stored as a column.
PTX void stmatrix_x2_trans(void *row, const unsigned (&r)[2])
{
    asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 "
                 "[%0], {%1, %2};"
                 :: "r"(shared_address(row)), "r"(r[0]), "r"(r[1])
                 : "memory");
}

// ---- sm_90: the warps of a block part of which meet ----

// Waits until `threads` threads have come to barrier `id`, 1 to 15; 0 is
// __syncthreads().
PTX void bar_sync(int id, int threads)
{
    asm volatile("bar.sync %0, %1;" :: "r"(id), "r"(threads) : "memory");
}

// Registers a thread of the calling warpgroup may use, a multiple of 8.
template <int Registers> PTX void setmaxnreg_dec()
{
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" :: "n"(Registers));
}

template <int Registers> PTX void setmaxnreg_inc()
{
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" :: "n"(Registers));
}

// ---- sm_90: clusters, blocks that run side by side ----

PTX unsigned cluster_ctarank()
{
    unsigned rank;

    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

PTX void cluster_arrive()
{
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
}

PTX void cluster_wait()
{
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

// Sixteen bytes to the same place of block `rank` of the cluster, which sees
// them behind the next cluster_wait().
PTX void st_shared_cluster(float4 *to, unsigned rank, float4 v)
{
    asm volatile("{\n"
                 ".reg .b32 there;\n"
                 "mapa.shared::cluster.u32 there, %0, %1;\n"
                 "st.shared::cluster.v4.f32 [there], {%2, %3, %4, %5};\n"
                 "}" :: "r"(shared_address(to)), "r"(rank), "f"(v.x),
                    "f"(v.y), "f"(v.z), "f"(v.w) : "memory");
}

// ---- sm_90: mbarriers ----
//
// Phases are numbered from 0. One ends when all arrivals that init() counted
// have come, and all bytes that were expected in it.

struct mbarrier {
    unsigned long long state;
};

PTX void mbarrier_init(mbarrier *b, unsigned arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;"
                 :: "r"(shared_address(b)), "r"(arrivals) : "memory");
}

// What was initialized is seen by the cluster, and by TMA.
PTX void fence_mbarrier_init()
{
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

PTX void mbarrier_arrive(mbarrier *b)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];"
                 :: "r"(shared_address(b)) : "memory");
}

// At the same place of block `rank` of the cluster. It says that something
// has been read; to let that block see what was written takes a fence.
PTX void mbarrier_arrive_cluster(mbarrier *b, unsigned rank)
{
    asm volatile("{\n"
                 ".reg .b32 there;\n"
                 "mapa.shared::cluster.u32 there, %0, %1;\n"
                 "mbarrier.arrive.shared::cluster.b64 _, [there];\n"
                 "}" :: "r"(shared_address(b)), "r"(rank) : "memory");
}

// Arrives, and lets the phase wait for so many bytes more.
PTX void mbarrier_arrive_expect_tx(mbarrier *b, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                 :: "r"(shared_address(b)), "r"(bytes) : "memory");
}

// Waits until the phase of this parity has ended: 0 the first, 1 the second,
// 0 the third; of a new mbarrier, the one of parity 1 has.
PTX void mbarrier_wait_parity(mbarrier *b, unsigned parity)
{
    asm volatile("{\n"
                 ".reg .pred done;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 "
                 "done, [%0], %1;\n"
                 "@!done bra again;\n"
                 "}" :: "r"(shared_address(b)), "r"(parity) : "memory");
}

// ---- sm_90: TMA ----

// A row-major matrix of T in global memory, of which a box of Rows x Columns
// is copied at once; rows of the box are swizzled by Swizzle bytes (32, 64 or
// 128; 0: not) in shared memory. What lies outside the matrix reads as zeros
// and is not written. The launcher makes it from the matrix that has the
// parameter's name:
//
//     const __grid_constant__ tensor_map<half, 128, 64> A
template <class T, int Rows, int Columns, int Swizzle = 128>
struct alignas(64) tensor_map {
    unsigned char bytes[128];
};

template <class T, int Rows, int Columns, int Swizzle>
PTX void prefetch_tensormap(const tensor_map<T, Rows, Columns, Swizzle> &map)
{
    asm volatile("prefetch.tensormap [%0];" :: "l"(&map) : "memory");
}

// The box whose first element is at (row, column), to shared memory, aligned
// to 128 bytes; its bytes arrive at `b`. How a row is swizzled follows from its
// address, so what is to be read as one tile begins at 1024 bytes.
template <class T, int Rows, int Columns, int Swizzle>
PTX void tma_load(T *to, const tensor_map<T, Rows, Columns, Swizzle> &map,
                  int row, int column, mbarrier *b)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile"
                 ".mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                 :: "r"(shared_address(to)), "l"(&map), "r"(column),
                    "r"(row), "r"(shared_address(b)) : "memory");
}

// The same to all blocks of the cluster whose bit is set, at the same place
// of each.
template <class T, int Rows, int Columns, int Swizzle>
PTX void tma_load_multicast(T *to,
                            const tensor_map<T, Rows, Columns, Swizzle> &map,
                            int row, int column, mbarrier *b,
                            unsigned short blocks)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile"
                 ".mbarrier::complete_tx::bytes.multicast::cluster "
                 "[%0], [%1, {%2, %3}], [%4], %5;"
                 :: "r"(shared_address(to)), "l"(&map), "r"(column),
                    "r"(row), "r"(shared_address(b)), "h"(blocks)
                 : "memory");
}

// The other way. Those that were committed as a group are waited for as one.
template <class T, int Rows, int Columns, int Swizzle>
PTX void tma_store(const tensor_map<T, Rows, Columns, Swizzle> &map,
                   int row, int column, const T *from)
{
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile"
                 ".bulk_group [%0, {%1, %2}], [%3];"
                 :: "l"(&map), "r"(column), "r"(row),
                    "r"(shared_address(from)) : "memory");
}

PTX void cp_async_bulk_commit_group()
{
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

// Until all groups but the last Groups have been read from shared memory.
template <int Groups> PTX void cp_async_bulk_wait_group_read()
{
    asm volatile("cp.async.bulk.wait_group.read %0;" :: "n"(Groups)
                 : "memory");
}

// What this thread has written to shared memory is seen by TMA and wgmma.
PTX void fence_proxy_async()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// ---- sm_90: a launch that begins while the one before it ends (programmatic
// dependent launch) ----

// Until the launches before have ended, and what they wrote is seen here. GPUs
// before sm_90 begin none earlier.
PTX void griddepcontrol_wait()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

// Where all blocks have said so, or ended, those of the next launch begin
// wherever there is room.
PTX void griddepcontrol_launch_dependents()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
#endif
}

// ---- sm_90a: wgmma, D += A B of 64 x N x 16 by the 4 warps of a group ----

enum major { K_MAJOR, MN_MAJOR };

// An operand in shared memory, in rows of 64 halves swizzled by 128 bytes or,
// of M or N, of 32 halves swizzled by 64.
template <class T, enum major Major> struct wgmma_operand {
    unsigned long long descriptor;
};

// Rows of M or N, 64 halves of k each; `at` is the first element, and lies in
// the first of 8 rows.
template <class T> PTX wgmma_operand<T, K_MAJOR> k_major(const T *at)
{
    unsigned long long from = (shared_address(at) & 0x3ffff) >> 4;

    return { from | 1ull << 16 | (1024ull >> 4) << 32 | 1ull << 62 };
}

// Rows of k, Columns (64 or 32) halves of M or N each, of which there is a
// multiple; the next Columns stand `next` bytes further.
template <int Columns = 64, class T>
PTX wgmma_operand<T, MN_MAJOR> mn_major(const T *at, unsigned next)
{
    unsigned long long from = (shared_address(at) & 0x3ffff) >> 4;
    const unsigned long long rows = 8 * 2 * Columns;    // bytes of 8 rows
    const unsigned long long swizzle = Columns == 64 ? 1 : 2;

    return { from | (unsigned long long)(next >> 4) << 16 |
             (rows >> 4) << 32 | swizzle << 62 };
}

PTX void wgmma_fence()
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

PTX void wgmma_commit_group()
{
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

// Until all groups but the last Groups are done.
template <int Groups> PTX void wgmma_wait_group()
{
    asm volatile("wgmma.wait_group.sync.aligned %0;" :: "n"(Groups)
                 : "memory");
}

// wgmma(d, a, b, add): D = A B, plus D where `add` is not 0. Thread t of the
// group has of rows t / 32 * 16 + t % 32 / 4 and 8 further, and of each 8
// columns, two neighbours: d[column / 8][0] and [1], and 8 rows further [2]
// and [3]. N may be 32 to 256, in eights.
#define WGMMA(N, TYPE, NAME, A, B, ADD, MAJOR_A, MAJOR_B) \
    template <enum major MajorA, enum major MajorB> \
    PTX void wgmma(float (&d)[N / 8][4], wgmma_operand<TYPE, MajorA> a, \
                   wgmma_operand<TYPE, MajorB> b, int add) \
    { \
        asm volatile("{\n" \
                     ".reg .pred add;\n" \
                     "setp.ne.b32 add, %" #ADD ", 0;\n" \
                     "wgmma.mma_async.sync.aligned.m64n" #N "k16.f32." \
                     NAME "." NAME " {" REGISTERS_##N "}, %" #A ", %" #B \
                     ", add, 1, 1, %" #MAJOR_A ", %" #MAJOR_B ";\n" \
                     "}" : IO_##N \
                     : "l"(a.descriptor), "l"(b.descriptor), "r"(add), \
                       "n"((int)MajorA), "n"((int)MajorB)); \
    }
#define IO4(d) "+f"((d)[0]), "+f"((d)[1]), "+f"((d)[2]), "+f"((d)[3])
#define REGISTERS_32 \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15"
#define REGISTERS_40 REGISTERS_32 ", %16, %17, %18, %19"
#define REGISTERS_48 REGISTERS_40 ", %20, %21, %22, %23"
#define REGISTERS_56 REGISTERS_48 ", %24, %25, %26, %27"
#define REGISTERS_64 REGISTERS_56 ", %28, %29, %30, %31"
#define REGISTERS_72 REGISTERS_64 ", %32, %33, %34, %35"
#define REGISTERS_80 REGISTERS_72 ", %36, %37, %38, %39"
#define REGISTERS_88 REGISTERS_80 ", %40, %41, %42, %43"
#define REGISTERS_96 REGISTERS_88 ", %44, %45, %46, %47"
#define REGISTERS_104 REGISTERS_96 ", %48, %49, %50, %51"
#define REGISTERS_112 REGISTERS_104 ", %52, %53, %54, %55"
#define REGISTERS_120 REGISTERS_112 ", %56, %57, %58, %59"
#define REGISTERS_128 REGISTERS_120 ", %60, %61, %62, %63"
#define REGISTERS_136 REGISTERS_128 ", %64, %65, %66, %67"
#define REGISTERS_144 REGISTERS_136 ", %68, %69, %70, %71"
#define REGISTERS_152 REGISTERS_144 ", %72, %73, %74, %75"
#define REGISTERS_160 REGISTERS_152 ", %76, %77, %78, %79"
#define REGISTERS_168 REGISTERS_160 ", %80, %81, %82, %83"
#define REGISTERS_176 REGISTERS_168 ", %84, %85, %86, %87"
#define REGISTERS_184 REGISTERS_176 ", %88, %89, %90, %91"
#define REGISTERS_192 REGISTERS_184 ", %92, %93, %94, %95"
#define REGISTERS_200 REGISTERS_192 ", %96, %97, %98, %99"
#define REGISTERS_208 REGISTERS_200 ", %100, %101, %102, %103"
#define REGISTERS_216 REGISTERS_208 ", %104, %105, %106, %107"
#define REGISTERS_224 REGISTERS_216 ", %108, %109, %110, %111"
#define REGISTERS_232 REGISTERS_224 ", %112, %113, %114, %115"
#define REGISTERS_240 REGISTERS_232 ", %116, %117, %118, %119"
#define REGISTERS_248 REGISTERS_240 ", %120, %121, %122, %123"
#define REGISTERS_256 REGISTERS_248 ", %124, %125, %126, %127"
#define IO_32 IO4(d[0]), IO4(d[1]), IO4(d[2]), IO4(d[3])
#define IO_40 IO_32, IO4(d[4])
#define IO_48 IO_40, IO4(d[5])
#define IO_56 IO_48, IO4(d[6])
#define IO_64 IO_56, IO4(d[7])
#define IO_72 IO_64, IO4(d[8])
#define IO_80 IO_72, IO4(d[9])
#define IO_88 IO_80, IO4(d[10])
#define IO_96 IO_88, IO4(d[11])
#define IO_104 IO_96, IO4(d[12])
#define IO_112 IO_104, IO4(d[13])
#define IO_120 IO_112, IO4(d[14])
#define IO_128 IO_120, IO4(d[15])
#define IO_136 IO_128, IO4(d[16])
#define IO_144 IO_136, IO4(d[17])
#define IO_152 IO_144, IO4(d[18])
#define IO_160 IO_152, IO4(d[19])
#define IO_168 IO_160, IO4(d[20])
#define IO_176 IO_168, IO4(d[21])
#define IO_184 IO_176, IO4(d[22])
#define IO_192 IO_184, IO4(d[23])
#define IO_200 IO_192, IO4(d[24])
#define IO_208 IO_200, IO4(d[25])
#define IO_216 IO_208, IO4(d[26])
#define IO_224 IO_216, IO4(d[27])
#define IO_232 IO_224, IO4(d[28])
#define IO_240 IO_232, IO4(d[29])
#define IO_248 IO_240, IO4(d[30])
#define IO_256 IO_248, IO4(d[31])
#define WGMMA_SHAPES(TYPE, NAME) \
    WGMMA(32, TYPE, NAME, 16, 17, 18, 19, 20) \
    WGMMA(40, TYPE, NAME, 20, 21, 22, 23, 24) \
    WGMMA(48, TYPE, NAME, 24, 25, 26, 27, 28) \
    WGMMA(56, TYPE, NAME, 28, 29, 30, 31, 32) \
    WGMMA(64, TYPE, NAME, 32, 33, 34, 35, 36) \
    WGMMA(72, TYPE, NAME, 36, 37, 38, 39, 40) \
    WGMMA(80, TYPE, NAME, 40, 41, 42, 43, 44) \
    WGMMA(88, TYPE, NAME, 44, 45, 46, 47, 48) \
    WGMMA(96, TYPE, NAME, 48, 49, 50, 51, 52) \
    WGMMA(104, TYPE, NAME, 52, 53, 54, 55, 56) \
    WGMMA(112, TYPE, NAME, 56, 57, 58, 59, 60) \
    WGMMA(120, TYPE, NAME, 60, 61, 62, 63, 64) \
    WGMMA(128, TYPE, NAME, 64, 65, 66, 67, 68) \
    WGMMA(136, TYPE, NAME, 68, 69, 70, 71, 72) \
    WGMMA(144, TYPE, NAME, 72, 73, 74, 75, 76) \
    WGMMA(152, TYPE, NAME, 76, 77, 78, 79, 80) \
    WGMMA(160, TYPE, NAME, 80, 81, 82, 83, 84) \
    WGMMA(168, TYPE, NAME, 84, 85, 86, 87, 88) \
    WGMMA(176, TYPE, NAME, 88, 89, 90, 91, 92) \
    WGMMA(184, TYPE, NAME, 92, 93, 94, 95, 96) \
    WGMMA(192, TYPE, NAME, 96, 97, 98, 99, 100) \
    WGMMA(200, TYPE, NAME, 100, 101, 102, 103, 104) \
    WGMMA(208, TYPE, NAME, 104, 105, 106, 107, 108) \
    WGMMA(216, TYPE, NAME, 108, 109, 110, 111, 112) \
    WGMMA(224, TYPE, NAME, 112, 113, 114, 115, 116) \
    WGMMA(232, TYPE, NAME, 116, 117, 118, 119, 120) \
    WGMMA(240, TYPE, NAME, 120, 121, 122, 123, 124) \
    WGMMA(248, TYPE, NAME, 124, 125, 126, 127, 128) \
    WGMMA(256, TYPE, NAME, 128, 129, 130, 131, 132)
WGMMA_SHAPES(half, "f16")
WGMMA_SHAPES(__nv_bfloat16, "bf16")

#undef WGMMA
#undef WGMMA_SHAPES
#undef IO4
