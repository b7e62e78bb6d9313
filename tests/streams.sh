# Work in two streams that uses one array: a fault, with both places, where
# nothing orders it, and only there.
. "$srcdir/tests/tap.sh"

program=$srcdir/tests/programs/streams.cu
line() { grep -nF -- "$1" "$program" | head -n 1 | cut -d: -f1; }
# run HOW [OPTION]
run() { "$builddir/gemmviz" run $2 "$program" "$1" 2>&1; }

# fine HOW [OPTION]
fine() {
	got=$(run "$1" "$2")
	is "$? $(echo "$got" | grep -c "^| $1\$")" "0 1" \
		"$1 $2: nothing to find" ||
		echo "$got" | sed 's/^/# /' | tail -n 12
}
for how in event late_event chain again legacy legacy_between new host query copy \
	blocking_copy set reads parts bytes columns atomics variable flag \
	buffers freed graph graph_host; do
	fine $how
done
fine per_thread -DCUDA_API_PER_THREAD_DEFAULT_STREAM
fine per_thread_legacy -DCUDA_API_PER_THREAD_DEFAULT_STREAM
fine per_thread_legacy

# wrong HOW LATER ARRAY WHAT EARLIER [OPTION]: lines behind the one that names it
wrong() {
	at=$(line "is(how, \"${1#no_}\")")
	got=$(run "$1" "$6")
	is "$? $(echo "$got" | grep -c 'in another stream')" "1 1" \
		"$1 $6 is one fault"
	like "$got" "streams.cu:$((at + $2)): this uses $3, and so does $4 \(streams.cu:$((at + $5))\)" \
		"$1: with both places"
	like "$got" "^\| $1\$" "$1: the program goes on" ||
		echo "$got" | sed 's/^/# /' | tail -n 12
}
wrong no_event 5 a fill 1
wrong no_late_event 7 a fill 3
wrong no_chain 8 b twice 6
wrong no_again 8 a twice 4
wrong no_legacy 2 a fill 1
wrong no_legacy_between 7 a fill 4
wrong no_new 6 a fill 3
wrong no_host 3 a fill 1
wrong no_query 5 a fill 1
wrong no_copy 2 a cudaMemcpyAsync 1
wrong no_blocking_copy 3 a fill 2
wrong no_set 2 a cudaMemsetAsync 1
wrong no_reads 2 b twice 1
wrong no_parts 2 a fill 1
wrong no_bytes 2 text bytes 1
wrong no_columns 4 a cudaMemcpy2DAsync 2
wrong no_atomics 4 bins count 1
wrong no_variable 2 total sum_up 1
wrong no_per_thread 2 a fill 1
wrong legacy 2 a fill 1 -DCUDA_API_PER_THREAD_DEFAULT_STREAM
wrong no_graph 9 b twice 3
got=$(run no_graph_host)
is $? 1 "no_graph_host is a fault"
like "$got" "the host reads pinned, which cudaGraphLaunch" \
	"a graph's copy is not waited for at its launch"
done_testing
