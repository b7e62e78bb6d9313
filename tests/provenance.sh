#!/usr/bin/env bash
# What an element of C was made of, for every kernel of the table: each k once,
# the right elements, their products adding up to what was stored, by way of
# threads that did load and store them; and where boxes of TMA and wgmma move
# them, in the places that these have them in. `provenance.sh NAME` asks only of
# kernels whose name, or whose file's, has NAME in it.
# sanitized: nightly
. "$srcdir/tests/tap.sh"
only=${1-}

tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit
gemmviz="$builddir/gemmviz"

if ! perl -MJSON::PP -e 1 2>/dev/null; then
	skip "provenance" "perl's JSON::PP is missing"
	done_testing
	exit
fi

# check K [SLACK]: what is wrong with the JSON in the file json; nothing if all
# holds.
check() {
	perl -MJSON::PP -e '
	local $/;
	my $p = decode_json(<STDIN>);
	my ($k, $i, $j) = ($ARGV[0], @{$p->{element}});
	my ($sum, $size, %seen, %bad) = (0, 0);
	for my $s (@{$p->{steps}}) {
		my ($x, $y) = ($s->{a}, $s->{b});
		# Beyond K are the zeros of a matrix that was padded.
		$bad{k}++ if $seen{$s->{k}}++ ||
			($s->{k} >= $k && $s->{product} != 0);
		$bad{element}++ if "@{$x->{element}}" ne "$i $s->{k}" ||
			"@{$y->{element}}" ne "$s->{k} $j";
		$sum += $x->{value} * $y->{value};
		$size += abs $x->{value} * $y->{value};
		$bad{sum}++ if abs($sum - $s->{sum}) > $size * ($ARGV[1] && 1e-6);
		for my $o (grep { $_->{shared} } $x, $y) {
			my $by = $o->{shared};
			$bad{way}++ if $by->{request} <= $o->{request} ||
				"@{$by->{stored_by}}" ne "@{$o->{loaded_by}}";
			$bad{early}++ if $by->{request} >= $o->{read_request} &&
				"@{$by->{stored_by}}" eq "@{$o->{read_by}}";
		}
		next if $x->{read_with} ne "wgmma";
		# One product of 16 k; rows of 64 halves, swizzled by 128 bytes.
		# Turned round, it is of columns of B by rows of A.
		my $turned = $y->{read_request} < $x->{read_request};
		$bad{product}++ if $y->{read_with} ne "wgmma" ||
			abs($y->{read_request} - $x->{read_request}) != 1 ||
			$x->{tile}[1] != $s->{k} % 16 ||
			$y->{tile}[0] != $s->{k} % 16;
		for ([$x, $i, $s->{k}], [$y, $s->{k}, $j]) {
			my ($o, $row, $column) = @$_;
			$bad{swizzle}++ if $o->{shared}{address} % 128 !=
				($column % 64 * 2 ^ $row % 8 * 16);
			$bad{tma}++ if $o->{loaded_with} ne "tma-ld" ||
				$o->{loaded_by}[0] != 0;
		}
		# PTX ISA, the accumulators of wgmma.m64nNk16.
		my ($r, $c) = ($x->{tile}[0], $y->{tile}[1]);
		($r, $c) = ($c, $r) if $turned;
		my $d = $p->{register};
		$bad{register}++ if !$d || $d->{lane} !=
			$r % 8 * 4 + $c % 8 / 2 - $c % 2 / 2 ||
			$d->{warp} % 4 != ($r - $r % 16) / 16 ||
			(@{$d->{index}} > 1 &&
			 $d->{index}[-2] != ($c - $c % 8) / 8) ||
			$d->{index}[-1] != $c % 2 + ($r % 16 > 7 ? 2 : 0);
	}
	$bad{steps}++ if grep { !$seen{$_} } 0 .. $k - 1;
	# Sums are rounded to what C can hold; all but bfloat16 holds these.
	$bad{value}++ if abs($sum - $p->{value}) > $size * $ARGV[1];
	$bad{finding}++ if @{$p->{findings}};
	my $loads = 2 * @{$p->{steps}};
	my $tma = grep { $_->{loaded_with} eq "tma-ld" }
		map { $_->{a}, $_->{b} } @{$p->{steps}};
	$bad{totals}++ if $p->{totals}{multiply_adds} != $loads / 2 ||
		$p->{totals}{global_loads} != $loads ||
		$p->{totals}{tma_loads} != $tma;
	print join(" ", sort keys %bad);' "$1" "${2-0}" <json
}

# alike: whether the text in the file out, with --all, says of each step what
# the JSON in the file json does.
alike() {
	perl -MJSON::PP -e '
	local $/;
	open my $f, "<", "json"; my $p = decode_json(<$f>);
	open $f, "<", "out"; my @lines = split /\n/, <$f>;
	my @rows = grep { /^ *(\d+ +\d+ +A|B)\[/ } @lines;
	my $name = sub { $_[0]{array} . join "", map "[$_]", @{$_[0]{index}} };
	my $bad = @rows != 2 * @{$p->{steps}};
	for my $s (@{$p->{steps}}) {
		for (["A", $s->{a}, ""], ["B", $s->{b}, "* "]) {
			my ($m, $o, $times) = @$_;
			my $row = shift @rows;
			my @want = ($m . "[$o->{element}[0]][$o->{element}[1]]",
				"($o->{loaded_by}[0],", "$o->{line} ");
			push @want, $name->($o->{shared}) . " "
				if $o->{shared};
			push @want, " $times" . ($o->{value} + 0);
			push @want, " " . ($s->{sum} + 0) if $m eq "B";
			my $want = join ".*", map quotemeta, @want;
			$bad++ if $row !~ /$want$/;
		}
	}
	my $all = join "\n", @lines;
	my $d = $p->{register};
	$bad++ if $d && index($all, "Its sum was in " . $name->($d) .
		" of thread ($d->{thread}[0],") < 0;
	my $w = $p->{through};
	$bad++ if $w && index($all, "from " . $name->($w) .
		", put there by $w->{stored_with} in line $w->{line}.") < 0;
	exit !!$bad'
}

# asked KERNEL: whether that one is.
asked() {
	[[ $1 = *$only* ]]
}

# right KERNEL M N K I,J OPTION...
right() {
	local kernel=$1 m=$2 n=$3 k=$4 element=$5 slack=0
	asked "$kernel" || return
	shift 5
	# A file's inputs are fractions, whose sums are rounded.
	[[ $kernel = *.cu ]] && slack=0.000001
	[[ " $*" = *EXPONENT=8* ]] && slack=0.004
	if ! "$gemmviz" provenance "$kernel" "$element" -m "$m" \
		-n "$n" -k "$k" "$@" --json >json 2>err; then
		ok 1 "$kernel $m $n $k: C[$element]"
		sed 's/^/#   /' err json | cut -c1-400
		return
	fi
	is "$(check "$k" "$slack")" "" "$kernel $m $n $k: C[$element]"
}

# fails STATUS PATTERN ARGUMENT...
fails() {
	local want=$1 pattern=$2 status
	asked "$3" || return
	shift 2
	"$gemmviz" provenance "$@" >out 2>err
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
	asked "$kernel" || continue
	[ -n "$only" ] || in_turn 3 || continue
	if [ "$kind" = wrong ]; then
		k=40	# no multiple of a tile, where that is allowed
		"$gemmviz" provenance "$kernel" 3,4 -k $k >out 2>&1
		[ $? -eq 2 ] && k=48
		# Threads go home early only where C is no multiple of a tile;
		# who goes is not who stores C[3][4], but who brings for it.
		odd=()
		[ "$kernel" = bug_early_return ] && odd=(-m 10 -n 10)
		fails 1 '^wrong: |stores C\[3\]\[4\]: ' "$kernel" 3,4 -k $k \
			"${odd[@]}"
		continue
	fi
	tried=$((tried + 1))
	sizes=0
	for size in "70 75 21" "72 136 40" "128 256 64"; do
		read -r m n k <<<"$size"
		if ! "$gemmviz" provenance "$kernel" 0,0 -m "$m" -n "$n" \
			-k "$k" --all >out 2>err; then
			grep -q 'must be' err
			ok $? "$kernel takes no $m $n $k"
			continue
		fi
		sizes=$((sizes + 1))
		right "$kernel" "$m" "$n" "$k" 0,0
		alike
		ok $? "$kernel $m $n $k: as text"
		right "$kernel" "$m" "$n" "$k" "$((m - 1)),$((n - 1))"
		right "$kernel" "$m" "$n" "$k" "0,$((n - 1))"
		right "$kernel" "$m" "$n" "$k" "$((m - 1)),0"
		right "$kernel" "$m" "$n" "$k" "$((m * 4 / 7)),$((n * 3 / 7))"
	done
	[ "$sizes" -gt 0 ]
	ok $? "$kernel takes one of the sizes"
done <kernels
[ -n "$only" ] || [ "$tried" -gt 3 ]
ok $? "$tried kernels"
right wmma 32 32 32 1,0
# More than a tile of C for each block of a cluster, each of which brings half
# of B's rows to both; and bfloat16.
for element in 0,0 519,263 300,129 255,0 130,127; do
	right hgemm 520 264 72 "$element" --grid 2x1
	right hgemm 520 264 72 "$element" -D EXPONENT=8
done
if asked hgemm; then
	perl -MJSON::PP -0777 -ne '
		my $t = decode_json($_)->{totals};
		exit !($t->{tma_loads} == 144 &&
			$t->{tma_loads_by_other_blocks} == 32)' json
	ok $? "rows 32 to 63 of B were brought by the other block"
fi
# The first row behind a box that another block stores later.
right hgemm 520 264 72 256,0 --grid 2x1
right hgemm 264 136 200 263,135 -D SLABS=1
# Blocks that share a tile of C: each has some of the k, and leaves its sums in
# global memory, for one of them or for all of them, or in the shared memory of
# its cluster.
few="-D BM=64 -D BN=32 -D BK=8"
for element in 0,0 20,9; do
	# shellcheck disable=SC2086
	right sgemm 64 32 192 "$element" $few --grid 2
	# shellcheck disable=SC2086
	right sgemm 64 32 384 "$element" $few --grid 6
	right hgemm 512 128 2048 "$element" -D SPLIT=2 --grid 4
	right hgemm 256 128 320 "$element" -D DEEP=2
done
if asked hgemm; then
	perl -MJSON::PP -0777 -ne '
		my $p = decode_json($_);
		my @by = map { join ",", @{$_->{block}} } @{$p->{steps}};
		my $own = join ",", @{$p->{block}};
		my $others = grep { $_ ne $own } @by;
		exit !($others == $p->{totals}{multiply_adds_by_other_blocks} &&
		       $others >= 128 && $others <= 192)' json
	ok $? "a block multiplied the other one's k"
fi
split="$srcdir/tests/kernels/split.cu"
right "$split" 16 16 32 3,5 --block 16x16 --grid 2
fails 1 '^wrong: products are missing, 16 of 32' "$split" 3,5 --block 16x16 \
	--grid 2 -m 16 -n 16 -k 32 -D BUG=1
right tma_pipeline 300 136 200 299,130 -D EXPONENT=8
ring="$srcdir/tests/kernels/ring.cu"
right "$ring" 64 128 320 63,127 --block 256 --grid 2x1
fails 1 '^wrong: ' "$ring" 40,3 --block 256 --grid 2x1 -m 64 -n 128 -k 320 \
	-D BUG=5
right wmma 48 80 48 1,70
right naive 1 1 1 0,0
right tiled 1 1 1 0,0
right naive_swapped 100 40 7 99,39 -D BLOCK=8
right tiled 65 65 65 64,64 -D TILE=32
right naive 64 64 16 9,9 --blocks 0,0
if [ -n "$only" ]; then
	done_testing
	exit
fi

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
# One of a recorder that does not tell what boxes have in them.
"$gemmviz" record wgmma_basic -m 64 -n 128 -k 64 -o boxes.gvt >log
"$gemmviz" dump boxes.gvt | sed 's/^\(site .*\) tile .*/\1/' >boxes.txt
"$gemmviz" dump --parse boxes.txt -o first.gvt >log
fails 3 'line 47 of wgmma_basic moves many elements at once' first.gvt 0,0

# Files of readers; gpu_wrong leaves out the last product of C[0][0].
wrong="$srcdir/tests/kernels/gpu_wrong.cu"
fails 1 'products are missing, 1 of 64; the first is A\[0\]\[63\]' "$wrong" \
	0,0 --block 16x16 --grid 4x4
right "$wrong" 64 64 64 0,1 --block 16x16 --grid 4x4

# Matrices stored by columns: C(i,j) elsewhere, and so in other blocks.
turned() {
	cat >turned.cu <<-EOF
		__global__ void turned(const float *A, const float *B, float *C,
		                       int M, int N, int K)
		{
		    int i = blockIdx.x * blockDim.x + threadIdx.x;
		    int j = blockIdx.y * blockDim.y + threadIdx.y;
		    float sum = 0;

		    for (int k = 0; i < M && j < N && k < K; k++)
		        sum += A[$2] * B[$3];
		    if (i < M && j < N)
		        C[$4] = sum;
		}
	EOF
	right turned.cu 48 32 20 21,30 --block 16x16 --grid 3x2
	like "$(cat json)" "\"by_columns\":\[$1\]" "stored by columns: $1"
}
rows=('i * K + k' 'k * N + j' 'i * N + j')
columns=('k * M + i' 'j * K + k' 'j * M + i')
turned '' "${rows[@]}"
turned '"A"' "${columns[0]}" "${rows[@]:1}"
turned '"B"' "${rows[0]}" "${columns[1]}" "${rows[2]}"
turned '"A","B"' "${columns[@]:0:2}" "${rows[2]}"
turned '"A","B","C"' "${columns[@]}"

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
fails 2 'needs a block and a grid' nothing.cu 0,0

fails 2 'there is no C\[64\]\[0\]' naive 64,0
fails 2 'there is no C\[3\]\[5\]' naive 3,5 -n 5
fails 2 'such as 5,7, not .5.' naive 5
fails 2 'such as 5,7' naive 5,-1
fails 2 'give a kernel and an element' naive
fails 2 'did you mean naive' nave 0,0
fails 2 'must be multiples of 64' float4 0,0 -m 5
fails 3 'No such file' none-such.gvt 0,0

done_testing
