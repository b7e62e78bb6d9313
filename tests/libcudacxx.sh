# cuda:: of CUDA's C++ library: what it computes, and what it orders.
# sanitized: nightly
. "$srcdir/tests/tap.sh"

programs=$srcdir/tests/programs
run() { "$builddir/gemmviz" run "$@" 2>&1; }

got=$(run "$programs/atomic.cu")
is $? 0 "cuda::atomic: its operations, on the device and the host"
is "$(echo "$got" | sed -n '/ASan/!s/^| //p')" "42 42 42, 7, 6
496 32 ffffffff 31 0 1 16 128 -9 4
1 35
20 of them" "give what C++ says, and wait for each other"
is "$(echo "$got" | grep -c race)" 0 "releases and acquires order what they are to"
# ordered MACROS RACES WHAT
ordered() {
	got=$(run $1 "$programs/atomic.cu" | sed -n 's/: race: .*\(data\|flag\).0. .*/ \1/p')
	is "$(echo $got)" "$2" "$3"
}
relaxed=cuda::memory_order_relaxed
ordered "-D LOAD=$relaxed" "pass data within data" \
	"a load that does not acquire orders nothing"
ordered "-D STORE=$relaxed" "pass data within data" \
	"nor does a store that does not release"
ordered "-D LOAD=$relaxed -D STORE=$relaxed -D FENCE" "within data" \
	"fences make up for both"
ordered "-D SCOPE=cuda::thread_scope_block" \
	"pass data" "an order of a block is none for other blocks"
ordered "-D SCOPE=cuda::thread_scope_thread" "pass flag pass data" \
	"and what is a thread's own is not atomic for others"

got=$(run "$programs/pipeline.cu")
is $? 0 "cuda::pipeline of a block: by role, by count, all threads both"
like "$got" '^\| PASS$' "brings what its consumers wait for"
is "$(echo "$got" | grep -c -e race -e barrier)" 0 "in order"
got=$(run -D NO_WAIT "$programs/pipeline.cu")
like "$got" 'by_role: race: .* writes tile\[.* reads it in line 33, with no' \
	"without a consumer_wait() there is a race"
got=$(run -D NO_ACQUIRE "$programs/pipeline.cu")
like "$got" 'by_role: barrier: thread 32 .* state.produced.1., .*; line 31' \
	"producers that run ahead leave consumers waiting"
got=$(run -D PRODUCERS=64 "$programs/pipeline.cu")
like "$got" 'by_count: barrier: .* state.produced.0., .*: 32 of 64 arrivals' \
	"fewer producers than were said: their stage is never filled"
like "$(run -D PRODUCERS=96 "$programs/pipeline.cu")" \
	'state.consumed.0. with an arrival count of zero; line 54' \
	"and no consumers are no pipeline"

done_testing
