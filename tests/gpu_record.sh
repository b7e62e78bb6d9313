#!/bin/sh
# Recorded on the GPU, and recorded on the CPU: one truth. Every kernel, at
# sizes that divide into tiles and that don't; then what is the GPU's alone.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/table.sh"
export GEMMVIZ_LANG=en

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
gemmviz=$builddir/gemmviz

said=$("$gemmviz" record naive -m 8 -n 8 -k 8 --on gpu -o "$tmp/probe.gvt" 2>&1)
status=$?
if [ $status -eq 6 ]; then
	skip "recordings on the GPU" "$said"
	done_testing
	exit
fi
is $status 0 "a launch is recorded on the GPU"

# both NAME ARGUMENT...: recorded on the CPU and on the GPU, and compared.
both() {
	name=$1
	shift
	"$gemmviz" record "$@" --on cpu -o "$tmp/cpu.gvt" --force \
		>"$tmp/said" 2>&1 &&
		"$gemmviz" record "$@" --on gpu -o "$tmp/gpu.gvt" --force \
			>"$tmp/said" 2>&1
	is "$?" 0 "$name is recorded on both" || sed 's/^/# /' "$tmp/said"
	agree=$("$builddir/tests/agree" "$tmp/cpu.gvt" "$tmp/gpu.gvt" 2>&1)
	ok $? "$name: every thread does the same on both: $(echo "$agree" |
		head -n 1)"
	echo "$agree" | sed -n '2,$s/^/# /p'
}

on_both=
for k in $(kernels right); do
	if by_tma "$k"; then
		like "$("$gemmviz" record "$k" --on gpu -o "$tmp/gpu.gvt" 2>&1)" \
			"cannot be recorded on the GPU; it can be recorded on the CPU" \
			"$k is refused in words"
	else
		on_both="$on_both $k"
	fi
done

like "$("$gemmviz" record "$srcdir/tests/programs/cluster_shared.cu" \
	--kernel-only --entry sums --on gpu -o "$tmp/gpu.gvt" 2>&1)" \
	"uses shared memory of other blocks, which cannot be recorded on the GPU" \
	"so are pointers into other blocks' shared memory"

for size in "-m 64 -n 64 -k 64" "-m 128 -n 64 -k 32" "-m 32 -n 48 -k 16" \
	"-m 64 -n 128 -k 48" "-m 33 -n 17 -k 50" "-m 1 -n 1 -k 1"; do
	for k in $on_both "tiled -D TILE=8" "tiled -D TILE=32" \
		"padded -D TILE=32" "tiled_bt -D TILE=16" \
		"tiled_bt_pad -D TILE=16"; do
		# shellcheck disable=SC2086
		takes $k $size && both "$k $size" $k $size
	done
done
# Multiples of 8 that are none of 16, two blocks a side.
for k in mma "mma_multistage -D COLS=128" "mma_multistage -D EXPONENT=8"; do
	# shellcheck disable=SC2086
	both "$k 136x264x40" $k -m 136 -n 264 -k 40
done
# Tiles beyond the edges, rows that are aligned and rows that are not.
for size in "-m 129 -n 132 -k 20" "-m 131 -n 127 -k 19"; do
	# shellcheck disable=SC2086
	both "sgemm $size" sgemm $size
done
# A tile that two blocks share: how often one of them looks whether the other
# is done, no two runs have in common.
"$gemmviz" report sgemm -D BM=64 -D BN=32 -D BK=8 -m 64 -n 32 -k 192 --grid 2 \
	--on gpu >"$tmp/handed" 2>&1
is $? 0 "sgemm hands a tile on, and nothing is wrong"
both "tiled TILE=4, compiled now" tiled -D TILE=4 -m 16 -n 16 -k 16
both "one block of tiled" tiled --blocks 1,2
both "two warps of tiled" tiled --warps 1,7
both "no values" tiled --no-values
kernels=$srcdir/tests/kernels
both "mixed.cu" "$kernels/mixed.cu" --block 64 --grid 1 -k 8
both "lanes.cu" "$kernels/lanes.cu" --block 32 --grid 1 -n 8
both "members.cu" "$kernels/members.cu" --block 32 --grid 1
both "dims.cu" "$kernels/dims.cu" --block 4x3x2 --grid 1
for k in halves halves_round fragments matrices stmatrix; do
	both "$k.cu" "$kernels/$k.cu" --entry $k --block 32 --grid 1
done
# tiles M N K FACTOR KEPT SUM
tiles() {
	both "wmma $1x$2x$3 of $4, in $6" "$kernels/tiles.cu" --block 32 \
		--grid 1 -D ROWS="$1" -D COLUMNS="$2" -D DEPTH="$3" \
		-D FACTOR="$4" -D KEPT="$5" -D SUM="$6"
}
tiles 16 16 16 half half half
tiles 32 8 16 half half float
tiles 8 32 16 half half half
tiles 16 16 16 __nv_bfloat16 __nv_bfloat16 float
tiles 32 8 16 __nv_bfloat16 __nv_bfloat16 float
tiles 8 32 16 __nv_bfloat16 __nv_bfloat16 float
tiles 16 16 8 wmma::precision::tf32 float float
tiles 16 16 16 "signed char" "signed char" int
tiles 32 8 16 "unsigned char" "unsigned char" int
tiles 8 32 16 "signed char" "signed char" int
tiles 8 8 4 double double double
both "given.cu" "$kernels/given.cu" --entry given --block 64 --grid 1 \
	--shared 256
like "$("$gemmviz" record "$kernels/given.cu" --entry given --block 64 \
	--grid 1 --on gpu -o "$tmp/gpu.gvt" --force 2>&1)" \
	"is dynamic shared memory: set its size with --shared BYTES" \
	"which is asked for where the kernel uses it"
both "vectors.cu" "$kernels/vectors.cu" --block 32 --grid 1 \
	-m 64 -n 64 -k 8
both "warp.cu" "$kernels/warp.cu" --block 64 --grid 1
both "async.cu" "$kernels/async.cu" --block 32 --grid 1 -m 32 -n 32 -k 32

# What the model says of both is the same: exactly, site by site but for the
# column, or all sites of a line together. alike NAME HOW ARGUMENT...
exactly() {
	cat
}
by_site() {
	sed 's/"column":[0-9]*//'
}
by_line() {
	awk -F '[:,]' '{
		line = $2 " " $6 " " $8 " " $10 " " $12
		for (i = 14; i <= 22; i += 2)
			sum[line, i] += $i
		if ($24 + 0 > way[line])
			way[line] = $24
		if (!seen[line]++)
			lines[n++] = line
	} END {
		for (l = 0; l < n; l++) {
			text = lines[l]
			for (i = 14; i <= 22; i += 2)
				text = text " " sum[lines[l], i]
			print text, way[lines[l]]
		}
	}'
}
alike() {
	name=$1 how=$2
	shift 2
	for on in cpu gpu; do
		"$gemmviz" report "$@" --on $on --json |
			tr '{' '\n' | grep '"space":"\(global\|shared\)"' |
			sed 's/}.*//' | $how >"$tmp/$on.sites"
	done
	[ -s "$tmp/cpu.sites" ] && cmp -s "$tmp/cpu.sites" "$tmp/gpu.sites"
	ok $? "$name: one report of global and shared memory"
	diff "$tmp/cpu.sites" "$tmp/gpu.sites" | sed 's/^/# /' | head -n 8
}

# PTX has no column for what is read through a pointer of another name, as
# float4 does, and of loads in braces not always one each.
for k in $on_both; do
	case $k in
	sgemm)	alike "$k" by_line "$k" -n 128 ;;
	float4* | double_buffered | *mma* | warptile | sgemm_*)
		alike "$k" by_site "$k" -n 128 ;;
	*)	alike "$k" exactly "$k" -n 128 ;;
	esac
done
# Lanes part in these, and meet again. Without a column, four sites of a line of
# mixed.cu are one.
alike "mixed.cu" by_line "$kernels/mixed.cu" --block 64 --grid 1 -k 8
alike "lanes.cu" by_site "$kernels/lanes.cu" --block 32 --grid 1 -n 8
alike "members.cu" by_site "$kernels/members.cu" --block 32 --grid 1
alike "async.cu" by_site "$kernels/async.cu" --block 32 --grid 1 \
	-m 32 -n 32 -k 32

# Register arrays, which the unoptimized build has in local memory.
registers=$("$gemmviz" report float4 --on gpu --json | tr '{' '\n' |
	grep '"array":"accum","space":"register"')
like "$registers" '"op":"st"' "the outer product is seen in registers"

optimized=$("$gemmviz" report float4 --on gpu --optimized --json 2>&1)
like "$optimized" '"array":"Bs","space":"shared","op":"ld"' \
	"optimized code is recorded"
case $optimized in
*'"space":"register"'*) ok 1 "optimized, accum is in registers: no memory" ;;
*) ok 0 "optimized, accum is in registers: no memory" ;;
esac

# What a kernel does wrong, both say alike: kind and line. Notes tell what a
# recorder assumed or enlarged, which differs where values are left to chance.
found() {
	"$gemmviz" report "$@" --seconds 10 --json 2>&1 |
		sed 's/.*"findings"://' |
		grep -o '"kind":"[a-z-]*","line":[0-9]*' |
		grep -v 'uncoalesced\|divergent\|bank-conflict\|note' | sort -u
}
# kinds NAME cpu|gpu [OPTION...]
kinds() {
	bug=$1 on=$2
	shift 2
	found "$srcdir/tests/kernels/$bug.cu" --block 64 --grid 1 \
		-m 64 -n 64 -k 8 --on "$on" "$@"
}
for bug in bounds bounds_shared null misaligned wild barrier_ended race \
	race_blocks unwritten warp_order unrolled unrolled_apart; do
	is "$(kinds $bug gpu)" "$(kinds $bug cpu)" "$bug: the same findings"
done
for order in NONE APART; do
	is "$(kinds warp_order gpu -D $order=1)" \
		"$(kinds warp_order cpu -D $order=1)" \
		"warp_order, $order: the same findings"
done
# Blocks that hand on to others, and the same with one thing left out.
# handed ENTRY BLOCK GRID [DEFINE]
handed() {
	for on in cpu gpu; do
		found "$kernels/hand_over.cu" --entry "$1" --block "$2" \
			--grid "$3" --on $on ${4:+-D "$4=1"} >"$tmp/$on.found"
	done
	is "$(cat "$tmp/gpu.found")" "$(cat "$tmp/cpu.found")" \
		"$1 ${4:-whole}: the same findings"
}
for without in "" FENCE_BY_ONE NO_FENCE NO_BARRIER_BEFORE NO_BARRIER_BEHIND \
	LATE; do
	handed hand_over 64 4 $without
done
for without in "" NO_FENCE; do
	handed hand_over_volatile 64 4 $without
done
for without in "" SKIP; do
	handed chain 1 4 $without
done
handed last_adds 32 6
# sums ENTRY GRID [DEFINE]: atomics beside other stores. Which threads a race
# is found between is luck.
sums() {
	for on in cpu gpu; do
		found "$kernels/sums.cu" --entry "$1" --block 64 --grid "$2" \
			--on $on ${3:+-D "$3=1"} | sed 's/,.*//' |
			sort -u >"$tmp/$on.found"
	done
	is "$(cat "$tmp/gpu.found")" "$(cat "$tmp/cpu.found")" \
		"$1 ${3:-whole}: the same findings"
}
for without in "" RESULT_UNUSED; do
	sums last_block 4 $without
done
for without in "" NO_BARRIER READ_EARLY; do
	sums clear_first 1 $without
done
sums last_thread 1
# Which block is the last one, is luck; and so which of two lines is found: the
# one that leaves a sum, or the one that reads it.
like "$(found "$kernels/hand_over.cu" --entry last_adds --block 32 --grid 6 \
	--on gpu -D NO_FENCE=1)" '"race","line":(77|85)' \
	"last_adds NO_FENCE: a race"
# The museum: whether the answer comes out wrong, is luck on a GPU.
for bug in $(kernels wrong); do
	for k in 32 40; do
		takes "$bug" -k $k || continue
		is "$(found "$bug" -k $k --on gpu | grep -v wrong-result)" \
			"$(found "$bug" -k $k --on cpu | grep -v wrong-result)" \
			"$bug, K $k: the same findings"
	done
done
for bug in endless endless_reads; do
	like "$(kinds $bug gpu)" cap "$bug is ended, which is said"
done

# The screen takes it as it takes any trace.
"$gemmviz" record tiled --on gpu -o "$tmp/t.gvt" >/dev/null
like "$("$gemmviz" view "$tmp/t.gvt" --plain | sed -n 1,3p)" "line" \
	"its trace is stepped through"
"$gemmviz" dump "$tmp/t.gvt" >"$tmp/t.txt"
"$gemmviz" dump --parse "$tmp/t.txt" -o "$tmp/again.gvt"
cmp -s "$tmp/t.gvt" "$tmp/again.gvt"
ok $? "its trace is text, and a trace again"
like "$("$gemmviz" --lesson tiling --on gpu --plain 2>&1)" "TILE" \
	"a lesson uses it without knowing"
done_testing
