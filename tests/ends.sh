#!/usr/bin/env bash
# However the interface ends, at whatever moment of whatever it does: within a
# second nothing that it started is left, no process and no folder. What it
# starts is told by a mark in the environment.
. "${srcdir:=.}/tests/tap.sh"
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
mkdir "$tmp/bin"
{ echo "#!$(command -v perl)"; cat "$srcdir/tests/fake_ssh.pl"; } >"$tmp/bin/ssh"
chmod +x "$tmp/bin/ssh"
PATH=$tmp/bin:$PATH
export PATH

cat >"$tmp/loop.cu" <<'X'
__global__ void f(float *A) { for (volatile int i = 0;; i++) A[threadIdx.x] = i; }
X
cat >"$tmp/load.cu" <<'X'
__attribute__((constructor)) __device__ void c() { for (;;); }
__global__ void f(float *A) { A[threadIdx.x] = 1; }
X
cp "$srcdir/tests/hostile/macro_bomb.cu" "$tmp/compile.cu"
shape='--block 32 --grid 1'

# marked MARK: the processes that have it, zombies left out.
marked() {
	local at pid
	for at in $(grep -lsa "GEMMVIZ_MARK=$1" /proc/[0-9]*/environ); do
		pid=${at//[^0-9]/}
		case $(sed 's/.*) //' "/proc/$pid/stat" 2>/dev/null) in
		Z*|X*|'') ;;
		*) echo "$pid" ;;
		esac
	done
}

# left MARK: processes and files.
left() {
	local pid
	for pid in $(marked "$1"); do
		{ tr '\0' ' ' <"/proc/$pid/cmdline"; } 2>/dev/null
		echo
	done
	ls -A "$tmp/$1"
}

# begin COMMAND...: in the background, with a mark of its own; Ctrl-C is not
# ignored, as a shell has it in the background.
n=0
input=/dev/null
begin() {
	n=$((n + 1))
	mkdir "$tmp/$n"
	TMPDIR=$tmp/$n GEMMVIZ_MARK=$n perl -e \
		'$SIG{INT} = "DEFAULT"; exec @ARGV' "$@" \
		>/dev/null 2>&1 <$input &
	job=$!
}

# interface: the number of gemmviz itself, however it was started.
interface() {
	local pid
	for _ in {1..40}; do
		for pid in $(marked $n); do
			[ "$(cat "/proc/$pid/comm" 2>/dev/null)" = gemmviz ] &&
				echo "$pid" && return
		done
		sleep 0.01
	done
}

# ended WHAT: what is left of the last one after a second at most.
most=0
ended() {
	local begun took
	begun=$(date +%s%N)
	while [ -n "$(left $n)" ]; do
		took=$((($(date +%s%N) - begun) / 1000000))
		[ $took -gt 1000 ] && break
		sleep 0.02
	done
	took=$((($(date +%s%N) - begun) / 1000000))
	[ $took -gt $most ] && most=$took
	is "$(left $n)" "" "$1: nothing is left ($took ms)"
	for pid in $(marked $n); do
		kill -KILL "$pid"
	done
	wait "$job" 2>/dev/null
}

# all COMMAND...: ended by each signal at each moment.
all() {
	local signal moment pid
	for signal in INT TERM KILL HUP; do
		for moment in 0.1 0.4 0.9; do
			begin "$@"
			pid=$(interface)
			sleep $moment
			kill -$signal "$pid"
			ended "SIG$signal after $moment s: ${*//$tmp\//}"
		done
	done
}

# keys COMMAND...: ended by a key, q or Ctrl-C, at each moment from the first on.
keys() {
	local key moment
	for key in q $'\003'; do
		for moment in 0 0.1 0.4 0.9; do
			rm -f "$tmp/keys"
			mkfifo "$tmp/keys"
			exec 3<>"$tmp/keys"
			input=$tmp/keys
			begin script -qec "$*" /dev/null
			input=/dev/null
			# Ctrl-C before it has begun is nobody's. A q is not
			# lost, but has no effect before it has begun.
			[ "$key" = q ] || interface >/dev/null
			sleep $moment
			printf %s "$key" >&3
			[ "$key" != q ] || interface >/dev/null
			ended "$(printf %q "$key") after $moment s: ${*//$tmp\//}"
			exec 3>&-
		done
	done
}

# shellcheck disable=SC2086
{
	keys "./gemmviz view $tmp/compile.cu $shape"
	keys "./gemmviz view $tmp/loop.cu $shape"
	keys "./gemmviz view naive -m 4096 -n 4096 -k 4096"
	keys "./gemmviz view $srcdir/tests/programs/hostile_loop.cu"
	all ./gemmviz report "$tmp/compile.cu" $shape
	all ./gemmviz report "$tmp/load.cu" $shape
	all ./gemmviz record "$tmp/loop.cu" $shape -o "$tmp/a.gvt"
	all ./gemmviz report "$tmp/loop.cu" $shape \
		--runner 'ssh lab ./gemmviz-emu'
	all ./gemmviz time naive --runner 'tests/fake_gpu delay=2000000'
	all script -qec "./gemmviz view $tmp/compile.cu $shape" /dev/null
	all script -qec "./gemmviz view $tmp/loop.cu $shape" /dev/null
	all script -qec './gemmviz --lesson tiling' /dev/null
	if [ -x ./gemmviz-gpu ] && [ -d tests/fake ]; then
		export LD_LIBRARY_PATH=$PWD/tests/fake FAKE_CUDA_GPU=$$
		all ./gemmviz time naive --runner ./gemmviz-gpu
	else
		skip "what is left of gemmviz-gpu's" "built without CUDA"
	fi
}

# The terminal goes away, or what shows it.
begin script -qec "./gemmviz view $tmp/loop.cu $shape" /dev/null
pid=$(interface)
sleep 0.4
kill -KILL "$job"
ended "the terminal goes away"
echo "# the longest took $most ms"
done_testing
