# What a GPU makes of arithmetic that C++ leaves open, and of wrong launches: a
# program that is run on the CPU prints what it printed on an H200 with CUDA 13.0
# (nvcc -std=c++17 -arch=sm_90), from where the expected lines are.
# shellcheck disable=SC2016
. "$srcdir/tests/tap.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# prints WHAT EXPECTED: runs the program on standard input, and compares what it
# prints. A kernel's body, k<<<1, 1>>>(), is enough where there is no main().
prints() {
	{
		echo '#include <cstdio>'
		cat
	} >"$tmp/p.cu"
	grep -q 'main()' "$tmp/p.cu" ||
		echo 'int main() { k<<<1, 1>>>(); cudaDeviceSynchronize(); }' \
			>>"$tmp/p.cu"
	"$builddir/gemmviz" report --json "$tmp/p.cu" >"$tmp/out" 2>"$tmp/err"
	is "$(perl -MJSON::PP -0777 -ne 'my $j = decode_json($_);
		my $p = $j->{program} // $j;
		# A sanitizer doubts its own word here.
		$p->{output} =~ s/^==\d+==WARNING: ASan .*\n//mg;
		print $p->{output}' "$tmp/out" || cat "$tmp/err")" "$2" "$1"
}

prints "__mul24() multiplies 24 bits, and keeps the sign" "15 15 -6 4294967290" <<'END'
__device__ int a = 0x7f000003, b = 0x05000007, c = 0xfffffe, d = 3;
__global__ void k()
{
    printf("%x %x %d %u\n", __mul24(a, b), __umul24(a, b), __mul24(c, d),
           __umul24(c, d) - 0x2fffffau - 6);
}
END
prints "__fdividef() of more than 2^126 is 0, / is not" "0 5e-39 1" <<'END'
__device__ float x = 1, y = 2e38f, z = INFINITY;
__global__ void k()
{
    printf("%g %g %d\n", __fdividef(x, y), x / y, isnan(__fdividef(z, y)));
}
END
prints "jn(n, 0) of orders from 2 is no number" "nan 1 0 nan" <<'END'
__device__ float z = 0;
__global__ void k()
{
    printf("%g %g %g %g\n", jnf(3, z), jnf(0, z), jnf(1, z), jn(2, (double)z));
}
END
prints "printf() returns the number of its arguments" "41 and 42
nothing
2 0" <<'END'
__global__ void k()
{
    int a = printf("%d and %d\n", 41, 42), b = printf("nothing\n");
    std::printf("%d %d\n", a, b);
}
END
prints "a tile of a tile is counted in its parent" "2 4 6 16" <<'END'
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k()
{
    auto t = cg::tiled_partition<8>(cg::this_thread_block());
    auto s = cg::tiled_partition<2>(t);
    auto u = cg::tiled_partition<2>(cg::this_thread_block());
    if (threadIdx.x == 13)
        printf("%u %u %u %u\n", s.meta_group_rank(), s.meta_group_size(),
               u.meta_group_rank(), u.meta_group_size());
}
int main() { k<<<1, 32>>>(); cudaDeviceSynchronize(); }
END

# ---- reals of 16 and 8 bits ----

prints "half and bfloat16 keep to the range of each integer" "0 0 0 0 0 0 -9223372036854775808 9223372036854775808
127 255 32767 60000 60000 60000 60000 60000
127 255 32767 65535 2147483647 4294967295 9223372036854775807 18446744073709551615
-128 0 -200 0 -200 0 -200 0" <<'END'
#include <cuda_fp16.h>
#include <cuda_bf16.h>
template <class T> __device__ void all(T x)
{
    printf("%d %d %d %d %d %u %lld %llu\n", (signed char)x, (unsigned char)x,
           (short)x, (unsigned short)x, (int)x, (unsigned)x, (long long)x,
           (unsigned long long)x);
}
__device__ float a = NAN, b = 60000, c = 1e30f, d = -200;
__global__ void k()
{
    all(__nv_bfloat16(a));
    all(__half(b));
    all(__nv_bfloat16(c));
    all(__half(d));
}
END
prints "a half becomes its bits" "3e00" <<'END'
#include <cuda_fp16.h>
__global__ void k()
{
    __half_raw r = __float2half(1.5f);
    printf("%04x\n", r.x);
}
END
prints "NaN in 8 bits has no sign" "7f 7f 7e 7f" <<'END'
#include <cuda_fp8.h>
__device__ float x = NAN;
__global__ void k()
{
    printf("%02x %02x %02x %02x\n",
           __nv_cvt_float_to_fp8(-x, __NV_NOSAT, __NV_E4M3),
           __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E5M2),
           __nv_cvt_double_to_fp8(x, __NV_SATFINITE, __NV_E5M2),
           __nv_cvt_double_to_fp8(x, __NV_SATFINITE, __NV_E4M3));
}
END
prints "rounding intrinsics saturate, with the highest bit for NaN from 64 bits" "0 -2147483648 -9223372036854775808 -9223372036854775808
2147483647 4294967295 9223372036854775807 9223372036854775807" <<'END'
__device__ float x = NAN, y = 1e20f;
__global__ void k()
{
    printf("%d %d %lld %ld\n", __float2int_rn(x), __double2int_rn(x),
           __float2ll_rn(x), lrintf(x));
    printf("%d %u %lld %lld\n", __float2int_rn(y), __double2uint_rn(y),
           __float2ll_rn(y), llroundf(y));
}
END

# ---- integers ----

prints "float and double become integers, saturated" "2147483647 -3 0
4294967295 0 0
9223372036854775807 -9223372036854775808 18446744073709551615 0
4464 -200 112 0 112 56 -2147483648 -9223372036854775808" <<'END'
__device__ float big = 1e20f, neg = -3.7f, nan_ = NAN, s = 70000, c = -200;
__device__ double d = NAN;
__global__ void k()
{
    printf("%d %d %d\n", (int)big, (int)neg, (int)nan_);
    printf("%u %u %u\n", (unsigned)big, (unsigned)neg, (unsigned)nan_);
    printf("%lld %lld %llu %llu\n", (long long)big, (long long)-big,
           (unsigned long long)big, (unsigned long long)neg);
    printf("%d %d %d %d %d %d %d %lld\n", (short)s, (short)c,
           (unsigned char)s, (unsigned char)c, (signed char)s, (char)c, (int)d,
           (long long)nan_);
}
END
prints "shifts by the width and more give 0 or the sign" "256 -1 16777215 256 200
-2147483648 -1 1 2147483648 0
0 -1 0 4294967296 0
0 -1 0 0 0
0 -1 0 0 0" <<'END'
__device__ int one = 1;
__device__ long long wide = 1;
__global__ void shift(int n, unsigned char c)
{
    long long w = wide << n;
    printf("%d %d %u %lld %d\n", one << n, -one >> n, (unsigned)-one >> n, w,
           n == 8 ? c : c >> n);
}
int main()
{
    for (int n : { 8, 31, 32, 64, -1 })
        shift<<<1, 1>>>(n, 200);
    cudaDeviceSynchronize();
}
END
prints "division by zero gives all ones, and the kernel goes on" "-1 5 -1 -5
4294967295 5
4294967295 5 -1 -5
-2147483648 0" <<'END'
__device__ int a = 5, z, least = -0x7fffffff - 1, minus = -1;
__device__ unsigned u = 5, uz;
__device__ long long w = 5, wz;
__global__ void k()
{
    printf("%d %d %d %d\n", a / z, a % z, -a / z, -a % z);
    printf("%u %u\n", u / uz, u % uz);
    printf("%lld %lld %lld %lld\n", w / wz, w % wz, -w / wz, -w % wz);
    printf("%d %d\n", least / minus, least % minus);
}
END
said=$("$builddir/gemmviz" run "$tmp/p.cu" 2>&1)
like "$said" "divides by zero" "a division by zero is noted"

# ---- products and sums ----

# What nvcc fused is what its machine code has FFMA for, instead of FMUL and FADD.
if grep -qw fma /proc/cpuinfo; then
prints "a product that only sums use is fused" "0x1.3d70a4p-29 0x1.3d70a4p-29 0x1p-29
-0x1.eb852p-5 0x1.eb852p-5
0x1.eb852p-32 0x1p-29 0x1.eb852p-6" <<'END'
__device__ float x = 0.1f, y = 0.3f, z = -0.03f, u, v;
__device__ float f(float x, float y, float z)
{
    float p = x * y;
    float q = p + z;
    return q;
}
__global__ void k()
{
    printf("%a %a %a\n", x * y + z, f(x, y, z),
           __fadd_rn(__fmul_rn(x, y), z));
    printf("%a %a\n", z - x * y, x * y - z);
    float a = x, b = y, c = z, p = a * b;
    u = p;	/* stored: not fused */
    printf("%a %a %a\n", a * y - x * b, p + c, p);
}
END
prints "halves are fused, too" "-0x1.4p-20 -0x1.4p-20 0x0p+0" <<'END'
#include <cuda_fp16.h>
__device__ float x = 0.1f, y = 0.3f, z = -0.03f;
__global__ void k()
{
    __half a = __float2half(x), b = __float2half(y), c = __float2half(z);
    printf("%a %a %a\n", __half2float(a * b + c),
           __half2float(__hadd(__hmul(a, b), c)),
           __half2float(__hadd_rn(__hmul_rn(a, b), c)));
}
END
fi

# ---- the runtime ----

prints "copies past a symbol's end, with a wrong pitch or kind fail" "cudaErrorInvalidValue cudaErrorInvalidValue cudaErrorInvalidValue cudaSuccess
cudaErrorInvalidPitchValue cudaErrorInvalidValue cudaErrorInvalidValue cudaErrorInvalidValue
cudaSuccess
cudaErrorInvalidMemcpyDirection cudaSuccess" <<'END'
__device__ int sym[4];
#define N(x) cudaGetErrorName(x)
int main()
{
    static int h[200];
    char *d;
    cudaMalloc(&d, 64);
    printf("%s %s %s %s\n", N(cudaMemcpyToSymbol(sym, h, 20)),
           N(cudaMemcpyToSymbol(sym, h, 4, 16)),
           N(cudaMemcpyFromSymbol(h, sym, 400)),
           N(cudaMemcpyToSymbol(sym, h, 16)));
    printf("%s %s %s %s\n",
           N(cudaMemcpy2D(d, 4, h, 8, 8, 2, cudaMemcpyHostToDevice)),
           N(cudaMemcpy2D(d, 4, d + 32, 4, 8, 1, cudaMemcpyDeviceToDevice)),
           N(cudaMemset2D(d, 4, 0, 8, 2)), N(cudaMemset2D(h, 8, 0, 8, 1)));
    printf("%s\n", N(cudaMemcpy2D(d, 0, d + 32, 4, 4, 1, cudaMemcpyDeviceToDevice)));
    printf("%s %s\n", N(cudaMemcpy(d, h, 4, (cudaMemcpyKind)9)),
           N(cudaMemcpy(d, d + 16, 4, cudaMemcpyHostToDevice)));
    cudaFree(d);
}
END
prints "the host's memory is registered once, and the device uses it" "cudaErrorHostMemoryNotRegistered cudaSuccess cudaErrorHostMemoryAlreadyRegistered cudaErrorInvalidValue
cudaSuccess 1 63
cudaSuccess cudaErrorHostMemoryNotRegistered" <<'END'
#define N(x) cudaGetErrorName(x)
__global__ void k(int *p) { p[threadIdx.x] += threadIdx.x; }
int main()
{
    int *a = new int[64](), *d;
    const char *first = N(cudaHostUnregister(a));
    printf("%s %s ", first, N(cudaHostRegister(a, 256, cudaHostRegisterMapped)));
    printf("%s ", N(cudaHostRegister(a, 256, 0)));
    printf("%s\n", N(cudaHostRegister(a + 64, 1ull << 62, 0)));
    cudaPointerAttributes t;
    cudaPointerGetAttributes(&t, a);
    printf("%s %d ", N(cudaHostGetDevicePointer(&d, a, 0)), (int)t.type);
    k<<<1, 64>>>(d);
    cudaDeviceSynchronize();
    printf("%d\n", a[63]);
    first = N(cudaHostUnregister(a));
    printf("%s %s\n", first, N(cudaHostUnregister(a)));
}
END
prints "a kernel's attributes are its own" "200 128 64 96
0 3 0" <<'END'
__global__ void __launch_bounds__(128) k(float *a)
{
    __shared__ float s[50];
    s[threadIdx.x % 50] = a[threadIdx.x];
    __syncthreads();
    a[threadIdx.x] = s[3];
}
template <int N> __launch_bounds__(N) __global__ void t(int *o)
{
    extern __shared__ int s[];
    s[threadIdx.x] = 1;
    o[threadIdx.x] = s[0];
}
template <int N> __global__ __launch_bounds__(3 * N, 1) void u(int *) {}
template __global__ void u<32>(int *);
int main()
{
    cudaFuncAttributes f, g, h;
    cudaFuncGetAttributes(&f, k);
    cudaFuncGetAttributes(&g, t<64>);
    cudaFuncGetAttributes(&h, u<32>);
    printf("%zu %d %d %d\n", f.sharedSizeBytes, f.maxThreadsPerBlock,
           g.maxThreadsPerBlock, h.maxThreadsPerBlock);
    int n, m, l;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, t<64>, 64, 60000);
    cudaFuncSetAttribute(t<64>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         60000);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&m, t<64>, 64, 60000);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&l, t<64>, 96, 0);
    printf("%d %d %d\n", n, m, l);
}
END

# refused LAUNCH ERROR WHY: the launch of k, whose bounds are 128 threads, or of
# l, fails with this error and for this reason.
refused() {
	printf '%s\n' '#include <cstdio>' \
		'__global__ void __launch_bounds__(128) k(int *o) { o[0] = 7; }' \
		'__global__ void l(int *o) { extern __shared__ int s[]; s[0] = 7; o[0] = s[0]; }' \
		'int main() { int *d; cudaMalloc(&d, 64); cudaMemset(d, 0, 64);' \
		"    $1;" \
		'    int h; cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost); cudaFree(d);' \
		'    printf("%d\n", h); }' >"$tmp/r.cu"
	said=$("$builddir/gemmviz" run "$tmp/r.cu" 2>&1)
	like "$said" "^\\| 0$" "$1: nothing runs"
	like "$said" "failed \($2\)" "$2"
	like "$said" "r.cu:5: $3" "with the reason"
}
refused 'k<<<1, 256>>>(d)' cudaErrorInvalidValue \
	"k is not launched: its block has 256 threads, and __launch_bounds__ allows 128"
refused 'l<<<1, dim3(64, 64)>>>(d)' cudaErrorInvalidConfiguration \
	"l is not launched: its block has 4096 threads, and may have 1024"
refused 'l<<<dim3(1, 70000), 1>>>(d)' cudaErrorInvalidConfiguration \
	"l is not launched: gridDim.y is 70000, and may be 1 to 65535"
refused 'l<<<1, 256, 65536>>>(d)' cudaErrorInvalidValue \
	"l is not launched: it asks for 65536 bytes of dynamic shared memory, and without cudaFuncSetAttribute\(\) has at most 49152"

prints "a fragment of bytes at 16 bytes is right" "no error, 0 wrong" <<'END'
#include <mma.h>
using namespace nvcuda::wmma;
__global__ void k(const signed char *a, const signed char *b, int *c, int K)
{
    fragment<matrix_a, 16, 16, 16, signed char, row_major> fa;
    fragment<matrix_b, 16, 16, 16, signed char, col_major> fb;
    fragment<accumulator, 16, 16, 16, int> acc;
    fill_fragment(acc, 0);
    for (int k = 0; k < K; k += 16) {
        load_matrix_sync(fa, a + k, K);
        load_matrix_sync(fb, b + k, K);
        mma_sync(acc, fa, fb, acc);
    }
    store_matrix_sync(c, acc, 16, mem_row_major);
}
int main()
{
    signed char ha[1024], hb[1024], *a, *b;
    int r[256], *c, bad = 0;
    for (int i = 0; i < 1024; i++)
        ha[i] = i % 7 - 3, hb[i] = i % 5 - 2;
    cudaMalloc(&a, 1024);
    cudaMalloc(&b, 1024);
    cudaMalloc(&c, 1024);
    cudaMemcpy(a, ha, 1024, cudaMemcpyHostToDevice);
    cudaMemcpy(b, hb, 1024, cudaMemcpyHostToDevice);
    k<<<1, 32>>>(a, b, c, 64);
    cudaError_t e = cudaMemcpy(r, c, 1024, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 256; i++) {
        int s = 0;
        for (int k = 0; k < 64; k++)
            s += ha[i / 16 * 64 + k] * hb[i % 16 * 64 + k];
        bad += s != r[i];
    }
    printf("%s, %d wrong\n", cudaGetErrorString(e), bad);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
}
END
like "$("$builddir/gemmviz" run "$tmp/p.cu" 2>&1)" \
	"note: .*a multiple of 32 bytes; of bytes a GPU takes multiples of 16" \
	"with a note"

# ---- architectures (tests/arch_test has the instructions) ----

cat >"$tmp/arch.cu" <<'END'
#include <cstdio>
#include <mma.h>
using namespace nvcuda::wmma;
__global__ void c(float *p) { p[threadIdx.x] = 1; }
__global__ void reduces(unsigned *p) { p[threadIdx.x] = __reduce_add_sync(~0u, threadIdx.x); }
__global__ void __cluster_dims__(2, 1, 1) clusters(unsigned *p) { p[blockIdx.x] = 1; }
__global__ void bfloat16(__nv_bfloat16 *p)
{
    fragment<matrix_a, 16, 16, 16, __nv_bfloat16, row_major> f;
    load_matrix_sync(f, p, 16);
}
__global__ void async(const float *a, float *b)
{
    __shared__ float s[32];
    int t = threadIdx.x;
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;"
                 :: "r"((unsigned)__cvta_generic_to_shared(&s[t])), "l"(a + t));
    asm volatile("cp.async.wait_all;");
#elif defined ALWAYS
    asm volatile("cp.async.wait_all;");
#else
    s[t] = a[t];
#endif
    b[t] = s[t];
}
int main(int argc, char **argv)
{
    void *p;
    cudaMalloc(&p, 4096);
    cudaMemset(p, 0, 4096);
    switch (argv[1][0]) {
    case 'r': reduces<<<1, 32>>>((unsigned *)p); break;
    case 'c': clusters<<<2, 1>>>((unsigned *)p); break;
    case 'b': bfloat16<<<1, 32>>>((__nv_bfloat16 *)p); break;
    case 'a': async<<<1, 32>>>((float *)p, (float *)p + 512); break;
    }
    cudaDeviceProp d;
    cudaGetDeviceProperties(&d, 0);
    printf("%d.%d, %d SMs: %s\n", d.major, d.minor, d.multiProcessorCount,
           cudaGetErrorName(cudaDeviceSynchronize()));
    cudaFree(p);
}
END
# on ARCH CASE PATTERN: a program's launch on an architecture says this.
on() {
	like "$("$builddir/gemmviz" run --arch "$1" "$tmp/arch.cu" "$2" 2>&1)" \
		"$3" "$1, $2"
}
on sm_75 reduces 'arch.cu:5: sm_75 lacks __reduce_add_sync \(the first with that is sm_80\)$'
on A100 reduces '^\| 8.0, 108 SMs: cudaSuccess$'
on RTX4090 clusters 'sm_89 lacks clusters \(the first with that is sm_90\)$'
on H200 clusters '^\| 9.0, 132 SMs: cudaSuccess$'
on t4 bfloat16 'arch.cu:10: sm_75 lacks wmma of bf16 \(the first with that is sm_80\)$'
on sm_86 bfloat16 '^\| 8.6, 72 SMs: cudaSuccess$'
on sm_75 async '^\| 7.5, 40 SMs: cudaSuccess$'
on sm_91 async '^gemmviz: --arch needs an architecture from sm_50 on, or a card'
kernel() {
	"$builddir/gemmviz" check "$tmp/arch.cu" --kernel-only --entry async \
		--block 32 --grid 1 "$@" 2>&1
}
like "$(kernel --arch sm_75 -D ALWAYS)" \
	'sm_75 lacks cp.async.wait_all \(the first with that is sm_80\)' \
	"a kernel by itself, too"
like "$(kernel --arch L4 -D ALWAYS)" 'errors: 0' "which others have"
like "$("$builddir/gemmviz" check mma --arch sm_75 2>&1)" \
	'mma.cu:[0-9]+: sm_75 lacks mma_m16n8k16' "and one of gemmviz's"
like "$("$builddir/gemmviz" check wgmma_basic --arch sm_100 2>&1)" \
	'sm_100 lacks wgmma \(only sm_90a has that\)' "what no later one has"

echo '__global__ void k(int *p) { extern __shared__ int s[]; s[0] = 1; p[0] = s[0]; }' \
	>"$tmp/shared.cu"
like "$("$builddir/gemmviz" check "$tmp/shared.cu" --block 1 --grid 1 --shared 66000 --arch T4 2>&1)" \
	'a block of sm_75 has 65536 bytes of shared memory at most' "its shared memory"

# The same kernels are those that nvcc refuses.
nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
takes() {
	"$nvcc" -std=c++17 -arch="$1" -cubin -o "$tmp/cubin" "$tmp/nvcc.cu" \
		>"$tmp/said" 2>&1
}
# nvcc_agrees KERNEL ARCH STATUS: nvcc takes (0) or refuses (1) one kernel.
nvcc_agrees() {
	{
		printf '#include <mma.h>\nusing namespace nvcuda::wmma;\n'
		sed -n "/ $1(/,/^}/p" "$tmp/arch.cu" | sed '/}$/q'
	} >"$tmp/nvcc.cu"
	takes "$2"
	is "$(($? != 0))" "$3" "nvcc -arch=$2: $1"
}
printf '__global__ void k() {}\n' >"$tmp/nvcc.cu"
if [ -x "$nvcc" ] && takes sm_75; then
	nvcc_agrees reduces sm_75 1
	nvcc_agrees reduces sm_80 0
	nvcc_agrees clusters sm_89 1
	nvcc_agrees clusters sm_90 0
	nvcc_agrees bfloat16 sm_75 1
	nvcc_agrees bfloat16 sm_86 0
else
	skip "nvcc -arch" "there is no nvcc"
fi

done_testing
