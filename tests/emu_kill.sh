#!/bin/sh
# The recorder is killed, or its input ends, at moments all over its work: it
# ends at once, and leaves nothing behind.
. "$srcdir/tests/tap.sh"

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/work"
TMPDIR=$tmp/work
export TMPDIR
emu=$builddir/gemmviz-emu

# A text that must be compiled, then a launch that takes a second.
text='__global__ void f(const float *A, const float *B, float *C, int M, int N, int K) { float s = 0; for (int k = 0; k < 400000; ++k) s += A[k % M]; C[threadIdx.x] = s; }'
request='{"type":"record","id":1,"source":{"file":"f.cu","text":"'$text'"},"m":64,"n":64,"k":64,"block":[32,1,1],"grid":[1,1,1],"max_events":20000000}'

# start SECONDS: a recorder that gets the request and whose input stays open.
start() {
	rm -f "$tmp/in" "$tmp/out"
	mkfifo "$tmp/in"
	"$emu" <"$tmp/in" >"$tmp/out" 2>"$tmp/err" &
	pid=$!
	exec 9>"$tmp/in"
	printf '%s\n' "$request" >&9
	sleep "$1"
}

# greeted: waits until it has said hello: from then on it ends as it chooses.
greeted() {
	tries=0
	while [ ! -s "$tmp/out" ] && [ $tries -lt 600 ]; do
		tries=$((tries + 1))
		sleep 0.05
	done
}

# ended: waits at most 2 seconds for it; sets status.
ended() {
	tries=0
	while kill -0 "$pid" 2>/dev/null && [ $tries -lt 40 ]; do
		tries=$((tries + 1))
		sleep 0.05
	done
	kill -0 "$pid" 2>/dev/null && return 1
	wait "$pid" 2>/dev/null
	status=$?
	return 0
}

# empty: within 30 seconds (a compiler on a busy machine) nothing temporary is left.
empty() {
	tries=0
	while [ -n "$(ls -A "$TMPDIR")" ] && [ $tries -lt 600 ]; do
		tries=$((tries + 1))
		sleep 0.05
	done
	[ -z "$(ls -A "$TMPDIR")" ]
}

for moment in 0 0.02 0.05 0.1 0.15 0.2 0.3 0.5 0.8; do
	start $moment
	kill -KILL "$pid"
	wait "$pid" 2>/dev/null
	exec 9>&-
	empty
	ok $? "killed after $moment s: nothing is left"
done

for moment in 0.05 0.15 0.4 0.8; do
	start 0
	greeted
	sleep $moment
	kill -TERM "$pid"
	ended
	ok $? "SIGTERM $moment s after its hello: it ends"
	is "${status:-none}" 0 "quietly"
	exec 9>&-
	empty
	ok $? "and leaves nothing"
done

start 0.5
exec 9>&-
ended
ok $? "its input ends while it records: it ends"
# The address sanitizer, where it is in use, has a word about fibres.
is "$(grep -v 'WARNING: ASan' "$tmp/err")" "" "and says nothing"

is "$("$emu" </dev/null)" \
	'{"type":"hello","protocol":1,"program":"gemmviz-emu","version":"'"$("$emu" </dev/null | sed 's/.*"version":"\([^"]*\)".*/\1/')"'","on":"cpu"}' \
	"without requests it says hello and ends"
like "$(printf 'nonsense\n{"type":1}\n\n' | "$emu" | sed 1d)" \
	'"type":"error","id":0,"status":2' "nonsense is answered"
is "$(printf 'nonsense\n{"type":1}\n\n' | "$emu" | wc -l)" 4 \
	"each line of it"
done_testing
