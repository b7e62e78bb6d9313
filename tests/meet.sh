# Blocks that wait for each other, at grid.sync() and in loops, have their turns.
# sanitized: never (a program's fibres and exceptions do not go with ASan)
. "$srcdir/tests/tap.sh"

meet=$srcdir/tests/programs/meet.cu
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
run() { "$builddir/gemmviz" run --seconds 60 "$@" 2>&1; }

got=$(run "$meet")
is $? 0 "grids that meet, and blocks that wait for what others write"
like "$got" '^\| PASS$' "give right results, however many there are"
like "$got" '5  meet.cu:[0-9]+  full  <<<264, 1024>>>  recorded$' \
	"up to as many as the GPU has at once"
like "$got" '4  meet.cu:[0-9]+  full  <<<265, 1024>>>  cudaErrorCooperativeLaunchTooLarge' \
	"and no more"
is "$(echo "$got" | grep -cE ': (race|endless|barrier|crash): ')" 0 \
	"without a finding"
got=$(run -D UNMET=1 "$meet" 1)
like "$got" 'rounds: race: .* sums\[1\] in line 39 .* nothing orders the two' \
	"blocks that do not meet race"
like "$(run "$meet" 2)" 'leaves: crash: .*calls grid.sync\(\) in a launch that' \
	"a launch that is not cooperative is told so"
like "$(run "$meet" 3)" \
	'leaves: barrier: .* all 8 blocks of the grid, but 1 of them ended' \
	"and one of which a block ends before"
like "$(run "$meet" 4)" 'lost: endless: thread 0 of block 1 spins on to\[0\]' \
	"a flag that no block sets is waited for in vain"

# A kernel by itself is taken for a cooperative launch, and recorded whole.
cat >"$tmp/alone.cu" <<'EOF'
#include <cooperative_groups.h>
__global__ void alone(const float *x, float *y, float *z)
{
    auto grid = cooperative_groups::this_grid();
    __shared__ float own[32];

    own[threadIdx.x] = x[grid.thread_rank()];
    __syncwarp();
    y[grid.thread_rank()] = own[31 - threadIdx.x];
    grid.sync();
    z[grid.thread_rank()] =
        y[(grid.thread_rank() + 32) % grid.num_threads()] +
        own[threadIdx.x] * grid.is_valid();
}
EOF
sed 's/grid.sync();//' "$tmp/alone.cu" >"$tmp/unmet.cu"
report() {
	"$builddir/gemmviz" report "$tmp/$1.cu" --block 32 --grid 12 2>&1
}
got=$(report alone)
is $? 0 "a kernel by itself is taken for a cooperative launch"
like "$got" ' y +ld +4 +12 ' "all its blocks are recorded"
like "$got" ' own +ld +4 +12 ' "with the shared memory of each"
like "$(report unmet | tr -s ' \n' ' ')" \
	'race: thread 0 of block 0 reads y\[32\] in line 12 .* block 1 writes it' \
	"without the barrier what others write is read too early"

done_testing
