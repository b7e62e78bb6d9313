// Reals of 8 bits.
#include <cmath>
#include <cstdio>
#include <cuda_fp8.h>

__global__ void rounded(const float *from, __nv_fp8_e4m3 *to, float *back)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    to[i] = __nv_fp8_e4m3(from[i]);
    back[i] = (float)to[i];
}

// What is middle, subnormal, too large or zero, by both.
static void print_edges()
{
    for (float v : { 240.0f, 248.0f, 464.0f, 464.1f, 61440.0f, 61439.0f,
                     0.0009765625f, 0.00097656f, 1e-30f, -0.0f })
        for (auto as : { __NV_E4M3, __NV_E5M2 })
            printf("%02x%s", __nv_cvt_float_to_fp8(v, __NV_NOSAT, as),
                   v == 0 && as == __NV_E5M2 ? "\n" : " ");
}

template <class T> static int others()
{
    int count = 0;

    for (int x = 0; x < 256; x++) {
        T a;

        a.__x = (unsigned char)x;
        if (std::isfinite((float)a))
            count += T((float)a).__x != x;
    }
    return count;
}

int main()
{
    float h[256], *from, *back;
    __nv_fp8_e4m3 *to;

    print_edges();
    printf("%d of 512 come back as others\n",
           others<__nv_fp8_e4m3>() + others<__nv_fp8_e5m2>());
    for (int i = 0; i < 256; i++)
        h[i] = -480.0f + i * 3.77f;
    cudaMalloc(&from, sizeof(h));
    cudaMalloc(&back, sizeof(h));
    cudaMalloc(&to, 256);
    cudaMemcpy(from, h, sizeof(h), cudaMemcpyHostToDevice);
    rounded<<<2, 128>>>(from, to, back);
    cudaMemcpy(h, back, sizeof(h), cudaMemcpyDeviceToHost);
    cudaFree(from);
    cudaFree(back);
    cudaFree(to);

    float4 four = (float4)__nv_fp8x4_e4m3(make_float4(1, -2, 0.5f, 448));
    float2 two = (float2)__nv_fp8x2_e5m2(make_float2(-1.5f, 1e9f));

    printf("%g %g %g; %g %g %g %g; %g %g\n", h[0], h[100], h[200],
           four.x, four.y, four.z, four.w, two.x, two.y);
}
