#!/bin/bash
# What the model counts of the ladder, data/ladder.jsonl, is what it counts of
# the kernels as they are now.
. "$srcdir/tests/tap.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
GEMMVIZ=$builddir/gemmviz bash "$srcdir/bench/ladder_data.sh" "$tmp/now"
is $? 0 "the ladder is recorded"
diff "$srcdir/data/ladder.jsonl" "$tmp/now" >"$tmp/diff"
is $? 0 "data/ladder.jsonl says what the model counts now (bench/ladder_data.sh)"
sed 's/^/# /' "$tmp/diff" | cut -c1-300 | head -n 6
done_testing
