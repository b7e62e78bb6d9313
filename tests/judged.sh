# Judges the kernels of tests/judged, right ones that look wrong and wrong ones that
# look right, as data/verdicts.tsv says. With each commit a quarter of the files;
# with JUDGED=all, as in make nightly, all.
# covers: emu cudart analysis
. "$srcdir/tests/tap.sh"

tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
table=$srcdir/data/verdicts.tsv
rows() { grep -v '^#' "$table" | tail -n +2; }
number=$(git -C "$srcdir" rev-list --count HEAD 2>/dev/null || echo 0)
quarter=$((number % 4))

is "$(rows | awk -F'\t' '$3 == "right" { r++ } $3 == "wrong" { w++ }
	END { print (r >= 60 && w >= 60) }')" 1 "60 kernels are right, and 60 wrong"
is "$(rows | awk -F'\t' 'NF != 6 || ($3 == "wrong") != ($4 == "wrong")')" "" \
	"no verdict is against what the kernel is"
for kind in $(rows | cut -f 1 | uniq); do
	grep -q "^#   $kind " "$table"
	is $? 0 "$kind: the kind is explained"
	is "$(sed -n 's/^ *RUN(\([a-z_0-9]*\),.*/\1/p' "$srcdir/tests/judged/$kind.cu")" \
		"$(rows | awk -F'\t' -v k="$kind" '$1 == k { print $2 }')" \
		"$kind: each kernel has a row"
done

# verdict KIND KERNEL: prints the exit status, the verdict and its reason.
verdict() {
	"$builddir/gemmviz" report --json "$srcdir/tests/judged/$1.cu" "$2" \
		>"$tmp/report" 2>"$tmp/said"
	printf '%s ' $?
	perl -MJSON::PP -0777 -ne 'my $j = decode_json($_);
		print "$j->{verdict}: $j->{verdict_why}"' "$tmp/report" ||
		cat "$tmp/said"
}
at=0 last=
while IFS='	' read -r kind kernel is verdict reason _; do
	[ "$kind" = "$last" ] || at=$((at + 1))
	last=$kind
	[ "${JUDGED-}" = all ] || [ $((at % 4)) -eq $quarter ] || continue
	status=0
	[ "$is" = wrong ] && status=1
	like "$(verdict "$kind" "$kernel")" "^$status $verdict: .*$reason" \
		"$kind: $kernel is $is"
done <<END
$(rows)
END
done_testing
