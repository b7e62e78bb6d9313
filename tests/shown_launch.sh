# A file without a main() whose text launches its kernels: what options leave
# open is taken from there, and said.
. "$srcdir/tests/tap.sh"

shown=$srcdir/tests/kernels/shown.cu
report() { "$builddir/gemmviz" report "$shown" "$@" 2>&1; }

got=$(report --entry product)
is $? 0 "a kernel that the text launches needs no options"
like "$got" "taken from the launch at shown.cu:54, with M, N and K from -m, -n and -k: --entry 'product<16, float>' --block 16x16 --grid 4x4" \
	"what was taken is said: a template's arguments, dim3, macros"
like "$got" 'C = A B checked' "and the kernel is right"
got=$(report --entry product -m 32)
like "$got" '--block 16x16 --grid 4x2$' "sizes are those of the options"
got=$(report --entry 'product<8, float>' --block 8x8 -D WIDTHS=1)
is $? 2 "a name that the text does not have is refused, as ever"
got=$(report --entry 'product<8, float>' --block 8x8)
like "$got" 'from -m, -n and -k: --grid 4x4$' "options are not overruled"
got=$(report --entry reverse)
is $? 0 "shared memory"
like "$got" ':57: --block 64 --grid 1 --shared 256$' "is as launched"
got=$(report --entry wide)
like "$got" ':58: --block 32 --grid 6$' "constants, casts, suffixes, operators"
got=$(report --entry open)
is $? 2 "a grid that the text does not show is asked for"
like "$got" 'the launch at shown.cu:59 does not show the value of a: give --grid 4x4, for example' "with the place and the name"
got=$(report --entry open --grid 1)
is $? 0 "and the rest is taken"
got=$(report)
is $? 2 "of several kernels none is chosen"
got=$(report --entry broken)
is $? 3 "one that needs what is not there"
like "$got" 'shown.cu:11' "does not compile, by itself"

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cat >"$tmp/one.cu" <<'X'
template <typename T> __global__ void k(T *x) { x[threadIdx.x] = 1; }
template <typename T> void run(T *x) { k<T><<<1, 32>>>(x); }
X
got=$("$builddir/gemmviz" report "$tmp/one.cu" 2>&1)
is $? 2 "a parameter of a template is no argument"
like "$got" "k is a template: give its arguments, such as --entry" "which is asked for"
sed -i 's/k<T>/k<float>/' "$tmp/one.cu"
got=$("$builddir/gemmviz" report "$tmp/one.cu" --json 2>/dev/null)
is $? 0 "the only kernel that is launched needs no --entry"
like "$got" '"kernel":"k<float>"' "and what is said is not part of the report"
cat >"$tmp/none.cu" <<'X'
__global__ void k(float *x, int n) { x[threadIdx.x] = n; }
void run(float *x, int N) { k<<<N / 16, 16>>>(x, N); }
X
got=$("$builddir/gemmviz" report "$tmp/none.cu" -n 8 2>&1)
is $? 2 "a launch of no block is refused"
like "$got" 'the launch at none.cu:2 has a 0 in its grid or its block at 64x8x64: it launches nothing' "and what is 0 is said"
"$builddir/gemmviz" report "$tmp/none.cu" -n 16 >/dev/null 2>&1
is $? 0 "with a block it is launched"
cat >>"$tmp/none.cu" <<'X'
__global__ void other(float *x) { x[threadIdx.x] = 2; }
void more(float *x) { other<<<1, 16>>>(x); }
X
got=$("$builddir/gemmviz" report "$tmp/none.cu" 2>&1)
is $? 2 "of two kernels that are launched none is chosen"
like "$got" 'none.cu launches several kernels: name one with --entry' "and --entry is asked for"
done_testing
