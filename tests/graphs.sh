# Graphs: memory of their own, conditions; and what is wrong with their use.
. "$srcdir/tests/tap.sh"

programs=$srcdir/tests/programs
run() { "$builddir/gemmviz" run "$@" 2>&1; }

got=$(run "$programs/graph_memory.cu")
is $? 0 "graphs that allocate and free, by hand and captured"
like "$got" '^\| PASS$' "keep and give back what CUDA says"
is "$(echo "$got" | grep -c "in the host's code")" 0 "without a fault"
# wrong HOW PATTERN WHAT
wrong() { like "$(run "$programs/graph_memory.cu" "$1")" "$2" "$3"; }
wrong 1 'fill: out-of-bounds: .* outside all arrays' \
	"memory of a graph that was not launched is none of a kernel's"
wrong 2 'graph_memory.cu:52: cudaGraphLaunch: memory, which the graph allocates at graph_memory.cu:52, was not freed after its last launch' \
	"a graph whose memory nobody frees is launched once"
wrong 3 'graph_memory.cu:127: cudaFree: memory was already freed at graph_memory.cu:60' \
	"what a graph frees is not freed again"
wrong 4 'graph_memory.cu:130: cudaMemcpy uses memory, which its graph \(graph_memory.cu:52\) has not allocated yet: launch the graph first' \
	"nor copied before it is there"
wrong 5 'fill: out-of-bounds: .* allocated in line 52 and freed in line 60' \
	"nor used behind the graph"

got=$(run "$programs/graph_condition.cu")
is $? 0 "conditional nodes: if, else, while, switch, in each other"
like "$got" '^\| PASS$' "do the bodies that their values say"
got=$(run --seconds 2 "$programs/graph_condition.cu" endless)
like "$got" 'graph_condition.cu:61: the launch took too long on the CPU' \
	"a while that nobody ends is ended"

cat >"$builddir/clock.$$.cu" <<'END'
__global__ void wait()
{
    clock_t begin = clock();
    while (clock() - begin < (clock_t)1 << 40)
        ;
}
int main() { wait<<<1, 32>>>(); return cudaDeviceSynchronize(); }
END
got=$(run --seconds 1 "$builddir/clock.$$.cu")
rm -f "$builddir/clock.$$.cu"
like "$got" ': the launch took too long on the CPU' \
	"a loop that waits for the clock takes long"
is "$(echo "$got" | grep -c endless)" 0 "and is not said to be endless"

done_testing
