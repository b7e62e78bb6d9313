/* A program that marks for a profiler what it does. */
#include <cstdio>
#include <cuda_profiler_api.h>
#if __has_include(<nvToolsExt.h>)	/* CUDA 13 has it no more */
#include <nvToolsExt.h>
#endif
#include <nvtx3/nvToolsExtCudaRt.h>
#include <nvtx3/nvtx3.hpp>

__global__ void number(int *to)
{
    to[threadIdx.x] = threadIdx.x;
}

struct own { static constexpr char const *name = "own"; };

static void work(int *to)
{
    NVTX3_FUNC_RANGE();
    nvtx3::scoped_range range{"work", nvtx3::rgb{1, 2, 3}, nvtx3::payload{3}};
    nvtx3::scoped_range_in<own> other("other");
    number<<<1, 32>>>(to);
    nvtx3::event_attributes attributes{"x", nvtx3::rgb{127, 255, 0}};
    nvtx3::scoped_range third{attributes};
    nvtx3::mark("here");
    nvtx3::end_range(nvtx3::start_range("a"));
}

int main()
{
    int *to, last;
    nvtxEventAttributes_t a = { 0 };
    a.version = NVTX_VERSION;
    a.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    a.colorType = NVTX_COLOR_ARGB;
    a.color = 0xff00ff00;
    a.messageType = NVTX_MESSAGE_TYPE_ASCII;
    a.message.ascii = "main";
    nvtxRangePushEx(&a);
    nvtxRangePush("x");
    nvtxRangeId_t id = nvtxRangeStartA("z");
    nvtxDomainHandle_t domain = nvtxDomainCreateA("d");
    nvtxDomainRangePushEx(domain, &a);
    nvtxNameCudaStreamA(0, "s");
    nvtxMarkA("m");
    cudaProfilerStart();
    cudaMalloc(&to, 32 * sizeof(int));
    work(to);
    cudaMemcpy(&last, to + 31, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(to);
    cudaProfilerStop();
    nvtxDomainRangePop(domain);
    nvtxRangeEnd(id);
    nvtxRangePop();
    nvtxRangePop();
    puts(last == 31 ? "PASS" : "FAIL");
}
