#!/usr/bin/env bash
# memset() and memcpy() in a kernel: nvcc makes loops of single bytes of them, in
# which they are counted, looked at for races and stopped at an array's end.
. "$srcdir/tests/tap.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cat >"$tmp/bytes.cu" <<'X'
#include <cstring>
#include <string.h>
__global__ void f(float *A, float *B, float *C, int N)
{
	__shared__ float s[64];
	float own[8];

	memset(own, 0, sizeof(own));
	std::memcpy(own, A + 2 * threadIdx.x, 8);
	memcpy(&s[2 * threadIdx.x], own, 8);
	__syncthreads();
	C[200 + threadIdx.x] = s[threadIdx.x];
	using std::memcpy;
	memcpy(B + 2 * threadIdx.x, &s[62 - 2 * threadIdx.x], 8);
	if (threadIdx.x == 0)
		memset(C, 0, N);
	__builtin_memcpy(&C[64 + threadIdx.x], &own[1], 4);
}
X
# counts: what the lines do to which array: op, bytes, requests.
counts() {
	awk 'split($1, at, ":") == 2 && $5 ~ /^[0-9]+$/ { print at[1], $2, $3, $4, $5 }' "$1"
}
"$builddir/gemmviz" report "$tmp/bytes.cu" --block 32 --grid 1 -n 64 >"$tmp/report"
is $? 0 "bytes are no fault"
is "$(counts "$tmp/report" | sort)" "10 own ld 1 8
10 s st 1 8
12 C st 4 1
12 s ld 4 1
14 B st 1 8
14 s ld 1 8
16 C st 1 64
17 C st 4 1
17 own ld 4 1
8 own st 1 32
9 A ld 1 8
9 own st 1 8" "each is an access"

# bad WHAT STATEMENT FINDING
bad() {
	sed "s/__builtin_memcpy.*/$2;/" "$tmp/bytes.cu" >"$tmp/bad.cu"
	"$builddir/gemmviz" report "$tmp/bad.cu" --block 32 --grid 1 -n 64 >"$tmp/report"
	is $? 1 "$1"
	like "$(tr -s '\n ' ' ' <"$tmp/report")" "$3" "is found"
}
bad "two threads' bytes" "__syncthreads(), memset(s + threadIdx.x, 0, 8)" \
	"line 17, race: thread 0 writes s\[1\] .* thread 1 .* writes it in line 17"
bad "bytes behind the end" "memcpy(own + 5, A, 16)" \
	"line 17, out-of-bounds: thread 0 of block 0 writes own\[8\]"
bad "bytes that are not there" "memcpy(own, s + 60, 24)" \
	"line 17, out-of-bounds: thread 0 of block 0 reads s\[64\]"
done_testing
