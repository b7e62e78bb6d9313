#!/usr/bin/env bash
# Files that attack who looks at them (tests/hostile/): each ends in its time
# with the status and the words of its first line, in one line; nothing of what it tried has
# happened, and no process and no folder is left.
#
# `hostile_files.sh NAME` runs only those whose name has NAME in it.
. "$srcdir/tests/tap.sh"
build=$(cd "$builddir" && pwd)
files=$(cd "$srcdir/tests/hostile" && pwd)
tmp=$(mktemp -d) || exit
secret=/tmp/gemmviz-secret
canary=/tmp/gemmviz-canary
trap 'rm -rf "$tmp" "$secret"' EXIT
mkdir "$tmp/work"
export TMPDIR=$tmp/work CANARY=$canary
echo '#error the secret is told' >"$secret"
chmod 600 "$secret"
rm -rf "$canary"

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

# left: recorders and compilers that work in our folder.
left() {
	ps -eo args | grep -F "$tmp/work" | grep -v grep
	ls -A "$tmp/work"
}

# gone: within a second nothing is left.
gone() {
	local tries=0
	while [ -n "$(left)" ] && [ $tries -lt 20 ]; do
		tries=$((tries + 1))
		sleep 0.05
	done
	left
}

for file in "$files"/*"${1-}"*.cu; do
	name=$(basename "$file")
	want=$(sed -n '1s,^// expect \([^:]*\):.*,\1,p' "$file")
	words=$(sed -n '1s,^// expect [^:]*: ,,p' "$file" | sed 's,[()],[&],g')
	begin=$(date +%s)
	"$build/gemmviz" report "$file" --block 32 --grid 1 --timeout 8 \
		>"$tmp/out" 2>"$tmp/err" </dev/null
	status=$?
	took=$(($(date +%s) - begin))
	case "|$want|" in
	*"|$status|"*) like=$want ;;
	*) like=$status ;;
	esac
	is "$like" "$want" "$name: status $status ($(head -c 160 "$tmp/err" | tr '\n' ' '))"
	if [ "$status" -gt 1 ]; then
		is "$(wc -l <"$tmp/err")" 1 "$name: says so in one line"
		grep -qE "${words:-.}" "$tmp/err"
		ok $? "$name: $words"
	fi
	grep -q 'root:\|secret is told' "$tmp/out" "$tmp/err"
	is $? 1 "$name: tells nothing of other files"
	[ "$took" -le 20 ]
	ok $? "$name: ends in time ($took s)"
	is "$(gone)" "" "$name: nothing is left"
	[ ! -e "$canary" ]
	ok $? "$name: has done nothing"
	rm -rf "$canary"
done

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
		is "$(gone)" "" "SIG$signal after $moment s: nothing is left within a second"
	done
done
done_testing
