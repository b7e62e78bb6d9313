#!/usr/bin/env bash
# What a reader's kernel computes: how its problem is recognised, its answer
# checked, and what is said of one that is not known.
. "$srcdir/tests/tap.sh"

tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
file=$srcdir/tests/kernels/problems.cu

# report KERNEL OPTIONS...: "PROBLEM CHECKED FLOPS: ANSWER", or why not.
report() {
	entry=$1
	shift
	"$builddir/gemmviz" report "$file" --entry "$entry" --json "$@" \
		>"$tmp/report" 2>"$tmp/errors"
	echo $? >"$tmp/status"
	sed 's/.*"problem":"\([^"]*\)","checked":\([a-z]*\),"answer":"\([^"]*\)".*"flops":\([^,]*\),.*/\1 \2 \4: \3/' \
		"$tmp/report"
	sed 's/^gemmviz: //' "$tmp/errors"
}
status() { cat "$tmp/status"; }
# What is found of a wrong result, without the numbers.
found() {
	sed -n 's/.*"kind":"wrong-result".*elements of \([^"]*\)".*/\1/p' \
		"$tmp/report"
}
matrix="--block 16x16 --grid 4x4"
unknown="unknown false null: not checked: what the kernel computes is\
 not known; name it with --problem"

# shellcheck disable=SC2086
{
	wide="--block 16x16 --grid 3x2 -m 32 -n 48"
	is "$(report transpose $wide)" \
		"transpose true 0: B = transpose of A checked" \
		"a transpose is known by its name"
	is "$(status)" 0 "and right"
	is "$(report transpose $wide -D WRONG=1)" "$unknown" \
		"a wrong one is not accused of what its name suggests"
	is "$(status)" 0 "nothing is found"
	is "$(report transpose $wide -D WRONG=1 --problem transpose)" \
		"transpose false 0: compared, and wrong" \
		"unless it was said to be one"
	is "$(status) $(found)" \
		"1 out are wrong, if out is to be the transpose of the input" \
		"then it is found"
	is "$(report turned $matrix)" \
		"transpose true 0: B = transpose of A checked" \
		"one without a telling name is known by its answer"
	is "$(report turned --block 16x16 --grid 3x2 -m 32 -n 48 \
		--problem transpose)" \
		"transpose true 0: B = transpose of A checked" \
		"and at any size when it is said"
	is "$(report turned $wide --problem transpose -D WRONG=1)" \
		"transpose false 0: compared, and wrong" \
		"whole numbers, one too many"
	is "$(status) $(found)" \
		"1 y are wrong, if y is to be the transpose of the input" \
		"are wrong"

	is "$(report 'softmax<float>' --block 32 --grid 1 -m 20 -n 50)" \
		"softmax true 4000: each row of the softmax checked" \
		"a softmax of floats"
	is "$(report 'softmax<half>' --block 32 --grid 1 -m 20 -n 50)" \
		"softmax true 4000: each row of the softmax checked" \
		"of halves"
	is "$(report 'softmax<double>' --block 32 --grid 1 -m 20 -n 50 \
		--problem softmax)" \
		"softmax true 4000: each row of the softmax checked" \
		"of doubles with sums of floats: checked"
	is "$(report 'softmax<float>' --block 32 --grid 1 -m 20 -n 50 \
		--problem softmax -D WRONG=1)" \
		"softmax false 4000: compared, and wrong" \
		"a wrong one"
	is "$(status) $(found)" \
		"1 y are wrong, if y is to be the softmax of each row of the input" \
		"is found"

	is "$(report halves $matrix -k 512)" \
		"gemm true 4194304: C = A B checked, B by columns" \
		"sums of halves round, and are right"
	is "$(report halves $matrix -k 512 -D WRONG=1 >/dev/null; found)" \
		"C are wrong, if C is to be A B, by rows or by columns" \
		"with a product too many they are wrong"
	is "$(report relu $matrix)" "gemm true 524288: C = max(A B, 0) checked" \
		"an activation is no mistake"
	is "$(report whole $matrix)" "gemm true 524288: C = A B checked" \
		"whole numbers"
	is "$(report whole $matrix -D WRONG=1 >/dev/null; found)" \
		"C are wrong, if C is to be A B, by rows or by columns" \
		"are compared, too"
	for type in float double int 'unsigned char' __half; do
		is "$(report "multiply<$type>" $matrix -k 64)" \
			"gemm true 524288: C = A B checked" \
			"a product of $type is known by its answer"
	done
	is "$(report 'multiply<float>' $matrix -D WRONG=1)" "$unknown" \
		"a wrong one that may be something else is not accused"
	is "$(report 'multiply<double>' $matrix -D WRONG=1 --problem gemm \
		>/dev/null; found)" \
		"z are wrong, if z is to be A B, by rows or by columns" \
		"unless it was said to be one"

	is "$(report add --block 256 --grid 16)" "$unknown" \
		"of what is not known there are no FLOP"
	is "$(report add --block 256 --grid 16 --problem unknown)" "$unknown" \
		"nor of what is said to be unknown"
	is "$(report whole $matrix --blocks 0,0)" \
		"gemm false 32768: not checked: only a part of the launch\
 was recorded" "a part of the blocks is not judged"
	is "$(report add --block 256 --grid 16 --problem transpos)" \
		"there is no problem transpos; did you mean transpose?" \
		"a problem that there is none of"
}
like "$("$builddir/gemmviz" report "$file" --entry add --block 256 --grid 16)" \
	'n/a FLOP, .* n/a FLOP/byte' "the report says n/a"
like "$("$builddir/gemmviz" report naive --lang zh)" 'C = A B' \
	"a kernel of the table is checked, in Chinese as well"

done_testing
