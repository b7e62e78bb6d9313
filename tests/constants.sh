#!/usr/bin/env bash
# Constant memory: it is apart from global memory, and has a cost of its own.
. "$srcdir/tests/tap.sh"

tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
kernel=$srcdir/tests/kernels/constants.cu

"$builddir/gemmviz" report "$kernel" --block 32 --grid 1 >"$tmp/report"
is "$?" 0 "constants have no races, and are not unwritten"
is "$(sed -n '/^Global/,/^$/p' "$tmp/report" | grep -o '[a-z]* *ld.*')" \
	"in     ld      4         1        4      4
scale  ld      4         1        1      1" \
	"of the variables, only the one in global memory is counted there"
is "$(sed -n '/^Constant/,/^$/p' "$tmp/report")" "Constant memory
   line  array    op  bytes  requests  passes  ideal
  11:16  weights  ld      4         8       8      8
  12:48  order    ld      4         1      32      1
  13:24  order    ld      4         1       2      1" \
	"a pass for each different word of a warp"
like "$(tr -s ' \n' ' ' <"$tmp/report")" \
	'line 12, serialized, [0-9]+ % of the cost: Loading from order takes 32 passes where 1 would' \
	"many words are a finding"
like "$("$builddir/gemmviz" report "$kernel" --block 32 --grid 1 --json)" \
	'"constant_load_requests":10,"constant_load_passes":42' "for programs"
"$builddir/gemmviz" record "$kernel" --block 32 --grid 1 -o "$tmp/c.gvt" \
	>/dev/null
like "$("$builddir/gemmviz" view "$tmp/c.gvt" --plain)" \
	'Constant memory takes 32 passes, one for each different word' \
	"a step says what it costs"
is "$("$builddir/gemmviz" view "$tmp/c.gvt" --plain | grep -c 'sector')" 3 \
	"without sectors"
is "$("$builddir/gemmviz" access constant 4 'lane % 5 * 4' --json |
	grep -o '"passes":.*')" '"passes":5}' "the calculator knows it"
"$builddir/gemmviz" access constant 4 'lane' --store >/dev/null 2>&1
is "$?" 2 "and that nothing is stored there"
done_testing
