#!/usr/bin/env bash
# What a reader's kernel is called with: its parameters' values, its arrays'
# sizes, its shared memory.
. "$srcdir/tests/tap.sh"

tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
values=$srcdir/tests/kernels/values.cu

# stored ENTRY OPTIONS...: the values that the kernel's last store wrote.
stored() {
	entry=$1
	shift
	"$builddir/gemmviz" record "$values" --entry "$entry" --block 64 \
		--grid 1 -o "$tmp/t.gvt" --force "$@" >/dev/null 2>"$tmp/e"
	echo $? >"$tmp/status"
	sed 's/^gemmviz: //' "$tmp/e"
	[ -s "$tmp/e" ] || "$builddir/gemmviz" dump "$tmp/t.gvt" |
		sed -n 's/.* = //p' | tail -1
}

is "$(stored sum)" "6*32" "small types by value are 1, beta is 0"
is "$("$builddir/gemmviz" report "$values" --entry product --block 16x16 \
	--grid 4x4 --json | sed 's/.*"answer":"\([^"]*\)".*/\1/')" \
	"C = A B checked" "so is an alpha of a whole number"

is "$(stored given)" "t is dynamic shared memory: set its size with --shared BYTES" "a kernel that uses such memory asks for it"
is "$(cat "$tmp/status")" 2 "and is refused without"
is "$(stored given --shared 256 | cut -c1-2)" 31 "with it, it runs"
is "$(stored fixed | cut -c1-2)" 31 \
	"another of the same file is not asked for it"
declared=$srcdir/tests/kernels/declared.cu
is "$("$builddir/gemmviz" report "$declared" --entry declared --block 32 \
	--grid 1 2>&1)" "gemmviz: large has 49536 bytes of static shared memory, but a kernel\
 has 49152 at most: use extern __shared__ for more" \
	"no more shared memory is declared than a compiler takes"
like "$("$builddir/gemmviz" report "$declared" --entry fits --block 32 \
	--grid 1)" "all +st +4 +1 " "as much is, and of its own kernel alone"

# Of what is said of the parameters.
is "$(stored sum --arg alpha=2.5 --arg off=false --arg four=2)" "22.5*32" \
	"--arg: a half, a bool, all of a float4"
is "$(stored sum --arg off=true)" "0*32" "--arg: a bool"
is "$(stored sum --arg alpah=2)" \
	"--arg: sum has no parameter alpah; did you mean alpha?" \
	"--arg of no parameter"
is "$(cat "$tmp/status")" 2 "is refused"
is "$(stored sum --arg alpha=two)" "--arg: alpha needs a number, not 'two'" \
	"--arg of no number"
is "$(stored sum --arg C=2)" "--arg: C is an array" "--arg of an array"
is "$(stored sum --array C=2x)" \
	"--array: C needs a size such as 4096 or 64x32, not '2x'" \
	"--array of no size"

foreign=$srcdir/tests/kernels/sizes.cu
# findings ENTRY OPTIONS...: the kinds of what the recorder finds, and where.
findings() {
	entry=$1
	shift
	"$builddir/gemmviz" report "$foreign" --entry "$entry" --json "$@" |
		grep -o '"kind":"[a-z-]*","line":[0-9]*' | grep out-of
}
gemv="--block 64 --grid 1 -n 128"
# shellcheck disable=SC2086
{
	is "$(findings gemv $gemv --array A=64x128 --array x=128 --array y=64)" \
		"" "--array: a right kernel is right"
	is "$(findings beyond --block 64 --grid 4 --array A=256 --array y=64)" \
		'"kind":"out-of-bounds","line":18' \
		"--array: a true overrun is found"
}
is "$(findings embed --block 64 --grid 1 --array table=8 --values index=0..7)" \
	"" "--values: an array of indices"
is "$(findings embed --block 64 --grid 1 --array table=8 --values index=0..8)" \
	'"kind":"out-of-bounds","line":24' "or of wrong ones"
like "$("$builddir/gemmviz" report "$foreign" --entry embed --block 64 \
	--grid 1 --array table=8 --values index=0..7)" \
	'^not judged: arrays are as --array and --values say' \
	"what such a kernel leaves is not checked"
is "$("$builddir/gemmviz" report naive --arg M=3 2>&1)" \
	"gemmviz: --arg, --array and --values are for the kernel of a file" \
	"a kernel of the table has its own"

# What nobody says is assumed, and accuses nobody.
is "$(findings gemv $gemv)" "" "a matrix that is larger than assumed"
is "$(findings embed --block 64 --grid 1)" "" "indices that nobody gave"
foreign=$srcdir/tests/kernels/assumed.cu
stencil="--block 64 --grid 65"
# shellcheck disable=SC2086
{
	is "$(findings stencil $stencil)" "" "a halo around an array"
	"$builddir/gemmviz" report "$foreign" --entry stencil $stencil \
		>"$tmp/report"
	is "$?" 0 "notes are no fault"
	is "$(sed -n '/^Arguments/,/^$/p' "$tmp/report")" "Arguments
  name  type                 passed              holds  accessed  decided by
  in    const float *  8192, from 2  -3.96875..3.96875   0..4163  assumed, enlarged
  out   float *                8192  -3.96875..3.96875   0..4159  assumed, enlarged" \
		"what was passed is said, and what of it was accessed"
	like "$(tr -s ' \n' ' ' <"$tmp/report")" \
		'line 10, note: thread 0 of block 0 reads 2 elements before in\[0\]' \
		"and that it begins before its first element"
	like "$(tr -s ' \n' ' ' <"$tmp/report")" 'note: thread 0 of block 64 writes out\[4096\], beyond the 4096 elements that out was first assumed to have' \
		"or ends behind its last"
	like "$(sed -n '/^Findings/,$p' "$tmp/report")" 'line 10, note' \
		"among the findings"
	like "$("$builddir/gemmviz" report "$foreign" --entry stencil $stencil \
		--json)" '"name":"out","type":"float \*","decided":"grown","value":null,"size":null,"dims":\[8192\],"before":0,' \
		"for programs, too"
	is "$(findings stencil $stencil --array in=4200)" \
		'"kind":"out-of-bounds","line":10' \
		"an array that is given is as large as is said"
}
is "$(findings spmv --block 32 --grid 2)" "" "rows of a sparse matrix"
is "$("$builddir/gemmviz" report "$foreign" --entry csr --block 32 --grid 2 |
	sed -n '/^Arguments/,/^$/p')" "Arguments
  name  type           passed              holds  accessed  decided by
  ptr   const int *      4096              0..63     0..64  assumed
  col   const int *      4096              0..63     0..62  assumed
  val   const float *    4096  -3.96875..3.96875     0..62  assumed
  x     const float *    4096  -3.96875..3.96875     0..63  assumed
  y     float *          4096                  0     0..63  assumed" \
	"and with an array for each of its parts"
like "$("$builddir/gemmviz" report "$foreign" --entry bins --block 32 \
	--grid 1 | tr -s ' \n' ' ')" 'bin has 8 elements \(the values of data are assumed; --values sets them\)' \
	"where indices are assumed, what they lead to says so"
is "$(findings bins --block 32 --grid 1 --values data=0..7)" "" \
	"given, they are right"
like "$("$builddir/gemmviz" report "$foreign" --entry far --block 32 \
	--grid 1 | tr -s ' \n' ' ')" 'out-of-bounds: thread 0 of block 0 reads in\[1073741824\], beyond the assumed size of in, 4096 elements' \
	"no array grows without end"

# Variables that are pointers: what they lead to is smaller than they are.
cat >"$tmp/pointers.cu" <<'X'
__device__ float *there;
__device__ void (*twice)(float *);
__device__ void add(float *x) { *x += *x; }
__global__ void lead(float *A)
{
	__shared__ float *here;
	if (threadIdx.x == 0) {
		here = A;
		there = A;
		twice = add;
	}
	__syncthreads();
	here[threadIdx.x] = threadIdx.x;
	twice(there + threadIdx.x);
}
X
pointers=$("$builddir/gemmviz" report "$tmp/pointers.cu" --block 64 --grid 1 2>&1)
is $? 0 "variables that are pointers: nothing is wrong with them"
like "$pointers" 'there +ld +8 +2 +2' "of eight bytes each"
like "$pointers" 'here +st +8 ' "in shared memory, too"
like "$pointers" 'twice +ld +8 ' "and of functions"

done_testing
