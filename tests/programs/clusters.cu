// Clusters whose size is computed: by a constant, a macro, a template's
// arguments; on either side of __global__. And what a thread learns of its own.
#include <cooperative_groups.h>
#include <stdio.h>

#define SIDE 2
constexpr int WIDE = SIDE * SIDE;
namespace cg = cooperative_groups;

struct seen {
    unsigned int blocks, rank, threads, thread, x, ctarank, nctarank, id, ids;
};

#define PTX(name, to) asm volatile("mov.u32 %0, %%" name ";" : "=r"(to))

__device__ void look(seen *to)
{
    cg::cluster_group c = cg::this_cluster();
    seen s = { c.num_blocks(), c.block_rank(), c.num_threads(),
               c.thread_rank(), c.thread_index().x, 0, 0, 0, 0 };

    PTX("cluster_ctarank", s.ctarank);
    PTX("cluster_nctarank", s.nctarank);
    PTX("clusterid.x", s.id);
    PTX("nclusterid.x", s.ids);
    c.barrier_wait(c.barrier_arrive());
    to[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

template <int M, int N>
__global__ void __cluster_dims__(M * N, 1, 1) by_template(seen *to)
{
    look(to);
}

__global__ __launch_bounds__(2) void __cluster_dims__(WIDE) by_constant(seen *to)
{
    look(to);
}

__cluster_dims__(SIDE, 1, 1) static __global__ void by_macro(seen *to)
{
    look(to);
}

__global__ void alone(seen *to)
{
    look(to);
}

static int check(const seen *s, unsigned int blocks)
{
    int wrong = 0;

    cudaDeviceSynchronize();
    for (unsigned int i = 0; i < 16; i++) {
        unsigned int rank = i / 2 % blocks, at = 2 * rank + i % 2;

        wrong += s[i].blocks != blocks || s[i].rank != rank ||
                 s[i].threads != 2 * blocks || s[i].thread != at ||
                 s[i].x != at || s[i].ctarank != rank ||
                 s[i].nctarank != blocks || s[i].id != i / 2 / blocks ||
                 s[i].ids != 8 / blocks;
    }
    return wrong;
}

int main()
{
    seen *s;
    int wrong = 0;

    cudaMallocManaged(&s, 16 * sizeof(*s));
    by_template<2, 4><<<8, 2>>>(s);
    wrong += check(s, 8);
    by_template<1, 2><<<8, 2>>>(s);
    wrong += check(s, 2);
    by_constant<<<8, 2>>>(s);
    wrong += check(s, 4);
    by_macro<<<8, 2>>>(s);
    wrong += check(s, 2);
    alone<<<8, 2>>>(s);
    wrong += check(s, 1);
    printf("%d wrong\n", wrong);
    cudaFree(s);
    return wrong != 0;
}
