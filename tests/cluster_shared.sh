# Blocks of a cluster that use each other's shared memory: right if barriers of
# the cluster order that, and told what is missing if they do not.
. "$srcdir/tests/tap.sh"

program=$srcdir/tests/programs/cluster_shared.cu
run() { "$builddir/gemmviz" run "$program" "$@" 2>&1; }

# line TEXT: its number in the program.
line() { grep -nF "$1" "$program" | head -n 1 | cut -d : -f 1; }
stored=$(line 'mine[threadIdx.x] = from')
loaded=$(line 'sum += theirs')
told=$(line '*cluster.map_shared_rank(&told')

got=$(run)
is $? 0 "barriers of the cluster order it: no finding"
like "$got" '^\| right$' "loads, stores and atomics reach the block that is meant"
got=$(run first)
is $? 1 "without the first barrier"
like "$got" "block 1 writes mine\[0\] in line $stored and thread 0 of block 0\
 reads it in line $loaded: nothing orders the two blocks" \
	"another block may not have stored yet"
got=$(run last)
is $? 1 "without the last barrier"
like "$got" "block 0 uses mine\[0\] of another block of its cluster in line\
 $loaded, which may have ended by then" "a block may have ended that is read"
like "$got" "uses told\[0\] of another block of its cluster in line $told," \
	"or stored to"
got=$(run beyond)
is $? 1 "a block that is not in the cluster"
like "$got" "accesses an address outside the shared memory of its cluster's blocks" \
	"has no memory there"

sites=$("$builddir/gemmviz" report "$program" --json 2>/dev/null |
	tr '{' '\n' | grep -c '"array":"mine","space":"shared","op":"ld"')
is "$sites" 2 "loads of other blocks' memory are not counted as of one's own"
like "$("$builddir/gemmviz" view "$program" --plain 2>/dev/null)" \
	'What they load comes from the shared memory of block 3 of the cluster' \
	"and a step says whose it is"
done_testing
