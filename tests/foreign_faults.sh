#!/usr/bin/env bash
# Small programs and kernels as readers write them: faults that must be found,
# accusations that must not be made, advice that fits, and messages that name
# what is wrong. A case each.
. "$srcdir/tests/tap.sh"

tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit
gemmviz() { "$builddir/gemmviz" "$@" 2>&1; }

# in_main KERNELS HOST: writes a program, whose host has arrays a and b of 64
# floats with numbers in a, to program.cu.
in_main() {
	{
		printf '#include <cstdio>\n#include <cuda_fp16.h>\n%s\n' "$1"
		echo 'int main(int argc, char **argv)'
		echo '{'
		echo '    float h[64], *a, *b;'
		echo '    for (int i = 0; i < 64; i++) h[i] = i;'
		echo '    cudaMalloc(&a, sizeof h); cudaMalloc(&b, sizeof h);'
		echo '    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);'
		printf '    %s\n' "$2"
		echo '    cudaFree(a); cudaFree(b);'
		echo '}'
	} >program.cu
}
# run_status STATUS WHAT ARGUMENTS...: runs program.cu and sets $out.
run_status() {
	local want=$1 what=$2
	shift 2
	out=$(gemmviz run program.cu "$@")
	is $? "$want" "$what"
}

# ---- faults ----

in_main '
typedef float real;
template <class T> __device__ T total(const T *p, int n)
{
    T s;
    for (int i = 0; i < n; i++) s += p[i];
    return s;
}
__device__ float all_set(const float *p, int n)
{
    float x, y = 1, z; int k; unsigned u;
    if (n > 0) { x = p[0]; z = 2; } else { x = 0; z = 3; }
    for (k = 0; k < n; k++) x += y * z;
    float s, c;
    sincosf(x, &s, &c);
    asm("mov.u32 %0, %1;" : "=r"(u) : "r"(3));
    struct pair { float a; int b; }; pair q; q.a = s;
    return q.a + c + u;
}
__global__ void k(const float *a, float *b, int how)
{
    int i = threadIdx.x;
    real v;
    if (how != 1 || i < 8) v = a[i];
    if (how == 2) v = total(a, 4);
    b[i] = v + all_set(a, 4);
}' 'k<<<1, 32>>>(a, b, argc); cudaDeviceSynchronize();'
run_status 1 "a scalar that a branch leaves unset"
like "$out" 'thread 8 of block 0 reads v in line 28, to which nothing has given a value since its declaration in line 25 \(and 23 more' \
	"is named with both lines"
run_status 1 "a sum in a template that begins with no value" 1
like "$out" 'reads s in line 8, .* declaration in line 7 ' "is named"
is "$(echo "$out" | grep -c 'reads v')" 0 "what was computed from it is not"
run_status 0 "scalars that are set before they are read" 1 2

in_main '
__global__ void k(const float *a, float *b) { float s, u; u = a[0]; if (u > 0) { s = 1; } b[threadIdx.x] = s + u; }
__global__ void set(const float *a, float *b) { float s; if (a[0] > 0) s = 1; else { s = 2; } b[threadIdx.x] = s; }' \
	'if (argc == 1) k<<<1, 32>>>(a, b); else set<<<1, 32>>>(a, b);
    cudaDeviceSynchronize();'
run_status 1 "a scalar without a value in a body of one line"
like "$out" 'reads s in line 4, .* declaration in line 4' "is found"
run_status 0 "with one it is not" 1

in_main '
__global__ void dot(const float *a, float *b)
{
    extern __shared__ float left[];
    extern __shared__ float right[];
    int i = threadIdx.x;
    left[i] = a[i];
    right[i] = 2;
    __syncthreads();
    b[i] = left[i] * right[i];
}
__global__ void once(const float *a, float *b)
{
    extern __shared__ float left[];
    float *right = left + 32;
    left[threadIdx.x] = a[threadIdx.x];
    right[threadIdx.x] = 2;
    b[threadIdx.x] = left[threadIdx.x] * right[threadIdx.x];
}
__global__ void views(const float *a, float *b)
{
    extern __shared__ float one[];
    extern __shared__ float4 four[];
    one[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < 8) b[threadIdx.x] = four[threadIdx.x].y;
}' 'if (argc == 1) dot<<<1, 32, 256>>>(a, b);
    if (argc == 2) once<<<1, 32, 256>>>(a, b);
    if (argc == 3) views<<<1, 32, 256>>>(a, b);
    cudaDeviceSynchronize();'
run_status 1 "two extern __shared__ arrays"
like "$out" 'reads left in line 12 where thread 0 stored a value of right in line 10: both arrays begin at the same byte' \
	"are one place"
run_status 0 "one that the kernel divides" 1
run_status 0 "another view of it" 1 2

in_main '
__global__ void add(const float *a, float *b) { b[threadIdx.x] += a[threadIdx.x]; }' \
	'cudaMemcpy(b, h, 64, cudaMemcpyHostToDevice);
    add<<<1, 64>>>(a, b); cudaDeviceSynchronize();'
run_status 1 "a copy that forgets the size of an element"
like "$out" 'reads b\[16\] in line 4, .* line 9: the copy in line 11 wrote 64 of 256 bytes' \
	"is named"

in_main '
__constant__ float weights[16];
__device__ float sums[4];
__global__ void k(float *b) { b[threadIdx.x] = weights[threadIdx.x % 16] + sums[0]; }' \
	'cudaError_t e = argc == 1 ? cudaMemcpyToSymbol(weights, h, 65) :
        argc == 2 ? cudaMemcpyFromSymbol(h, sums, 8, 12) : cudaMemcpyToSymbol(weights, h, 32, 32);
    k<<<1, 32>>>(b); printf("%d\n", (int)e); cudaDeviceSynchronize();'
run_status 1 "a copy past the end of a symbol"
like "$out" 'cudaMemcpyToSymbol reaches byte 65 of a symbol of 64 bytes' "to it"
run_status 1 "likewise from one" 1
like "$out" 'cudaMemcpyFromSymbol reaches byte 20 of a symbol of 16 bytes' "with its offset"
run_status 0 "up to its end" 1 2

in_main '
__global__ void k(float *b, int more)
{
    int *p = (int *)malloc(10 * sizeof(int)), *q = new int[3];
    for (int i = 0; i < 10 + more; i++) p[i] = i;
    q[2] = p[9];
    b[threadIdx.x] = q[2];
    free(p); delete[] q;
}' 'k<<<1, 32>>>(b, argc - 1); cudaDeviceSynchronize();'
run_status 0 "memory of the device's heap, up to its end"
run_status 1 "and behind it" 1
like "$out" 'writes 4 bytes at byte 40 of memory .* has 40 bytes; the kernel allocated it in line 6; line 7' \
	"is named"

in_main '
__global__ void whole(const float4 *a, float *b) { float4 v = a[threadIdx.x]; b[threadIdx.x] = v.x + v.w; }
__global__ void three(float4 *a, float *b) { a[4].x = 1; a[4].y = 2; float4 v = a[4]; b[0] = v.x; }
__global__ void bytes(const unsigned char *a, float *b) { b[threadIdx.x] = a[threadIdx.x]; }
__global__ void halves(const float *a, float *b) { b[threadIdx.x] = ((const short *)a)[threadIdx.x]; }' \
	'float *c; cudaMalloc(&c, 256); cudaMemcpy(c, h, 64, cudaMemcpyHostToDevice);
    if (argc == 1) whole<<<1, 8>>>((float4 *)c, b);
    if (argc == 2) three<<<1, 1>>>((float4 *)c, b);
    if (argc == 3) bytes<<<1, 96>>>((unsigned char *)c, b);
    if (argc == 4) halves<<<1, 64>>>(c, b);
    cudaDeviceSynchronize(); cudaFree(c);'
run_status 1 "a vector that nothing has written"
like "$out" 'thread 4 of block 0 reads a\[16\]' "is named by its first element"
run_status 0 "a vector of which two are written" 1
run_status 1 "bytes that nothing has written" 1 2
run_status 1 "parts of elements that nothing has written" 1 2 3

in_main '
__global__ void k(const float *a, float *b, int how)
{
    int t = threadIdx.x;
    float v = a[t];
    if (how == 2 && t >= 20) return;
    if (how == 1 ? t < 16 : true)
        v = __shfl_sync(0xffffffff, v, 0);
    b[t] = v;
}' 'k<<<1, 32>>>(a, b, argc); cudaDeviceSynchronize();'
run_status 1 "a shuffle of the whole warp that half of it passes by"
like "$out" 'waits at __shfl_sync in line 10; lanes of its warp that never arrive: 16' "is told"
run_status 0 "lanes that have returned need not come" 1

# ---- what must not be said ----

in_main '
#include <algorithm>
template <class T> __device__ T by_reference(const T &x) { return x; }
template <class T> __device__ int forwarded(T &&x) { return (int)x; }
__device__ unsigned both(const uint3 &t) { return t.x + t.y; }
__global__ void k(float *b)
{
    const unsigned &x = threadIdx.x;
    int i = x;
    b[i] = by_reference(blockIdx.x) + forwarded(threadIdx.x) + both(threadIdx) + std::min(threadIdx.x, 3u);
}' 'k<<<1, 32>>>(b); cudaMemcpy(h, b, 128, cudaMemcpyDeviceToHost); printf("%g %g\n", h[1], h[31]);'
run_status 0 "references to threadIdx"
like "$out" '^\| 3 65$' "have its values"

in_main '
__device__ float after[4] = {1, 2, 3, 4};
__device__ int lut[4] = {1, 2, 3, 4};
__device__ float part(const float *p, int i) { return p[i] + lut[0]; }
template <int N> __device__ float local(const float *p, int t)
{
    float lut[N];
    for (int i = 0; i < N; i++) lut[i] = p[i];
    return lut[t % N];
}
__global__ void k(const float *a, float *b, int n)
{
    int t = threadIdx.x;
    const char *str = "abcd";
    b[t] = str[t % 5] + lut[t & 3] + "xyz"[t % 3] + part(after, t % 4) + local<4>(a, t) + local<8>(a, t);
    if (n > 1) b[t] += t < 9 ? lut[t % 5] : 0;
}' 'k<<<1, 32>>>(a, b, argc); cudaDeviceSynchronize();'
run_status 0 "arrays that share a line with others, or a name"
run_status 1 "an index past the end" 1
like "$out" 'thread 4 of block 0 reads lut\[4\]; lut has 4 elements; line 18' "is still one"

in_main '
__device__ int flag;
__global__ void k(float *a, float *b)
{
    if (threadIdx.x) return;
    if (blockIdx.x == 0) {
        a[0] = 42;
        asm volatile("st.global.release.gpu.b32 [%0], %1;" :: "l"(&flag), "r"(1) : "memory");
    } else {
        int v;
        do asm volatile("ld.acquire.gpu.global.b32 %0, [%1];" : "=r"(v) : "l"(&flag) : "memory"); while (!v);
        b[0] = a[0];
    }
}' 'k<<<2, 32>>>(a, b); cudaDeviceSynchronize();'
run_status 0 "acquire and release in PTX order two blocks, in both spellings"

in_main '
__global__ void k(unsigned *b)
{
    __shared__ __align__(16) unsigned short s[64];
    int t = threadIdx.x;
    s[t] = t; s[t + 32] = t + 32;
    __syncthreads();
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.b16 {%0}, [%1];" : "=r"(b[t]) : "l"(s + t % 8 * 8));
    asm volatile("bar.sync 10, 256;" ::: "memory");
}' 'k<<<1, 32>>>((unsigned *)b); cudaDeviceSynchronize();'
run_status 1 "a named barrier for more threads than there are"
like "$out" 'waits at barrier 10 for 256 threads, of which 224 never arrive' "is one that nobody completes"
is "$(echo "$out" | grep -c 'out-of-bounds')" 0 "a generic address for ldmatrix is none out of bounds"

in_main '
#include <cuda_pipeline.h>
__global__ void k(const float *a, float *b, int how)
{
    __shared__ __align__(16) float row[32], tile[4][32];
    int x = threadIdx.x, y = threadIdx.y;
    if (y == 0) __pipeline_memcpy_async(&row[x], &a[x], 4);
    __pipeline_commit();
    if (how > 1) __pipeline_wait_prior(0);
    __syncthreads();
    __pipeline_memcpy_async(&tile[y][x], &a[x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    b[x] = tile[y][x] + (y ? 0 : row[x]) + (y == 1 ? row[x] : 0);
}' 'k<<<1, dim3(32, 2)>>>(a, b, argc); cudaDeviceSynchronize();'
run_status 1 "a copy that its thread awaits only after the barrier"
like "$out" 'reads row\[0\] in line 16, while the asynchronous copy that thread \(0,0\) started in line 9 may still write it' \
	"may still write"
is "$(echo "$out" | grep 'row' | grep -c 'no barrier')" 0 \
	"that there is no barrier is not said"

in_main '
__global__ void scale(float *second) { second[threadIdx.x] *= 2; }' \
	'scale<<<1, 40>>>(a + 32); cudaDeviceSynchronize();'
run_status 1 "a pointer into the middle of an allocation"
like "$out" 'thread 32 of block 0 reads second\[32\]; second has 32 elements, from element 32 of its allocation on' \
	"is indexed as the kernel does"

in_main '
__global__ void both(const float *first, float *second) { second[threadIdx.x] = first[threadIdx.x]; }
struct list { float *at; int n; };
__global__ void fill(list l) { l.at[threadIdx.x] = l.n; }' \
	'list l = {a + 16, 3};
    if (argc == 1) both<<<1, 40>>>(a, a + 32); else fill<<<1, 64>>>(l);
    cudaDeviceSynchronize();'
run_status 1 "two pointers into one allocation"
like "$out" 'writes a\[64\]; a has 64 elements' "it has the name that the host gives it"
run_status 1 "a pointer into its middle, in a structure" 1
like "$out" 'writes a\[64\]; a has 64 elements' "likewise"

in_main '
__global__ void inc(float *a) { a[threadIdx.x] += 1; }' \
	'cudaEvent_t e; cudaEventCreate(&e);
    inc<<<1, 65>>>(a); cudaEventRecord(e); if (cudaEventSynchronize(e) != cudaSuccess) printf("failed\n");
    cudaEventDestroy(e);'
run_status 1 "a status that the second call of a line keeps"
is "$(echo "$out" | grep -c 'never checks')" 0 "is asked for"

in_main '
__global__ void inc(float *a) { a[threadIdx.x] += 1; }' \
	'inc<<<1, 65>>>(a);
    cudaError_t e = cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
    if (e) printf("failed\n");'
run_status 1 "a status that is kept"
is "$(echo "$out" | grep -c 'never checks')" 0 "is asked for"
in_main '
__global__ void inc(float *a) { a[threadIdx.x] += 1; }' \
	'inc<<<1, 65>>>(a);
    cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);'
run_status 1 "a status that is thrown away"
like "$out" 'never checks for the error' "is not"

in_main '
__global__ void k(const float *a, float *b)
{
    __shared__ float s[32][5];
    int i = threadIdx.x;
    for (int c = 0; c < 4; c++) s[i][c] = a[i];
    __syncthreads();
    float2 v = *(float2 *)&s[i][0];
    b[i] = v.x + v.y;
}' 'k<<<1, 32>>>(a, b); cudaDeviceSynchronize();'
out=$(gemmviz report program.cu)
like "$out" 'line 10, crash: thread 1 of block 0 reads 8 bytes at once' "a misaligned read"
is "$(echo "$out" | grep -Ec 'divergent|Advice|uncoalesced')" 0 \
	"the lanes that it stops are no costs, and give no advice"

cat >library.cu <<'X'
#include <cstdio>
#include <cublas_v2.h>
int main(int argc, char **)
{
    if (argc > 1) { printf("größe – usage: ./a N\n"); return 1; }
    cublasHandle_t h;
    cublasCreate(&h);
    cublasDestroy(h);
}
X
out=$(gemmviz run library.cu)
is $? 0 "a program without a kernel is no error"
is "$(echo "$out" | grep -c 'launched no kernel')" 0 "and no message"
out=$(gemmviz check library.cu)
is $? 0 "for check neither"
like "$(gemmviz run library.cu 1)" 'it printed last: größe – usage: ./a N$' \
	"UTF-8 stays UTF-8"

# ---- advice ----

cat >flat.cu <<'X'
__global__ void turn(const float *in, float *out)
{
    __shared__ float s[32 * 32];
    int x = threadIdx.x, y = threadIdx.y;
    s[y * 32 + x] = in[y * 32 + x];
    __syncthreads();
    out[y * 32 + x] = s[x * 32 + y];
}
X
like "$(gemmviz report flat.cu --block 32x32 --grid 1 | tr -s ' \n' ' ')" \
	'give s rows of 33 elements instead of 32: shared wavefronts 1056 -> 64' \
	"rows of a one-dimensional tile"
like "$(gemmviz check flat.cu --block 32x32 --grid 1)" 'flat.cu:7:23: warning: .* a 32-way conflict' \
	"a 32-way conflict is a warning"
gemmviz check flat.cu --block 32x32 --grid 1 >/dev/null
is $? 0 "that nobody has set a limit for"
cat >halves.cu <<'X'
#include <cuda_fp16.h>
__global__ void turn(const half *in, half *out)
{
    __shared__ half s[32][33];
    s[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    out[threadIdx.y * 32 + threadIdx.x] = s[threadIdx.x][threadIdx.y];
}
X
out=$(gemmviz report halves.cu --block 32x32 --grid 1 | tr -s ' \n' ' ')
like "$out" '\(s\[0\]\[1\], s\[31\]\[1\]\)' "lanes access their own elements of a shared word"
like "$out" 'declare s\[32\]\[34\] instead of \[32\]\[33\]' "padding of halves"
sed 's/half/unsigned char/g' halves.cu >chars.cu
like "$(gemmviz report chars.cu --block 32x32 --grid 1 | tr -s ' \n' ' ')" 'declare s\[32\]\[36\] instead of' \
	"padding of bytes"
cat >unused.cu <<'X'
__global__ void turn(const float *in, float *out)
{
    __shared__ float s[32][33];
    float *p = &s[0][0];
    int x = threadIdx.x, y = threadIdx.y;
    p[y * 32 + x] = in[y * 32 + x];
    __syncthreads();
    out[y * 32 + x] = p[x * 32 + y];
}
X
out=$(gemmviz report unused.cu --block 32x32 --grid 1 | tr -s ' \n' ' ')
like "$out" 's counted in rows of 33 elements, as it is declared, in place of 32: shared wavefronts 1056 -> 64' \
	"padding that is declared and not used"
cat >columns.cu <<'X'
__global__ void move(const float *A, float *C, int n)
{
    int row = blockIdx.x * 16 + threadIdx.x, col = blockIdx.y * 16 + threadIdx.y;
    __syncthreads();
    C[row * n + col] = 2 * A[row * n + col];
}
X
out=$(gemmviz report columns.cu --block 16x16 --grid 4x4 | tr -s ' \n' ' ')
like "$out" 'exchange threadIdx.x and threadIdx.y' "in a kernel with a barrier"
is "$(echo "$out" | grep -c 'a tile of A in shared memory')" 0 \
	"no tile of what is used once"

# ---- messages ----

mkdir two
cat >two/host.cpp <<'X'
void twice(float *p);
int main() { float h[32] = {}; twice(h); }
X
cat >two/part.cu <<'X'
#include <cuda_runtime.h>
__global__ void twice_kernel(float *p) { p[threadIdx.x] *= 2; }
void twice(float *h)
{
    float *p;
    cudaMalloc(&p, 128);
    cudaMemcpy(p, h, 128, cudaMemcpyHostToDevice);
    twice_kernel<<<1, 32>>>(p);
    cudaFree(p);
}
X
cd two || exit
like "$(gemmviz run host.cpp part.cu)" 'part.cu:8  twice_kernel .* recorded' \
	"the order of a program's files does not matter"
like "$(gemmviz run part.cu)" 'part.cu has no main\(\), .*; host.cpp has one: gemmviz run part.cu host.cpp' \
	"who has the main()"
like "$(gemmviz report host.cpp)" 'host.cpp is neither a kernel nor a file that gemmviz reads' \
	"a file that exists is not taken for a kernel's name"
cd .. || exit

mkdir -p named
echo 'void _check(cudaError_t e, int line) { if (e) throw line; }' >named/util.cu
cat >named/main.cu <<'X'
void _check(cudaError_t e, int line);
__global__ void fill(float *x) { x[threadIdx.x] = 1; }
int main()
{
    float *x;
    _check(cudaMalloc(&x, 128), __LINE__);
    fill<<<1, 32>>>(x);
    cudaFree(x);
}
X
like "$(gemmviz run named/main.cu)" 'added named/util.cu, which defines _check\(\)' \
	"a missing name is the reader's, not its parameter's type"

{
	echo 'static inline int three(void) { return 3; }'
	yes '// a comment that fills the file' | head -n 9000
} >large.h
cat >large.cu <<'X'
#include "large.h"
__global__ void k(int *x) { x[threadIdx.x] = 1; }
int main() { return three(); }
X
out=$(gemmviz run large.cu)
like "$out" 'large.cu:1: large.h has 297044 bytes, of which at most 262144 are read' \
	"a limit is named as one"
is "$(echo "$out" | wc -l)" 1 "once"
for i in $(seq 17); do
	head -c 250000 large.h >"large$i.h"
	echo "#include \"large$i.h\""
done >many.cu
echo '__global__ void k(int *x) { x[0] = 1; } int main() { return 0; }' >>many.cu
like "$(gemmviz run many.cu)" 'many.cu:17: large17.h is one too many: all headers together may have 4194304 bytes' \
	"the limit of all together, too"

in_main '
__global__ void k(float *a) { a[threadIdx.x] = __gemmviz_none(1); }' 'k<<<1, 32>>>(a);'
like "$(gemmviz run program.cu)" 'program.cu:4: __gemmviz_none is not played by the recorder$' \
	"a function that the recorder lacks"
in_main '
__global__ void k(float *a) { asm volatile("tcgen05.wait::ld.sync.aligned;"); a[0] = 1; }' \
	'k<<<1, 32>>>(a); cudaDeviceSynchronize();'
out=$(gemmviz run program.cu)
like "$out" 'cannot record this PTX' "PTX that it lacks"
is "$(echo "$out" | grep -c 'kernel-only')" 0 "--kernel-only would not help"

echo 'int main() { return 0; }' >second.cu
like "$(gemmviz run program.cu second.cu)" "does not compile: multiple definition of .main'$" \
	"the linker's reason"
if [ -f /usr/local/include/cusolverSp.h ]; then
	printf '#include <cusolverSp.h>\nint main() { return 0; }\n' >sparse.cu
	like "$(gemmviz run sparse.cu)" 'does not support cusolverSp.h on the CPU' \
		"a library's header that is installed"
else
	skip "a library's header that is installed" "no cusolverSp.h"
fi

in_main '
#define GET(p, n) do { cudaError_t e = cudaMalloc((void **)&(p), n); if (e) return e; } while (0)
__global__ void k(float *a) { a[threadIdx.x] = 1; }' \
	'float *p, *q, *r, *s; cudaMallocManaged(&p, 128), cudaMallocManaged(&q, 256);
    GET(r, 384); GET(s, 512);
    k<<<1, 32>>>(p); k<<<1, 32>>>(q); cudaDeviceSynchronize();'
out=$(gemmviz run program.cu)
for each in 'p \(128' 'q \(256' 'memory \(384' 'memory \(512'; do
	like "$out" ": $each bytes\) is never freed$" "each has its own size: $each"
done

in_main '
__global__ void k(float *a) { a[threadIdx.x] = 1; }' \
	'float *p, *q; cudaMalloc(&p, 128); cudaMalloc(&q, 256);
    k<<<1, 32>>>(p); k<<<1, 32>>>(q); cudaDeviceSynchronize();'
out=$(gemmviz run program.cu --seconds 4)
like "$out" 'gemmviz: --seconds is given to the program' "options after the file"
like "$out" ': p \(128 bytes\) is never freed$' "allocations of one line"
like "$out" ': q \(256 bytes\) is never freed$' "each by its name"
done_testing
