# What takes long is not without an end: only a state that comes again shows
# that. And what is waited for is ordered by what it was waited for with.
# sanitized: nightly
. "$srcdir/tests/tap.sh"

programs=$srcdir/tests/programs

# slow NUMBER SECONDS STATUS PATTERN WHAT
slow() {
	got=$("$builddir/gemmviz" run -std=c++14 --seconds "$2" \
		"$programs/slow.cu" "$1" 2>&1)
	is $? "$3" "$5: status $3"
	like "$got" "$4" "$5"
}
# findings: the kinds that were told of the program that was run last.
findings() {
	echo "$got" | sed -n 's/^[a-z]*: \([a-z-]*\): .*/\1/p' | sort -u
}

slow 0 1 8 'slow: cap: .* of 0\.?[0-9]* s: 0 of 1 blocks .* line 1[67] \(--seconds' \
	"a long loop is out of time"
slow 1 1 8 'registered: cap: ' "and one that counts in a register"
slow 7 1 8 'remembered: cap: ' "and one that counts in memory"
slow 2 20 0 '^\| 4012785744 0 0$' "a thread that does it all"
is "$(findings)" "" "without a finding"
slow 3 20 0 '^\| 3789675520 7 0$' "what is read again and again"
is "$(findings)" "" "without a finding"
slow 4 20 0 '^\| 1 1 1$' "a flag in shared memory is waited for"
is "$(findings)" "" "and is no race"
slow 5 2 1 'forgotten: endless: thread 0 of block 0 is in an endless loop in line [78][0-9]' \
	"a loop that forgets to go on"
slow 6 20 1 'waits: endless: thread 0 of block 0 spins on memory\[32\]' \
	"a flag that nobody sets"

got=$("$builddir/gemmviz" run --seconds 60 "$programs/blocks.cu" 2>&1)
is $? 0 "more warps than a trace holds: a program goes on without it"
like "$got" '^\| 7$' "... to its end"
like "$got" '<<<2200000, 1>>>  recorded$' "... of which some are recorded"

# A limit is a limit, however few seconds or events there are.
for few in 1000 10000 100000; do
	got=$("$builddir/gemmviz" report --max-events "$few" --seconds 20 \
		"$programs/slow.cu" -- 2 2>&1)
	like "$(echo "$got" | tr -s ' \n' ' ')" \
		'cap: recording stopped at the limit of' \
		"after $few events a thread that does it all is not endless"
	is "$(echo "$got" | grep -c endless)" 0 "nor told so"
done

got=$("$builddir/gemmviz" run "$programs/locks.cu" 2>&1)
is $? 0 "locks and flags of a block"
like "$got" '^\| PASS$' "order what they guard"
got=$("$builddir/gemmviz" run -D UNFENCED=1 "$programs/locks.cu" 2>&1)
like "$got" '^locked: race: .*sum\[0\]' "without a fence, a lock does not"
like "$got" '^handed: race: .*data\[' "nor does a flag"
got=$("$builddir/gemmviz" run -D NARROW=1 "$programs/locks.cu" 2>&1)
like "$got" '^passed: race: .*nothing orders the two blocks' \
	"a fence of the block is none for others"

done_testing
