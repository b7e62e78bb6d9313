#!/bin/bash
# What the model counts of the ladder, data/ladder.jsonl, is what it counts of
# the kernels as they are now.
# sanitized: nightly
. "$srcdir/tests/tap.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
GEMMVIZ=$builddir/gemmviz bash "$srcdir/bench/ladder_data.sh" "$tmp/now"
is $? 0 "the ladder is recorded"

# counts FILE: its kernels, and the sites of each without column and order:
# which column a copy's store has is the compiler's word.
counts() {
	perl -MJSON::PP -ne '
		my $json = JSON::PP->new->canonical;
		my $k = $json->decode($_);
		my @sites = @{delete $k->{sites}};
		delete $_->{column} for @sites;
		print "$_\n" for $json->encode($k), sort map {
			"$k->{kernel} " . $json->encode($_) } @sites' "$1"
}
counts "$srcdir/data/ladder.jsonl" >"$tmp/kept"
counts "$tmp/now" | diff "$tmp/kept" - >"$tmp/diff"
is $? 0 "data/ladder.jsonl says what the model counts now (bench/ladder_data.sh)"
sed 's/^/# /' "$tmp/diff" | cut -c1-300 | head -n 6
done_testing
