# gemmviz fragment: which lane holds which element, asked from both sides.
. "$srcdir/tests/tap.sh"
gemmviz=${GEMMVIZ:-$builddir/gemmviz}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

fragment() {
	"$gemmviz" fragment "$@"
}

# ---- for people ----

out=$(fragment m16n8k16.f16 A)
like "$out" '^m16n8k16.f16 A, by rows: 16 x 16 elements of f16, 8 per lane$' \
	'what it is'
like "$out" '^ +9 +4:2-3 +5:2-3 +6:2-3 +7:2-3 +4:6-7 ' \
	'a row of the picture: lanes and their elements'
is "$(fragment m16n8k16.f16 A --element 9,3)" \
	'A[9][3] is a3 of lane 5 (register 1, upper half).' 'one element'
is "$(fragment mma.m16n8k16.f16 a --element 9,3)" \
	"$(fragment m16n8k16.f16 A --element 9,3)" \
	'mma. may be said, and a small letter'
is "$(fragment mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 B --lane 5)" \
	"$(fragment m16n8k16.f16 B --lane 5)" \
	'the instruction as PTX has it'
like "$(fragment mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 D)" \
	'elements of f16, 4 per lane' 'with the type of the sums in it'
is "$(fragment m64n128k16.f16 D)" "$(fragment wgmma.m64n128k16.f16 D)" \
	'a shape says which instruction it is'
is "$(fragment m16n8k64.s4 A --element 9,35)" \
	'A[9][35] is a27 of lane 4 (register 3, bits 12 to 15).' 'four bits'
is "$(fragment m16n8k256.b1 B --element 130,2)" \
	'B[130][2] is b34 of lane 8 (register 1, bit 2).' 'single bits'
like "$(fragment m16n8k32.s8 B --lane 5)" \
	'^  b6 +B\[22\]\[1\] \(register 1, byte 2\)$' 'one lane'
is "$(fragment wmma.m16n16k16.f16 A --element 0,0 | wc -l)" 2 \
	"wmma's A of half is held twice"
like "$(fragment wmma.m16n16k16.f16 A)" '^The layout was measured on a GPU' \
	'it was measured'
like "$(fragment wmma.m16n16k16.f16 A --arch sm_70)" '^The layout was not measured' \
	'on Volta it was not'
like "$(fragment wmma.m16n16k16.f16 A --arch sm_75)" '^The layout was not measured' \
	'nor on Turing'
is "$(fragment wgmma.m64n8k16.f16 A --arch sm_90a --lane 127)" \
	"$(fragment wgmma.m64n8k16.f16 A --lane 127)" 'sm_90a is sm_90'
like "$(fragment m16n8k16.f16 A --arch sm_120)" '^m16n8k16.f16 A' \
	'mma is on newer ones, too'
is "$(fragment m8n8k4.f16 C --element 1,2 | wc -l)" 4 \
	'm8n8k4 has four matrices'
is "$(fragment ldmatrix.x4.trans --element 1,0 --lane 0 | wc -l)" 4 \
	'lane and element together; matrices need no operand'
like "$(fragment ldmatrix.x1 --element 1,0 --lane 0)" \
	'^Lane 0 does not hold R\[1\]\[0\]\.$' 'a lane that does not hold it'
like "$(fragment wgmma.m64n256k16.f16 D)" 'columns 8 to 255 are not shown' \
	'a wide matrix is cut, and says so'
like "$(fragment wgmma.m64n128k16.f16 B)" \
	'^ +1 +144 +128 +176 +160 ' "wgmma's B, swizzled by 128 bytes"
is "$(fragment wgmma.m64n128k16.f16 A --swizzle 64 --element 2,8)" \
	'A[2][8] is at byte 128 of the tile.' 'A[2][8] is at byte 128 of the tile.' "and A by 64"
is "$(fragment wgmma.m64n64k8.tf32 A --swizzle 128 --element 1,5)" \
	'A[1][5] is at byte 132 of the tile.' 'words of 4 bytes'
is "$(fragment wgmma.m64n64k16.f16 B --layout row --element 9,17)" \
	'B[9][17] is at byte 1202 of the tile.' 'and B as it is, N-major'
is "$(fragment wgmma.m64n64k32.s8 B --swizzle 32 --element 17,4)" \
	'B[17][4] is at byte 129 of the tile.' 'and single ones'

wide=
for what in m16n8k16.f16\ A m16n8k32.s8\ A m16n8k32.u8\ B ldmatrix.x4 \
	wmma.m8n32k16.f16\ B wmma.m32n8k16.bf16\ A wgmma.m64n256k16.bf16\ D \
	wgmma.m64n8k16.f16\ A wgmma.m64n8k16.f16\ B wmma.m16n16k8.tf32\ C \
	m16n8k256.b1\ A m16n8k64.s4\ B m16n8k16.f64\ A wgmma.m64n8k32.s8\ B
do
	wide+=$(fragment $what | awk 'length > 80')
done
is "$wide" '' '80 columns are enough'

# ---- for programs ----

is "$(fragment m16n8k16.f16 A --json --lane 31 --element 15,15)" \
	'[{"lane":31,"register":7,"row":15,"col":15}]' '--json'
like "$(fragment wmma.m8n8k4.f64 C --lane 5)" \
	'(registers 2 and 3)' 'two registers an element'
is "$(fragment ldmatrix.x2 --json --lane 0 --element 0,1)" \
	'[{"lane":0,"register":1,"matrix":0,"row":0,"col":1},
 {"lane":0,"register":3,"matrix":1,"row":0,"col":1}]' \
	'with the matrix where there are several'
is "$(fragment m16n8k16.f16 C --json | wc -l)" 128 'all of an operand'
is "$(fragment wgmma.m64n8k16.f16 B --json --swizzle 32 --element 15,4)" \
	'[{"row":15,"col":4,"address":142}]' 'an address'

# ---- refused ----

# refused PATTERN ARGUMENT...
refused() {
	local pattern=$1 err
	shift
	err=$(fragment "$@" 2>&1 >"$dir/out")
	is $? 2 "refused: fragment $*"
	like "$err" "$pattern" 'with a word about it'
	is "$(cat "$dir/out")" '' 'and no output'
	is "$(printf '%s\n' "$err" | wc -l)" 1 'in one line'
}
refused 'give SHAPE.TYPE and an operand'
refused 'give SHAPE.TYPE and an operand' m16n8k16.f16
refused 'did you mean m16n8k16.f16\?' m16n8k16.f61 A
refused 'did you mean ldmatrix.x4.trans' ldmatrix.x4.tran
refused 'did you mean --element' m16n8k16.f16 A --elemnt 1,1
refused "no operand 'E': m16n8k16.f16 has A, B, C and D" m16n8k16.f16 E
refused "no operand 'AB'" m16n8k16.f16 AB
refused 'm16n8k16.f16 has no lane 32: its lanes are 0 to 31' \
	m16n8k16.f16 A --lane 32
refused '--lane needs' m16n8k16.f16 A --lane -1
refused 'A has 16 rows and 16 columns' m16n8k16.f16 A --element 16,0
refused '--element needs ROW,COLUMN' m16n8k16.f16 A --element 1
refused '--element needs ROW,COLUMN' m16n8k16.f16 A --element 1,1,1
refused '--layout needs row or col' m16n8k16.f16 A --layout r
refused 'm16n8k16.f16 takes A by rows only' m16n8k16.f16 A --layout col
refused 'm16n8k16.f16 needs sm_80' m16n8k16.f16 A --arch sm_70
refused "no architecture 'sm_91'; did you mean sm_90" m16n8k16.f16 A \
	--arch sm_91
refused 'sm_61 has no tensor cores' m16n8k16.f16 A --arch sm_61
refused 'm16n8k32.e4m3 needs sm_89' m16n8k32.e4m3 A --arch sm_80
refused 'is in sm_90 only' wgmma.m64n8k16.f16 B --arch sm_100
refused "no instruction 'wgmma.m64n4k16.f16'; did you mean wgmma.m64n" \
	wgmma.mma_async.sync.aligned.m64n4k16.f32.f16.f16 D
refused "does not accumulate in 's32'" m16n8k16.f16 C --accumulator s32
refused '--swizzle needs 32, 64 or 128' wgmma.m64n8k16.f16 B --swizzle 16
refused '--swizzle is only for A and B of wgmma' m16n8k16.f16 B --swizzle 32
refused 'takes A K-major only' wgmma.m64n8k8.tf32 A --swizzle 64 --layout col
refused '--lane has no meaning' wgmma.m64n8k16.f16 B --lane 1
refused 'the tile has 64 rows and 8 columns' wgmma.m64n8k16.f16 B \
	--element 0,8
refused "no instruction '[^[:cntrl:]]+'" $'\e[31m' A
refused "no operand '[^[:cntrl:]]+'" m16n8k16.f16 $'\e'
fragment m16n8k16.f16 A >/dev/full 2>"$dir/err"
is $? 7 'a full disk is said'
done_testing
