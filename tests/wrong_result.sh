#!/usr/bin/env bash
# The recorder multiplies the matrices itself and says so when a kernel of the
# table gives another answer. The kernels here are those of an installation,
# whose text of naive.cu is then spoiled; without built modules the recorder
# compiles the text it finds.
. "$srcdir/tests/tap.sh"

tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
make -s -C "$builddir" install-binPROGRAMS install-pkglibexecPROGRAMS \
	install-dist_kernelsDATA install-dist_cudaDATA DESTDIR="$tmp" \
	>"$tmp/log" 2>&1
ok $? "program and recorder are installed, without modules"
gemmviz=$(find "$tmp" -name gemmviz -type f)
emu=$(find "$tmp" -name gemmviz-emu)
kernel=$(find "$tmp" -name naive.cu)
cp "$kernel" "$tmp/right.cu"

# What is found in a launch of naive with these options.
findings() {
	"$gemmviz" record naive -m 20 -n 24 -k 16 --runner "$emu" \
		--force -o "$tmp/t.gvt" "$@" >"$tmp/log" 2>"$tmp/found"
	cat "$tmp/found"
	"$gemmviz" report "$tmp/t.gvt" --json >"$tmp/report" 2>&1
}
# spoil SED: another text; fails when it is the same.
spoil() {
	sed "$1" "$tmp/right.cu" >"$kernel"
	! cmp -s "$tmp/right.cu" "$kernel"
	ok $? "naive.cu with $1"
}

is "$(findings)" "" "the kernel as it is: nothing is found"

spoil 's/sum += /sum = /'
like "$(findings)" '^gemmviz: wrong-result: C\[0\]' "the first wrong element"
is "$(grep -c '"wrong-result"' "$tmp/report")" 1 "once in the trace as well"
is "$(findings --blocks 0,0)" "" "a part of the blocks is not judged"

spoil 's/= sum;/= row == 19 \&\& col == 3 ? NAN : sum;/'
like "$(findings)" '^gemmviz: wrong-result: C\[19\]\[3\] .*; 1 of 480 ' \
	"one that is no number is wrong"

done_testing
