#!/usr/bin/env bash
# ends.sh [MOMENTS]: however the interface ends, at whatever moment of whatever
# it does: soon nothing that it started is left, no process and no folder. With a number, each command is ended in each way at so many moments,
# taken at random from its first 1.5 seconds (30: half an hour on two cores).
# sanitized: nightly
. "${srcdir:=.}/tests/tap.sh"
srcdir=$(cd "$srcdir" && pwd)
cd "${builddir:-.}" || exit
for program in perl script; do
	if ! command -v $program >/dev/null; then
		skip "what is left when it ends" "$program is missing"
		done_testing
		exit
	fi
done
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/bin" "$tmp/class"
{ echo "#!$(command -v perl)"; cat "$srcdir/tests/fake_ssh.pl"; } >"$tmp/bin/ssh"
chmod +x "$tmp/bin/ssh"
PATH=$tmp/bin:$PATH
export PATH GEMMVIZ_CLASS_FOLDER=$tmp/class XDG_DATA_HOME=/dev/null/none

cat >"$tmp/loop.cu" <<'X'
__global__ void f(float *A) { for (volatile int i = 0;; i++) A[threadIdx.x] = i; }
X
cat >"$tmp/load.cu" <<'X'
__attribute__((constructor)) __device__ void c() { for (;;); }
__global__ void f(float *A) { A[threadIdx.x] = 1; }
X
cp "$srcdir/tests/hostile/macro_bomb.cu" "$tmp/compile.cu"
cp "$srcdir/tests/programs/hostile_loop.cu" "$tmp/program.cu"
shape='--block 32 --grid 1'
./gemmviz class start monday >/dev/null

# Takes over what its descendants leave, and ends when there are none: so that
# they are all found, whatever they do to their environment, group and parents.
# Ctrl-C is not ignored, as a shell has it in the background.
cat >"$tmp/keeper.pl" <<'X'
use POSIX ();
my $prctl = (POSIX::uname())[4] eq "x86_64" ? 157 : 167;
syscall($prctl, 36, 1, 0, 0, 0);	# PR_SET_CHILD_SUBREAPER
$SIG{INT} = "DEFAULT";
my $pid = fork;
exec @ARGV if !$pid;
$SIG{INT} = "IGNORE";
1 while wait > 0;
X

# below PID: its descendants, each with its name.
below() {
	local all="" one stat
	{ read -r all <"/proc/$1/task/$1/children"; } 2>/dev/null
	for one in $all; do
		{ read -r stat <"/proc/$one/stat"; } 2>/dev/null || continue
		case ${stat##*) } in
		[ZX]*) ;;
		*) stat=${stat#*(} && echo "$one ${stat%)*}" ;;
		esac
		below "$one"
	done
}

# left: processes and files.
left() {
	below "$keeper"
	ls -A "$at"
}

# begin screen|plain COMMAND...: in the background, on a terminal or not.
begin() {
	local how=$1
	shift
	[ "$how" = plain ] || set -- script -qec "$*" /dev/null
	TMPDIR=$at perl "$tmp/keeper.pl" "$@" >/dev/null 2>&1 <"$input" &
	keeper=$!
}

# interface: the number of gemmviz itself, however it was started. Found twice:
# one that becomes gemmviz, and forks, during a look would be its child.
interface() {
	local pid was
	for _ in {1..300}; do
		was=$pid
		pid=$(below "$keeper" | sed -n 's/ gemmviz$//p' | head -n 1)
		[ -n "$pid" ] && [ "$pid" = "$was" ] && echo "$pid" && return
		kill -0 "$keeper" 2>/dev/null || return
		sleep 0.01
	done
}

# ended: what is left after five seconds at most (an idle machine takes a tenth
# of one), and the milliseconds that it took.
# A process that passes to the keeper meanwhile is at times in no list: nothing
# is left where none is seen three times.
ended() {
	local begun took seen=0
	begun=$(date +%s%N)
	while [ $seen -lt 3 ]; do
		took=$((($(date +%s%N) - begun) / 1000000))
		[ $took -gt 5000 ] && break
		seen=$((seen + 1))
		[ -z "$(left)" ] || seen=0
		sleep 0.02
	done
	echo $took >"$at.took"
	left | grep -v '^took$' >"$at.left"
	for pid in $(below "$keeper" | cut -d' ' -f1); do
		kill -KILL "$pid"
	done
	wait "$keeper" 2>/dev/null
}

# end NUMBER WAY MOMENT screen|plain COMMAND...: begun, and ended in that way.
end() {
	local at=$tmp/$1 way=$2 moment=$3 input=/dev/null keeper pid
	shift 3
	mkdir "$at"
	case $way in
	q | ctrl-c)
		input=$at.keys
		mkfifo "$input"
		exec 3<>"$input"
		begin "$@"
		# Ctrl-C before it has begun is nobody's. A q is not
		# lost, but has no effect before it has begun.
		[ $way = q ] || interface >/dev/null
		sleep "$moment"
		case $way in q) printf q >&3 ;; *) printf '\003' >&3 ;; esac
		[ $way != q ] || interface >/dev/null
		;;
	terminal)	# it goes away, or what shows it
		begin "$@"
		interface >/dev/null
		sleep "$moment"
		pid=$(below "$keeper" | sed -n 's/ script$//p' | head -n 1)
		kill -KILL $pid 2>/dev/null
		;;
	*)
		begin "$@"
		pid=$(interface)
		sleep "$moment"
		kill -"$way" $pid 2>/dev/null
		;;
	esac
	ended
	shift
	echo "$way after $moment s: ${*//$tmp\//}" >"$at.what"
}

# Several at a time: they mostly wait.
n=0 told=0 most=0
tell() {
	local took
	while [ -e "$tmp/$((told + 1)).what" ]; do
		told=$((told + 1))
		took=$(cat "$tmp/$told.took")
		[ "$took" -gt $most ] && most=$took
		is "$(cat "$tmp/$told.left")" "" \
			"$(cat "$tmp/$told.what"): nothing is left ($took ms)"
	done
}
start() {
	while [ "$(jobs -rp | wc -l)" -ge 4 ]; do
		wait -n
		tell
	done
	n=$((n + 1))
	end $n "$@" &
}

moments=${1-}
# ways WAYS MOMENTS COMMAND...: each of these ways at each of the moments.
ways() {
	local ways=$1 few=$2 way moment
	shift 2
	for way in $ways; do
		[ -z "$moments" ] || few=$(awk -v n="$moments" -v s=$((n + 1)) \
			'BEGIN { srand(s); for (; n > 0; n--)
				printf "%.3f ", 1.5 * rand() }')
		for moment in $few; do
			[ -n "$moments" ] || in_turn 2 || continue
			start "$way" "$moment" "$@"
		done
	done
}
plain() { ways 'INT TERM KILL HUP' '0.1 0.4 0.9' plain "$@"; }
screen() { ways 'INT TERM KILL HUP terminal' '0.1 0.4 0.9' screen "$@"; }
keys() { ways 'q ctrl-c' '0 0.1 0.4 0.9' screen "$@"; }

# shellcheck disable=SC2086
{
	keys ./gemmviz view "$tmp/compile.cu" $shape
	keys ./gemmviz view "$tmp/loop.cu" $shape
	keys ./gemmviz view naive -m 4096 -n 4096 -k 4096
	keys ./gemmviz view "$tmp/program.cu"
	keys ./gemmviz watch "$tmp/loop.cu" $shape
	screen ./gemmviz view "$tmp/compile.cu" $shape
	screen ./gemmviz view "$tmp/loop.cu" $shape
	screen ./gemmviz --lesson tiling --class monday
	screen ./gemmviz class show monday
	screen ./gemmviz watch "$tmp/program.cu"
	screen ./gemmviz race --runner "'tests/fake_gpu delay=2000000'"
	plain ./gemmviz report "$tmp/compile.cu" $shape
	plain ./gemmviz report "$tmp/load.cu" $shape
	plain ./gemmviz record "$tmp/loop.cu" $shape -o "$tmp/a.gvt"
	plain ./gemmviz report "$tmp/loop.cu" $shape \
		--runner 'ssh lab ./gemmviz-emu'
	plain ./gemmviz run "$tmp/program.cu"
	plain ./gemmviz check "$tmp/loop.cu" $shape
	plain ./gemmviz export "$tmp/loop.cu" $shape --format svg \
		-o "$tmp/a.svg"
	plain ./gemmviz export sgemm --format html -o "$tmp/a.html" --force
	plain ./gemmviz time naive --runner 'tests/fake_gpu delay=2000000'
	plain ./gemmviz calibrate --runner 'tests/fake_gpu delay=2000000'
	if [ -x ./gemmviz-gpu ] && [ -d tests/fake ]; then
		export LD_LIBRARY_PATH=$PWD/tests/fake FAKE_CUDA_GPU=$$
		plain ./gemmviz time naive --runner ./gemmviz-gpu
	else
		skip "what is left of gemmviz-gpu's" "built without CUDA"
	fi
}
wait
tell
is $told $n "each has been looked at"
echo "# the longest took $most ms"
done_testing
