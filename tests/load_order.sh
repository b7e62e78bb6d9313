# Loads of one expression: each once, and in nvcc's order, which stands behind
# each statement of the kernel. With nvcc, what it really does, too.
. "$srcdir/tests/tap.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
file=$srcdir/tests/kernels/load_order.cu

# recorded FILE OPTION...: the lines of its loads, in order, and their arrays.
recorded() {
	"$builddir/gemmviz" record "$@" --grid 1 -o "$tmp/t.gvt" --force \
		>"$tmp/said" 2>&1
	"$builddir/gemmviz" dump "$tmp/t.gvt" | awk '
		$1 == "array" { gsub("\"", "", $3); name[$2] = $3; space[$2] = $4 }
		$1 == "site" && $4 == "ld" {
			split($3, at, ":"); line[$2] = at[1]; array[$2] = $7 }
		$1 ~ /^[0-9]+$/ && $1 in line && space[array[$1]] == "global" {
			print line[$1], name[array[$1]] }'
}
recorded "$file" --block 32 --values x=0..31 --values y=0..31 \
	--values z=0..31 --values s=0..9 >"$tmp/cpu"

# wanted LINE; loaded LINE FILE
wanted() { sed -n "$1s,.*// ,,p" "$file"; }
loaded() { awk -v "l=$1" '$1 == l { printf "%s%s", s, $2; s = " " }' "$2"; }

lines=$(grep -n '; //' "$file" | cut -d: -f1)
for l in $lines; do
	is "$(loaded "$l" "$tmp/cpu")" "$(wanted "$l")" \
		"$(sed -n "${l}s,^ *\(.*;\) //.*,\1,p" "$file")"
done

some=$srcdir/tests/kernels/load_order_some.cu
is "$(recorded "$some" --block 3 --values y=0..3 | cut -d' ' -f2 | tr '\n' ' ')" \
	"b y d " "whichever of them a thread has"

if ! command -v nvcc >/dev/null; then
	skip "nvcc's order" "there is no nvcc"
	done_testing
	exit
fi
# A register that a parameter's address goes to is that array's.
nvcc -G -ptx -std=c++17 -arch=sm_90 "$file" -o "$tmp/k.ptx" 2>"$tmp/said"
sed -n '/\.entry/,$p' "$tmp/k.ptx" | tr -d ',;' | awk '
	BEGIN { split("a b c d x y z s", name, " ") }
	$1 == ".loc" { line = $3 }
	$1 == "ld.param.b64" || $1 == "ld.param.u64" {
		n = $3; gsub(/.*_param_|\]/, "", n)
		of[$2] = name[n + 1]; next }
	($1 == "add.s64" || $1 ~ /^cvta/ || $1 ~ /^mov\..64/) && $3 in of {
		of[$2] = of[$3] }
	$1 ~ /^ld\./ || ($1 ~ /^atom|^red/) {
		at = $0; sub(/.*\[/, "", at); sub(/[+\]].*/, "", at)
		if (at in of) print line, of[at] }' >"$tmp/gpu"
for l in $lines; do
	case $(sed -n "${l}p" "$file") in
	*atomicAdd*) continue ;;	# in a function of its own
	esac
	is "$(loaded "$l" "$tmp/gpu")" "$(wanted "$l")" "nvcc: line $l"
done
done_testing
