# The host uses memory that a kernel or a copy may still use: found with both
# places where nothing waits, and only there.
# sanitized: never (a program's fibres and exceptions do not go with ASan)
. "$srcdir/tests/tap.sh"

program=$srcdir/tests/programs/host_race.cu
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
head -c 20000 /dev/zero >"$tmp/zeros"
# run HOW [OPTION]
run() { "$builddir/gemmviz" run $2 "$program" "$tmp/zeros" "$1" 2>&1; }

# fine HOW WHAT THE PROGRAM DOES [OPTION]
fine() {
	got=$(run "$1" "$3")
	is "$? $(echo "$got" | grep -c "^| $1 ")" "0 1" "$1: $2"
}
fine device "a read behind cudaDeviceSynchronize()"
fine write "a write behind cudaStreamSynchronize(0)"
fine elsewhere "elements that the kernel does not touch"
fine reads "what the kernel only reads may be read"
fine stream "behind its own stream"
fine legacy "a blocking stream is waited for with the default one"
fine event "behind an event"
fine wait "behind a stream that waits for an event"
fine copy "behind a copy that blocks"
fine pinned "behind a stream that has nothing left to do"
fine pageable "behind an asynchronous copy to the host's own memory"
fine callback "a function that the stream calls"
fine variable "managed variables"
fine loop "a loop that waits each time"
fine free "behind cudaFree()"
fine progress "a kernel that tells by volatile stores how far it is"
fine system "one that does by atomics of the system's scope" -DSYSTEM=1
fine file "a file is read beside what the kernel touches"
like "$got" '^\| whole$' "and the system can write there"

# early HOW LINE OF THE HOST WHAT LINE OF THE WORK
early() {
	got=$(run "$1")
	is "$?" 1 "$1 is a fault"
	is "$(echo "$got" | grep -c 'it must wait first')" 1 "$1: one"
	like "$got" "host_race.cu:$2: the host $3 \(host_race.cu:$4\) may" \
		"$1: with both places"
	like "$got" "^\| $1 " "$1: the program goes on"
}
line() { grep -n "$1" "$program" | sed -n "${2:-1}s/:.*//p"; }
at() { echo $(($(line "$1") + $2)); }

early no_device "$(line 'seen = a\[7\]')" "reads a, which fill" \
	"$(at '"no_device"' 1)"
early no_write "$(line 'a\[100\] = 5')" "writes to a, which add_up" \
	"$(at '"no_write"' 2)"
early no_stream "$(at '"no_stream"' 4)" "reads a, which fill" \
	"$(at '"no_stream"' 1)"
early no_legacy "$(at '"no_legacy"' 4)" "reads a, which fill" \
	"$(at '"no_legacy"' 1)"
early no_event "$(line 'wrong ? b\[1\]')" "reads b, which fill" \
	"$(at '"no_event"' 3)"
early no_wait "$(at '"no_wait"' 7)" "reads a, which fill" \
	"$(at '"no_wait"' 1)"
early no_copy "$(at '"no_copy"' 3)" "reads a, which fill" \
	"$(at '"no_copy"' 1)"
early no_pinned "$(line 'seen = pinned\[9\]')" \
	"reads pinned, which cudaMemcpyAsync" "$(at '"no_pinned"' 2)"
early no_refill "$(line 'pinned\[0\] = 1')" \
	"writes to pinned, which cudaMemcpyAsync" "$(at '"no_refill"' 1)"
early no_variable "$(line 'seen += counter')" "reads counter, which count" \
	"$(at '"no_variable"' 1)"
early no_member "$(line 'seen = pair.sum')" "reads pair, which count" \
	"$(at '"no_member"' 1)"
early no_set "$(line 'a\[3\] = 1')" "writes to a, which cudaMemset" \
	"$(at '"no_set"' 1)"
early no_file "$(line 'fread(a')" "writes to a, which fill" \
	"$(line 'fill<<<wrong ? 16 : 8')"
like "$got" '^\| whole$' "no_file: the file is read all the same"
early no_loop "$(line 'seen += a\[i\]')" "reads a, which fill" \
	"$(at '"no_loop"' 2)"
early no_system "$(line 'seen = a\[0\]')" "reads a, which tell" \
	"$(at '"no_system"' 2)"
like "$(run no_loop)" '\(50 times\)' "a loop's is told once"

done_testing
