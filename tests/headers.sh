#!/usr/bin/env bash
# Headers of a reader's own: found beside the file and in the folders of -I, and
# sent along; those that are left out are said.
# sanitized: never (its compiler and strace do not go with the runtime)
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
is "$(report ../src/k.cu -I .. -I ../lib | grep -o '"findings":\[[^]]*\]')" \
	'"findings":[]' "headers beside the file, and of -I"
like "$(report ../src/k.cu -I .. -I ../lib)" \
	'"array":"s","space":"shared","op":"st","bytes":4' "what they define is"
like "$(report ../src/k.cu -I .. -I ../lib)" '"array":"table","space":"constant"' \
	"constants of a header are constants"
like "$(report ../src/k.cu -I .. -I ../lib -D TILE=16 --entry k)" \
	'"text":"thread 16 of block 0 writes s\[16\]; s has 16 elements' \
	"-D gives a macro that a header defines"
like "$(report ../src/k.cu -I ..)" "k.cu:10: 'FACTOR' was not declared in this\
 scope \(own/factor.h, included in line 5, was not found\)" \
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
is "$(sed -n '/^Findings/,$p' "$tmp/out" | sed '/^Advice/,$d' | tr -s ' \n' ' ')" "Findings and advice\
 (each advice is independent of the others) line 1,\
 note: the header gone.h was not found and was skipped: its definitions are\
 missing; line 1 note: the header broken.h does not compile and was skipped:\
 its definitions are missing (broken.h:1: 'cudaNothing_t' does not name a type) "\
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
		"gemmviz: crash.cu: the compiler crashed" \
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
is "$(report ../src/k.cu -I .. -I ../lib --runner "$tmp/elsewhere" |
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

# ---- what a file may include ----

# allowed FILE INCLUDE: the file is refused, in one line that names the place and
# a value of -I; with that value, as a shell reads it, it is recorded.
allowed() {
	local file=$1 got value rest
	got=$(report "$file" 2>&1)
	rest=${got#*"allow it with -I "}
	rest=${rest#*", with -I "}
	is "$(wc -l <<<"$got")" 1 "$2: one line"
	like "$got" "^gemmviz: [^:]*:[0-9]+: " "$2: with its place"
	ok "$([ "$rest" != "$got" ]; echo $?)" "$2: -I is named ($got)"
	eval "value=($rest)"
	is "$(report "$file" -I "${value[0]}" | grep -o '"findings":\[[^]]*\]')" \
		'"findings":[]' "$2: which allows it"
}
# places FILE INCLUDE: writes a kernel that needs what it includes.
needs() {
	printf '%s\n' "#include $2" \
		'__global__ void k(float *A) { A[threadIdx.x] = VALUE; }' >"$1"
}
mkdir -p "$tmp/a/b/own" "$tmp/a/with space/\$(touch $$)" "$tmp/a/-dash"
for folder in "$tmp/a" "$tmp/a/b" "$tmp/a/with space" \
	"$tmp/a/with space/\$(touch $$)" "$tmp/a/-dash"; do
	echo '#define VALUE 1' >"$folder/v.h"
done
cd "$tmp/a/b" || exit
needs up.cu '"../v.h"'
allowed up.cu "a header above"
like "$(report up.cu)" '^gemmviz: up.cu:1: "../v.h" is outside the file.s folder; allow it with -I \.\.$' \
	"-I .."
is "$(report up.cu >/dev/null; echo $?)" 8 "with status 8"
needs space.cu '"../with space/v.h"'
allowed space.cu "a folder with a space"
needs canary.cu "\"../with space/\$(touch $$)/v.h\""
allowed canary.cu "a folder that is a command"
needs dash.cu '"../-dash/v.h"'
allowed dash.cu "a folder that begins with -"
ln -s ../v.h bound.h
needs link.cu '"bound.h"'
allowed link.cu "a link to above"
ln -s "$tmp/a/v.h" far.h
needs far.cu '"far.h"'
allowed far.cu "a link with an absolute name"
ln -s .. folder
needs folder.cu '"folder/v.h"'
allowed folder.cu "a link to a folder"
needs absolute.cu "\"$tmp/a/v.h\""
like "$(report absolute.cu)" \
	"^gemmviz: absolute.cu:1: refused: it tried to read .*/a/v.h; include it as \"v.h\", with -I \.\.\$" \
	"an absolute name"
needs absolute.cu '"v.h"'
is "$(report absolute.cu -I .. | grep -o '"findings":\[[^]]*\]')" \
	'"findings":[]' "and by its own, it is taken"
cd "$tmp" && allowed a/b/up.cu "from another folder"
cd "$tmp/a/b" || exit
echo '#include "../../v.h"' >own/nested.h
needs nested.cu '"own/nested.h"'
like "$(report nested.cu)" '^gemmviz: own/nested.h:1: "../../v.h" is outside ' \
	"a header of the file's own goes up: its line is named"
allowed nested.cu "a header of the file's own goes up"
echo '#include "../v.h"' >own/inner.h
echo '#define VALUE 1' >v.h
ln -s ../v.h own/back.h
needs inner.cu '"own/inner.h"'
is "$(report inner.cu | grep -o '"findings":\[[^]]*\]')" '"findings":[]' \
	"one that goes up within the folder is taken"
needs inner.cu '"own/back.h"'
is "$(report inner.cu | grep -o '"findings":\[[^]]*\]')" '"findings":[]' \
	"and a link within it"
rm v.h
needs macro.cu '__FILE__'
sed -i '1i #define UP "../v.h"\n#undef X' macro.cu
sed -i 's/#include __FILE__/#include UP/' macro.cu
allowed macro.cu "an include by a macro"

# The name of the folder is not only the beginning of another's.
mkdir ../bb
echo '#define VALUE 1' >../bb/v.h
needs prefix.cu '"../bb/v.h"'
allowed prefix.cu "a folder next to it whose name begins as its own"
# What was missing, and compiled and stored without, comes to be outside.
needs stored.cu '"../later.h"'
sed -i 's/VALUE/2/' stored.cu
report stored.cu >/dev/null
echo "" >../later.h
like "$(report stored.cu)" 'outside the file.s folder' \
	"a stored object is not taken for that of a file that is outside now"

# What is not compiled is not read.
mkfifo ../fifo.h
for name in ../v.h ../fifo.h ../../../../../../etc/shadow /etc/shadow; do
	needs zero.cu '"own/inner.h"'
	printf '#if 0\n#include "%s"\n#endif\n#define VALUE 2\n' "$name" >zero.cu
	echo '__global__ void k(float *A) { A[threadIdx.x] = VALUE; }' >>zero.cu
	strace -f -e trace=open,openat,openat2,execve -o "$tmp/calls" \
		"$builddir/gemmviz" report zero.cu --block 32 --grid 1 >/dev/null \
		2>&1
	is $? 0 "$name under #if 0 is no reason to refuse"
	is "$(grep "\"[^\"]*${name#../}\"" "$tmp/calls" | grep -vc O_PATH)" 0 \
		"and is not opened for reading"
done
needs fifo.cu '"../fifo.h"'
like "$(timeout 30 "$builddir/gemmviz" report fifo.cu --block 32 --grid 1 2>&1)" \
	'^gemmviz: fifo.cu:2: .VALUE. was not declared in this scope \(../fifo.h' \
	"a FIFO is not waited for"
# Programs, too.
printf '#include "../v.h"\n__global__ void k() { }\nint main() { return VALUE; }\n' >program.cu
is "$("$builddir/gemmviz" run program.cu 2>&1)" \
	"gemmviz: program.cu:1: \"../v.h\" is outside the file's folder; allow it with -I .." \
	"a program's header"
like "$("$builddir/gemmviz" run -I .. program.cu 2>&1)" 'ended with status 1' \
	"with -I it is taken"
# A file that is named may be anywhere, with its own folder.
mkdir ../named
echo '#define THREE 3' >../named/three.h
printf '#include "three.h"\nint three() { return THREE; }\n' >../named/three.cpp
printf '__global__ void k() { }\nint three();\nint main() { k<<<1, 1>>>(); return three(); }\n' >main.cu
like "$("$builddir/gemmviz" run main.cu ../named/three.cpp 2>&1)" \
	'ended with status 3' "a source that is named brings its folder's headers"
like "$("$builddir/gemmviz" run main.cu 2>&1)" \
	'^gemmviz: main.cu:[0-9]+: three is not defined .*; \.\./named/three.cpp defines it: add it' \
	"but is only suggested if it is not"
ln -s ../named/three.cpp linked.cpp
like "$("$builddir/gemmviz" run main.cu 2>&1)" 'three is not defined' \
	"a link next to it is not taken"
rm linked.cpp
cp ../named/three.* .
is "$("$builddir/gemmviz" run main.cu 2>/dev/null | head -n 1)" \
	"gemmviz: added three.cpp, which defines three()" \
	"one next to it is, which standard output says"
like "$("$builddir/gemmviz" run --json main.cu)" \
	'"taken":\["added three.cpp, which defines three\(\)"\]' "and JSON"
like "$("$builddir/gemmviz" check --json main.cu)" \
	'"rule":"taken","text":"added three.cpp, which defines three\(\)"' \
	"and what check finds"
for command in run record; do
	like "$("$builddir/gemmviz" $command --help | tr -s ' \n' ' ')" \
		'is taken from its own folder only, and listed' \
		"$command --help says which files it takes"
done
# A lesson's files come from its folder, whatever links there are.
mkdir lesson
echo '__global__ void k(float *A) { A[threadIdx.x] = 1; }' >lesson/own.cu
cp lesson/own.cu ../outside.cu
ln -s ../../outside.cu lesson/link.cu
ln -s own.cu lesson/near.cu
# lesson FILE: what a lesson is told that records it.
lesson() {
	printf '# T\n\n## S\n\nText.\n\n```gemmviz\nrecord %s block=32 grid=1 as it\nshow tiles\n```\n' \
		"$1" >lesson/l.md
	"$builddir/gemmviz" list --check ./lesson/l.md 2>&1
}
for file in ./own.cu ./near.cu; do
	is "$(lesson $file | grep -c "not in the folder")" 0 "a lesson records $file"
done
for file in ./link.cu ../../outside.cu "$tmp/a/outside.cu"; do
	like "$(lesson "$file")" "is not in the folder ./lesson/" \
		"a lesson may not record $file"
done
printf '#include "../../v.h"\n' | cat - lesson/own.cu >lesson/up.cu
like "$(lesson ./up.cu)" "\"../../v.h\" is outside the file.s folder\$" \
	"nor may its file include another's, which no option allows"
is "$(find . -maxdepth 1 -name "$$*" | wc -l)" 0 "no name was run as a command"
done_testing
