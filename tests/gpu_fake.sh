#!/bin/bash
# Races without a GPU, on what stands in for one: see fake_cuda.c.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/gpu_lib.sh"

if [ ! -x "$program" ]; then
	skip "races on a GPU that is none" "built without CUDA"
	done_testing
	exit
fi
LD_LIBRARY_PATH=$builddir/tests/fake${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
FAKE_CUDA_LOST=$tmp/gone
FAKE_CUDA_GPU=$$
export LD_LIBRARY_PATH FAKE_CUDA_LOST FAKE_CUDA_GPU

all_timed '[64,64,64],[128,64,80]' 2
is "$(gpu_number all 11 0 tried), $(gpu_number all 12 1 tried)" "4, 4" \
	"cublasLt's four algorithms are tried"
ok "$(grep '"type":"sample"' "$tmp/all" | grep '"entrant":11,' |
	sed 's/.*"seconds":\([0-9.e-]*\).*/\1/' |
	sort -g | awk 'NR == 1 { print !($1 >= 0.004 && $1 < 0.008) }')" \
	"and the fastest races, which is neither the first nor the last"
bad_ones
tensor_maps
files_of_people
two_runs
cancel_hang
ends_clean eof
ends_clean TERM
ends_clean KILL

gpu_start crash
gpu_say crash '{"type":"time","id":1,"entrants":[{"source":{"file":"c.cu","text":"__global__ void crashes(float *A, float *B, float *C) { }"},"block":[1,1,1],"grid":[1,1,1]},{"kernel":"tiled"}],"sizes":[[64,64,64]],"repeat":2}'
gpu_wait crash '"type":"timed"' 60
like "$(gpu_text crash 0 0)" 'lost: gemmviz-gpu --race ended by signal 11' \
	"a process that dies is told"
is "$(gpu_state crash 1 0)" timed "and the race goes on"
gpu_close crash

# The launches of a program. What stands in for a GPU multiplies A and B by rows,
# whatever the text says.
timed_program
is "$status" 1 "a program with kernels that crash there"
is "$(of_launch 1 "$sides")" "96x80x48 cublas-fp32 rows" \
	"a launch is a product by what its arrays hold"
is "$(of_launch 1 'scalar @{$_->{samples}} . " " . scalar @{$_->{product}{samples}}')" \
	"3 3" "it and cuBLAS are sampled in turns"
is "$(of_launch 1 '"$_->{elements} $_->{differ} $_->{count}"')" "7680 0 1" \
	"it did what it does on the CPU"
is "$(of_launch 3 "$sides")" "64x96x32 cublas-fp16 rows" "also of halves"
ok "$(of_launch 2 '$_->{differ} > 0 && $_->{error} > 0.1 ? 0 : 1')" \
	"one that computes something else is told"
like "$(of_launch 4 '$_->{why}')" 'ended by signal 11' \
	"a kernel that takes its process along has a reason"
is "$(of_launch 4 '$_->{count}')" 3 "launches that are alike are counted"
is "$("$builddir/gemmviz" time "$srcdir/tests/programs/timed.cu" --repeat 1 \
	--runner "$program" | grep -c "product<\|cublas\|not timed")" 13 \
	"a line for each, for each cuBLAS, and for each reason"
is "$(LD_LIBRARY_PATH=/nonexistent "$builddir/gemmviz" time \
	"$srcdir/tests/programs/timed.cu" --runner "$program" 2>&1 |
	grep -c 'no GPU')" 1 "without a GPU it says so"

gpu_start lost
gpu_say lost '{"type":"time","id":1,"entrants":['"$(gpu_source gpu_hangs 64 64)"',{"kernel":"tiled"}],"sizes":[[64,64,64]],"patience":2}'
gpu_wait lost '"state":"checking"' 60
: >"$FAKE_CUDA_LOST"
gpu_wait lost '"type":"timed"' 60
ok $? "a race whose GPU is lost ends"
is "$(gpu_state lost 1 0)" failed "and what was not timed has failed"
like "$(gpu_text lost 1 0)" 'the GPU is lost: no GPU' "in words"
gpu_say lost '{"type":"time","id":2,"entrants":[{"kernel":"tiled"}],"sizes":[[64,64,64]]}'
gpu_wait lost '"type":"error"' 60
like "$(cat "$tmp/lost")" '"status":6,"message":"no GPU' \
	"a race without a GPU is an error"
rm "$FAKE_CUDA_LOST"
gpu_close lost

FAKE_CUDA_MEMORY=1000000
export FAKE_CUDA_MEMORY
gpu_start small
gpu_say small '{"type":"time","id":1,"entrants":[{"kernel":"tiled"}],"sizes":[[1024,1024,64],[64,64,64]],"repeat":2}'
gpu_wait small '"type":"timed"' 60
like "$(gpu_text small 0 0)" '1024x1024x64 does not fit in the GPU' \
	"what does not fit is skipped in a sentence"
is "$(gpu_state small 0 0) $(gpu_state small 0 1)" "skipped timed" \
	"and what fits is timed"
gpu_close small
unset FAKE_CUDA_MEMORY

# Nsight Compute writes numbers as the environment's language does.
mkdir "$tmp/bin"
cat >"$tmp/bin/ncu" <<'END'
#!/bin/sh
echo '"ID","l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"'
echo '"","request"'
case $LC_ALL in
C)	echo '"0","16384"' ;;
*)	echo '"0","16,384"' ;;
esac
END
chmod +x "$tmp/bin/ncu"
PATH=$tmp/bin:$PATH gpu_start counted
gpu_say counted '{"type":"counters","id":1,"kernel":"naive","m":64,"n":64,"k":64}'
gpu_wait counted '"type":"(counters|error)"' 60
like "$(cat "$tmp/counted")" '"global_load_requests":16384[.}]' \
	"counters are read whatever the language"
gpu_close counted

# What an architecture does not have, and what is not recorded.
FAKE_CUDA_ARCH=75
export FAKE_CUDA_ARCH
gpu_start old
gpu_say old '{"type":"time","id":1,"entrants":[{"kernel":"hgemm"},{"kernel":"mma"},{"kernel":"tiled"}],"sizes":[[64,64,64]],"repeat":1}'
gpu_say old '{"type":"record","id":2,"kernel":"mma","m":64,"n":64,"k":64}'
gpu_wait old '"type":"error"' 60
is "$(gpu_state old 0 0) $(gpu_text old 0 0)" \
	"skipped hgemm needs sm_90a and nothing else, this GPU is sm_75" \
	"a kernel for another architecture is skipped by name"
is "$(gpu_text old 1 0)" "mma needs sm_80 or newer, this GPU is sm_75" \
	"so is one for newer ones"
is "$(gpu_state old 2 0)" timed "the others are timed"
like "$(cat "$tmp/old")" '"id":2,.*mma needs sm_80 or newer' "nor is it recorded"
gpu_close old
unset FAKE_CUDA_ARCH
gpu_start units
gpu_say units '{"type":"record","id":1,"kernel":"hgemm","m":64,"n":64,"k":64}'
gpu_wait units '"type":"error"' 60
like "$(cat "$tmp/units")" 'hgemm.cu uses TMA, which cannot be recorded on the GPU; it can be recorded on the CPU' \
	"what TMA moves is not recorded on the GPU"
gpu_close units

# What counters are read of is launched as it is timed.
for defines in '{}' '{"GROUP":"4","EXPONENT":"8"}'; do
	echo '{"type":"counters","id":1,"kernel":"hgemm","defines":'"$defines"',"m":64,"n":128,"k":64,"optimized":true}' \
		>"$tmp/launch"
	said=$("$program" --launch "$tmp/launch" 2>&1)
	is "$? $said" "0 " "a launch to be counted, with $defines"
done

# Tuned parameters: the nearest size of this GPU, in the first table that has
# it; what is defined stays.
gpu_start tuned
gpu_say tuned '{"type":"time","id":1,"entrants":[{"kernel":"tiled"},{"kernel":"tiled","defines":{"TILE":"16"}},{"kernel":"tiled_bt"},{"kernel":"naive"}],"sizes":[[64,64,64],[256,64,128]],"repeat":1,"tuned":[[{"gpu":"Fake GPU","kernel":"tiled","size":[64,64,64],"defines":{"TILE":"8"}},{"gpu":"Fake GPU","kernel":"tiled","size":[512,64,256],"defines":{"TILE":"32"}},{"gpu":"Other","kernel":"naive","size":[64,64,64],"defines":{"BLOCK":"8"}}],[{"gpu":"Fake GPU","kernel":"tiled","size":[256,64,128],"defines":{"TILE":"4"}},{"gpu":"Fake GPU","kernel":"tiled_bt","size":[256,64,128],"defines":{"TILE":"8"}}]]}'
gpu_wait tuned '"type":"timed"' 60
# built_as ENTRANT SIZE
built_as() {
	grep "\"entrant\":$1,\"size\":$2,\"state\":\"ready\"" "$tmp/tuned" |
		sed -n 's/.*"defines":\({[^}]*}\).*/\1/p'
}
is "$(built_as 0 0) $(built_as 0 1)" '{"TILE":"8"} {"TILE":"32"}' \
	"a kernel is built as it was tuned for the size"
is "$(built_as 1 0)" "" "or as it is told to be"
is "$(built_as 2 0)" '{"TILE":"8"}' "a second table stands in for the first"
is "$(built_as 3 0)" "" "another GPU's does not"
gpu_close tuned

# A GPU whose accesses take what the model says (of its limits it says nothing
# sensible), and one whose 8-byte loads of shared memory take twice as long, all
# of them.
calibrated() {
	FAKE_CUDA_MEMORY=300000000 XDG_DATA_HOME=$tmp/data \
		"$builddir/gemmviz" calibrate >"$tmp/calibrated" 2>&1
}
calibrated
like "$(cat "$tmp/calibrated")" '^All [0-9]+ access patterns .* cost what the model predicts' \
	"a GPU is calibrated whose accesses are as the model says"
is "$(tail -n 1 "$tmp/calibrated")" \
	"Saved in $tmp/data/gemmviz/calibrated/fake-gpu.json." \
	"in a file of its name"
FAKE_CUDA_BANKS=2 calibrated
is $? 1 "one with loads that are wrong as a whole is not as the model says"
like "$(cat "$tmp/calibrated")" '^shared ld 8: ' "with which"
is "$(awk '/^  .* \* [a-z]+\)? +[0-9.]+ / && NF > 6 && $NF > 0 && !/:/ { print $1, $2, $3 }' \
	"$tmp/calibrated")" "shared ld 8" "and no others"

is "$(FAKE_CUDA_ARCH=70 calibrated; echo $?) $(cat "$tmp/calibrated")" \
	"6 gemmviz: calibrate needs sm_75 or newer, this GPU is sm_70" \
	"one that lacks what is measured is refused by name"

gpu_start uncalibrated
asked=0
pattern='"space":"shared","op":"ld","size":4,"addresses"'
four=$(printf '%s,' 0 4 8 12; printf 'null,%.0s' $(seq 27); echo null)
for request in '"patterns":2' '"patterns":[]' '"ways":[]' '"patterns":1,"ways":[]' \
	'"ways":[],"patterns":[{}]' \
	'"ways":[],"patterns":[{'"$pattern"':[0,4]}]' \
	'"ways":[],"patterns":[{'"$pattern"':['"${four/8/9}"']}]' \
	'"ways":[],"patterns":[{'"${pattern/shared/constant}"':['"$four"']}]' \
	'"ways":[],"patterns":[{'"${pattern/ld/red}"':['"$four"']}]' \
	'"ways":[],"patterns":[{'"${pattern/4/3}"':['"$four"']}]' \
	'"ways":[],"patterns":[{'"${pattern/shared/ldmatrix}"':['"$four"']}]' \
	'"patterns":[],"ways":[{"warps":0,"chained":true}]' \
	'"patterns":[],"ways":[{"warps":17,"chained":true}]' \
	'"patterns":[],"ways":[{"warps":1}]'; do
	asked=$((asked + 1))
	gpu_say uncalibrated '{"type":"calibrate","id":'"$asked,$request"'}'
	gpu_wait uncalibrated '"id":'"$asked"'[,}]' 20
done
is "$(grep -c '"type":"error",.*"status":2' "$tmp/uncalibrated")" $asked \
	"each request for a calibration that is none is answered"
gpu_close uncalibrated

gpu_start wrong
for request in '{"type":"dance","id":1}' 'nonsense' '{"type":"time"}' \
	'{"type":"time","id":1}' \
	'{"type":"time","id":1,"entrants":[],"sizes":[[64,64,64]]}' \
	'{"type":"time","id":1,"entrants":[{"kernel":"tilde"}],"sizes":[[64,64,64]]}' \
	'{"type":"time","id":1,"entrants":[{"kernel":"tiled"}],"sizes":[[64,64,63]]}' \
	'{"type":"time","id":1,"entrants":[{"kernel":"tiled"}],"sizes":[[64,64,64]],"repeat":0}' \
	'{"type":"time","id":1,"entrants":[{"kernel":"tiled"}],"sizes":[[64,64,64]],"pace":1}' \
	'{"type":"time","id":1,"entrants":[{"rival":"cublas-fp8"}],"sizes":[[64,64,64]]}' \
	'{"type":"time","id":1,"entrants":[{"kernel":"tiled"}],"sizes":[[64,64,64]],"tuned":1}' \
	'{"type":"pause","id":1,"paused":1}'; do
	gpu_say wrong "$request"
done
gpu_wait wrong '"paused' 20
is "$(grep -c '"type":"error","status":2' "$tmp/wrong")" 12 \
	"each request that is none is answered"
like "$(cat "$tmp/wrong")" 'did you mean tiled' "names are suggested"
gpu_close wrong
# The queue of this test's own GPU.
rmdir "$(printf '/tmp/gemmviz-GPU-%02x%02x%02x%02x-0000-0000-5a5a-5a5a5a5a5a5a' \
	$(($$ & 255)) $(($$ >> 8 & 255)) $(($$ >> 16 & 255)) $(($$ >> 24)))"
done_testing
