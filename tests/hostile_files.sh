#!/usr/bin/env bash
# Files that attack who looks at them (tests/hostile/): each ends in its time
# with the status and the words of its first line, in one line; nothing of what
# it tried has happened, and no process and no folder is left. It is run as its
# second line says, if that begins with "// run", or with a warp.
#
# Should nothing confine it, a file does no great harm either: it touches only
# @DIR@, a folder of this run, signals only @VICTIM@, a process of this run, and
# starts a process or two; it takes more memory, larger files and more time than
# is allowed here, but has an end.
#
# `hostile_files.sh NAME` runs only those whose name has NAME in it. Without one,
# those named kernel_ are left to hostile_kernels.sh; then a quarter is run, all
# of them with TEST_ALL.
# sanitized: never (filters are off under sanitizers)
. "$srcdir/tests/tap.sh"
# Each file goes through the compiler.
export XDG_CACHE_HOME=/dev/null/none
build=$(cd "$builddir" && pwd)
files=$(cd "$srcdir/tests/hostile" && pwd)
tmp=$(mktemp -d) || exit
name=gemmviz-canary-$$
setsid sleep 900 &
victim=$!
disown $victim
trap 'kill $victim; rm -rf "$tmp" "/dev/shm/$name"' EXIT
mkdir "$tmp/work" "$tmp/own" "$tmp/files"
export TMPDIR=$tmp/work
echo '#error the secret is told' >"$tmp/own/secret"
chmod 600 "$tmp/own/secret"
for file in "$files"/*.cu; do
	sed "s,@DIR@,$tmp/own,g; s,@VICTIM@,$victim,; s,@NAME@,$name," \
		"$file" >"$tmp/files/${file##*/}"
done
files=$tmp/files

# unharmed: what lies where the files try to do something, and who lives.
unharmed() {
	(cd "$tmp/own" && stat -c '%n %a' -- * && cat secret)
	ls "/dev/shm/$name" 2>/dev/null
	cat /proc/$victim/limits
}
before=$(unharmed)

if grep -q '^#define SANITIZED 1' "$build/config.h"; then
	skip confinement "with the address sanitizer the recorder is not confined"
	done_testing
	exit
fi
if ! "$build/gemmviz" --version | grep -q Landlock; then
	skip confinement "this system cannot confine a file"
	done_testing
	exit
fi

# How many times as long as usual things take here, of which so many are done at
# a time: an honest file is compiled and recorded in a second.
at_once=$((2 * $(nproc)))
cp "$srcdir/src/kernels/naive.cu" "$tmp/honest.cu"
honest=()
begin=$(date +%s%N)
for ((i = 0; i < at_once; i++)); do
	"$build/gemmviz" report "$tmp/honest.cu" --block 16x16 --grid 4x4 \
		>/dev/null 2>&1 &
	honest+=($!)
done
wait "${honest[@]}"
slow=$((1 + ($(date +%s%N) - begin) / 1000000000))

# left FOLDER: recorders and compilers that work there, and what lies there.
left() {
	processes_of "$1"
	ls -A "$1"
}

# gone FOLDER: prints what is left after a second, or longer on a slow machine.
gone() {
	local tries=0
	while [ -n "$(left "$1")" ] && [ $tries -lt $((20 * slow)) ]; do
		tries=$((tries + 1))
		sleep 0.05
	done
	left "$1"
}

# attack FILE NUMBER: what comes of it is written down in $tmp/NUMBER.
attack() {
	local at=$tmp/$2 begin launch
	mkdir -p "$at/work"
	launch=$(sed -n '2s,^// run ,,p' "$1")
	# shellcheck disable=SC2086
	set -- "$1" --timeout $((8 * slow)) --seconds $((3 * slow)) \
		${launch:---block 32 --grid 1}
	begin=$(date +%s)
	(
		export GEMMVIZ_CANARY="the secret is told"
		ulimit -m 400000 -t $((60 * slow))
		TMPDIR=$at/work exec "$build/gemmviz" report "$@"
	) >"$at/out" 2>"$at/err" </dev/null
	echo $? >"$at/status"
	echo $(($(date +%s) - begin)) >"$at/took"
	gone "$at/work" >"$at/was_left"
	mv "$at/was_left" "$at/left"	# all is written
}

# judge FILE NUMBER: its first line says what must have come of it.
judge() {
	local at=$tmp/$2 name want words status took like
	name=$(basename "$1" | LC_ALL=C tr -c '[:alnum:]._\n' '?')
	want=$(sed -n '1s,^// expect \([^:]*\):.*,\1,p' "$1")
	words=$(sed -n '1s,^// expect [^:]*: ,,p' "$1" | sed 's,[()],[&],g')
	status=$(cat "$at/status")
	took=$(cat "$at/took")
	case "|$want|" in
	*"|$status|"*) like=$want ;;
	*) like=$status ;;
	esac
	is "$like" "$want" "$name: status $status ($(head -c 160 "$at/err" | tr '\n' ' '))"
	if [ "$status" -gt 1 ]; then
		is "$(wc -l <"$at/err")" 1 "$name: says so in one line"
		grep -qE "${words:-.}" "$at/err"
		ok $? "$name: $words"
	fi
	grep -q 'root:\|secret is told' "$at/out" "$at/err"
	is $? 1 "$name: tells nothing of other files"
	LC_ALL=C grep -q "[$(printf '\001-\010\016-\037')]" "$at/out" "$at/err"
	is $? 1 "$name: and nothing to the terminal"
	[ "$took" -le $((30 * slow)) ]
	ok $? "$name: ends in time ($took s)"
	is "$(cat "$at/left")" "" "$name: nothing is left"
}

# What is only large, or deep.
large() {
	perl -e '($n, $expect, @parts) = @ARGV; print "// expect $expect: \n";
		print $_ % 2 ? $parts[$_] x $n : $parts[$_] for 0 .. $#parts' \
		"$2" "$3" "${@:4}" >"$files/large_$1.cu"
}
f='__global__ void f(float *A) { A[threadIdx.x] = 1; }'
large parentheses 5000 '0|3|5|8' '__device__ int x = ' '(' 1 ')' "; $f"
large blocks 10000 '0|3|5|8' '__global__ void f(float *A) ' '{' 'A[threadIdx.x] = 1;' '}' ''
large operators 10000 '0|3|5|8' '__global__ void f(float *A) { A[threadIdx.x] = ' '-!' '1; }'
large pointers 1000 '0|1|2|3|5|8' '__global__ void f(float ' '*' 'A) { }'
large dimensions 2000 '0|3|5|8' '__device__ int x' '[1]' "; $f"
large conditions 20000 '0|3|8' '' '#if 1
' "$f" '
#endif'
large string 900000 '0|3|8' '__device__ const char x[] = "' a "\"; $f"
large line 5000 '0|3|8' '__global__ void f(float *A) {' 'A[threadIdx.x] = 1; ' '}'
large ptx 15000 '1|3|8' '__global__ void f(float *A) { asm volatile("' 'mov.u32 %0, 1; ' '" : "=r"(*(int *)A)); }'
large includes 300 '0|1|3|8' '' '#include "h.h"
' "$f"
large name 1000 '0|1|3|8' '#include "' a/ "h.h\"
$f"
large comment 1000000 '0|1|3|8' '/*' x "*/ $f"

# A link that leads elsewhere, and a name that speaks to the terminal.
mkdir "$tmp/links"
ln -s "$tmp/own/secret" "$tmp/links/secret.h"
{
	echo '// expect 8: is outside the file.s folder'
	echo '#include "secret.h"'
	echo '__global__ void f(float *A) { A[threadIdx.x] = 1; }'
} >"$tmp/links/link.cu"
cp "$files/kernel_fork.cu" "$tmp/links/$(printf 'a\033[2Jb\302\233c').cu"

# Several at a time, for some only wait for their end; what has ended is judged
# in the files' order.
all=("$files"/*.cu "$tmp/links"/*.cu)
chosen=()
for file in "${all[@]}"; do
	case ${1-}/${file##*/} in
	/kernel_*) continue ;;
	/* | kernel_/kernel_*) in_turn 4 || continue ;;
	"$1"/*"$1"*) ;;
	*) continue ;;
	esac
	chosen+=("$file")
done
judged=0
judge_ended() {
	while [ -e "$tmp/$judged/left" ]; do
		judge "${chosen[judged]}" $judged
		is "$(unharmed)" "$before" "and has done nothing"
		judged=$((judged + 1))
	done
}
for ((i = 0; i < ${#chosen[@]}; i++)); do
	while [ "$(jobs -rp | wc -l)" -ge $at_once ]; do
		wait -n
		judge_ended
	done
	attack "${chosen[i]}" $i &
done
wait
judge_ended
is $judged ${#chosen[@]} "each has been judged"
if [ $# -gt 0 ]; then
	done_testing
	exit
fi

# What --unconfined allows, nobody else gets.
cat >"$tmp/open.cu" <<'X'
#include <stdio.h>
__global__ void f(float *A) { fopen("/etc/passwd", "r"); A[threadIdx.x] = 1; }
X
"$build/gemmviz" report "$tmp/open.cu" --block 32 --grid 1 --unconfined >"$tmp/out" 2>&1
is $? 0 "--unconfined: it may open a file"

# The answer of a recorder that is killed in the middle, and its compiler.
for moment in 0.05 0.2 0.6; do
	for signal in INT TERM KILL; do
		"$build/gemmviz" report "$files/macro_bomb.cu" --block 32 --grid 1 \
			>/dev/null 2>&1 &
		pid=$!
		sleep $moment
		kill -$signal $pid
		wait $pid 2>/dev/null
		is "$(gone "$tmp/work")" "" "SIG$signal after $moment s: nothing is left"
	done
done
done_testing
