#!/usr/bin/env bash
# Advice: each consequence against what the changed kernel is recorded to do.
. "$srcdir/tests/tap.sh"

tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
file=$srcdir/tests/kernels/advice.cu

# advice WHAT...: kind, line, array, counts, what came of trying it, a line each.
advice() {
	"$builddir/gemmviz" report "$@" --json >"$tmp/report.json" 2>&1
	perl -MJSON::PP -e '
		for (@{decode_json(<>)->{advice}}) {
			print join(" ", $_->{kind}, $_->{line} // "-",
				   $_->{array} // "-",
				   (map { "$_->{unit} $_->{before} $_->{after}" }
				    @{$_->{counts}}),
				   $_->{tried} ? ("tried $_->{tried}{after}",
						  $_->{tried}{answer}) : ()),
			      "\n"
		}' "$tmp/report.json"
}

# own ENTRY OPTIONS...
own() {
	entry=$1
	shift
	advice "$file" --entry "$entry" "$@"
}

# total MEMBER WHAT...: a total of a report.
total() {
	member=$1
	shift
	"$builddir/gemmviz" report "$@" --json |
		perl -MJSON::PP -e 'print decode_json(<STDIN>)->{totals}{'"$member"'}'
}

# shared WHAT ARRAY: the wavefronts of an array.
shared() {
	"$builddir/gemmviz" report "$1" --json | perl -MJSON::PP -e '
		$n += $_->{array} eq "'"$2"'" ? $_->{wavefronts} // 0 : 0
			for @{decode_json(<STDIN>)->{sites}};
		print $n'
}

# line WORDS: where they stand.
line() {
	grep -nF "$1" "$file" | cut -d: -f1
}

if ! perl -MJSON::PP -e 1 2>/dev/null; then
	skip "advice" "no perl with JSON::PP"
	done_testing
	exit
fi

# A pitch is what the padded kernel is recorded to take.
is "$(advice tiled_bt)" "pitch 24 Bs wavefronts $(shared tiled_bt Bs) \
$(shared tiled_bt_pad Bs) tried $(shared tiled_bt_pad Bs) right" \
	"tiled_bt: the pitch of tiled_bt_pad, with its count"
is "$(advice tiled_bt_pad)" "" "tiled_bt_pad: nothing is left"
is "$(advice tiled_bt | wc -l)" 1 "one array, one piece"

# The other order of threads is the other kernel.
sectors() {
	echo $(($(total global_load_sectors "$@") +
		$(total global_store_sectors "$@")))
}
like "$(advice naive_swapped)" "^exchange 22 A sectors \
$(sectors naive_swapped) $(sectors naive) tried $(sectors naive) right\$" \
	"naive_swapped: exchanged, it counts as naive does"
like "$(advice naive -D BLOCK=16)" '^share 23 B sectors 16384 2048$' \
	"naive: a tile of B in shared memory"
is "$(total global_load_sectors tiled -D TILE=16)" 4096 \
	"tiled loads as many of A and of B"
like "$(advice naive)" '^vector 23 A requests 8192 2048 sectors 16384 4096$' \
	"naive: four of A as a float4"

for k in tiled padded double_buffered sgemm hgemm warptile mma; do
	is "$(advice "$k")" "" "$k: nothing to advise"
done

# Where a barrier must stand.
is "$(advice bug_first_barrier)" "barrier-missing 40 As races 276480 0 \
tried 0 right" "the first barrier of a turn: before the loop that reads"
is "$(advice bug_second_barrier)" "barrier-missing 42 As races 207360 0 \
tried 0 right" "the second: at the end of the loop"

is "$(own idle --block 256 --grid 1 | grep barrier)" \
	"barrier-idle $(($(line "float y = s") - 1)) - barriers 8 0" "a barrier that orders nothing"
is "$(own needed --block 256 --grid 1)" "" "barriers that all are needed"
is "$(own valued --block 64 --grid 1 | grep barrier)" "" \
	"barriers between reads that are not recorded"
is "$(own once --block 256 --grid 1)" "" "one turn of a loop shows nothing"

is "$(own full --block 128 --grid 1 | grep swizzle)" \
	"swizzle $(line "s[96][128]") s wavefronts 12672 768" "no room for a pitch: a swizzle"
is "$(own flat --block 32x32 --grid 1 | grep pitch)" \
	"pitch $(line "s[32][32]") s wavefronts 1056 64 tried 1056 unchecked" \
	"what is not so is seen when it is tried"
like "$("$builddir/gemmviz" report "$file" --entry flat --block 32x32 --grid 1 |
	tr -s ' \n' ' ')" 'recording the change gives 1056: other places must change, too' \
	"and said"
is "$(own quads --block 64 --grid 4 | sort)" \
	"vector $(line "C[t * 4") A requests 32 8 sectors 512 128
vector $(line "C[t * 4") C requests 32 8 sectors 512 128" "four loads and four stores a lane"
is "$(own threes --block 64 --grid 4)" "" "three are not four"
is "$(own sums --block 32x32 --grid 1 | grep exchange)" "" \
	"a warp that is a warp is not regrouped"

# A recording from a file: the same advice, nothing tried.
"$builddir/gemmviz" record tiled_bt -o "$tmp/t.gvt" >/dev/null
is "$(advice "$tmp/t.gvt")" "pitch 24 Bs wavefronts 270336 8448" \
	"of a file, nothing is tried"
like "$("$builddir/gemmviz" report "$tmp/t.gvt" | sed -n '/^Findings/,$p' | tr -s ' \n' ' ')" \
	'line 24, advice, [0-9]+ % of the cost: declare Bs\[32\]\[33\] instead of \[32\]\[32\]: shared wavefronts 270336 -> 8448' \
	"as text"

done_testing
