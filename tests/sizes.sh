#!/usr/bin/env bash
# The sizes at which a kernel is judged: those that a launch in the text passes,
# those that block and grid cover, and a second one.
. "$srcdir/tests/tap.sh"

tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit

# gemmviz STATUS ARGS...: sets $out.
gemmviz() {
	want=$1
	shift
	out=$("$builddir/gemmviz" "$@" 2>err)
	is "$?" "$want" "$*: status $want"
}
# The verdict, on one line.
verdict() { printf '%s\n' "$out" | sed '/^[^ ].* m [0-9]/,$d' | tr -s '\n ' ' '; }
last() { printf '%s\n' "$out" | tail -1; }

# ---- a launch in the text is read whole ----

# launched TEXT...: writes a kernel of one size, and host code that launches it.
launched() {
	{
		echo '__global__ void scale(float *d, float f, int n)'
		echo '{'
		echo '    int i = blockIdx.x * blockDim.x + threadIdx.x;'
		echo '    if (i < n) d[i] *= f;'
		echo '}'
		printf '%s\n' "$@"
	} >scale.cu
}
passes() {
	like "$out" "n 1024, k 64, grid 4 x 1 x 1, block 256" "$1"
	like "$out" '  n +int +1024 +the launch in the text, -n' "its size"
	like "$out" '  f +float +2 +the launch in the text' "and its factor"
}
launched 'void run(float *d)' '{' '    const int N = 1024;' \
	'    scale<<<(N + 255) / 256, 256>>>(d, 2.0f, N);' '}'
gemmviz 0 report scale.cu
passes "a local constant"
launched '#define N 1024' 'void run(float *d)' '{' \
	'    scale<<<(N + 255) / 256, 256>>>(d, 2.0f, N);' '}'
gemmviz 0 report scale.cu
passes "a macro"
launched 'static int div_up(int a, int b) { return (a + b - 1) / b; }' \
	'void run(float *d)' '{' '    const int count = 1024;' \
	'    const float twice = 2;' \
	'    scale<<<div_up(count, 256), 256>>>(d, twice, count);' '}'
gemmviz 0 report scale.cu
passes "a function that returns an expression, names of other variables"
gemmviz 0 report scale.cu -n 100
like "$out" '  n +int +100 +its name, -n' "a size by hand stands before it"
gemmviz 0 report scale.cu --arg f=3
like "$out" '  f +float +3 +--arg' "and a value by hand"
cat >scaled.cu <<'END'
__global__ void gemm(const float *A, const float *B, float *C, int M, int N,
		     int K, float alpha)
{
	int row = blockIdx.y * blockDim.y + threadIdx.y;
	int col = blockIdx.x * blockDim.x + threadIdx.x;
	if (row >= M || col >= N)
		return;
	float sum = 0;
	for (int k = 0; k < K; k++)
		sum += A[row * K + k] * B[k * N + col];
	C[row * N + col] = alpha * sum;
}
void run(const float *A, const float *B, float *C)
{
	const int M = 48, N = 32, K = 16;
	gemm<<<dim3(N / 16, M / 16), dim3(16, 16)>>>(A, B, C, M, N, K, 2.5f);
}
END
gemmviz 1 report scaled.cu
like "$(verdict)" '^wrong: right at 48x32x16, a multiple of its tile; at 43x21x9 ' \
	"the factor that it passes is part of what is compared"

sed 's/M = 48, N = 32, K = 16/M = 64, N = 64, K = 4096/' scaled.cu >large.cu
gemmviz 1 report large.cu
like "$(verdict)" '^wrong: right at 64x64x64, ' "large sizes are not taken"

# ---- sizes that block and grid cover ----

cat >tile128.cu <<'END'
#define BM 128
#define BN 128
#define BK 8
__global__ void sgemm(const float *A, const float *B, float *C, int M, int N, int K)
{
	__shared__ float a[BK][BM], b[BK][BN];
	int t = threadIdx.x, tr = t / 16 * 8, tc = t % 16 * 8;
	const float *Ab = A + blockIdx.y * BM * K, *Bb = B + blockIdx.x * BN;
	float acc[8][8] = {};
	for (int k0 = 0; k0 < K; k0 += BK) {
		for (int i = t; i < BM * BK; i += 256) {
			a[i % BK][i / BK] = Ab[i / BK * K + k0 + i % BK];
			b[i / BN][i % BN] = Bb[(k0 + i / BN) * N + i % BN];
		}
		__syncthreads();
		for (int k = 0; k < BK; k++)
			for (int i = 0; i < 8; i++)
				for (int j = 0; j < 8; j++)
					acc[i][j] += a[k][tr + i] * b[k][tc + j];
		__syncthreads();
	}
	for (int i = 0; i < 8; i++)
		for (int j = 0; j < 8; j++)
			C[(blockIdx.y * BM + tr + i) * N + blockIdx.x * BN + tc + j] = acc[i][j];
}
void product(const float *A, const float *B, float *C, int M, int N, int K)
{
	sgemm<<<dim3((N + BN - 1) / BN, (M + BM - 1) / BM), 256>>>(A, B, C, M, N, K);
}
END
gemmviz 1 report tile128.cu
like "$(verdict)" \
	'^wrong: right at 128x128x128, a multiple of its tile; at [0-9]*x[0-9]*x[0-9]* thread .* reads A\[[0-9]*\]; A has [0-9]* elements; line 12 ' \
	"a tile of 128 x 128 is not accused at 64 x 64, and has no edge"
like "$out" '  M +int +128 +its name, -m' "its sizes are not the text's"
gemmviz 0 report tile128.cu --sizes multiples
is "$(verdict)" \
	"right: C = A B checked, at 128x128x128; only multiples of its tile are meant " \
	"--sizes multiples"
like "$(printf '%s\n' "$out" | tr -s '\n ' ' ')" \
	'out-of-bounds: at [0-9x]*, which is no multiple of its tile \(--sizes multiples\): thread' \
	"its fault is a note"
gemmviz 0 check tile128.cu --sizes multiples
like "$out" ': note: at [0-9x]*, which is no multiple .*\[out-of-bounds\]$' "in check"
gemmviz 1 check tile128.cu
like "$out" ': error: at [0-9x]*, which is no multiple .*\[out-of-bounds\]$' \
	"else it is an error"
gemmviz 0 report tile128.cu --block 256 --grid 2x1 --sizes multiples
like "$(verdict)" '^right: .*, at 128x256x128;' "a grid by hand"
sed 's/BN 128/BN 64/; s:t / 16 \* 8, tc = t % 16 \* 8:t / 8 * 8, tc = t % 8 * 8:
	s/i += 256/i += 128/; s:b\[i / BN\]:if (i < BN * BK) &:' tile128.cu >tile64.cu
gemmviz 0 report tile64.cu --block 128 --grid 1 --sizes multiples
like "$(verdict)" '^right: .*, at 128x64x128;' "tiles that are not square"
printf 'file tile128.cu\nsizes multiples\n' >.gemmviz-check
gemmviz 0 check tile128.cu
is "$(last)" \
	"right: C = A B checked, at 128x128x128; only multiples of its tile are meant" \
	"the file of rules says it"
printf 'file tile128.cu\nlaunch --sizes multiples\n' >.gemmviz-check
gemmviz 0 check tile128.cu
printf 'sizes some\n' >.gemmviz-check
gemmviz 3 check tile128.cu
like "$(cat err)" "1: expected sizes multiples or sizes all" "a word that is neither"
rm .gemmviz-check
gemmviz 2 report tile128.cu --sizes some
gemmviz 1 report tile128.cu -m 64 -n 64 -k 64
like "$(verdict)" '^wrong: thread .* reads A\[.*; at the given size 64x64x64 $' \
	"sizes by hand stay, and are named"

cat >transpose.cu <<'END'
__global__ void transpose(float *out, const float *in, int width, int height)
{
	__shared__ float tile[32][33];
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
	for (int j = 0; j < 32; j += 8)
		if (x < width && y + j < height)
			tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
	__syncthreads();
	x = blockIdx.y * 32 + threadIdx.x;
	y = blockIdx.x * 32 + threadIdx.y;
	for (int j = 0; j < 32; j += 8)
		if (UNGUARDED || (x < height && y + j < width))
			out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}
END
gemmviz 0 report transpose.cu --block 32x8 --grid 4x4 -D UNGUARDED=0
like "$(verdict)" '^right: B = transpose of A checked, at 64x64 and 57x43 ' \
	"a transpose with guards"
sed -i 's/if (x < width && y + j < height)//' transpose.cu
gemmviz 0 report transpose.cu --block 32x8 --grid 4x4 -D UNGUARDED=1 \
	--sizes multiples
like "$(verdict)" '^right: B = transpose of A checked, at 128x128; ' \
	"without: no race at a size that is too small"

# ---- the second size ----

cat >gemm.cu <<'END'
__global__ void gemm(const float *A, const float *B, float *C,
		     int M, int N, int K)
{
	int row = blockIdx.y * blockDim.y + threadIdx.y;
	int col = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
#ifndef UNGUARDED
	if (row >= M || col >= N)
		return;
#endif
	for (int k = 0; k < K; k++)
		sum += A[row * K + k] * B[k * STRIDE + col];
	C[row * N + col] = sum;
}
void run(const float *A, const float *B, float *C, int M, int N, int K)
{
	gemm<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, C,
		M, N, K);
}
END
gemmviz 0 report gemm.cu -D STRIDE=N
is "$(verdict)" "right: C = A B checked, at 64x64x64 and 57x43x39 " \
	"right at both"
gemmviz 0 report gemm.cu -D STRIDE=N --json
like "$out" '"second_size":\[57,43,39\]' "JSON names it"
gemmviz 1 report gemm.cu -D STRIDE=N -D UNGUARDED
like "$(verdict)" \
	'^wrong: right at 64x64x64, a multiple of its tile; at 57x43x39 thread .* line 12' \
	"no guard"
gemmviz 1 report gemm.cu -D STRIDE=N -D UNGUARDED --json
like "$out" '"kind":"out-of-bounds",.*"size":\[57,43,39\]' "JSON"
gemmviz 1 report gemm.cu -D STRIDE=K
like "$(verdict)" '^wrong: right at 64x64x64, .*; at 57x43x39 ' \
	"a stride that is right for squares alone"
sed 's/ + 15//g' gemm.cu >down.cu
gemmviz 1 report down.cu -D STRIDE=N
like "$(verdict)" '^wrong: right at 64x64x64, .*; at 57x43x39 C\[0\]\[32\] was never' \
	"a grid that is rounded down"
gemmviz 0 report gemm.cu -D STRIDE=N -D UNGUARDED -m 32 -n 48 -k 8
is "$(verdict)" "right: C = A B checked, at the given size 32x48x8 " \
	"sizes by hand are the only ones"
gemmviz 0 report gemm.cu -D STRIDE=N --block 32x32 --grid 1
like "$(verdict)" '^right: C = A B checked, at 32x32x64 and ' \
	"no size is larger than what the threads cover"
cat >square.cu <<'END'
__global__ void k(const float *x, const float *y, float *z, int width)
{
	int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
	float sum = 0;
	if (row >= width || col >= width)
		return;
	for (int n = 0; n < width / 16 * 16; n++)
		sum += x[row * width + n] * y[n * width + col];
	z[row * width + col] = sum;
}
END
gemmviz 1 report square.cu --block 16x16 --grid 4x4
like "$(verdict)" \
	'^wrong: right at 64x64x64, a multiple of its tile; at 57x57x57 z\[0\]\[0\] is ' \
	"what a kernel was found to compute, it must compute at each size"
sed 's: / 16 \* 16::' square.cu >all.cu
gemmviz 0 report all.cu --block 16x16 --grid 4x4
is "$(verdict)" "right: C = A B checked, at 64x64x64 and 57x57x57 " \
	"and one that does"

cat >wide.cu <<'END'
__global__ void copy(const float *A, float *B, int M, int N)
{
	int row = blockIdx.x, col = 4 * threadIdx.x;
	for (; col < N; col += 4 * blockDim.x)
		*(float4 *)&B[row * N + col] = *(const float4 *)&A[row * N + col];
}
END
gemmviz 1 check wide.cu --block 16 --grid 64
like "$out" 'error: at 57x43, .*not aligned to 16 bytes.*\[crash\]$' "float4 at rows of an odd length"

cat >beyond.cu <<'END'
__global__ void gemm(const float *A, const float *B, float *C, int M, int N,
		     int K)
{
	int row = blockIdx.y * blockDim.y + threadIdx.y;
	int col = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (int k = 0; k <= K; k++)
		sum += A[row * K + k] * B[k * N + col];
	C[row * N + col] = sum;
}
END
gemmviz 1 report beyond.cu --block 16x16 --grid 4x4
like "$(verdict)" \
	'^wrong: .* reads B.*; gemmviz chose the size 64x64x64 \(-m, -n and -k set another\)' \
	"a fault that no size avoids says who chose its size"

# Ours are right, or say what they refuse.
gemmviz 0 report tiled
is "$(verdict)" "right: C = A B checked, at 64x64x64 and 57x43x39 " "one of ours"
gemmviz 0 report float4
like "$(verdict)" '^right: C = A B checked, at 64x64x64 and 64x128x16 ' \
	"one that refuses sizes that are no multiples"
gemmviz 1 report bug_edge
like "$(verdict)" '^wrong: right at 64x64x64, a multiple of its tile; at 57x43x39 ' \
	"one that is wrong at the edge"

# ---- names ----

launched 'void none() {}'
sed -i 's/d\[i\] \*= f/d[i - 2] *= f/' scale.cu
gemmviz 1 report scale.cu --block 64 --grid 1 --array d=62
like "$out" ' d\[-2\]' "an array of one dimension"
launched 'void none() {}'
gemmviz 0 report scale.cu --block 64 --grid 1
like "$out" '  d +float \* +4096 ' "has one"
done_testing
