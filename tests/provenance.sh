#!/usr/bin/env bash
# What an element of C was made of, for every kernel of the table: each k once,
# the right elements, their products adding up to what was stored, by way of
# threads that did load and store them.
. "$srcdir/tests/tap.sh"

tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit
gemmviz="$builddir/gemmviz"

if ! perl -MJSON::PP -e 1 2>/dev/null; then
	skip "provenance" "perl's JSON::PP is missing"
	done_testing
	exit
fi

# check K: what is wrong with the JSON in the file json; nothing if all holds.
check() {
	perl -MJSON::PP -e '
	local $/;
	my $p = decode_json(<STDIN>);
	my ($k, $i, $j) = ($ARGV[0], @{$p->{element}});
	my ($sum, %seen, %bad) = (0);
	for my $s (@{$p->{steps}}) {
		my ($x, $y) = ($s->{a}, $s->{b});
		# Beyond K are the zeros of a matrix that was padded.
		$bad{k}++ if $seen{$s->{k}}++ ||
			($s->{k} >= $k && $s->{product} != 0);
		$bad{element}++ if "@{$x->{element}}" ne "$i $s->{k}" ||
			"@{$y->{element}}" ne "$s->{k} $j";
		$sum += $x->{value} * $y->{value};
		$bad{sum}++ if $sum != $s->{sum};
		for my $o (grep { $_->{shared} } $x, $y) {
			my $by = $o->{shared};
			$bad{way}++ if $by->{request} <= $o->{request} ||
				"@{$by->{stored_by}}" ne "@{$o->{loaded_by}}";
		}
	}
	$bad{steps}++ if grep { !$seen{$_} } 0 .. $k - 1;
	$bad{value}++ if $sum != $p->{value};
	$bad{finding}++ if @{$p->{findings}};
	print join(" ", sort keys %bad);' "$1" <json
}

# right KERNEL M N K I,J OPTION...
right() {
	local kernel=$1 m=$2 n=$3 k=$4 element=$5
	shift 5
	if ! timeout 100 "$gemmviz" provenance "$kernel" "$element" -m "$m" \
		-n "$n" -k "$k" "$@" --json >json 2>err; then
		ok 1 "$kernel $m $n $k: C[$element]"
		sed 's/^/#   /' err json | cut -c1-400
		return
	fi
	is "$(check "$k")" "" \
		"$kernel $m $n $k: C[$element]"
}

# fails STATUS PATTERN ARGUMENT...
fails() {
	local want=$1 pattern=$2 status
	shift 2
	timeout 100 "$gemmviz" provenance "$@" >out 2>err
	status=$?
	is "$status" "$want" "provenance $*: status"
	like "$(cat out err)" "$pattern" "provenance $*: why"
}

# The table's kernels, each with what it must be.
"$gemmviz" list --json | perl -MJSON::PP -0777 -ne '
	print $_->{museum} ? "wrong" : "right", " $_->{name}\n"
		for @{decode_json($_)->{kernels}}' >kernels
tried=0
while read -r kind kernel; do
	if [ "$kind" = wrong ]; then
		k=40	# no multiple of a tile, where that is allowed
		"$gemmviz" provenance "$kernel" 3,4 -k $k >out 2>&1
		[ $? -eq 2 ] && k=48
		fails 1 '^wrong: |stores C\[3\]\[4\]: ' "$kernel" 3,4 -k $k
		continue
	fi
	tried=$((tried + 1))
	"$gemmviz" provenance "$kernel" 0,0 -m 64 -n 128 -k 64 >out 2>err
	if [ $? -eq 3 ]; then
		like "$(cat err)" 'moves many elements at once' \
			"$kernel has TMA and wgmma move them"
		continue
	fi
	if "$gemmviz" provenance "$kernel" 0,0 -m 70 -n 75 -k 21 \
		>out 2>err; then
		right "$kernel" 70 75 21 69,74
		right "$kernel" 70 75 21 0,74
		right "$kernel" 70 75 21 69,0
		right "$kernel" 33 100 50 30,64
	else
		grep -q 'must be' err
		ok $? "$kernel takes whole tiles only"
	fi
	right "$kernel" 128 256 48 71,133
	right "$kernel" 64 128 64 5,7
done <kernels
[ "$tried" -gt 3 ]
ok $? "$tried kernels"
right wmma 32 32 32 1,0
right wmma 48 80 48 1,70
right naive 1 1 1 0,0
right tiled 1 1 1 0,0
right naive_swapped 100 40 7 99,39 -D BLOCK=8
right tiled 65 65 65 64,64 -D TILE=32
right naive 64 64 16 9,9 --blocks 0,0

# For people: the header, the steps (cut, or all of them), the totals.
"$gemmviz" provenance tiled 5,7 >out
is $? 0 "for people"
like "$(head -n 1 out)" '^C\[5\]\[7\] = -?[0-9]+, stored by thread \(7,5\) of block \(0,0\), line 47$' "the store"
is "$(grep -c ' A\[5\]\[' out)" 12 "64 steps are cut to 12"
grep -q '^52 of 64 multiply-adds are not shown' out
ok $? "which is said"
"$gemmviz" provenance register_tiled_fast 500,777 -m 1024 -n 1024 -k 1024 \
	>wide
is "$?:$(awk 'length > 80' wide)" "0:" "80 columns, and large matrices"
"$gemmviz" provenance tiled 5,7 --all >out
is "$(grep -c ' A\[5\]\[' out)" 64 "with --all none is"
grep -q '^loads from global memory: 128, 120 of them by other threads' out
ok $? "loads by others"

# A trace that is there already; it need not hold the element.
"$gemmviz" record tiled -m 20 -n 24 -k 8 -o t.gvt >log
"$gemmviz" provenance t.gvt 19,23 --json >json
is "$(check 8)" "" "of a trace"
"$gemmviz" record tiled --blocks 1,0 -o part.gvt >log
fails 3 'of the part of tiled that was recorded stores C\[0\]\[0\]' \
	part.gvt 0,0
"$gemmviz" record tiled --no-values -o none.gvt >log
fails 3 'has no values' none.gvt 0,0
"$gemmviz" record "$srcdir/tests/kernels/ring.cu" -m 64 -n 128 -k 64 \
	--block 256 --grid 2x1 -o ring.gvt >log
fails 3 'line 55 of ring moves many elements at once' ring.gvt 0,0

# Files of readers; gpu_wrong leaves out the last product of C[0][0].
wrong="$srcdir/tests/kernels/gpu_wrong.cu"
fails 1 'products are missing, 1 of 64; the first is A\[0\]\[63\]' "$wrong" \
	0,0 --block 16x16 --grid 4x4
right "$wrong" 64 64 64 0,1 --block 16x16 --grid 4x4
cat >nothing.cu <<-'EOF'
	__global__ void nothing(const float *A, const float *B, float *C,
	                        int M, int N, int K)
	{
	    if (threadIdx.x)
	        C[threadIdx.x] = A[threadIdx.x] * B[threadIdx.x];
	}
EOF
fails 1 'no thread of nothing stores C\[0\]\[0\]' nothing.cu 0,0 --block 32 \
	--grid 1
fails 2 'block and the grid' nothing.cu 0,0

fails 2 'there is no C\[64\]\[0\]' naive 64,0
fails 2 'there is no C\[3\]\[5\]' naive 3,5 -n 5
fails 2 'such as 5,7, not .5.' naive 5
fails 2 'such as 5,7' naive 5,-1
fails 2 'are wanted' naive
fails 2 'did you mean naive' nave 0,0
fails 2 'must be multiples of 64' float4 0,0 -m 5
fails 3 'No such file' none-such.gvt 0,0

done_testing
