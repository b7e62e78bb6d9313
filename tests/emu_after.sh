#!/bin/bash
# A recorder that has answered: nothing of the file runs until somebody asks
# again, and then it answers, however long that took.
. "$srcdir/tests/tap.sh"

tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
if ! "$builddir/gemmviz" --version | grep -q Landlock; then
	skip "after the answer" "this system cannot confine a file"
	done_testing
	exit
fi

# answered TYPE: waits for that answer, or an error.
answered() {
	local tries=0
	until grep -qa '"type": *"\('"$1"'\|error\)"' "$tmp/out" ||
		[ $tries -gt 600 ]; do
		tries=$((tries + 1))
		sleep 0.05
	done
}

# record FILE MORE: has it recorded; what it answers goes on in $tmp/out.
record() {
	mkfifo "$tmp/in"
	"$builddir/gemmviz-emu" <"$tmp/in" >"$tmp/out" 2>/dev/null &
	emu=$!
	exec 9>"$tmp/in"
	perl -MJSON::PP -0777 -e 'print encode_json({ type => "record", id => 1,
		source => { file => "f.cu", text => <STDIN> }, m => 64, n => 64,
		k => 64, max_events => 20000000, seconds => 2,
		%{decode_json(shift)} }), "\n"' "$2" <"$1" >&9
	answered trace
}

# locals: what is said of a thread's variables.
locals() {
	echo '{"type":"locals","id":2,"block":3,"thread":1,"first":0,"count":4}' >&9
	answered locals
	exec 9>&-
	wait $emu
	rm "$tmp/in"
	grep -ao '"rows": *\[\[[0-9]\|"message":.*' "$tmp/out"
}

cat >"$tmp/alarm.cu" <<'X'
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
__attribute__((no_sanitize("thread"), no_sanitize_coverage)) __device__
void later(int)
{
	void *p = malloc(300 << 20);
	if (p)
		memset(p, 1, 300 << 20);
}
__global__ void f(float *A)
{
	int i = threadIdx.x;
	struct itimerval in = { {}, { 0, 500000 } };
	signal(SIGALRM, later);
	setitimer(ITIMER_REAL, &in, 0);
	A[i] = 1;
}
X
record "$tmp/alarm.cu" '{"block":[32,1,1],"grid":[4,1,1]}'
sleep 2
took=0
for pid in $(cat "/proc/$emu/task/$emu/children"); do
	rss=$(sed -n 's/^VmRSS:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$pid/status")
	took=$((took > rss ? took : rss))
done
[ $took -gt 0 ] && [ $took -lt 200000 ]
ok $? "a signal's handler that a kernel has left does nothing meanwhile ($took KB)"
like "$(locals)" '"rows"' "its variables are told all the same"

cat >"$tmp/blocks.cu" <<'X'
__global__ void f(float *rows)
{
	float *row = rows + blockIdx.x * blockDim.x, sum = 0;
	for (int i = 0; i < 160; i++)
		row[threadIdx.x] = sum += row[threadIdx.x] + i;
}
X
record "$tmp/blocks.cu" '{"block":[64,1,1],"grid":[256,1,1],"arrays":{"rows":"16384"}}'
sleep 5
like "$(locals)" '"rows"' "so are a large launch's, after its --seconds"
done_testing
