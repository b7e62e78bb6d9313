#!/bin/bash
# gemmviz calibrate on a real GPU: its answer agrees with what was counted of
# all patterns, and takes less than a minute.
. "$srcdir/tests/tap.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$builddir" || exit

if [ ! -x gemmviz-gpu ]; then
	skip "a GPU that is calibrated" "built without CUDA"
	done_testing
	exit
fi
# json EXPRESSION: of the calibration, $_.
json() {
	perl -MJSON::PP -0777 -e \
		'$_ = JSON::PP->new->decode(<STDIN>); print eval $ARGV[0]' \
		"$1" <"$tmp/own.json"
}

begin=$SECONDS
./gemmviz calibrate -o "$tmp/own.json" >"$tmp/out" 2>"$tmp/err"
status=$?
if [ $status -eq 6 ]; then
	skip "a GPU that is calibrated" "no GPU"
	done_testing
	exit
fi
is "$status $(cat "$tmp/err")" "0 " "the GPU is as the model says"
sed 's/^/# /' "$tmp/out"
ok $((SECONDS - begin >= 60)) "in less than a minute"
is "$(json 'my $n = 0; $n += $_->{patterns} for @{$_->{rules}}; $n')" \
	"$(grep -c . "$srcdir/data/access-h200.jsonl")" "all patterns were run"
is "$(json 'join " ", grep { $_ } map { $_->{space} ne "global" && $_->{worst} >
	0.2 } @{$_->{rules}}')" "" "shared memory to a fifth of a wavefront"
is "$(json 'my @c = map { $_->{cycles} } @{$_->{levels}};
	"@c" eq join " ", sort { $a <=> $b } @c')" 1 \
	"each level takes longer than the one above"
done_testing
