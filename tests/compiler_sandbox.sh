#!/usr/bin/env bash
# The compiler's sandbox: what a compiler that attacks may do, and what becomes of
# it. attack_compiler stands in PATH as g++.
# sanitized: never (its runtime makes calls of its own)
. "$srcdir/tests/tap.sh"
gemmviz=$(cd "$builddir" && pwd)/gemmviz
tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
export XDG_CACHE_HOME=/dev/null/none TMPDIR=$tmp/tmp
if ! "$gemmviz" --version | grep -q Landlock; then
	skip "the compiler's sandbox" "this system cannot confine a file"
	done_testing
	exit
fi
mkdir "$tmp/bin" "$tmp/tmp" "$tmp/files"
cp "$builddir/tests/attack_compiler" "$tmp/bin/g++"
cd "$tmp" || exit

# attack NAME: its result, after the file's name.
attack() {
	printf '// %s %s/files\n__global__ void k(float *A) { A[0] = 1; }\n' \
		"$1" "$tmp" >k.cu
	SECRET=x PATH=$tmp/bin:$PATH "$gemmviz" report k.cu --block 32 --grid 1 \
		>out 2>err </dev/null
	echo $? >status
	sed 's/^gemmviz: //' err
}

# gone NAME: no process and no folder is left.
gone() {
	is "$(ls "$TMPDIR")" "" "$1: no folder is left"
	is "$(for p in /proc/[0-9]*/exe; do
		[ "$(readlink "$p" 2>/dev/null)" != "$tmp/bin/g++" ] ||
			echo "$p"; done)" "" "$1: no process is left"
}

echo secret >files/secret
chmod 600 files/secret
before=$(stat -c '%a %U %Y' files/secret)
is "$(attack mode)" "k.cu:1: without effect" \
	"modes, owners, times and attributes: the calls succeed"
is "$(stat -c '%a %U %Y' files/secret)" "$before" "... and change nothing"
gone mode
for name in read write exec terminal; do
	is "$(attack $name)" "k.cu:1: Permission denied" "$name is denied"
	gone $name
done
is "$(ls files)" secret "nothing is written elsewhere"
while read -r name words; do
	is "$(attack $name)" "k.cu: refused: compiling it tried to $words" \
		"$name is refused"
	is "$(cat status)" 8 "... with status 8"
	gone "$name"
done <<END
setuid open a file (openat)
session call the system (setsid)
clock call the system (clock_settime)
fifo change files (mknodat)
link change files (symlink)
folder change files (mkdir)
bomb start more than 10 processes
END
is "$(attack outlive)" "k.cu:1: left one" "a process is left behind"
gone outlive
is "$(attack inherit)" "k.cu:1: has PATH TMPDIR LC_ALL" \
	"it inherits what g++ needs, and no descriptor"

# Whatever ends of gemmviz, the compiler ends.
printf '// spin %s/files\n__global__ void k(float *A) { A[0] = 1; }\n' \
	"$tmp" >k.cu
for signal in TERM KILL; do
	for who in gemmviz gemmviz-emu helper; do
		PATH=$tmp/bin:$PATH "$gemmviz" report k.cu --block 32 --grid 1 \
			>out 2>err </dev/null &
		pid=$!
		for _ in {1..100}; do
			compiler=$(for p in /proc/[0-9]*/exe; do
				[ "$(readlink "$p" 2>/dev/null)" != \
					"$tmp/bin/g++" ] || echo "$p"; done)
			[ -z "$compiler" ] || break
			sleep 0.05
		done
		like "$compiler" '^/proc/' "the compiler runs"
		number=${compiler#/proc/}
		number=${number%/exe}
		case $who in
		gemmviz) kill -$signal $pid ;;
		gemmviz-emu) kill -$signal "$(pgrep -P $pid | head -n 1)" ;;
		helper) kill -KILL "$(awk "{ print \$4 }" "/proc/$number/stat")" ;;
		esac
		wait $pid 2>/dev/null
		for _ in {1..60}; do
			[ -e "/proc/$number" ] || break
			sleep 0.05
		done
		[ ! -e "/proc/$number" ]
		ok $? "SIG$signal to $who: the compiler ends"
		rm -rf "${TMPDIR:?}"/*
	done
done
done_testing
