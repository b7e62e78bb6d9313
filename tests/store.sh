#!/usr/bin/env bash
# The store of compiled kernels: a file that was compiled before is recorded with
# its stored object; a change of anything that the compiler is given compiles it
# again; nothing is stored that should not be.
#
# That an object comes from the store is seen by planting another one under its
# key: k.cu then reports the accesses of v.cu.
. "$srcdir/tests/tap.sh"
gemmviz=$(cd "$builddir" && pwd)/gemmviz
shipped=$(cd "$builddir" && pwd)/modules/kernels
tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"; rm -f "$shipped/${base:-none}"' EXIT
export XDG_CACHE_HOME=$tmp/cache
store=$XDG_CACHE_HOME/gemmviz/kernels
cd "$tmp" || exit

echo '#define STEP 1' >k.h
cat >k.cu <<'END'
#include "k.h"
__global__ void scale(float *A, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		A[i * STEP] = 1;
}
END

# report [ARGUMENT...]: of k.cu, into out; its status and the sectors of line 6.
# path: where it finds programs.
path=$PATH
report() {
	PATH=$path "$gemmviz" report k.cu --block 32 --grid 1 "$@" >out 2>err
	echo "$?:$(awk '$1 ~ /^6:/ { print $6 }' out)"
}
# stored: how many objects there are; stored_by COMMAND...: how many it adds.
stored() {
	find "$store" -type f 2>/dev/null | wc -l
}
stored_by() {
	local before
	before=$(stored)
	"$@" >/dev/null 2>&1
	echo $(($(stored) - before))
}

is "$(report)" 0:4 "a file is compiled"
is "$(stored)" 1 "... and its object is stored"
key=$(ls "$store")
is "$(stat -c %a "$store/$key")" 600 "... for the reader alone"
mv out first
is "$(stored_by report)" 0 "a second report stores nothing"
cmp -s out first
ok $? "... and is the same"

# The same text with another header has an object of its own: it is planted.
echo '#define STEP 8' >k.h
is "$(report)" 0:32 "another header: compiled again"
is "$(stored)" 2 "... and stored, too"
for other in "$store"/*; do
	other=$(basename "$other")
	[ "$other" = "$key" ] || break
done
echo '#define STEP 1' >k.h
cp "$store/$key" kept
cp "$store/$other" "$store/$key"
is "$(report)" 0:32 "the stored object is recorded, no new one"
is "$(cat err)" "" "... and nothing is said of it"
is "$(report --no-cache)" 0:4 "--no-cache compiles the file"
is "$(report)" 0:32 "... and leaves the store as it is"
is "$(report --unconfined)" 0:4 "no stored object runs unconfined"
touch k.cu
is "$(report)" 0:32 "the time of the file means nothing"
mkdir more
is "$(report -I more)" 0:4 "another folder for headers: compiled again"
is "$(report -D n=m)" 0:4 "a macro: compiled again"
echo '// more' >>k.cu
is "$(report)" 0:4 "another text: compiled again"
sed -i '$d' k.cu

# Headers that are left out are reported each time.
cat >left.cu <<'END'
#include "nowhere_at_all.h"
__global__ void one(float *A) { A[threadIdx.x] = 1; }
END
left() {
	"$gemmviz" report left.cu --block 32 --grid 1 2>&1
}
like "$(left)" 'nowhere_at_all.h' "a header that is not there is left out"
left >left.first
is "$(stored_by left)" 0 "... which is stored"
like "$(left)" 'nowhere_at_all.h' "... and reported again"

# Programs are two objects.
cat >p.cu <<'END'
#include <cstdio>
__global__ void one(int *A) { A[threadIdx.x] = 1; }
int main()
{
	int *d, h[32];
	cudaMalloc(&d, sizeof(h));
	one<<<1, 32>>>(d);
	cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
	printf("%d\n", h[31]);
	cudaFree(d);
}
END
is "$(stored_by "$gemmviz" run p.cu)" 2 "a program has two objects"
"$gemmviz" run p.cu >p.out 2>&1
is "$?:$(grep -c '^| 1$' p.out)" 0:1 "... which run"
is "$(stored_by "$gemmviz" run p.cu)" 0 "... again and again"
is "$(stored_by "$gemmviz" run --std c++20 p.cu)" 2 "another C++: other objects"
is "$(stored_by "$gemmviz" run --arch sm_80 p.cu)" 2 "... another GPU, too"

# What is not stored.
echo '__global__ void k(float *A) { A[0] = nonsense; }' >bad.cu
is "$(stored_by "$gemmviz" report bad.cu --block 32 --grid 1)" 0 \
	"a text that does not compile is not stored"
echo '__global__ void k(float *A) { A[0] = sizeof(__TIME__); }' >time.cu
is "$(stored_by "$gemmviz" report time.cu --block 32 --grid 1)" 0 \
	"nor one that asks for the time"

# A damaged object is compiled again and replaced.
damaged() {
	cp "$store/$other" "$store/$key"
	"$@" "$store/$key"
	is "$(report)" 0:4 "a damaged object is not used ($*)"
	cmp -s "$store/$key" kept
	is "$(report)" 0:4 "... and is replaced"
}
damaged truncate -s 100
damaged truncate -s 0
damaged truncate -s -1
damaged perl -e 'open F, "+<", $ARGV[0]; seek F, 5000, 0; print F "damage"'

# The objects that ship with the program are looked up first, by the first part of
# the key; they are not the reader's, and depend on no compiler.
base=${key%-*}
mkdir -p "$shipped"
cp "$store/$other" "$shipped/$base"
is "$(report)" 0:32 "an object that ships with the program is found first"
mkdir none
is "$(path=$tmp/none report)" 0:32 "... without a compiler"
is "$(stored_by report)" 0 "... and is not stored"
rm -f "$shipped/$base"
rmdir "$shipped" 2>/dev/null
is "$(path=$tmp/none report)" 5: "without either, the missing compiler is named"
like "$(cat err)" 'g\+\+' "... in one line"

# Where no store can be made, files are recorded without one.
for home in /dev/null/none "$tmp/k.cu" /proc; do
	is "$(XDG_CACHE_HOME=$home report)" 0:4 "no store in $home"
	is "$(cat err)" "" "... nothing is said of it"
done
mkdir -p open/gemmviz
chmod 755 open open/gemmviz
is "$(XDG_CACHE_HOME=$tmp/open report)" 0:4 "a folder that others may enter"
is "$(find open -type f | wc -l)" 0 "... is not used"
like "$(XDG_CACHE_HOME=$tmp/open "$gemmviz" doctor | tr -s '\n ' '  ')" \
	'kernel cache [^ ]*/open/[^ ]* belongs to .* users can enter it' "... which doctor says"
like "$("$gemmviz" doctor)" "kernel cache +[0-9]+ files, [0-9.]+ of 500 MB" \
	"doctor says how much is in the store"
done_testing
