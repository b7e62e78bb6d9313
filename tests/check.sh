#!/usr/bin/env bash
# Kernels held to limits: what is printed, what is written, what is accepted,
# and the exit status.
. "$srcdir/tests/tap.sh"

tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/src"
cp "$srcdir/src/kernels/tiled_bt.cu" "$srcdir/src/kernels/tiled.cu" \
	"$srcdir/src/kernels/bug_first_barrier.cu" "$tmp/src"
cd "$tmp" || exit
launch='--block 32x32 --grid 2x2'

# check STATUS ARGS...: sets $out and $err.
check() {
	want=$1
	shift
	out=$("$builddir/gemmviz" check "$@" 2>err)
	is "$?" "$want" "check $*: status $want"
	err=$(cat err)
}

# Without a limit only what is wrong fails.
check 0 src/tiled_bt.cu $launch
is "$(echo "$out" | tail -2)" "launches: 1, errors: 0, warnings: 2, accepted: 0
right: C = A B checked, at 64x64x64 and 57x43x39" "a sum and the verdict at the end"
like "$out" '^src/tiled_bt.cu:24:22: note: declare Bs\[32\]\[33\] instead of .* \[advice-pitch\]$' \
	"advice, at its place"
check 1 src/tiled_bt.cu $launch --max-way 2
is "$(echo "$out" | grep -c ': warning: .*\[bank-conflict\]$')" 2 \
	"what is over the limit, an access each"
like "$out" '^src/tiled_bt.cu:44:32: warning: Loading from Bs takes 262144 wavefronts' \
	"at line and column"
check 0 src/tiled_bt.cu $launch --max-way 32
check 1 src/tiled_bt.cu $launch --max-wavefronts-ratio 31.9
check 0 src/tiled_bt.cu $launch --max-wavefronts-ratio 32
check 1 naive_swapped --max-sectors-ratio 7.9
like "$out" '^naive_swapped:22:20: warning: .*\[uncoalesced\]' "sectors"
check 0 naive_swapped --max-sectors-ratio 8
check 1 src/bug_first_barrier.cu --block 16x16 --grid 4x4 -D TILE=16
like "$out" '^src/bug_first_barrier.cu:41:28: error: .*\[race\]$' \
	"a fault needs no limit"

# Several files; what cannot be recorded says where, and the others are checked.
printf '__global__ void f(float *A)\n{\n    A[0] = x;\n}\n' >src/bad.cu
check 3 src/bad.cu src/tiled.cu --block 16x16 --grid 4x4
like "$out" "^src/bad.cu:3: error: 'x' was not declared.*\[unrecorded\]\$" \
	"a compiler's error at its line"
like "$out" '^launches: 2, errors: 1,' "the other one was checked"

# A program, with its own launches.
cp "$srcdir"/tests/programs/vector_add.cu src
check 0 src/vector_add.cu
like "$out" '^src/vector_add.cu:24: note: d_C .* is never freed \[leak\]$' \
	"a program, and what its host does"
cp "$srcdir"/tests/programs/faults.cu src
printf 'file faults.cu\nlaunch -- direction\nlaunch -- nothing\n' >rules
check 1 src/faults.cu --rules rules
like "$out" '^src/faults.cu:[0-9]+: error: ' "and what it does wrong"
like "$out" '^launches: 2, errors: 2,' "with one of its arguments"

# Rules beside the files.
cat >src/.gemmviz-check <<'END'
# limits of all
max-way 2

file tiled_bt.cu
launch --block 32x32 --grid=2x2
launch --block 16x16 --grid 4x4 -DTILE=16
accept bank-conflict Bs: it shows a conflict

file tiled.cu
launch --block 16x16 --grid 4x4
END
check 0 src/tiled_bt.cu src/tiled.cu
like "$out" '^launches: 3, errors: 0, warnings: 0, accepted: 4$' \
	"limits, launches and a reason from the file"
touch empty
check 1 src/tiled_bt.cu --rules empty $launch --max-way 2
check 0 src/tiled.cu
like "$out" '^src/.gemmviz-check:7: note: this line accepts bank-conflict, which is no longer found' \
	"what is accepted and no longer there"
sed -i 's/ Bs:/ As:/' src/.gemmviz-check
check 1 src/tiled_bt.cu
is "$(echo "$out" | grep -c warning:)" 4 "accepted on another array"

# wrong TEXT MESSAGE: a file of rules that is none.
wrong() {
	printf '%b\n' "$1" >rules
	check 3 src/tiled.cu --rules rules
	is "$err" "gemmviz: rules:$2" "$1"
}
wrong 'max-way 0' '1: max-way needs a number of at least 1, not '"'0'"
wrong '#\nmax-way nan' '2: max-way needs a number of at least 1, not '"'nan'"
wrong 'maxway 2' '1: expected max-sectors-ratio, max-wavefronts-ratio, max-way, max-registers, max-spills, max-compiled-ratio, sizes, file, launch or accept'
wrong 'launch --block 3' '1: expected '"'file NAME'"' before the first launch'
wrong 'accept race' '1: expected a reason: accept KIND [ARRAY]: REASON'
wrong 'accept race s:  ' '1: expected a reason: accept KIND [ARRAY]: REASON'
wrong 'accept a b c: d' '1: expected accept KIND [ARRAY]: REASON'
wrong 'file a/b.cu' '1: expected the name of a file in this folder'
wrong 'file tiled.cu\nlaunch --blok 3' "2: '--blok' is not an option of a launch"
wrong 'file tiled.cu\nlaunch --block' '2: --block needs a value'
wrong 'file tiled.cu\nlaunch --block x' "2: --block needs sizes such as 16x16, not 'x'"
# What comes with a file starts nothing, and gives it no rights.
wrong "file tiled.cu\nlaunch --runner 'touch started'" '2: --runner is accepted only on the command line'
is "$(ls started 2>&1 >/dev/null | wc -l)" 1 "and it is not started"
wrong 'file tiled.cu\nlaunch --runner=true' '2: --runner is accepted only on the command line'
wrong 'file tiled.cu\nlaunch --unconfined' '2: --unconfined is accepted only on the command line'
wrong 'file tiled.cu\nlaunch --allow-write /' '2: --allow-write is accepted only on the command line'
wrong 'file tiled.cu\nlaunch --on gpu' '2: --on is accepted only on the command line'
# Nor does it take more of the machine than without it.
for limit in '--seconds 61' '--timeout=61' '--memory 5000' '--max-events 500000001'; do
	wrong "file tiled.cu\nlaunch $limit" "2: the rules cannot raise ${limit%%[ =]*}; only the command line can"
done
printf 'file tiled.cu\nlaunch --block 16x16 --grid 4x4 --seconds 61\n' >rules
check 0 src/tiled.cu --rules rules --seconds 100
# Headers it finds below its own folder, wherever that is looked at from.
mkdir inc
ln -s inc in
echo '#define SCALE 2' >inc/scale.h
printf '#include "scale.h"\n__global__ void f(float *A) { A[threadIdx.x] = SCALE; }\n' >scaled.cu
for folder in / "$tmp/inc" .. inc/../.. nowhere; do
	printf 'file scaled.cu\nlaunch --block 32 --grid 1 -I %s\n' "$folder" >rules
	check 3 scaled.cu --rules rules
	is "$err" "gemmviz: rules:2: -I $folder is not a folder below that of the rules" \
		"-I $folder"
done
ln -s / root
printf 'file scaled.cu\nlaunch --block 32 --grid 1 -I root/usr\n' >rules
check 3 scaled.cu --rules rules
printf 'file scaled.cu\nlaunch --block 32 --grid 1 -I in\n' >.gemmviz-check
check 0 scaled.cu
mkdir elsewhere
cd elsewhere || exit
check 0 ../scaled.cu
cd ..
sed -i '1s/^/\xef\xbb\xbf/; s/$/\r/' .gemmviz-check
check 0 scaled.cu
rm .gemmviz-check
check 3 src/tiled.cu --rules nowhere
check 2
check 2 src/tiled.cu --max-way 0.5
check 2 src/tiled.cu --max-way two
check 2 src/tiled.cu --block 3y

# For machines.
rm src/.gemmviz-check
printf 'accept bank-conflict: <known> & "so"\n' >rules
check 1 src/tiled_bt.cu src/bug_first_barrier.cu $launch --max-way 2 \
	--rules rules --sarif s.json --junit j.xml
check 2 src/tiled_bt.cu $launch --sarif s.json
like "$err" 's.json' "no file is overwritten"
check 0 src/tiled.cu --block 16x16 --grid 4x4 --sarif s2.json --json
if perl -MJSON::PP -e 1 2>/dev/null; then
	is "$(perl -MJSON::PP -e '
		local $/; $s = decode_json(<STDIN>);
		for (@{$s->{runs}[0]{results}}) {
			$p = $_->{locations}[0]{physicalLocation};
			die "uri" if $p->{artifactLocation}{uri} !~ m,^src/\w+\.cu$,;
			for (@{$_->{suppressions} // []}) {
				$why{$_->{justification}}++;
			}
		}
		print join ",", map { "$_ $why{$_}" } keys %why' <s.json)" \
		'<known> & "so" 2' "SARIF names files and reasons"
	sarif() { perl "$srcdir/tests/sarif.pl"; }
	is "$(sarif <s.json) $(sarif <s2.json)" " " \
		"SARIF has what its schema asks for"
	is "$(sed 's/"startLine"/"line"/g; s/"external"/"other"/; s/"text"/"t"/
		s/"version": *"2.1.0"/"version":"2"/' s.json | sarif |
		sed 's/.*\.//; s/\[[0-9]*\]//g' | sort -u)" \
"kind:  other
message: no  text
message: unknown t
region: no  startLine
region: unknown line
shortDescription: no  text
shortDescription: unknown t
version:  2" "and what has not is found"
	is "$(printf '%s' "$out" | perl -MJSON::PP -e '
		local $/; print scalar grep { $_->{level} ne "verdict" }
			@{decode_json(<STDIN>)}')" 0 \
		"--json: nothing found"
else
	skip "SARIF" "no perl with JSON::PP"
fi
cat >usage.cu <<'X'
#include <stdio.h>
int main(int argc, char **)
{
	puts("\nusage: ./usage N\n");
	return argc < 2;
}
X
like "$("$builddir/gemmviz" check usage.cu)" \
	'launched no kernel that could be recorded; it printed last: usage: ./usage N' \
	"what a program says that launches nothing is told"
cat >abort.cu <<'X'
#include <stdlib.h>
__global__ void k(unsigned *to) { for (unsigned i = 1; i; i++) to[0] += i; }
int main(int argc, char **)
{
	unsigned *to;
	cudaMalloc(&to, 4);
	cudaMemset(to, 0, 4);
	k<<<1, 1>>>(to);
	if (cudaDeviceSynchronize() || argc > 1)
		abort();
	cudaFree(to);
}
X
out=$("$builddir/gemmviz" check --seconds 1 abort.cu)
is $? 0 "a program that aborts as a launch was cut is not wrong"
like "$out" 'note: the program was ended by signal 6' "which is noted"

like "$(cat j.xml)" '<testsuite name="gemmviz check" tests="2" failures="1" errors="0">' \
	"JUnit: a case for each launch"
like "$(cat j.xml)" '<failure type="race" message="[^"<]*">' \
	"what failed"
like "$(cat j.xml)" '\(&lt;known&gt; &amp; &quot;so&quot;\)' "escaped"

done_testing
