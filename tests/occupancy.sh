#!/usr/bin/env bash
# gemmviz occupancy and gemmviz table: for people, for programs, bad input.
. "$srcdir/tests/tap.sh"
gemmviz=${GEMMVIZ:-$builddir/gemmviz}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# ---- for people ----

out=$("$gemmviz" occupancy --arch sm_90 --threads 256 --registers 64 \
	--shared 8192)
is $? 0 'an occupancy'
like "$out" '^  registers +16384 +65536 +4  limit$' 'the resource that limits'
like "$out" '^  shared memory +9216 B +233472 B +25$' 'one that does not'
like "$out" '^4 blocks, 32 of 64 warps: occupancy 50 %$' 'what is active'
like "$out" '^Limited by: registers$' 'the limiter in words'
like "$out" '^With 48 registers per thread instead of 64: 5 blocks, 40 warps, 62.5 %$' \
	'and what would help'
out=$("$gemmviz" occupancy --arch sm_90 --threads 256)
like "$out" 'registers not counted' 'no registers: said so'
like "$out" '^  registers +n/a +65536 +n/a$' 'and not available'
like "$out" '^Every warp slot is used' 'a full SM'
out=$("$gemmviz" occupancy --arch sm_80 --threads 1025 --registers 300 \
	--shared 50000)
like "$out" '^0 blocks' 'what cannot run'
like "$out" 'at most 255 registers' 'because of its registers'
like "$out" 'at most 49152 bytes' 'because of its shared memory'
like "$out" '\(--dynamic\), the limit is 166912' 'which could be more'
out=$("$gemmviz" occupancy --arch sm_80 --threads 256 --registers 32 \
	--shared 50000 --dynamic)
like "$out" '^3 blocks, 24 of 64 warps' '--dynamic: it is'

out=$("$gemmviz" table tile-size --arch sm_20 --config 16)
like "$out" '^sm_20 \(Fermi\), 16 KiB' 'a table'
like "$out" '^ +8 +64 +512 B +2 +8 +33.3 %  blocks$' 'Fermi, tiles of 8'
like "$out" '^ +16 +256 +2048 B +4 +6 +100 %  warps$' 'Fermi, tiles of 16'
like "$out" '^ +32 +1024 +8192 B +8 +1 +66.7 %  warps$' 'Fermi, tiles of 32'
like "$out" '^ +64 +4096 +32768 B +16 +0 +0 %  threads, shared memory$' \
	'Fermi, tiles of 64'

for lang in en zh; do
	wide=$({
		"$gemmviz" occupancy --lang $lang --arch sm_100 --threads 1024 \
			--registers 255 --shared 232448
		"$gemmviz" table --lang $lang tile-size --arch sm_20 --config 16
		"$gemmviz" occupancy --lang $lang --help
		"$gemmviz" table --lang $lang --help
	} | LC_ALL=C.UTF-8 wc -L)
	ok $((wide > 80)) "80 columns are enough: $lang, $wide"
done
like "$("$gemmviz" table --lang zh tile-size --arch sm_90)" '占用率' 'Chinese'

# ---- for programs ----

is "$("$gemmviz" occupancy --json --arch sm_90 --threads 256 --registers 64 \
	--shared 8192)" \
	'{"arch":"sm_90","threads":256,"registers":64,"shared":8192,"dynamic":false,"active_blocks":4,"active_warps":32,"occupancy":0.5,"limiters":["registers"],"limits":{"blocks":32,"warps":8,"threads":null,"registers":4,"shared":25},"better":[{"threads":256,"registers":48,"shared":8192,"dynamic":false,"active_blocks":5,"active_warps":40,"occupancy":0.625,"limiters":["registers"]}]}' \
	'--json'
like "$("$gemmviz" occupancy --json --arch sm_20 --config 16 --threads 256)" \
	'"registers":null.*"active_blocks":6,.*"limiters":\["warps"\]' \
	'--json: not counted is null'
like "$("$gemmviz" table tile-size --json --arch sm_75 --registers 65)" \
	'"tile":32,"threads":1024,"shared":8192,"flop":65536.0,"bytes":8192.0,"intensity":8.0,"active_blocks":0,"active_warps":0,"occupancy":0.0,"limiters":\["registers"\]' \
	'--json: a row of the table'

# ---- a kernel, as it was recorded ----

like "$("$gemmviz" occupancy float4)" \
	'^float4 as compiled for sm_90' 'a recorded kernel'
is "$("$gemmviz" occupancy --json tiled -D TILE=32)" \
	"$("$gemmviz" occupancy --json tiled:TILE=32)" 'a parameter, said twice'
like "$("$gemmviz" occupancy --json tiled:TILE=32)" \
	'"arch":"sm_90","threads":1024,"registers":[0-9]+,"shared":8192' \
	'its block and its shared memory'
like "$("$gemmviz" occupancy float4 --arch sm_80 --registers 40)" \
	'^sm_80 \(Ampere\), 256 threads, 40 registers each, 8192' \
	'what was said counts before what was recorded'

is "$("$gemmviz" occupancy --arch sm_90a --threads 256)" \
	"$("$gemmviz" occupancy --arch sm_90 --threads 256)" \
	'an architecture as nvcc has it'

# ---- refused ----

# refused STATUS PATTERN ARGUMENT...
refused() {
	local status=$1 pattern=$2 err
	shift 2
	err=$("$gemmviz" "$@" 2>&1 >"$dir/out")
	is $? "$status" "refused: $*"
	like "$err" "$pattern" 'with a word about it'
	is "$(cat "$dir/out")" '' 'and no output'
	is "$(printf '%s\n' "$err" | wc -l)" 1 'in one line'
}
o='occupancy --threads 256 --arch'
refused 2 "no architecture 'sm_91'; did you mean sm_90" $o sm_91
refused 2 "no architecture 'sm_90aa'; did you mean sm_90" $o sm_90aa
refused 2 "no architecture 'Hopper' \(sm_20 to sm_121\)" $o Hopper
refused 2 'no architecture' $o ''
refused 2 "no architecture '[^[:cntrl:]]+'" $o $'\e[31m'
refused 2 'give --arch and --threads' occupancy --arch sm_90
refused 2 'give --arch and --threads' occupancy --threads 32
for n in 0 -1 65537 64x '' 1e3 99999999999999999999; do
	refused 2 '--threads needs' occupancy --arch sm_90 --threads "$n"
done
refused 2 '--registers needs' $o sm_90 --registers 0
refused 2 '--registers needs' $o sm_90 --registers 1025
refused 2 '--shared needs' $o sm_90 --shared -1
refused 2 '--shared needs' $o sm_90 --shared 16777217
refused 2 '--config needs' $o sm_20 --config x
refused 2 '16 or 48 KiB to shared memory, not 32' $o sm_20 --config 32
refused 2 'sm_90 is not divided by hand' $o sm_90 --config 48
refused 2 'did you mean --registers' $o sm_90 --register5 32
refused 2 '--threads needs a value' occupancy --arch sm_90 --threads
refused 2 "no kernel 'tield'; did you mean tiled" occupancy tield
refused 2 'no parameter' occupancy tiled -D FOO=1
refused 2 'NAME=VALUE' occupancy tiled -D TILE
refused 2 'give at most one kernel' occupancy tiled float4
refused 2 'give at most one kernel' $o sm_90 -D TILE=8
refused 3 'no recorded race has the resources of tiled:TILE=17' occupancy tiled:TILE=17
refused 3 'no recorded race has the resources of cuBLAS' occupancy cublas-fp32
refused 2 'give the name of a table' table
refused 2 'give the name of a table' table tile-size again --arch sm_90
refused 2 "no table 'tilesize'; did you mean tile-size" table tilesize
refused 2 "no table 'x' \(tile-size\)" table x
refused 2 'give --arch' table tile-size
refused 2 'did you mean sm_90' table tile-size --arch sm_9
for c in 'occupancy --arch sm_90 --threads 32' 'table tile-size --arch sm_90'
do
	for json in '' --json; do
		"$gemmviz" $c $json >/dev/full 2>"$dir/err"
		is $? 7 "a full disk: $c $json"
		is "$(wc -l <"$dir/err")" 1 'is said in one line'
	done
done
done_testing
