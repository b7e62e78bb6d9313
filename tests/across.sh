# across_gpus: C is right on every grid and at every size, and each panel crosses
# to each GPU that needs it once, and no further.
# sanitized: nightly
. "$srcdir/tests/tap.sh"

run() { "$builddir/gemmviz" run "$@" 2>&1; }

# right DEVICES GRID "ARGUMENTS" [OPTION...]: bytes between GPUs are those of A to
# Q - 1 of each row, and of B to P - 1 of each column.
right() {
	devices=$1 grid=$2 sizes=$3
	shift 3
	got=$(run "$@" --devices "$devices" across_gpus $sizes)
	is "$? $(echo "$got" | grep -c "on $grid GPUs: 0 wrong in C")" "0 1" \
		"$sizes on $grid is right $*" ||
		echo "$got" | tail -n 20 | sed 's/^/# /'
	is "$(echo "$got" | awk '$1 ~ /^[0-9]+$/ && NF == 4 && /^ +[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+$/ && !devices { bytes += $3 }
		/^on each device/ { devices = 1 } END { print bytes + 0 }')" \
		"$(echo "$sizes $grid" | awk '{ print 4 * ($1 * $3 * ($(NF) - 1) + $3 * $2 * ($(NF - 2) - 1)) }')" \
		"and each panel crosses to each GPU once"
}
right 4 '2 x 2' '64 64 64'
like "$got" '^16 FLOP per byte between devices$' \
	"FLOP for each byte that crosses a link"
like "$got" '^ +0 +1 +4096 +2$' "of each link"
like "$got" '^ +0 +8 +131072 +4$' "and of each device"
right 4 '2 x 2' '64 64 64' -D BUFFERS=1
right 2 '1 x 2' '64 64 64'
right 1 '1 x 1' '48 40 20'
right 3 '1 x 3' '1 1 1'
right 4 '2 x 2' '3 2 5'
right 6 '2 x 3' '70 53 37'
right 8 '2 x 4' '50 40 61' -D PANEL=7 -D BUFFERS=3
right 4 '4 x 1' '64 64 64 4 1'
right 16 '16 x 1' '33 65 17 16 1'
right 4 '1 x 4' '64 64 64' -D GPU_ROWS=1
right 6 '3 x 2' '40 30 50 3'
right 4 '2 x 2' '70 53 37' -D FAST=1
right 4 '1 x 3' '200 300 100 1 3' -D FAST=1

# turn WHAT NTH: the turn of the NTH of this name
turn() { echo "$got" | awk -v what="$1" -v n="$2" '$3 == what && !--n { print $2 }'; }
got=$(run across_gpus)
is "$(turn cudaMemcpy2DAsync 3)" "$(turn tiled 1)" \
	"the next panels set out while the first are multiplied"
got=$(run -D BUFFERS=1 across_gpus)
ok "$([ "$(turn cudaMemcpy2DAsync 3)" -gt "$(turn add 1)" ]; echo $?)" \
	"with one buffer they wait for its end"

got=$(run -D PANEL=4 --devices 2 across_gpus 8 8 8 2 2)
is $? 1 "more places than GPUs"
like "$got" '8 x 8 x 8 on 2 x 2 GPUs: 2 are there' "are refused in words"
got=$(run -D GPU_ROWS=3 --devices 2 across_gpus)
is $? 1 "and so are more rows"
like "$got" '3 x 0 GPUs: 2 are there' "than there are GPUs"
got=$("$builddir/gemmviz" report across_gpus 2>&1)
like "$got" '^tiled, m 32, n 32, k 16, grid 2 x 2 x 1' \
	"its product is known as what it is"
like "$got" '32768 FLOP, 12288 bytes of global memory' "with its FLOP"
like "$("$builddir/gemmviz" time across_gpus 2>&1)" \
	"across_gpus is a program for several GPUs" "it is not timed as a kernel"
like "$("$builddir/gemmviz" list)" '^  across_gpus +C over a grid' \
	"it is listed"
got=$("$builddir/gemmviz" run across_gpu 2>&1)
is $? 2 "another name is none"
like "$got" 'did you mean across_gpus' "and the nearest is named"
done_testing
