#!/usr/bin/env bash
# The verdict: where each command says it, and its exit status.
. "$srcdir/tests/tap.sh"

tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit
square='--block 16x16 --grid 4x4'

# gemmviz STATUS ARGS...: sets $out.
gemmviz() {
	want=$1
	shift
	out=$("$builddir/gemmviz" "$@" 2>err)
	is "$?" "$want" "$*: status $want"
}
first() { printf '%s\n' "$out" | head -1; }
last() { printf '%s\n' "$out" | tail -1; }
# member NAME: a member of the JSON in $out.
member() {
	printf '%s\n' "$out" | sed -n 's/.*"'"$1"'":"\{0,1\}\([^",}]*\).*/\1/p' |
		tail -1
}

# ---- where it is said ----

cat >gemm.cu <<'END'
__global__ void gemm(const float *A, const float *B, float *C,
		     int M, int N, int K)
{
	int row = blockIdx.y * blockDim.y + threadIdx.y;
	int col = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	if (row >= M || col >= N)
		return;
	for (int k = 0; k < K; k++)
		sum += A[row * K + k] * B[k * N + col];
#ifdef WRONG
	if (row != col)
		sum = 2;
#endif
	C[row * N + col] = sum;
}
END
# shellcheck disable=SC2086
{
gemmviz 0 report gemm.cu $square
is "$(first)" "right: C = A B checked, at 64x64x64 and 57x43x39" \
	"report: the first line"
gemmviz 0 report gemm.cu $square --json
is "$(member verdict) $(member checked)" "right true" "JSON"
gemmviz 1 report gemm.cu $square -D WRONG
like "$(first)" "^wrong: C\[0\]\[1\] is " "a wrong kernel"
like "$(printf '%s\n' "$out" | grep -A1 '^Answer')" "compared, and wrong" \
	"which was compared"
gemmviz 1 report gemm.cu $square -D WRONG --json
is "$(member verdict) $(member checked)" "wrong false" "JSON"
like "$(member verdict_why)" "^C\[0\]\[1\] is " "and why"
gemmviz 0 check gemm.cu $square
is "$(last)" "right: C = A B checked, at 64x64x64 and 57x43x39" \
	"check: the last line"
gemmviz 1 check gemm.cu $square -D WRONG
like "$(last)" "^wrong: C\[0\]\[1\] is " "of a wrong kernel"
gemmviz 0 check gemm.cu $square --blocks 0,0
like "$out" "warning: not judged: only a part .* \[not-judged\]$" \
	"what is not judged is a warning"
is "$(last)" "not judged: only a part of the launch was recorded" "and so is it"
gemmviz 1 check gemm.cu $square --blocks 0,0 --require-verdict
gemmviz 0 report gemm.cu $square --blocks 0,0
like "$(first)" "^not judged: only a part" "report"
gemmviz 1 report gemm.cu $square --blocks 0,0 --require-verdict
gemmviz 0 check gemm.cu $square --json
is "$(member verdict) $(member launch)" "right gemm.cu" "check's JSON"
gemmviz 0 check gemm.cu $square --blocks 0,0 --junit j.xml
like "$(cat j.xml)" 'failures="0" errors="0"' "JUnit: no failure"
like "$(cat j.xml)" '<skipped message="not judged: only' "but skipped"
printf 'accept wrong-result: homework\n' >rules
gemmviz 0 check gemm.cu $square -D WRONG --rules rules --require-verdict
is "$(last)" "not judged: all that was found is accepted" \
	"a wrong result that is accepted is not right"
"$builddir/gemmviz" record gemm.cu $square -o g.gvt >/dev/null 2>&1
gemmviz 0 report g.gvt
is "$(first)" "right: C = A B checked" "of a trace"
gemmviz 0 export gemm.cu $square --size 80x24 -o frame.txt
is "$(sed -n 2p frame.txt)" " right: C = A B checked" "view: under the title"
gemmviz 0 export gemm.cu $square -D WRONG --size 80x24 -o wrong.txt
like "$(cat wrong.txt)" "^ 4032 of C's 4096 sums are wrong" \
	"of a wrong kernel the defect's picture tells it"
gemmviz 0 export tiled --size 80x24 -o tiled.txt
is "$(sed -n 2p tiled.txt | grep -c checked)" 0 "not of a right one of ours"
}

# ---- nothing passes unjudged ----

# judged STATUS KERNEL VERDICT [OPTIONS]: of a kernel of outputs.cu.
judged() {
	want=$1 kernel=$2 verdict=$3
	shift 3
	gemmviz "$want" check "$srcdir/tests/kernels/outputs.cu" \
		--entry "$kernel" "$@"
	like "$(last)" "^$verdict" "$kernel"
}
# shellcheck disable=SC2086
{
judged 1 empty 'wrong: no thread writes any element of C: 4096 of' $square
judged 1 one 'wrong: C\[0\]\[1\] was never written.* 4095 of 4096' $square
judged 1 left 'wrong: no thread writes columns 32..63 of C: 2048 of' $square
judged 1 upper 'wrong: no thread writes rows 32..63 of C: 2048 of' $square
judged 1 adds 'wrong: .* the kernel reads C in line [0-9]+ and adds' $square
judged 0 scaled 'right: C = A B checked' $square
judged 0 split 'right: C = C \+ A B checked' $square
judged 0 zeroed 'right: C = A B checked' $square
judged 1 half_sums 'wrong: C\[0\]\[0\] is ' $square
judged 0 rounded 'right: C = A B checked' $square
judged 1 left 'wrong: no thread writes columns 10..19' --block 8x8 --grid 3x5 \
	-m 37 -n 20 -k 5
}
judged 1 softmax 'wrong: y\[0\]\[0\]' --block 64 --grid 1 --problem softmax
judged 0 softmax 'right: each row' --block 64 --grid 1 --problem softmax -D MOST

# ---- one cause is one finding, the most severe first ----

sed 's/t < K; t += TILE/t < K \/ TILE; t++/
	s/\bt + t\([xy]\)\b/t * TILE + t\1/g' \
	"$srcdir/src/kernels/bug_second_barrier.cu" >second.cu
# shellcheck disable=SC2086
gemmviz 1 report second.cu -D TILE=16 $square
list=$(printf '%s\n' "$out" | sed -n '/^Findings/,$p' | tr -s ' \n' ' ')
like "$list" '^Findings and advice \(each advice is independent of the others\) wrong-result: C\[0\]\[1\]' \
	"a wrong result comes first"
like "$list" 'line 41, race: thread \(0,0\) of block \(0,0\) writes As\[0\]\[0\] for t = 1 in line 31 while thread \(1,0\) still reads it for t = 0 in line 41' \
	"a race names the iterations of its loop"
like "$list" 'so it is with Bs \(and 207359 more like it\) line 42, advice: add a barrier' \
	"a missing barrier is one finding, and its advice comes next"
is "$(printf '%s\n' "$list" | grep -o ' race: ' | wc -l)" 1 "and no other"
gemmviz 1 report bug_second_barrier
like "$(printf '%s\n' "$out" | tr -s ' \n' ' ')" \
	'writes As\[0\]\[0\] for the next t in line 31 while thread \(1,0\) still reads it for this t in line 41' \
	"where the step is not known, the next one"
gemmviz 1 report bug_first_barrier
is "$(printf '%s\n' "$out" | grep -c '^  line [0-9]*, \(race\|read-before-write\):')" 1 \
	"the other barrier: one, too, with what was read too early"
gemmviz 0 report naive_swapped
is "$(printf '%s\n' "$out" | sed -n 's/^  line [0-9]*, .*, \([0-9]*\) % of the cost.*/\1/p' |
	sort -nrc 2>&1)" "" "costs come by their share"
# shellcheck disable=SC2086
gemmviz 1 report second.cu -D TILE=16 $square --json
like "$out" '"kind":"race","line":41,.*"share":null' "faults have no share"

# ---- watch ----

cp gemm.cu watched.cu
# shellcheck disable=SC2086
touch watch.out
timeout 20 "$builddir/gemmviz" watch watched.cu $square >watch.out 2>&1 \
	</dev/null &
for _ in $(seq 100); do
	grep -q '^Findings' watch.out && break
	sleep 0.1
done
is "$(head -1 watch.out)" "right: C = A B checked" "watch: the first line"
kill $! 2>/dev/null
wait $! 2>/dev/null

# ---- programs ----

cat >program.cu <<'END'
#include <cstdio>
__global__ void twice(int *a) { a[threadIdx.x] *= 2; }
int main(int argc, char **argv)
{
	int *a;
	cudaMalloc(&a, 128);
	cudaMemset(a, 0, 128);
	twice<<<1, 32>>>(a);
	cudaDeviceSynchronize();
	cudaFree(a);
	if (argc > 1)
		puts("FAILED");
	return argc > 1;
}
END
gemmviz 0 run program.cu
gemmviz 0 run --json program.cu
is "$(member verdict)" "not-judged" "a program that compares nothing"
gemmviz 1 run program.cu fail
gemmviz 1 run --json program.cu fail
is "$(member verdict) $(member verdict_why)" \
	"wrong the program ended with status 1" "its own failure"
gemmviz 1 report program.cu fail
is "$(first)" "wrong: the program ended with status 1" "report"
printf 'file program.cu\nlaunch -- fail\n' >rules
gemmviz 1 check program.cu --rules rules
like "$out" "error: the program ended with status 1 \[program\]" "check"
is "$(last)" "wrong: the program ended with status 1" "and its last line"

# Its products are compared, where the arrays say that they are some.
product=$srcdir/tests/programs/product.cu
gemmviz 0 check "$product"
is "$(last)" "right: C = A B checked" "a product of a program"
gemmviz 1 check "$product" -D WRONG
like "$(last)" "^wrong: C\[3\]\[0\] is 2, but must be 0; 50 of 2000" \
	"a wrong one"
gemmviz 1 run -D WRONG "$product"
gemmviz 1 run --json -D WRONG "$product"
gemmviz 0 record "$product" -o p.gvt
gemmviz 0 report p.gvt
is "$(first)" "right: C = A B checked" "the trace of one"
# A part of a larger matrix is no product of the whole, one that is whole is.
split=$srcdir/tests/programs/split_k.cu
gemmviz 0 check "$split"
like "$(last)" "^not judged: what the kernel computes is not known" \
	"a part of K in each launch"
gemmviz 0 check "$split" --problem gemm
like "$(last)" "^not judged: " "... whatever it is said to be"
gemmviz 0 check "$split" -D WHOLE
is "$(last)" "right: C = A B checked" "leading dimensions of whole matrices"
gemmviz 1 check "$split" -D WHOLE -D WRONG
like "$(last)" "^wrong: C\[3\]\[0\] is " "... with a mistake"
# Leading dimensions are those of how the kernel stores its matrices.
cat >leading.cu <<'END'
__global__ void gemm(int m, int n, int k, float alpha, const float *A, int lda, const float *B,
		     int ldb, float beta, float *C, int ldc)
{
	int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
	float sum = 0;
	if (row >= m || col >= n)
		return;
	for (int i = 0; i < k; i++)
		sum += A[AT] * B[BT];
	C[CT] = alpha * sum + beta * C[CT];
}
END
stored() {
	gemmviz "$1" report leading.cu --block 16x16 --grid 4x4 -D AT="$2" -D BT="$3" -D CT="$4" "${@:5}"
}
stored 0 'row+i*lda' 'i+col*ldb' 'row+col*ldc'
is "$(first)" "right: C = A B by columns checked, at 64x64x64 and 57x43x39" "by columns"
stored 0 'row+i*lda' 'i+col*ldb' 'row+col*ldc' -m 48 -n 64 -k 32
like "$(first)" "^right: C = A B by columns checked" "... at sizes that differ"
like "$out" "lda +int +48 +its name, -m" "... with the rows of A"
stored 0 'i*lda+row' 'i*ldb+col' 'row*ldc+col'
like "$(first)" "^right: C = A B checked, A by columns, at .* 57x43x39" "A transposed"
stored 1 'row*lda+i' 'i*ldb+col' 'row*lda+col'
like "$(first)" "^wrong: right at 64x64x64, .*at 57x43x39" "a leading dimension of another matrix"
stored 1 'row*lda+i' 'i*ldb+col' 'row*lda+col' -m 48 -n 64 -k 32
like "$(first)" "^wrong: " "... at sizes that differ"
like "$out" "lda +int +32 +its name, -k" "... is by rows"
# An activation at the end of a product is no mistake, unless it shall be one.
cat >gelu.cu <<'END'
__global__ void gemm_gelu(const float *A, const float *B, float *C, int M, int N, int K)
{
	int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
	float sum = 0;
	for (int k = 0; row < M && col < N && k < K; k++)
		sum += A[row * K + k] * B[k * N + col];
	if (row < M && col < N)
		C[row * N + col] = 0.5f * sum * (1 + erff(sum * 0.70710678f)) + (WRONG && col == 3);
}
END
launch='--block 16x16 --grid 4x4'
gemmviz 0 report gelu.cu $launch -D WRONG=0
like "$(first)" "^not judged: the kernel applies a function" "an activation"
gemmviz 1 report gelu.cu $launch -D WRONG=1
like "$(first)" "^wrong: " "... with a mistake"
gemmviz 1 report gelu.cu $launch -D WRONG=0 --problem gemm
like "$(first)" "^wrong: " "... that is asked for the product"
cat >named.cu <<'END'
__global__ void k(const float *x, const float *y, float *z, int size)
{
	int i = threadIdx.y, j = threadIdx.x;
	float sum = 0;
	for (int n = 0; n < size; n++)
		sum += x[i * size + n] * y[n * size + j];
	z[i * size + j] = sum + WRONG;
}
__global__ void fill(float *x) { x[threadIdx.x] = threadIdx.x % 5; }
int main()
{
	float *x, *y, *z;
	cudaMalloc(&x, 1024); cudaMalloc(&y, 1024); cudaMalloc(&z, 1024);
	fill<<<1, 256>>>(x);
	cudaMemset(y, 0x3f, 1024);
	k<<<1, dim3(16, 16)>>>(x, y, z, 16);
	cudaDeviceSynchronize();
	cudaFree(x); cudaFree(y); cudaFree(z);
}
END
gemmviz 0 check named.cu -D WRONG=0
like "$(last)" "^not judged: " "names that prove nothing"
gemmviz 0 check named.cu --problem gemm -D WRONG=0
like "$(last)" "^not judged: fill: the kernel does not have all arrays .*; 1 launch is right" \
	"--problem names what a program's kernel computes"
gemmviz 1 check named.cu --problem gemm -D WRONG=1
like "$(last)" "^wrong: k: z\[0\]\[0\] is " "and that it is wrong"
sed 's/float \*x, \*y, \*z;/float *x, *y, *z, *all;/
	s/cudaMalloc(&x, 1024).*/cudaMalloc(\&all, 4096); x = all; y = x + 256; z = y + 256;/
	s/cudaFree(x).*/cudaFree(all);/' named.cu >parts.cu
gemmviz 1 check parts.cu --problem gemm -D WRONG=1
like "$(last)" "^wrong: k: z\[0\]\[0\] is " "arrays that are parts of one"
gemmviz 0 check "$product" --problem transpose
like "$(last)" "^not judged" "a problem that it does not have"

# Columns of an output that no kernel writes.
cat >columns.cu <<'END'
__global__ void k(const float *x, float *out, int rows, int columns, int from)
{
	int c = threadIdx.x + from, r = blockIdx.x;
	if (r < rows && c < columns)
		out[r * columns + c] = x[r];
}
int main(int argc, char **)
{
	float *x, *out, host[48 * 64];
	cudaMalloc(&x, 48 * 4); cudaMalloc(&out, sizeof(host));
	cudaMemset(x, 0, 48 * 4);
	cudaMemset(out, 0, sizeof(host));
	k<<<48, 32>>>(x, out, 48, 64, 0);
	if (argc > 1)
		k<<<48, 32>>>(x, out, 48, 64, 32);
	cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
	cudaFree(x); cudaFree(out);
}
END
gemmviz 1 run columns.cu
like "$out" 'columns.cu:10: no kernel writes columns 32..63 of out, in rows of 64 elements' \
	"half of the columns"
gemmviz 0 run columns.cu both
gemmviz 1 check columns.cu
like "$(last)" '^wrong: no kernel writes columns 32..63 of out' "in check"

# A last copy in the wrong direction.
cat >wrong_way.cu <<'END'
#include <vector>
__global__ void k(float *out) { out[threadIdx.x] = 2; }
int main(int argc, char **)
{
	std::vector<float> host(64);
	float *out;
	cudaMalloc(&out, 256);
	k<<<1, 64>>>(out);
	if (argc > 1)
		cudaMemcpy(host.data(), out, 256, cudaMemcpyDeviceToHost);
	cudaMemcpy(out, host.data(), 256, cudaMemcpyHostToDevice);
	k<<<1, 64>>>(out);
	cudaMemcpy(host.data(), out, 256, cudaMemcpyDeviceToHost);
	cudaFree(out);
}
END
gemmviz 1 run wrong_way.cu
like "$out" 'wrong_way.cu:11: cudaMemcpy overwrites out \(256 bytes, allocated at wrong_way.cu:7\): nothing has read what kernels stored there; is its direction right\?' \
	"results that are overwritten before anything has read them"
gemmviz 0 run wrong_way.cu read
is "$(grep -c overwrites <<<"$out")" 0 "and none where they were copied back before"

# covers KERNEL LAUNCH COPIED: a program whose kernel k stores to x, of 40 x 60
# elements, of which so many bytes are copied back, in sizes.cu.
covers() {
	cat >sizes.cu <<END
__global__ void k(float *x, int n, int columns, int rows)
{
	int c = blockIdx.x * blockDim.x + threadIdx.x;
	int r = blockIdx.y * blockDim.y + threadIdx.y;
	$1
}
int main()
{
	static float *x, host[2400];
	cudaMalloc(&x, sizeof(host));
	cudaMemset(x, 0, sizeof(host));
	$2;
	cudaMemcpy(host, x, $3, cudaMemcpyDeviceToHost);
	cudaFree(x);
}
END
}
covers 'if (c < n) x[c] = 1;' 'k<<<2400 / 128, 128>>>(x, 2400, 60, 40)' 'sizeof(host)'
gemmviz 1 run sizes.cu
like "$out" 'no kernel writes the elements of x from 2304 to 2399, .* there are 2304 threads' \
	"a grid of too few blocks"
covers 'if (c < n) x[c] = 1;' 'k<<<2400 / 128, 128>>>(x, 2400, 60, 40)' 2304
gemmviz 0 run sizes.cu
covers 'if (c < n) x[c] = 1;' 'k<<<2400 / 128, 128>>>(x, 2304, 60, 40)' 'sizeof(host)'
gemmviz 0 run sizes.cu
inside='if (c < columns && r < rows) x[r * 60 + c] = 1;'
covers "$inside" 'k<<<dim3(60 / 16, 40 / 16), dim3(16, 16)>>>(x, 0, 60, 40)' 'sizeof(host)'
gemmviz 1 run sizes.cu
like "$out" 'no kernel writes rows 32..39 of x, in rows of 60' "in both directions"
like "$out" 'no kernel writes columns 48..59 of x, in rows of 60' "with the columns"
covers "$inside" 'k<<<dim3(4, 40 / 16), dim3(16, 16)>>>(x, 0, 60, 40)' 'sizeof(host)'
gemmviz 1 run sizes.cu
like "$out" 'no kernel writes rows 32..39 of x, in rows of 60' "rows alone"
is "$(echo "$out" | grep -c columns)" 0 "without columns"
covers "$inside" 'k<<<dim3(4, 3), dim3(16, 16)>>>(x, 60, 57, 33)' 'sizeof(host)'
gemmviz 0 run sizes.cu
covers 'if (c < n && c % 7 == 0) x[c / 7] = 1;' 'k<<<19, 128>>>(x, 2400, 60, 40)' 'sizeof(host)'
gemmviz 0 run sizes.cu

cat >limit.cu <<'END'
#include <cstdlib>
__global__ void k(float *x) { x[blockIdx.x * 1024 + threadIdx.x] = 1; }
int main(int argc, char **)
{
	float *x;
	cudaMalloc(&x, 8192);
	k<<<1, 2048>>>(x);
	if (cudaGetLastError() && argc > 1)
		k<<<2, 1024>>>(x);
	cudaFree(x);
}
END
gemmviz 1 report limit.cu
like "$out" '^wrong: k is not launched: blockDim.x is 2048, and may be 1 to 1024' \
	"a program whose only launch is refused"
gemmviz 0 report limit.cu again
like "$(first)" '^not judged' "one that then makes another"

cat >bounds.cu <<'END'
__global__ void store(int *a) { a[threadIdx.x + 1] = 1; }
int main()
{
	int *a;
	cudaMalloc(&a, 128);
	store<<<1, 32>>>(a);
	cudaDeviceSynchronize();
	cudaFree(a);
}
END
gemmviz 1 run bounds.cu
gemmviz 1 run --json bounds.cu

cat >cut.cu <<'END'
__global__ void k(unsigned *to) { for (unsigned i = 1; i; i++) to[0] += i; }
int main()
{
	unsigned *to;
	cudaMalloc(&to, 4);
	cudaMemset(to, 0, 4);
	k<<<1, 1>>>(to);
	int error = cudaDeviceSynchronize();
	cudaFree(to);
	return error != 0;
}
END
# A fast machine fills the memory of a block before the second is over.
for limit in '--seconds 1' '--max-events 1000'; do
	gemmviz 8 run $limit cut.cu
	gemmviz 8 run $limit --json cut.cu
	is "$(member verdict)" "not-judged" "cut short: never right, nor wrong"
	gemmviz 0 check $limit cut.cu
	like "$(last)" "^not judged: .*recording stopped" "in check, too"
done

done_testing
