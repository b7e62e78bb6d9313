#!/usr/bin/env bash
# Headers of a reader's own: found beside the file and in the folders of -I, and
# sent along; those that are left out are said.
. "$srcdir/tests/tap.sh"

tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
mkdir -p "$tmp/src/inc" "$tmp/common/deep" "$tmp/lib" "$tmp/away"
cat >"$tmp/src/k.cu" <<'CU'
#include <iostream>
#include "inc/tile.h"
#include "device_twice.h"
#include "../common/words.h"
#include <own/factor.h>
KERNEL k(const float *A, float *B)
{
    __shared__ float s[TILE];
    s[threadIdx.x] = A[threadIdx.x];
    B[threadIdx.x] = twice(s[threadIdx.x]) * FACTOR * table[0];
}
int main() { std::cout << host(); }
CU
echo '#define TILE 32' >"$tmp/src/inc/tile.h"
echo '#include "../common/deep/device.h"
DEVICE float twice(float x) { return 2 * x; }' >"$tmp/src/device_twice.h"
echo '#include "deep/device.h"
#define KERNEL __global__ void
__constant__ float table[4];
inline int host() { cudaFree(0); return 1; }' >"$tmp/common/words.h"
echo '#pragma once
#define DEVICE __device__' >"$tmp/common/deep/device.h"
mkdir "$tmp/lib/own"
echo '#define FACTOR 3' >"$tmp/lib/own/factor.h"

# report FILE OPTIONS...: as JSON.
report() {
	file=$1
	shift
	"$builddir/gemmviz" report "$file" --block 32 --grid 1 --json "$@" 2>&1
}
cd "$tmp/away" || exit
is "$(report ../src/k.cu -I ../lib | grep -o '"findings":\[[^]]*\]')" \
	'"findings":[]' "headers beside the file, above it and of -I"
like "$(report ../src/k.cu -I ../lib)" \
	'"array":"s","space":"shared","op":"st","bytes":4' "what they define is"
like "$(report ../src/k.cu -I ../lib)" '"array":"table","space":"constant"' \
	"constants of a header are constants"
like "$(report ../src/k.cu -I ../lib -D TILE=16 --entry k)" \
	'"text":"thread 16 of block 0 writes s\[16\]; s has 16 elements' \
	"-D gives a macro that a header defines"
like "$(report ../src/k.cu)" "k.cu:10: 'FACTOR' was not declared in this\
 scope \(own/factor.h, which line 5 includes, is not here\)" \
	"one that is missing is named where it is missed"

# A function that is declared, and is nowhere.
echo '__device__ float nowhere(float);
__global__ void k(float *A) { A[threadIdx.x] = nowhere(1); }' >"$tmp/src/half.cu"
like "$(report ../src/half.cu)" '^gemmviz: half.cu: nowhere is not defined ' \
	"what the linker lacks"

# Arrays in shared memory stand where each may: an odd one moves the next.
echo '__global__ void k(float *A)
{
    __shared__ char odd[3];
    __shared__ float next[32];
    odd[threadIdx.x % 3] = 1;
    next[threadIdx.x] = 2;
    A[threadIdx.x] = next[threadIdx.x];
}' >"$tmp/src/odd.cu"
"$builddir/gemmviz" record ../src/odd.cu --block 32 --grid 1 -o "$tmp/odd.gvt" \
	>/dev/null 2>&1
places=$("$builddir/gemmviz" dump "$tmp/odd.gvt" |
	sed -n 's/^array [0-9]* "\([a-z]*\)" shared .* at \(0x[0-9a-f]*\).*/\1 \2/p')
is "$(echo "$places" | awk '{ print $2 }' | sort -u | wc -l)" 2 \
	"arrays in shared memory do not share a place ($places)"

# Whatever it is called.
echo '#include "kernel.cu"
__global__ void k(float *A) { A[threadIdx.x] = two(); }' >"$tmp/src/main.cu"
echo '__device__ float two() { return 2; }' >"$tmp/src/kernel.cu"
is "$(report ../src/main.cu | grep -o '"findings":\[[^]]*\]')" '"findings":[]' \
	"a kernel.cu is a header like others"

# What is not needed is left out, and said.
cat >"$tmp/src/left.cu" <<'CU'
#include "gone.h"
#include "broken.h"
#ifndef TILE
#define TILE 16
#endif
__global__ void k(float *A) { A[threadIdx.x] = TILE; }
CU
echo 'struct Timer { cudaNothing_t event; };' >"$tmp/src/broken.h"
"$builddir/gemmviz" report ../src/left.cu --block 32 --grid 1 >"$tmp/out"
is "$?" 0 "headers that are left out are no fault"
is "$(sed -n '/^Findings/,$p' "$tmp/out" | sed '/^Advice/,$d' | tr -s ' \n' ' ')" "Findings line 1,\
 note: the header gone.h is not here, and was left out: what it defines is\
 missing; line 1 note: the header broken.h does not compile, and was left out:\
 what it defines is missing (broken.h:1: 'cudaNothing_t' does not name a type) "\
	"but what is left out is said"

# One that includes itself under ever longer names: the compiler's reason stands
# behind more words than are read of it.
mkdir "$tmp/src/way"
echo '#include "../way/self.h"' >"$tmp/src/way/self.h"
echo '#include "way/self.h"
__global__ void k(float *A) { A[threadIdx.x] = 1; }' >"$tmp/src/self.cu"
like "$(report ../src/self.cu 2>&1)" 'self.cu does not compile: .*nested' \
	"a header that includes itself by way of its folder"

# A compiler that crashes, in its own words and in its driver's.
mkdir "$tmp/bin"
cp "$builddir/tests/attack_compiler" "$tmp/bin/g++"
for crash in 0 1 2; do
	printf '// crash %s\n__global__ void k(float *A) { A[0] = 1; }\n' $crash \
		>"$tmp/src/crash.cu"
	is "$(PATH=$tmp/bin:$PATH report ../src/crash.cu 2>&1 | tail -n 1)" \
		"gemmviz: crash.cu: the compiler crashes on it" \
		"a compiler that crashes ($crash)"
done

# Where it works may be named from here.
(cd "$tmp/bin" && TMPDIR=. "$builddir/gemmviz" report ../src/main.cu \
	--block 32 --grid 1 >"$tmp/out" 2>&1)
is $? 0 "TMPDIR=."
is "$(ls "$tmp/bin")" g++ "nothing is left there"

# A recorder elsewhere has nothing but what it is sent.
cat >"$tmp/elsewhere" <<SH
#!/bin/sh
cd / && exec "$builddir/gemmviz-emu"
SH
chmod +x "$tmp/elsewhere"
is "$(report ../src/k.cu -I ../lib --runner "$tmp/elsewhere" |
	grep -o '"findings":\[[^]]*\]')" '"findings":[]' "they are sent along"
refused() {
	echo "{\"type\":\"record\",\"id\":1,\"m\":1,\"n\":1,\"k\":1,\"block\":\
[1,1,1],\"grid\":[1,1,1],\"source\":{\"text\":\"\",$1}}" |
		"$builddir/gemmviz-emu" | grep -c "must be names from the"
}
is "$(refused '"headers":{"/etc/x.h":""}')" 1 "no absolute names"
is "$(refused '"headers":{"a/../../x.h":""}')" 1 "nor such as go up later"
is "$(refused "\"folders\":[\"$(printf '../%.0s' {1..17})x\"]")" 1 \
	"or too far"
done_testing
