#!/bin/bash
# Runners that are elsewhere: over ssh, in a queue, and over connections that
# chop, stall, lose and add bytes. Whatever comes, a command ends with a
# sentence, and a screen stays.
# sanitized: nightly
. "${srcdir:=.}/tests/tap.sh"
cd "${builddir:-.}" || exit
if ! command -v perl >/dev/null; then
	skip "runners elsewhere" "perl is missing"
	done_testing
	exit
fi
tmp=$(mktemp -d)
mux=remote.$$
trap 'tmux -L $mux kill-server 2>/dev/null; rm -rf "$tmp"' EXIT
mkdir "$tmp/bin" "$tmp/out"
for name in ssh srun; do
	{ echo "#!$(command -v perl)"; cat "$srcdir/tests/fake_ssh.pl"; } \
		>"$tmp/bin/$name"
	chmod +x "$tmp/bin/$name"
done
PATH=$tmp/bin:$PATH
RANDOM=1
emu='ssh lab ./gemmviz-emu'
gpu='ssh lab tests/fake_gpu'
size='-m 32 -n 32 -k 32'
case $(./gemmviz --version) in
*\ *) version=$(./gemmviz --version | sed -n '1s/.* //p') ;;
esac

# how WORDS: what goes wrong from here on.
how() {
	export FAKE_SSH="$1;log=$tmp/pids"
}

# run ARGUMENT...: sets out, err and status.
run() {
	out=$(timeout 100 ./gemmviz "$@" 2>"$tmp/err")
	status=$?
	err=$(cat "$tmp/err")
}

# left: the processes that are still there, two seconds after the end.
left() {
	for _ in {1..40}; do
		alive=
		while read -r pid; do
			kill -0 "$pid" 2>/dev/null && alive="$alive $pid"
		done <"$tmp/pids"
		[ "$alive" ] || break
		sleep 0.05
	done
	: >"$tmp/pids"
	ls -A "$tmp/out"
	echo "$alive"
}

# sentence PATTERN WHAT: the last run ended with one, and with nothing else.
sentence() {
	like "$status $(echo "$err" | wc -l) $err" "^5 1 gemmviz: $1" "$2"
}

record() {
	# shellcheck disable=SC2086
	run record naive $size --runner "$emu" -o "$tmp/out/a.gvt" --force
}

# ---- the same bytes ----

# shellcheck disable=SC2086
./gemmviz record naive $size -o "$tmp/direct.gvt" >/dev/null
bytes=$(wc -c <"$tmp/direct.gvt")
good=0
for seed in {1..6}; do
	how "chunk=$seed"
	record
	cmp -s "$tmp/out/a.gvt" "$tmp/direct.gvt" && good=$((good + 1))
done
is $good 6 "a trace that comes in pieces is the trace, byte for byte"
# shellcheck disable=SC2086
run report naive $size --runner "srun --gres=gpu:1 ./gemmviz-emu"
# shellcheck disable=SC2086
is "$out" "$(./gemmviz report naive $size)" "and so is its report"
./gemmviz time naive --size 64 --runner tests/fake_gpu >"$tmp/direct"
how 'chunk=7;queue=0.2'
run time naive --size 64 --runner 'srun --gres=gpu:1 tests/fake_gpu'
is "$status $out" "0 $(cat "$tmp/direct")" "and a race behind a queue"
how chunk=8
run --lesson tiling --plain --runner "$emu"
is "$status $out" "0 $(./gemmviz --lesson tiling --plain)" "and a lesson"
rm "$tmp/out/a.gvt"
is "$(left)" "" "nobody is left"

# ---- lost ----

broken='client_loop: send disconnect: Broken pipe'
good=0
for ((i = 0; i < 30; i++)); do
	how "cut=$((RANDOM % bytes));chunk=$((RANDOM % 2 * i))"
	record
	case $status$err in
	"5gemmviz: ssh lab ./gemmviz-emu ended with status 255: $broken"*)
		good=$((good + 1)) ;;
	*) echo "# $FAKE_SSH: $status $err" ;;
	esac
done
is $good 30 "cut at thirty places, each time it is said"
is "$(left)" "" "and neither a file nor a process is left"
good=0
for ((i = 0; i < 10; i++)); do
	how "cut=$((RANDOM % 2500))"
	run time naive --size 64 --runner "$gpu"
	[ "$status $err" = \
	  "5 gemmviz: ssh lab tests/fake_gpu ended with status 255: $broken" ] &&
		good=$((good + 1)) || echo "# $FAKE_SSH: $status $err"
done
is $good 10 "so is a race"
how "cut=$((bytes / 2))"
for command in 'report naive' 'view naive --plain' '--lesson tiling --plain' \
	'race --plain naive --size 64'; do
	case $command in
	race*) how 'cut=700'; runner=$gpu ;;
	*) runner=$emu ;;
	esac
	# shellcheck disable=SC2086
	run $command --runner "$runner"
	sentence "ssh lab .*$broken" "gemmviz $command"
done

# ---- something else ----

for words in denied:'255: reader@lab: Permission denied \(publickey\)\.$' \
	missing:'127: bash: line 1: gemmviz-gpu: command not found$'; do
	how "${words%%:*}"
	record
	sentence "ssh lab ./gemmviz-emu ended with status ${words#*:}" \
		"${words%%:*}: why is said"
	run time naive --size 64 --runner "$gpu"
	sentence "ssh lab tests/fake_gpu ended with status ${words#*:}" \
		"of a race, too"
	run --lesson tiling --plain --runner "$emu"
	sentence "ssh lab ./gemmviz-emu ended with status ${words#*:}" \
		"and of a lesson"
done
how 'banner=\n  \n\e[2JWelcome to lab\n'
for command in "record naive -o $tmp/out/a.gvt" 'report naive' \
	'time --size 64' '--lesson tiling --plain' 'race --plain --size 64'; do
	case $command in
	time* | race*) runner=$gpu ;;
	*) runner=$emu ;;
	esac
	# shellcheck disable=SC2086
	run $command --runner "$runner"
	sentence 'ssh lab .*expected its hello first, got "␛\[2JWelcome to lab" \(does a login script print\?\)$' \
		"a banner: gemmviz $command"
done
how 'splice=40:Broadcast message from root\n'
record
sentence 'ssh lab .*hello first, got "[^"]*.*Broadcast' "garbage in the hello"
how "splice=$((bytes / 2)):Broadcast message from root\n"
record
sentence 'the trace of ssh lab ./gemmviz-emu: ' "garbage in a trace"
run --lesson tiling --plain --runner "$emu"
sentence 'the trace of ssh lab ./gemmviz-emu: ' "in a lesson's, too"
how "over=$((bytes / 2)):Broadcast message from root"
record
sentence 'the trace of ssh lab ./gemmviz-emu: ' "garbage over a trace"
how 'over=9000:Broadcast message from root'
run --lesson tiling --plain --runner "$emu"
sentence 'the trace of ssh lab ./gemmviz-emu: ' "over a lesson's, too"
how 'splice=500:Broadcast\n'
run time naive --size 64 --runner "$gpu"
sentence 'ssh lab tests/fake_gpu violates the protocol: expected a message, got ' \
	"garbage in a race"
is "$(left)" "" "nothing and nobody is left"

how 'hello="protocol":1="protocol":7'
for command in 'report naive' '--lesson tiling --plain'; do
	# shellcheck disable=SC2086
	run $command --runner "$emu"
	sentence "ssh lab ./gemmviz-emu: gemmviz-emu $version speaks protocol 7, gemmviz $version speaks protocol 1" \
		"another protocol: gemmviz $command"
done
how ''
for command in 'report naive' 'view naive --plain' '--lesson tiling --plain'; do
	# shellcheck disable=SC2086
	run $command --on gpu --runner "$emu"
	sentence 'ssh lab ./gemmviz-emu: it runs on the CPU, but the GPU was requested$' \
		"the wrong place: gemmviz $command --on gpu"
done
how 'hello="cpu"="gpu"'
run report naive --on cpu --runner "$emu"
sentence 'ssh lab ./gemmviz-emu: it runs on the GPU, but the CPU was requested$' \
	"and the other way round"

# ---- another answer ----

how 'hello="version":"'$version'"="version":"9.9.9"'
for command in 'report naive' '--lesson tiling --plain'; do
	# shellcheck disable=SC2086
	run $command --runner "$emu"
	sentence "ssh lab ./gemmviz-emu: gemmviz-emu has version 9.9.9, gemmviz has version $version; both must be the same\$" \
		"another version: gemmviz $command"
done

cat >"$tmp/own.cu" <<'X'
__global__ void own(const float *A, const float *B, float *C, int M, int N, int K)
{
	C[blockIdx.x * 32 + threadIdx.x] = A[threadIdx.x] + SHIFT;
}
X
own="report $tmp/own.cu --block 32x1 --grid 2x1 -D SHIFT=1 --arg M=4"
asked='ssh lab ./gemmviz-emu sent a wrong answer: it was asked for'

# lies COMMAND ASK PATTERN WHAT: another question is answered.
lies() {
	how "ask=$2"
	# shellcheck disable=SC2086
	run $1 --runner "$emu"
	sentence "$asked $3\$" "$4"
	is "$(echo "$out" | head -c 80)" "" "and no number of it is shown"
}

lies 'report naive' '"kernel":"naive"="kernel":"tiled"' 'naive and sent tiled' \
	"another kernel"
for dim in m n k; do
	lies 'report naive -m 48 -n 48 -k 48' "\"$dim\":48=\"$dim\":32" \
		"${dim^} 48 and sent 32" "another $dim"
done
lies 'report tiled -D TILE=8' '"TILE":"8"="TILE":"16"' \
	'TILE=8 and sent 16' "another definition"
lies 'report tiled -D TILE=8' '"TILE":"8"=' \
	'definitions: 1 and sent 0' "a definition less"
lies 'report tiled' '"defines":{}="defines":{"TILE":"8"}' \
	'definitions: 0 and sent 1' "a definition more"
lies "$own" '[2,1,1]=[1,1,1]' 'a grid of 2x1x1 and sent 1x1x1' "another grid"
lies "$own" '[32,1,1]=[16,1,1]' 'blocks of 32x1x1 and sent 16x1x1' \
	"other blocks"
lies "$own" 'A[threadIdx.x]=A[threadIdx.y]' \
	'the text with the hash [0-9a-f]{16} and sent [0-9a-f]{16}' "another text"
lies "$own" '__global__ void own(=__global__ void mine(' \
	'the text with the hash [0-9a-f]{16} and sent [0-9a-f]{16}' "another name"
lies 'provenance naive 1,1' '"type":"record"="type":"record","values":false' \
	'values: 1 and sent 0' "no values"
lies 'report naive' '"type":"record"="type":"record","seed":2' \
	'the seed 1 and sent 2' \
	"other contents"
lies 'report naive --spaces global' '["global"]=["global","register"]' \
	'memory spaces 1 and sent 5' "more memory spaces"
lies '--lesson tiling --plain' '"kernel":"tiled"="kernel":"padded"' \
	'tiled and sent padded' "a lesson's kernel"
is "$(left)" "" "nothing and nobody is left"

# ---- a program's words ----

cat >"$tmp/main.cu" <<'X'
__global__ void own(float *A) { A[threadIdx.x] = 1; }
int main() {}
X
told='"id":1,"how":"exit","status":0,"output":"lies","output_bytes":4'
told="{\"type\":\"program\",$told,\"launches\":[],\"launch_count\":0,\"traces\":[{\"bytes\":4}],\"problems\":[]}\\n"
for answer in "$told" '{"type":"output","id":1,"text":"lies"}\n'; do
	how "say=$answer"
	run report naive --runner "$emu"
	sentence 'ssh lab ./gemmviz-emu violates the protocol: "(program|output)" is not an answer to "record"$' \
		"no program was asked for"
	is "$out" "" "and what it says is not shown"
done
how "say=$told"'{"type":"trace","id":1,"bytes":4}\nlies'
for command in run report; do
	run $command --runner "$emu" "$tmp/main.cu"
	like "$status $err" '^5 .*: byte 0: expected a trace' \
		"gemmviz $command: a program's trace is none"
	is "$out" "" "and what is said of the program is not shown"
done

# ---- too much ----

how 'say={"type":"trace","id":1,"bytes":68719476736}\n'
for command in 'report naive' '--lesson tiling --plain'; do
	# shellcheck disable=SC2086
	run $command --runner "$emu"
	sentence 'ssh lab ./gemmviz-emu violates the protocol: a trace of 65536 MB; the limit is 15[0-9]{3} MB$' \
		"64 GiB are announced: gemmviz $command"
done
how 'say={"type":"trace","id":1,"bytes":100000000}\n'
run report naive --max-events 1000 --runner "$emu"
sentence 'ssh lab ./gemmviz-emu violates the protocol: a trace of 95 MB; the limit is 64 MB$' \
	"a trace of few events is small"
room=$(df --output=avail -k /dev/shm 2>/dev/null | tail -n 1)
if [ "${room:-0}" -gt 0 ] && [ "$room" -lt 60000000 ]; then
	how "say={\"type\":\"trace\",\"id\":1,\"bytes\":$((room * 1024 + 1000000))}\\n"
	TMPDIR=/dev/shm run report naive --max-events 2000000000 --runner "$emu"
	like "$status $err" '^7 gemmviz: no room for temporary files: [0-9]+ kB are needed, [0-9]+ kB are left$' \
		"a trace that has no room is not taken"
else
	skip "a trace that has no room is not taken" "/dev/shm is large"
fi
export GEMMVIZ_PATIENCE=1
how 'babble={"type":"progress","id":1,"events":5}\n'
for command in 'report naive --seconds 1 --timeout 1' \
	"record naive -o $tmp/out/a.gvt --seconds 1 --timeout 1"; do
	# shellcheck disable=SC2086
	run $command --runner "$emu"
	sentence 'ssh lab ./gemmviz-emu has sent no answer for 5 seconds$' \
		"progress for ever: gemmviz $command"
done
unset GEMMVIZ_PATIENCE
is "$(left)" "" "nothing and nobody is left"

# ---- silence ----

# In parallel: each waits for a second.
export GEMMVIZ_PATIENCE=1
stall() {
	how "stall=$1;stubborn"
	shift
	timeout 100 ./gemmviz "$@" >/dev/null 2>"$tmp/err.$n"
	echo $? >"$tmp/status.$n"
}
n=0
for at in 0 60 600; do
	for command in "record naive -o $tmp/out/a.gvt $size" \
		"view naive --plain $size" '--lesson tiling --plain'; do
		n=$((n + 1))
		# shellcheck disable=SC2086
		stall $at $command --runner "$emu" &
	done
	for command in 'time naive --size 64' 'race --plain naive --size 64'; do
		n=$((n + 1))
		# shellcheck disable=SC2086
		stall $at $command --runner "$gpu" &
	done
done
wait
good=0
for ((i = 1; i <= n; i++)); do
	case $(cat "$tmp/status.$i" "$tmp/err.$i") in
	5*'ssh lab '*' has sent nothing for 1 seconds'*) good=$((good + 1)) ;;
	*) sed 's/^/# /' "$tmp/err.$i" ;;
	esac
done
is $good $n "silence at three places ends each command"
is "$(left)" "" "nothing and nobody is left"
GEMMVIZ_PATIENCE=never run report naive --runner "$emu"
is "$status $err" "2 gemmviz: GEMMVIZ_PATIENCE: expected 1 to 1000000 seconds, got 'never'" \
	"how long can be said"
how 'queue=9'
run report naive --runner 'srun ./gemmviz-emu'
sentence 'srun .* for 1 seconds: srun: job 4711 queued and waiting for resources$' \
	"what it said last is said"
unset GEMMVIZ_PATIENCE

how stall=600
for command in "record naive -o $tmp/out/a.gvt" "time naive"; do
	case $command in
	time*) runner=$gpu ;;
	*) runner=$emu ;;
	esac
	# Not "timeout": a shell's background job ignores SIGINT.
	# shellcheck disable=SC2086
	perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV' ./gemmviz $command \
		--runner "$runner" >/dev/null 2>&1 &
	sleep 0.4
	kill -INT $!
	begun=$(date +%s%N)
	wait $!
	is $? 130 "Ctrl-C ends gemmviz $command"
	ok $((($(date +%s%N) - begun) / 1000000 > 10000)) "at once"
	is "$(left)" "" "and nothing and nobody is left"
done

# ---- on the screen ----

if ! command -v tmux >/dev/null; then
	skip "a screen whose runner is elsewhere" "tmux is missing"
	done_testing
	exit
fi

mux() {
	tmux -L "$mux" "$@"
}

# screen NAME ARGUMENTS: gemmviz in a shell of its own.
screen() {
	mux -f /dev/null new-session -d -s "$1" -x 100 -y 30 env \
		"PATH=$PATH" "FAKE_SSH=$FAKE_SSH" 'PS1=ready> ' \
		bash --norc -i
	seen "$1" 'ready>'
	mux send-keys -t "$1" "clear; ./gemmviz $2" Enter
}

# seen NAME TEXT: within five seconds.
seen() {
	for _ in {1..100}; do
		mux capture-pane -p -t "$1" | tr '\n' ' ' |
			sed 's/│/ /g; s/  */ /g' | grep -qF -- "$2" && return
		sleep 0.05
	done
	mux capture-pane -p -t "$1" | sed 's/^/# /'
	return 1
}

# next_step NAME: past the question.
next_step() {
	mux send-keys -t "$1" '!'
	sleep 0.2
	mux send-keys -t "$1" Enter
}

# leaves NAME KEY: the key ends it, and the shell is as it was.
leaves() {
	mux send-keys -t "$1" "$2"
	seen "$1" 'ready>'
	ok $? "$2 ends it at once"
	mux send-keys -t "$1" 'stty -a' Enter
	seen "$1" ' echo '
	ok $? "and the shell echoes"
	mux kill-session -t "$1"
}

gone() {
	is "$(left)" "" "nobody is left"
}

how 'queue=30'
screen a "--lesson tiling --runner 'srun --gres=gpu:1 ./gemmviz-emu'"
seen a 'Waiting for srun --gres=gpu:1 ./gemmviz-emu … srun: job 4711 queued and waiting for resources'
ok $? "a lesson that waits says for whom, and what that one says"
leaves a C-c
gone
screen r "race naive --size 64 --runner 'srun --gres=gpu:1 tests/fake_gpu'"
seen r 'srun: job 4711 queued and waiting for resources'
ok $? "a race that waits says it, too"
leaves r C-c
gone
how 'stall=600;stubborn'
screen b "--lesson tiling --runner '$emu'"
seen b 'ssh lab ./gemmviz-emu is recording on the CPU …'
ok $? "one that records says who does"
leaves b q
gone
how 'stall=600;hello="cpu"="gpu"'
screen c "--lesson tiling --runner '$emu'"
seen c 'ssh lab ./gemmviz-emu is recording on the GPU …'
ok $? "and where"
leaves c q
gone
how denied
screen d "--lesson tiling --runner '$emu'"
seen d 'Permission denied (publickey).'
ok $? "one that cannot says why"
next_step d
seen d '2/11'
ok $? "and can be read"
leaves d q
gone

how ''
screen e "--lesson tiling --runner '$emu'"
seen e 'phase 1'
sleep 1
while read -r pid; do
	kill -KILL "$pid"
done <"$tmp/pids"
seen e 'No more variables: ssh lab ./gemmviz-emu ended by signal 9'
ok $? "a lesson whose runners are killed says so"
next_step e
seen e '2/11'
ok $? "and goes on"
seen e 'tiled 32'
ok $? "with all its recordings"
leaves e q
gone

# Each round both begin anew, and a process of each runner's is killed.
screen f "--lesson tiling --runner '$emu'"
screen g "race naive tiled --size 64 --repeat 200 --runner '$gpu delay=1000'"
seen f Tiling && seen g 'naive'
# On a slow machine a round finds nobody to kill yet: there are more rounds then.
killed=0
for ((i = 0; killed < 100 && i < 500; i++)); do
	sleep "0.$(printf %02d $((RANDOM % 12)))"
	mv "$tmp/pids" "$tmp/now" 2>/dev/null || : >"$tmp/now"
	while read -r pid; do
		kill -KILL "$pid" 2>/dev/null && killed=$((killed + 1))
	done <"$tmp/now"
	mux send-keys -t f m Enter \; send-keys -t g r
done
touch "$tmp/pids"
ok $((killed < 100)) "a hundred kills ($killed in $i rounds)"
for name in f g; do
	mux send-keys -t $name '?'
	seen $name 'keys and symbols'
	ok $? "the screen of $name is there and answers"
	mux send-keys -t $name Escape
	leaves $name Q
done
gone
done_testing
