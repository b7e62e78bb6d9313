# A kernel that reads device memory which nobody has written is told so, with both
# places; whoever writes it, by whatever means, has written it.
. "$srcdir/tests/tap.sh"

program=$srcdir/tests/programs/fresh.cu
run() { "$builddir/gemmviz" run "$program" "$1" 2>&1; }

got=$(run)
is $? 0 "memory that copies, sets, kernels, libraries or the host have written"
like "$got" '^\| PASS$' "is zero where nobody has, as before"
is "$(echo "$got" | grep -c 'was never written')" 0 \
	"no read of it is a finding: vectors, structures, exchanges, bytes"

# found HOW LINE ELEMENT MADE MORE WHAT
found() {
	read=$(grep -n "$2" "$program" | head -n 1 | cut -d : -f 1)
	made=$(grep -n "$4" "$program" | head -n 1 | cut -d : -f 1)
	got=$(run "$1")
	is $? 1 "$1: $6"
	like "$got" "reads $3 in line $read, which was never written since \
its allocation in line $made: .*$5\$" "$1: both places"
	is "$(echo "$got" | grep -c 'was never written')" 1 "$1: once"
}
found sum 'atomicAdd(&sum' 'sum\[0\]' 'cudaMalloc(&sum' 'and 9 more like it\)' \
	"an atomic adds to it"
found bins 'atomicAdd(&bins' 'bins\[0\]' 'cudaMalloc(&bins' "cudaMemset\(\)" \
	"bins that are not cleared"
found half 'to\[i\] = from\[i\];' 'from\[20000\]' 'cudaMalloc(&c, 40000' \
	'and 19999 more like it\)' "a part of a large array"
got=$(run c)
is $? 1 "an output that the kernel adds to, and nobody has set"
like "$got" 'read-before-write: thread .* reads c\[0\] in line [0-9]+, which was never written' \
	"is told"
got=$(run t)
is $? 0 "what nobody has written at all may be for a timing"
like "$got" 'note: thread .* reads from\[0\] in line [0-9]+; no element of this array was written' \
	"which a note tells"

got=$("$builddir/gemmviz" run "$srcdir/tests/programs/few.cu" 2>&1)
is $? 0 "a copy may bring what nobody has written"
is "$(echo "$got" | grep 'never written')" \
	"  few.cu:31: cudaMemcpy copies 1024 bytes of squares (2048 bytes,\
 allocated at few.cu:29) that were never written" \
	"which is told, but not of gaps in structures"

got=$(run pitch)
is $? 0 "padding of rows may be used"
like "$got" 'in the padding of row 0: a row has 50 elements, and cudaMallocPitch\(\) in line [0-9]+ returned a pitch of 512 bytes' \
	"which a note tells: rows by their width are not apart by their pitch"
is "$(run | grep -c padding)" 0 "rows by their pitch are fine"
done_testing
