# A kernel may wait for what the host does after its launch has returned; only
# one for which the host itself waits first is endless.
# sanitized: never (a program's fibres and exceptions do not go with ASan)
. "$srcdir/tests/tap.sh"

program=$srcdir/tests/programs/later.cu
run() { "$builddir/gemmviz" run "$program" "$1" 2>&1; }

# fine HOW WHAT THE PROGRAM DOES
fine() {
	got=$(run "$1")
	is "$? $(echo "$got" | grep -c '^| PASS$')" "0 1" "$1: $2"
	is "$(echo "$got" | grep -c endless)" 0 "$1 is no endless loop"
}
fine plain "the host sets a flag in page-locked memory"
fine queue "what the stream is given behind the kernel is done behind it"
fine copy "another stream copies what the kernel waits for"
fine ask "kernel and host answer each other"
fine threads "one thread of the host waits, another sets the flag"
fine atomic "a loop around an atomic; a copy waits for the kernel"
fine symbol "a variable of the device"
fine query "the host asks for an event until it has come"
fine again "and so from launch to launch"
like "$got" '19 times' "of which all are listed"

got=$(run endless)
is $? 1 "who waits for a kernel before setting what it waits for is found"
line=$(sed -n '/^static bool endless/,/Synchronize/=' "$program" | tail -n 1)
like "$got" "spins on flag\\[0\\] in line 13, which will not change: .* \
before it waits for the kernel in line $line\$" "with both lines"
got=$(run copied)
line=$(grep -n 'cudaMemcpy(host' "$program" | cut -d : -f 1)
like "$got" "before it waits for the kernel in line $line\$" \
	"so is a copy that blocks"
got=$(run beside)
like "$got" 'later.cu:[0-9]+: the program was stopped: gemmviz does not support a kernel or copy that runs together' \
	"what would run beside such a kernel is not supported, which is said"
done_testing
