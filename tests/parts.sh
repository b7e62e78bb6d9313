#!/usr/bin/env bash
# A large launch is recorded by as many processes as there are cores: the trace
# is what one process writes, byte for byte, whatever the blocks do.
# sanitized: nightly
. "$srcdir/tests/tap.sh"

tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit
if ! one=$(taskset -cp $$ 2>/dev/null) || ! nproc >/dev/null; then
	skip "recorded by several processes" "there is no taskset"
	done_testing
	exit
fi
one=$(echo "${one##* }" | sed 's/[-,].*//')

# same WHAT ARGUMENTS: both traces; what was said is left in `said`.
same() {
	local what=$1
	shift
	taskset -c "$one" "$gemmviz" record "$@" --force -o one.gvt >one 2>&1
	"$gemmviz" record "$@" --force -o all.gvt >said 2>&1
	cmp one.gvt all.gvt && sed 's/all\.gvt/one.gvt/' said | cmp one -
	ok $? "$what"
}

gemmviz=$builddir/gemmviz
cat >blocks.cu <<'END'
/* Each block goes over its row many times. */
#define TURNS 160
__attribute__((no_sanitize("thread"))) static __device__ void
unseen(unsigned *p)
{
	*p = 7;
}

__global__ void blocks(float *rows, unsigned *all)
{
	float *row = rows + blockIdx.x * blockDim.x;
	float sum = 0;

	for (int i = 0; i < TURNS; i++)
		row[threadIdx.x] = sum += row[threadIdx.x] + i;
#ifdef EDGES
	if (blockIdx.x % 64 == 63)
		row[threadIdx.x] = 1;
	if (blockIdx.x >= 128)
		row[threadIdx.x] = 2;
#endif
#ifdef APART
	if (blockIdx.x == 32)
		row[threadIdx.x] = 1;
	if (blockIdx.x == 132)
		row[threadIdx.x] = 2;
#endif
#ifdef TICKETS
	if (blockIdx.x >= 100 && threadIdx.x == 0)
		row[0] = atomicAdd(all, 1);
#endif
#ifdef LAST
	if (blockIdx.x == 255)
		row[threadIdx.x] = rows[40 * blockDim.x + threadIdx.x];
#endif
#ifdef CLOCK
	if (blockIdx.x % 100 == 1)
		row[threadIdx.x] = clock64();
#endif
#ifdef WRONG
	if (blockIdx.x == 200)
		row[blockDim.x * 256] = 1;
#endif
#ifdef UNSEEN
	if (blockIdx.x == 100 && threadIdx.x == 0)
		unseen(all + 100);
	if (blockIdx.x > 200)
		row[threadIdx.x] = all[100];
#endif
}
END
launch=(blocks.cu --block 64 --grid 256 --array rows=16384 --array all=256)
same "tiled, some of whose blocks are at an edge" tiled -m 250 -n 250 -k 200
like "$(cat said)" '^all.gvt: [1-9][0-9]{7} events' "ten million events"
same "blocks chosen from a cluster's" hgemm -m 2048 -n 1024 -k 512 --no-values
same "blocks that know nothing of each other" "${launch[@]}"
same "a sample of the blocks" "${launch[@]}" --sample 160
same "those at an edge do more" "${launch[@]}" -D EDGES=1
same "two of different parts do more" "${launch[@]}" -D APART=1
same "tickets are drawn in order" "${launch[@]}" -D TICKETS=1
same "the last reads what another has written" "${launch[@]}" -D LAST=1
like "$(cat said)" 'block 255 .* nothing orders the two blocks' "a race"
same "clocks" "${launch[@]}" -D CLOCK=1
same "a block reaches beyond the array" "${launch[@]}" -D WRONG=1
like "$(cat said)" 'out-of-bounds' "which is said"
same "what is written behind the recorder's back" "${launch[@]}" -D UNSEEN=1
same "the cap is reached" "${launch[@]}" --max-events 5000000
like "$(cat said)" 'cap: ' "which is said"

# Each process takes 200 MB; the limit is of all of them.
cat >memory.cu <<'END'
static char more[100 << 20];
__attribute__((no_sanitize("thread"))) static __device__ void fill()
{
	static bool filled;

	for (long i = 0; i < sizeof(more) && !filled; i += 4096)
		((volatile char *)more)[i] = 1;
	filled = true;
}

__global__ void memory(float *rows)
{
	float *row = rows + blockIdx.x * blockDim.x, sum = 0;

	fill();
	for (int i = 0; i < 160; i++)
		row[threadIdx.x] = sum += row[threadIdx.x] + i;
}
END
launch=(memory.cu --block 64 --grid 256 --array rows=16384 --memory 300)
taskset -c "$one" "$gemmviz" report "${launch[@]}" >said 2>&1
is $? 0 "one process stays below the limit of memory"
if [ "$(nproc)" -gt 1 ]; then
	"$gemmviz" report "${launch[@]}" >said 2>&1
	is "$? $(cut -d'(' -f1 said)" \
		"8 gemmviz: memory.cu took more than 300 MB of memory " \
		"several together do not"
else
	skip "several together do not" "one core"
fi
done_testing
