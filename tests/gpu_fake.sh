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
export LD_LIBRARY_PATH FAKE_CUDA_LOST

all_timed '[64,64,64],[128,64,80]' 2
bad_ones
tensor_maps
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

gpu_start wrong
for request in '{"type":"dance","id":1}' 'nonsense' '{"type":"time"}' \
	'{"type":"time","id":1}' \
	'{"type":"time","id":1,"entrants":[],"sizes":[[64,64,64]]}' \
	'{"type":"time","id":1,"entrants":[{"kernel":"tilde"}],"sizes":[[64,64,64]]}' \
	'{"type":"time","id":1,"entrants":[{"kernel":"tiled"}],"sizes":[[64,64,63]]}' \
	'{"type":"time","id":1,"entrants":[{"kernel":"tiled"}],"sizes":[[64,64,64]],"repeat":0}' \
	'{"type":"time","id":1,"entrants":[{"kernel":"tiled"}],"sizes":[[64,64,64]],"pace":1}' \
	'{"type":"time","id":1,"entrants":[{"rival":"cublas-fp8"}],"sizes":[[64,64,64]]}' \
	'{"type":"pause","id":1,"paused":1}'; do
	gpu_say wrong "$request"
done
gpu_wait wrong '"paused' 20
is "$(grep -c '"type":"error","status":2' "$tmp/wrong")" 11 \
	"each request that is none is answered"
like "$(cat "$tmp/wrong")" 'did you mean tiled' "names are suggested"
gpu_close wrong
done_testing
