#!/usr/bin/env bash
# tests/run fails a test that only looks as if it had passed: one that lacks a
# command, ends early, leaves a process running or takes too long.
# sanitized: never (it tests the tests)
. "$srcdir/tests/tap.sh"

tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
export TMPDIR=$tmp

# run_test TEXT: runs a script with that text as a test; sets got and status.
run_test() {
	printf '. "$srcdir/tests/tap.sh"\n%s\n' "$1" >"$tmp/inner.sh"
	got=$(sh "$srcdir/tests/run" "$tmp/inner.sh" 2>&1)
	status=$?
}

# fails PATTERN WHAT TEXT: that script fails, and the output says why.
fails() {
	run_test "$3"
	[ "$status" -ne 0 ]
	ok $? "$2: fails"
	like "$got" "inner.sh: $1" "$2: the reason"
}

run_test 'ok 0 a; skip b "no reason"; done_testing'
is "$status $got" "0 ok 1 - a
ok 2 - b # SKIP no reason
1..2" "a test that passes: its output, and nothing else"
run_test 'ok 1 a; done_testing'
is "$status" 1 "a test that fails"

# A command that does not exist, wherever its failure goes.
while IFS= read -r text; do
	fails 'command not found: no-such' "$text" "$text; ok 0 a; done_testing"
done <<'END'
is "$(no-such)" "" empty
is "$(no-such 2>/dev/null)" "$(no-such 2>/dev/null)" "two that are empty"
no-such 2>/dev/null | grep -q x; is $? 1 "does not say x"
! no-such
if no-such; then ok 1 b; fi
no-such && ok 1 b
(no-such) >/dev/null 2>&1 & wait
f() { local x=$(no-such); }; f
END
run_test 'need cat no-such-tool; done_testing'
like "$status $got" '^1 not ok 1 - needs no-such-tool' "need: a tool that is missing"
run_test 'want cat a && want no-such-tool b || done_testing'
is "$status $got" "0 ok 1 - b # SKIP no no-such-tool
1..1" "want: skips by name"

fails 'ended before its plan' "an end without done_testing" 'ok 0 a; exit 0'
fails 'tested nothing' "no result" 'done_testing'
fails '1 results, but a plan of 2' "a wrong plan" 'ok 0 a; echo 1..2'
fails 'status 0 in spite of 1' "a status that hides a failure" \
	'ok 1 a; done_testing; exit 0'
fails 'ended by signal 9' "a test that is killed" \
	'ok 0 a; done_testing; kill -KILL $$'
fails 'left running: sleep 98765' "a process that stays" \
	'setsid sleep 98765 & ok 0 a; done_testing'
is "$(processes_of 'sleep 98765')" "" "it is ended, too"

# The processor's time counts, of all processes; waiting does not.
busy='i=0; while [ $i -lt 100000000 ]; do i=$((i + 1)); done'
export TEST_SECONDS=1
fails 'took more than 1 s of processor time' "a child that is busy" \
	"setsid bash -c '$busy'; ok 0 a; done_testing"
fails 'took more than 1 s of processor time' "many that are short" \
	"for i in {1..1000}; do timeout 0.2 bash -c '$busy'; done
	ok 0 a; done_testing"
fails 'took more than 4 s by the clock' "one that waits for ever" \
	'setsid sleep 98765 & sleep 98765; ok 0 a; done_testing'
is "$(processes_of 'sleep 98765')" "" "all its processes are ended"
run_test 'sleep 2; ok 0 a; done_testing'
is "$status" 0 "one that waits a little longer than its processor time"

# What other tests look for processes with.
sleep 98764 &
until grep -q ^sleep "/proc/$!/cmdline"; do sleep 0.01; done	# a fork of this
like "$(processes_of 'sleep 98764')" "^$! sleep 98764 *\$" \
	"processes_of sees a process"
is "$(children_of $$ | tr ' ' '\n' | grep -cx $!)" 1 "children_of, too"
kill $!
wait $! 2>/dev/null
is "$(processes_of 'sleep 98764')" "" "... and not after its end"
done_testing
