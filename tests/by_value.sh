# Structures that functions are passed and return by value: their loads and
# stores are counted as the GPU does them, and races on them are found.
. "$srcdir/tests/tap.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
file=$srcdir/tests/programs/by_value.cu

# line TEXT: the number of the line that holds this.
line() { grep -nF "$1" "$file" | head -n 1 | cut -d: -f1; }

# sites NAME TEXT: what the kernel of this name does there to which array: op,
# bytes, requests and sectors.
sites() {
	awk -v "name=$1," -v "line=$(line "$2"):" '
		/, grid / { ours = $1 == name }
		/^Registers/ { ours = 0 }
		ours && index($1, line) == 1 { print $2, $3, $4, $5, $6 }
		' "$tmp/report" | sort
}

"$builddir/gemmviz" report "$file" >"$tmp/report"
is $? 0 "every kernel is recorded without a fault"
is "$(sites sums 'c[i] = a[i] + b[i];')" "a ld 16 1 16
b ld 16 1 16
c st 16 1 16" "an operator of float4: three accesses of 16 bytes"
is "$(sites calls 'c[i] = twice(a[i]);')" "a ld 16 1 16
c st 16 1 16" "a structure of 16 bytes, passed and returned"
is "$(sites calls 'same(twice')" "a ld 16 1 16
c st 16 1 16" "through three calls, one of a template: once"
is "$(sites calls 'table[i] = same')" "a ld 16 1 16
table st 16 1 16" "into a variable of the file"
for call in 'sum(b[i])' 'f(b[i])' 'down(b[i], 2)' 'b[i].above(b[i])'; do
	is "$(sites calls "d[i] = $call;" | grep ld)" "b ld 16 2 64" \
		"$call: 32 bytes, of which 16 at once"
done
is "$(sites calls 'v[7] - o.v[0]')" "b ld 4 1 32" \
	"a method loads from its own element what it uses"
is "$(sites calls 'd[i] = g(a[i]);' | grep ld)" "a ld 16 1 16" "a lambda"
is "$(sites calls 'if (i % 2)' && sites calls '	c[i] = twice(a[i]);' |
	wc -l)" 2 "in a branch"
is "$(sites calls 'd[i] = mine.x')" "c st 4 1 4" \
	"all lanes go on together behind it"
is "$(sites makes 'a[i] = filled(i);')" "a st 4 12 384" \
	"48 bytes that are aligned to 4: twelve stores"
# Two pointers of the kernel lead into a and b of the host, whose names these are.
is "$(sites makes 'taken(b[i])')" "a ld 4 1 16
a st 4 1 4" "members that copy themselves stand in their own lines"
is "$(sites makes 'c[i] = added(c[i]);')" "b ld 16 1 16
b st 16 1 16" "a union"
is "$(sites makes 'd[i] = exchanged(d[i]);')" "b ld 4 2 16
b st 4 2 16" "a structure with a gap"

said=$("$builddir/gemmviz" run "$file" race)
is $? 1 "a race on them"
like "$said" "race: thread [0-9]+ (reads|writes) s\[" "is found"
like "$said" "by_value.cu:$(line '	s[i] = twice')|line $(line '	s[i] = twice')" \
	"in the line that calls"
said=$("$builddir/gemmviz" run "$file" outside)
is $? 1 "an element behind the end that is passed"
like "$said" "out-of-bounds: .*reads a\[32\].*line $(line 'threadIdx.x + 1')" \
	"is found"

# What is between two calls has no name, and is copied as often as any other.
cat >"$tmp/sums.cu" <<'END'
struct four { float x, y, z, w; };
__device__ four plus(four a, four b)
{
    four c = { a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w };
    return c;
}
__device__ four times(float s, four b)
{
    four c = { s * b.x, s * b.y, s * b.z, s * b.w };
    return c;
}
__global__ void gemm(const float *A, const float *B, float *C,
                     int M, int N, int K)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    four sum = { 0, 0, 0, 0 };
    if (row >= M || col >= N)
        return;
    for (int k = 0; k < K; ++k)
        sum = plus(sum, times(A[row * K + k], *(const four *)&B[k * N + col]));
    *(four *)&C[row * N + col] = plus(sum, times(0, sum));
}
END
said=$("$builddir/gemmviz" report "$tmp/sums.cu" --block 16x16 --grid 1x4 \
	-m 64 -n 64 -k 64 --seconds 20)
is $? 0 "a product whose sums are structures: 64x64x64 is soon recorded"
like "$said" "C = A B checked" "and right"
done_testing
