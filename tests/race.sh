#!/bin/bash
# gemmviz time and race against a runner that times nothing.
. "${srcdir:=.}/tests/tap.sh"
cd "${builddir:-.}" || exit
gemmviz=./gemmviz
fake=tests/fake_gpu
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# run ARGUMENT...: sets out, err and status.
run() {
	out=$("$gemmviz" "$@" 2>"$tmp/err")
	status=$?
	err=$(cat "$tmp/err")
}

run time naive tiled:TILE=32 --size 1024 --size 64x128x256 --runner $fake
is $status 0 "a race that ends well has status 0"
is "$err" "" "and says nothing else"
like "$out" '^test machine \(made up\), 20' "the machine stands above the table"
like "$out" '^naive +1024 +2\.147 ms +±0\.0 % +1\.00 +[0-9.]+ % +3\.1e-07$' \
	"a row: time, spread, TFLOP/s, share, error"
like "$out" '^tiled TILE=32 +64x128x256 ' "another size and a parameter"
like "$out" '^cuBLAS fp32 +1024 .* 100\.0 % ' "cuBLAS is there without being named"

run time --runner $fake --repeat 3
is "$(echo "$out" | grep -c '^tiled TILE=\(8\|16\|32\) ')" 9 \
	"without names: every tile size at every size"
is "$(echo "$out" | grep -c '^cuBLAS ')" 12 "and four of cuBLAS"

run time naive --size 1024 --runner $fake --range
like "$out" '^cuBLAS fp32 .* e?[0-9.e-]+  0\.42[0-9]+ to 0\.43[0-9]+ ms$' \
	"the fastest and the slowest sample"
run time wmma naive --size 64 --runner $fake --json
like "$out" '"label":"cuBLAS fp16"' "a kernel of halves has cuBLAS fp16 beside it"
run time wmma naive --size 64 --runner $fake
# Speeds of fake_gpu: about 1 and 2 TFLOP/s; cuBLAS fp32 and fp16 have 7.5
# and 10.
like "$out" '^wmma +64 .* 1\.00 +9\.9 % ' "and is held to it"
like "$out" '^naive +64 .* 2\.01 +26\.6 % ' "others to cuBLAS fp32"

own=$srcdir/tests/kernels/gpu_mapped.cu
run time "$own" -D BF16=1 --size 64 --block 16x16 --grid 4x4 --runner $fake
is $status 0 "a file's kernel is timed"
like "$out" '^gpu_mapped\.cu BF16=1 +64 ' "under its name"
like "$out" '^cuBLAS bf16 ' "beside cuBLAS of its type"
run time "$own" --size 64 --runner $fake
is "$status $err" "2 gemmviz: $own needs --block and --grid" \
	"not without a launch"
run time "$own" --block 16x16 --grid 4x4 --runner $fake
is "$status $err" "2 gemmviz: $own has a fixed grid: give exactly one --size" \
	"which is for one size"
run time naive --size 64 --block 16x16 --runner $fake
is $status 2 "and for a file"

run time tiled naive -D TILE=8 --size 64 --runner $fake
like "$out" '^tiled TILE=8 ' "-D holds for those that have the name"
like "$out" '^naive ' "and lets the others be"

run time sgemm --size 64 --runner "$fake tries"
like "$out" '^sgemm .* BM=64$' "of a kernel that tries shapes the fastest is said"
like "$out" '^The parameters shown for a kernel are the fastest of up to 2 tile shapes ' \
	"and of how many"
like "$out" '^Each launch of sgemm starts while ' "and that its launches start early"
run time sgemm --size 64 --runner "$fake tries" -o "$tmp/tries.json"
like "$(cat "$tmp/tries.json")" '"defines":\{"BM":"64"\},"tried":2,"early":true' \
	"in the data, too"
run time --from "$tmp/tries.json"
like "$out" ' up to 2 tile shapes ' "which is read again"
like "$out" '^Each launch of sgemm starts while ' "all of it"
run time sgemm sgemm:BM=64 --size 64 --runner "$fake tries"
like "$out" '^Each launch of sgemm starts while ' "of its shapes once"
run time sgemm --size 64 --runner $fake --json
is "$(echo "$out" | grep -cE 'tried|early')" 0 "of others nothing is said"

# Tuning: of those that race, fake_gpu's fifth is the fastest.
none=$XDG_DATA_HOME
XDG_DATA_HOME=$tmp/data
table=$XDG_DATA_HOME/gemmviz/tuned.json
run time --tune mma_multistage --size 64 --size 512x64x128 --runner $fake
is $status 0 "a kernel is tuned"
like "$out" '^mma_multistage ROWS=128 COLS=128 DEPTH=32 STAGES=4 GROUP=8 +64 ' \
	"each of its shapes is timed"
best=$(echo "$out" | grep '^mma_multistage .*=' | sed -n '5s/^[^ ]* //;5s/  .*//p')
like "$out" "^mma_multistage 64x64x64: $best\$" "the fastest is told"
like "$(cat "$table")" '^{"gpu":"test machine \(made up\)","kernel":"mma_multistage","size":\[512,64,128\],"defines":{"ROWS":"[0-9]+","COLS' \
	"and kept"
is "$(grep -c mma_multistage "$table")" 2 "by size"
run time --tune mma_multistage --size 64 --runner $fake
is "$(grep -c mma_multistage "$table")" 2 "in the place of what was there"
run time mma_multistage --size 64 --runner $fake
like "$out" "^mma_multistage +64 .* $best\$" "it is taken, and told"
run time mma_multistage --size 64 --runner $fake --json -o "$tmp/tuned-race.json"
run time --from "$tmp/tuned-race.json"
like "$out" "^mma_multistage +64 .* $best\$" "also from a file"
run race --plain mma_multistage --from "$tmp/tuned-race.json"
like "$out" "Tuned for this size: $best\\." "also on the screen"
run time mma_multistage:ROWS=256 --size 64 --runner $fake
like "$out" '^mma_multistage ROWS=256 +64 [^=]*$' "unless there is another"
run time --tune mma_multistage -D ROWS=64 --runner $fake
is "$status $err" "2 gemmviz: -D cannot set ROWS, which --tune varies" \
	"what is tuned cannot be set"
run time --tune mma_multistage -D EXPONENT=8 --size 64 --runner $fake
like "$out" '^mma_multistage .* GROUP=8 EXPONENT=8 +64 ' "all else can"
before=$(cat "$table")
run time --tune mma_multistage --size 64 --runner "$fake die=40"
is "$status $(cat "$table")" "5 $before" "a race that is lost keeps nothing"
run time --tune naive --size 64 --runner $fake
is "$status $err" "2 gemmviz: naive has no tile shapes to try" "or there is nothing"
run time --tune niave --size 64 --runner $fake
is $status 2 "a kernel that is none is not tuned"
run time --tune -o "$tmp/x" --size 64 --runner $fake
is $status 2 "nor into a race's file"
echo nonsense >"$table"
run time naive --size 64 --runner $fake
is "$status" 3 "a table that is none"
like "$err" "^gemmviz: $table:1: not JSON" "is named"
XDG_DATA_HOME=$none

run time naive --size 64 --runner "$fake delay=1000 queue"
like "$err" '2 runs are ahead of this one' "a queue is said"

run time naive --size 64 --runner $fake -o "$tmp/a.json"
is $status 0 "written to a file"
run time --from "$tmp/a.json"
like "$out" '^naive +64 ' "and read from it"
run time --from "$tmp/a.json" --json
is "$out" "$(cat "$tmp/a.json")" "as data it is the file, byte for byte"
run time naive --size 64 --runner $fake -o "$tmp/a.json"
is $status 2 "nothing is overwritten"
run time naive --size 64 --runner $fake -o "$tmp/a.json" --force
is $status 0 "without --force"
run time float4 --from "$tmp/a.json"
is $status 3 "a file without that kernel"
like "$err" '^gemmviz: .*a\.json lacks some of these kernels' "says so"
run time --from "$tmp/none.json"
is $status 3 "a file that is not there"
echo '{"gemmviz":"0","entrants":[' >"$tmp/bad.json"
run time --from "$tmp/bad.json"
is $status 3 "a file that is none"
like "$err" 'bad\.json:[0-9]+: not JSON' "says where"
run time naive --size 64 --runner $fake -o /dev/full
is $status 7 "a full disk"

run time naive tiled --size 64 --runner $fake --counters --json
is $status 0 "DRAM traffic is counted"
is "$(echo "$out" | grep -o '"intensity":{[^}]*}' | tr '\n' ' ')" \
	'"intensity":{"64x64x64":32} "intensity":{"64x64x64":32} "intensity":{"64x64x64":32} ' \
	"of the kernels and of cuBLAS, as FLOP a byte"
run time naive --size 64 --runner "$fake no-counters" --counters
is "$status $err" "0 gemmviz: no permission to count" \
	"or it is said why not, and the times stand"

run time naive tiled float4 --size 64 --runner "$fake wrong"
is $status 1 "a wrong result has status 1"
like "$out" '^naive +64 +failed: wrong: relative error 0\.5' "says how wrong"
like "$out" '^tiled +64 +skipped: this size does not suit it' \
	"and a skipped one why"
like "$out" '^float4 +64 +[0-9.]+ µs ' "the others are timed"

run time naive --size 64 --runner "$fake no-gpu"
is "$status $out" "6 " "no GPU: status 6 and no table"
like "$err" '^gemmviz: no CUDA device; .*ssh HOST.*gemmviz race' "what to do"
run time naive --size 64 --runner "$fake die=12"
is $status 5 "a runner that is lost: status 5"
like "$err" 'ended by signal 9' "what happened"
like "$out" '^naive +64 +[0-9.]+ µs ' "and what there was"
run time naive --size 64 --runner "$fake version"
like "$err" 'fake_gpu [0-9.]+ speaks protocol 2, gemmviz [0-9.]+ speaks protocol 1' "another protocol: both are named"
run time naive --size 64 --runner /nonexistent/runner
is $status 5 "a runner that is not there"

run time bug_edge --size 64 --runner $fake
is $status 2 "a piece of the museum is not timed"
like "$err" 'bug_edge is in the museum of bugs and is never timed: the last ' \
	"and why is said"
run time bug_first_barrier:TILE=32 tiled --size 64 --runner $fake
is $status 2 "nor beside others"
run race --plain bug_edge --runner $fake
is $status 2 "nor raced"
run time --size 64 --runner $fake
like "$out" '^register_tiled_fast +64 ' "without names, all others are"
case $out in
*bug_*) ok 1 "but none of the museum" ;;
*)	ok 0 "but none of the museum" ;;
esac

for bad in 'time niave' 'time tiled:TILE=99' 'time naive -D TILE=4' \
	'time --size 7' 'time --repeat 0' 'time --seconds nan' \
	'time --sise 64' 'race --from' 'race niave'; do
	# shellcheck disable=SC2086
	run $bad
	is $status 2 "wrong usage: $bad"
	is "$(echo "$err" | wc -l)" 1 "in one line"
done

# A signal ends it with what there is.
for signal in INT TERM; do
	"$gemmviz" time naive --size 64 --repeat 2000 \
		--runner "$fake delay=1000" >"$tmp/out" 2>/dev/null &
	pid=$!
	sleep 0.3
	kill -s $signal $pid
	wait $pid
	is $? $((128 + $(kill -l $signal))) "SIG$signal ends it"
	like "$(cat "$tmp/out")" '^naive +64 +[0-9.]+ µs ' \
		"with the samples there were"
done

run race --plain --from "$srcdir/tests/race.json" naive --size 4096
is $status 0 "a race in sentences"
like "$out" 'recorded 2026-01-02 \(.*race\.json\)' "a recording says that it is one"
like "$out" '^  1\.00 TFLOP/s, 6 % of cuBLAS fp32\.$' "its figures"
like "$out" 'This time is of an older version of the source' "and whose text has changed"
run race --plain naive --size 64 --runner "$fake"
like "$out" 'test machine \(made up\)\.$' "live, it does not"
run race --plain naive --size 64 --runner "$fake die=12"
is $status 5 "in sentences, too, a lost runner is one"
run race --plain wmma --size 4096
case $out in
*"Why:  "*) ok 1 "a reason begins with its first clause" ;;
*)	ok 0 "a reason begins with its first clause" ;;
esac
run race naive --size 64 --runner "$fake"
is "$status $out" "0 $("$gemmviz" race --plain naive --size 64 --runner "$fake")" \
	"and without a terminal that is what a race prints"
done_testing
