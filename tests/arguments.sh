#!/usr/bin/env bash
# What a reader's kernel is called with: its parameters' values, its arrays'
# sizes, its shared memory.
. "$srcdir/tests/tap.sh"

tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
values=$srcdir/tests/kernels/values.cu

# stored ENTRY OPTIONS...: the values that the kernel's last store wrote.
stored() {
	entry=$1
	shift
	"$builddir/gemmviz" record "$values" --entry "$entry" --block 64 \
		--grid 1 -o "$tmp/t.gvt" --force "$@" >/dev/null 2>"$tmp/e"
	echo $? >"$tmp/status"
	sed 's/^gemmviz: //' "$tmp/e"
	[ -s "$tmp/e" ] || "$builddir/gemmviz" dump "$tmp/t.gvt" |
		sed -n 's/.* = //p' | tail -1
}

is "$(stored sum)" "6*32" "small types by value are 1, beta is 0"
is "$("$builddir/gemmviz" report "$values" --entry product --block 16x16 \
	--grid 4x4 --json | sed 's/.*"answer":"\([^"]*\)".*/\1/')" \
	"C = A B checked" "so is an alpha of a whole number"

is "$(stored given)" "t is shared memory whose size the launch gives:\
 --shared BYTES does" "a kernel that uses such memory asks for it"
is "$(cat "$tmp/status")" 2 "and is refused without"
is "$(stored given --shared 256 | cut -c1-2)" 31 "with it, it runs"
is "$(stored fixed | cut -c1-2)" 31 \
	"another of the same file is not asked for it"

done_testing
