# A program with a main(): its launches are recorded as it makes them, its
# results are right, and what its host does wrong is found.
# sanitized: never (a program's fibres and exceptions do not go with ASan)
. "$srcdir/tests/tap.sh"

programs=$srcdir/tests/programs
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
run() { "$builddir/gemmviz" run "$@" 2>&1; }

got=$(run "$programs/vector_add.cu")
is $? 0 "a program without faults ends with 0"
like "$got" '^\| PASS$' "its own check passes"
like "$got" '1  vector_add.cu:28  vectorAdd  <<<196, 256>>>  recorded' \
	"its launch is listed as it is"
like "$got" 'vector_add.cu:24: d_C \(200000 bytes\) is never freed' \
	"a leak is named"

got=$("$builddir/gemmviz" report "$programs/vector_add.cu")
like "$got" '^vectorAdd, grid 196 x 1 x 1, block 256 x 1 x 1' \
	"a report is of the program's launch"
like "$got" 'n +int +50000 +the program' "with the arguments that it passes"
like "$got" 'B +const float \* +50000 +0..99998' "and the data"

got=$(run "$programs/matmul.cu" 48)
is $? 0 "templates, namespaces, variables and managed memory"
like "$got" '^\| PASS 2304$' "give right results at the size of the argument"
like "$got" '3  matmul.cu:69  matmul<float, 16>  <<<3x3, 16x16>>>$' \
	"a kernel's third launch is listed"
like "$got" 'all  <<<18, 128, 512>>>  recorded' "with its dynamic shared memory"
got=$(run --seconds 1 "$programs/matmul.cu" 1504)
like "$got" 'matmul.cu:69: the launch took too long on the CPU' \
	"a launch that is too large is ended, which is said"
is "$(echo "$got" | grep -E 'never asks|out-of')" "" \
	"and nothing else is made of it"
got=$(run --launch 2 "$programs/matmul.cu" 32)
like "$got" '2  matmul.cu:69  .*recorded$' "--launch picks one"
is "$(echo "$got" | grep -c recorded)" 1 "and no other"

got=$("$builddir/gemmviz" report "$programs/matmul.cu" --entry all \
	--block 128 --grid 1 --shared 512 2>&1)
like "$got" '^all, .*grid 1 x 1 x 1, block 128' \
	"options of a launch record one kernel, as ever"

# fault NAME STATUS PATTERN
fault() {
	got=$(run "$programs/faults.cu" "$1")
	is $? "$2" "$1: status $2"
	like "$got" "$3" "$1 is said"
}
fault read 1 'faults.cu:21: the host reads the device.s memory device'
fault write 1 'faults.cu:23: the host writes to the device.s memory device'
fault direction 1 'faults.cu:25: cudaMemcpyHostToDevice: the destination is host'
fault large 1 'faults.cu:27: cudaMemcpy reaches byte 260 of device \(256'
fault launch 1 'faults.cu:29: fill failed \(cudaError[A-Za-z]+\), and the program never checks'
fault host 1 "host memory: the kernel was passed a host pointer"
fault bounds 1 'writes to\[64\]; to has 64 elements; line 9'
fault null 1 'through a null pointer; line 9'
fault after 1 'allocated in line 18 and freed in line 49; line 9'
fault twice 1 'faults.cu:53: cudaFree: other was already freed at faults.cu:49'
fault ready 1 'faults.cu:76: cudaEventElapsedTime\(\) is called before the program has waited'
like "$got" '^\| 600, 1 ms$' "and what it gives is not ready"
fault leak 0 'faults.cu:17: device \(256 bytes\) is never freed'
fault macro 1 'the program ended with status 3'
is "$(echo "$got" | grep -cE 'never asks|is never freed')" 0 \
	"macro: it has seen the error, and leaves its memory"
fault later 1 'allocated in line 17 and freed in line 55'
is "$(echo "$got" | grep -c 'never asks')" 0 "later: it asked another call"
fault status 1 'the program ended with status 7'
fault time 0 '^\| -?nan ms$'
fault forge 0 '^\| faults.cu: the program ended with status 0$'
is "$(echo "$got" | tr -d -c '\033')" "" "its output reaches no terminal"

cat >"$tmp/none.cu" <<'END'
#include <cstdio>
#include <cstring>
__global__ void turn(int *to, bool use)
{
    extern __shared__ int turned[];
    int *at = &turned[threadIdx.x];
    if (use)
        *at = to[threadIdx.x];
}
int main(int argc, char **argv)
{
    int *to, *pinned, host[32] = { 7 };
    cudaMalloc(&to, sizeof(host));
    cudaMallocHost(&pinned, sizeof(int));
    *pinned = 3;
    cudaMemset(to, 0, sizeof(host));
    turn<<<1, 32>>>(to, argc > 1);
    cudaMemcpy(host, to, sizeof(host), cudaMemcpyDeviceToHost);
    cudaMemset(pinned, 0, sizeof(int));
    printf("%d %d\n", host[0], *pinned);
    cudaFreeHost(pinned);
    cudaFree(to);
}
END
got=$(run "$tmp/none.cu" use)
is $? 1 "shared memory that the launch does not give must not be used"
like "$got" 'turn: out-of-bounds: thread 0 of block 0 writes turned, dynamic shared memory, but the launch gives no size: .*; line 8 \(and 31 more' \
	"which is said once"
like "$got" '^\| 7 3$' "what is copied and set behind it is not"
is "$(echo "$got" | grep -c 'never written')" 0 "and has no fault itself"
got=$(run "$tmp/none.cu")
is $? 0 "its address may be asked for"
like "$got" '^\| 0 0$' "and what is copied is there"

# Most blocks of a large launch are run without the recorder's looks.
cat >"$tmp/behind.cu" <<'END'
__global__ void behind(int *to)
{
    extern __shared__ int s[];
    for (int i = threadIdx.x; i < (blockIdx.x < 60000 ? 32 : 20000); i += 256)
        s[i] = 1;
    __syncthreads();
    to[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x % 32];
}
int main()
{
    int *to;
    cudaMalloc(&to, 65536 * 1024);
    behind<<<65536, 256, 128>>>(to);
    cudaDeviceSynchronize();
    cudaFree(to);
}
END
got=$(run --max-events 100000 "$tmp/behind.cu")
is $? 1 "what one of them stores behind its shared memory"
like "$got" '^behind: crash: thread [0-9]+ of block 6[0-9]+: invalid memory access; line 5 ' \
	"spoils nothing else"

cat >"$tmp/rows.cu" <<'END'
__global__ void set(int **rows, int *other, int count)
{
    for (int i = 0; i < count; i++)
        rows[i][0] = other[0] = threadIdx.x;
}
int main()
{
    int *row[20], **rows, *other;
    for (int i = 0; i < 20; i++)
        cudaMalloc(&row[i], 4);
    cudaMalloc(&rows, sizeof(row));
    cudaMalloc(&other, 4);
    cudaMemcpy(rows, row, sizeof(row), cudaMemcpyHostToDevice);
    set<<<1, 2>>>(rows, other, 20);
    cudaDeviceSynchronize();
}
END
is "$(run "$tmp/rows.cu" | sed -n 's/^set: race: thread 0 writes \([^ ]*\) .*(\(.*\)).*/\1 \2/p')" \
	"other[0] and 19 more like it
rows[0][0] and 19 more like it" "what is wrong with all rows is said once"

# What a file may take, and what of that is the device's.
cat >"$tmp/large.cu" <<'END'
#include <cstdio>
#include <cstdlib>
__global__ void fill(double *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = i;
}
int main(int argc, char **argv)
{
    const int n = 100 << 17;
    double *to = nullptr;
    auto host = (volatile char *)malloc(n * 8);
    for (int round = 0; argc > 1 && round < 200; round++)
        for (int i = 0; i < n * 8; i += 4096)
            host[i] = round;
    int error = cudaMalloc(&to, n * 8);
    printf("%d\n", error);
    fill<<<1, 256>>>(to, error ? 0 : n);
    cudaFree(to);
}
END
got=$(run --memory 200 "$tmp/large.cu")
is $? 0 "a program is given memory"
like "$got" '^\| 0$' "three quarters of which are the device's"
got=$(run --memory 100 "$tmp/large.cu")
like "$got" '^\| 2$' "or less than it asks for"
like "$got" 'large.cu:17: cudaMalloc runs out of memory: the device has 75 MB here, three quarters of --memory$' \
	"which is said"
got=$(run --memory 64 "$tmp/large.cu" host)
is $? 8 "nor has its host more"
is "$got" "gemmviz: large.cu took more than 64 MB of memory (--memory raises the limit)" \
	"which is said, too"

got=$(run "$programs/many.cu")
is "$(echo "$got" | sed -n '/^launches/,$p')" \
	"launches (--launch N records another):
    1  many.cu:22  one  <<<1, 64>>>  1000 times (the last: 2998)  recorded
    2  many.cu:23  two  <<<1, 32>>>  1000 times (the last: 2999)  recorded
    3  many.cu:24  three<3>  <<<1, 16>>>  600 times (the last: 1800)  recorded
  1803  many.cu:24  three<3>  <<<1, 32>>>  400 times (the last: 3000)" \
	"many launches are listed by what they are"
like "$(run --launch 2501 "$programs/many.cu")" \
	'two  <<<1, 32>>>  1000 times .the last: 2999.  recorded: 2501$' \
	"--launch picks any of them"
is "$(run --json "$programs/many.cu" | grep -o '"number":' | wc -l)" 3000 \
	"--json has each"

# A line is there while the program runs: it waits for what follows it.
"$builddir/gemmviz" run "$programs/output.cu" "$tmp" >"$tmp/said" 2>&1 &
while kill -0 $! 2>/dev/null && ! grep -q '^| waiting' "$tmp/said"; do
	sleep 0.05
done
: >"$tmp/go"
wait $!
# A sanitizer's word on fibres is none of the program's.
is "$(grep '^|' "$tmp/said" | grep -v 'WARNING: ASan')" "| waiting
| it came" "a line is shown when it comes, and once"
is "$(run --json "$programs/output.cu" "$tmp" |
	sed 's/==[0-9]*==WARNING: ASan[^"]*//' | grep -o '"output":"[^"]*"')" \
	'"output":"waiting\nit came\n"' "--json has all of it at the end"
run "$programs/output.cu" "$tmp" 1000000 >"$tmp/said"
is "$([ "$(wc -c <"$tmp/said")" -lt 1600000 ]; echo $?)" 0 \
	"of a million lines a megabyte is shown"
is "$(grep -c -e '^| 1000000$' -e '^  ... and 584[0-9]* bytes more$' \
	"$tmp/said")" 2 "the first of them, and how much more there is"
{
	"$builddir/gemmviz" run --seconds 100 \
		"$programs/output.cu" "$tmp" -1 2>/dev/null
	echo $? >"$tmp/status"
} | head -n 2 >"$tmp/said"
is "$(cat "$tmp/status") $(tail -n 1 "$tmp/said")" "141 | waiting" \
	"when nobody reads it any more, that is the end"

got=$(run "$programs/blas.cu")
is $? 0 "cuBLAS, cuRAND, streams, pitch, pinned memory, attributes"
like "$got" '^\| PASS sm_90 8 blocks, pitch 512, warp 32$' "are played"
like "$got" ' ended with status 0$' "and what its host asks for is there"
like "$got" '3  blas.cu:71  product  <<<2x2, 16x16>>>' "and cudaLaunchKernel"

got=$(run "$programs/vectors.cu")
like "$got" '^\| 0 wrong$' \
	"cuBLAS on vectors, triangles and matrices gives what the sums give"
like "$(run -std=c++20 "$programs/vectors.cu")" '^\|   7$' \
	"<chrono> brings std::setw along, as GCC 13's does"
refused=1
while IFS='|' read -r status why; do
	got=$(run "$programs/vectors.cu" $refused)
	like "$got" "^\| status $status\$" "call $refused of cuBLAS is refused"
	like "$got" "vectors.cu:[0-9]+: $why" "which is said"
	refused=$((refused + 1))
done <<'CALLS'
7|cublasSgemv fails: it returns status 7
7|cublasSgemv fails: it returns status 7
13|cublasSaxpy reaches byte 20 of on .16 bytes
13|cublasSscal fails: it returns status 13
1|cublasSscal fails: it returns status 1
CALLS
like "$(run "$programs/vectors.cu" 6)" \
	"vectors.cu:270: the host writes to the device's memory on " \
	"a result of the host's on the device ends it, in its line"

got=$(run "$programs/numbers.cu")
is $? 0 "functions of numbers, a row that is not whole, large arguments"
like "$got" '^\| failed 0$' "are as CUDA has them"
got=$("$builddir/gemmviz" report "$programs/numbers.cu" --launch 3 2>&1)
like "$got" 'with +mixed +\{\.\.\.\} ' \
	"a structure of several types is told by its name"
like "$got" 'from +large ' "and so is a large one"
got=$("$builddir/gemmviz" report "$programs/types.cu" 2>/dev/null |
	sed -n '/^Arguments/,/^$/{3,$s/^  [a-z]*  *//p}' | sed 1d)
like "$(echo "$got" | tail -n 2 | tr -s ' \n' ' ')" \
	'^const float \* nullptr the program const float \* &\.\.\. the program *$' \
	"a pointer to no array is none, or leads elsewhere"
is "$(echo "$got" | sed 's/   *[0-9{n&].*//')" 'Body *
const Row<float, 3> *
Field
float4 *
half *
struct of 36 bytes
int2
float *
void *
const float *
const float *' "structures have the names that the text gives them, unless those are long"
"$builddir/gemmviz" export "$programs/types.cu" -o "$tmp/types.html" 2>/dev/null
like "$(cat "$tmp/types.html")" '<title>move<' \
	"a page is called after its kernel, which has no M, N and K"

got=$(run "$programs/warp_words.cu")
is $? 1 "a barrier that some threads have ended before is a finding"
like "$got" '^\| 0 wrong$' "what threads learn of each other is what CUDA says, a kernel a word"
is "$(echo "$got" | grep -E '^[a-z_]*: [a-z-]*: ' | cut -d: -f1,2)" \
	"syncthreads_ended: barrier" "and only threads that ended are found"
got=$("$builddir/gemmviz" report "$programs/warp_words.cu" --launch 19 2>&1)
like "$got" ' to +ld +16 +2 ' "an atomic of four floats is a load of 16 bytes"
like "$got" ' to +st +2 ' "and one of a short a store of two"

got=$(run "$programs/grid.cu")
like "$got" '^\| 0 wrong$' "ranks in a grid, and lanes with one label"

got=$(run "$programs/spaces.cu")
is $? 0 "which memory an address is in, and how instructions have it"
like "$got" '^\| 0 wrong$' "is what CUDA says"

got=$(run "$programs/graph.cu")
is $? 0 "launches with attributes, and graphs by hand and captured"
like "$got" '^\| 0 wrong$' "do what CUDA does, when it does"
like "$got" 'fill<int>  <<<4, 8>>>  cudaErrorInvalidClusterSize' \
	"a grid that clusters do not divide is refused"

got=$(run "$programs/clusters.cu")
is $? 0 "clusters of a size that is computed"
like "$got" '^\| 0 wrong$' "are of so many blocks, which know their place"

got=$(run "$programs/addresses.cu")
is $? 0 "addresses of variables: passed, in structures, kept by both sides"
like "$got" '^\| 0 PASS$' "lead where they lead on a GPU"
for launch in 1 3 4; do
	like "$(run --launch $launch "$programs/addresses.cu")" \
		'^\| 0 PASS$' "whichever launch is recorded: $launch"
done
like "$("$builddir/gemmviz" report --launch 1 "$programs/addresses.cu")" \
	' table +ld +4 ' "what they lead to has the variable's name"
like "$(run "$programs/addresses.cu" beyond)" 'of block 2 writes table\[64\]; '\
'table has 64 elements' "and its length"

got=$(run "$programs/early.cu")
is $? 0 "launches that may start while others end"
like "$got" '^\| 0 wrong$' "find what those have left"

got=$(run "$programs/heap.cu")
is $? 0 "memory that kernels allocate, and virtual functions"
like "$got" '^\| 0 wrong$' "are as CUDA has them"
is "$(echo "$got" | grep -c '^[a-z_]*: ')" 0 "without a finding"
# heap HOW PATTERN WHAT
heap() { like "$(run "$programs/heap.cu" "$1")" "$2" "$3"; }
heap 1 'twice: crash: thread 0 of block 0 frees memory that was already freed in line 85; line 86' \
	"what is free is not freed"
heap 2 'other: crash: .* frees memory that neither malloc\(\) nor new allocated in a kernel; line 91' \
	"nor what is the host's"
heap 3 'unset: read-before-write: .* reads heap\[7\] in line 98, which was never written since its allocation in line 96' \
	"nor read before it is written"
heap 4 'past: out-of-bounds: .* writes heap\[40004\]; heap has 16384 elements; line 106' \
	"nor written behind the heap"
heap 5 "the host reads the device's memory heap" "nor used by the host"
heap 6 'late_read: out-of-bounds: thread 0 of block 0 reads freed memory, allocated in line 117 and freed in line 120; line 121' \
	"nor read once it is freed"
heap 7 'late_write: out-of-bounds: .* writes freed memory, allocated in line 127 and freed in line 130; line 131' \
	"nor written"
cat >"$tmp/alone.cu" <<'END'
__global__ void alone(int *to)
{
    int *p = new int[2];
    p[1] = threadIdx.x;
    to[threadIdx.x] = p[1];
    delete[] p;
}
END
got=$("$builddir/gemmviz" check "$tmp/alone.cu" --block 32 --grid 1)
is $? 0 "a kernel without a program has a heap, too"

got=$(run "$programs/half_words.cu")
is $? 0 "functions of half and bfloat16 are what CUDA says"
like "$got" '^\| failed 0$' "bit by bit"

# Compiled by nvcc, it says the same on a GPU.
got=$(run "$programs/blas_lt.cu")
is $? 0 "products of cuBLASLt, and scans of groups of lanes"
like "$got" '^\| failed 0$' "are right: layouts, types, epilogues"

got=$(run "$programs/inside.cu")
is $? 0 "arrays whose pointers are in structures"
like "$got" '^\| 4$' "give right results"
# arrays LAUNCH NAMES WHOSE
arrays() {
	is "$("$builddir/gemmviz" report "$programs/inside.cu" --launch "$1" |
		sed -n '/^Global memory/,/^$/p' |
		awk '$1 ~ /:/ { printf "%s ", $2 }')" "$2 " "$3"
}
arrays 1 "a.elements b.elements" "have the names of the members"
arrays 2 "to l.own.w.elements l.own.bias[0] l.own.bias[1]" \
	"of members' members, and elements"
arrays 3 "to to[0].elements to[1].elements from from[0] from[1]" \
	"of what a pointer points to"
arrays 4 "f.y f.y f.x" "and of what a lambda captures"
like "$("$builddir/gemmviz" report "$programs/inside.cu" --launch 3)" \
	' from +pointer \* ' "a pointer to pointers is called so"

cat >"$tmp/cas.cu" <<'END'
__device__ double add(double *to, double v)
{
    unsigned long long *at = (unsigned long long *)to, old = *at, assumed;

    do {
        assumed = old;
        old = atomicCAS(at, assumed, __double_as_longlong(
            v + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}

__global__ void sum(double *to)
{
    add(to, threadIdx.x);
#ifdef PLAIN
    to[0] += 1;
#endif
}

int main()
{
    double *to, got;
    cudaMalloc(&to, sizeof(*to));
    cudaMemset(to, 0, sizeof(*to));
    sum<<<3, 64>>>(to);
    cudaMemcpy(&got, to, sizeof(got), cudaMemcpyDeviceToHost);
    cudaFree(to);
    return got != 3 * 63 * 32;
}
END
got=$(run "$tmp/cas.cu")
is $? 0 "the read before an atomicCAS() that compares with it is no race"
is "$(echo "$got" | grep -c 'race')" 0 "none is told"
like "$(run -D PLAIN=1 "$tmp/cas.cu")" 'sum: race: .*to\[0\] in line 17' \
	"a plain access beside it is one"

got=$(run "$programs/threads.cu")
is $? 0 "threads of the host: C++'s and POSIX's"
# The address sanitizer has something to say of swapcontext() itself.
is "$(echo "$got" | sed -n '/ASan/!s/^| //p')" "last
PASS" "take turns, where they wait and where they spin"
got=$(run "$programs/threads.cu" deadlock)
is $? 1 "threads that wait for each other"
like "$got" 'threads.cu:2[0-9]+: the program was stopped: its host threads wait' \
	"are told so, with a line"
got=$(run "$programs/teams.cu")
is $? 0 "OpenMP's teams, loops, sections, tasks, locks"
like "$got" '^\| PASS$' "are played with the threads that are asked for"
like "$got" '11  teams.cu:[0-9]+  add  <<<2, 32>>>' "each of which launches"

got=$(run "$programs/pool.cu")
is $? 0 "memory pools, and allocations in a stream's order"
like "$got" '^\| PASS$' "have the sizes that they should"
is "$(run "$programs/pool.cu" 1 | head -n 1)" \
	"pool.cu:96: the program was stopped: gemmviz does not support cudaIpcGetMemHandle on the CPU (--kernel-only records a kernel without the program)" \
	"memory that processes share is refused by name"

like "$(run --devices 2 "$programs/pool.cu" p 2)" '^\| PASS$' \
	"each device has its pool, which others use with its leave"
like "$(run --devices 2 "$programs/pool.cu" n 2)" '^\| line 74: 719, not 0$' \
	"and not as peers"

got=$(run "$programs/fft.cu")
is $? 0 "cuFFT: complex and real, one to three dimensions, batches, strides"
like "$got" '^\| PASS$' "is held to the sums that define it"
is "$(echo "$got" | grep -c "in the host's code")" 0 "without a fault"
like "$(run "$programs/fft.cu" 1)" \
	'fft.cu:[0-9]+: cufftExecC2C reaches byte 1024 of p \(800 bytes' \
	"an array that is too small is named"
like "$(run "$programs/fft.cu" 2)" 'cufftExecC2C gets a pointer to host memory' \
	"and memory of the host's"
like "$(run "$programs/fft.cu" 3)" \
	'the host reads shared, which cufftExecC2C \(fft.cu:[0-9]+\) may not' \
	"and managed memory that the host uses too early"

got=$(run "$programs/thrust.cu")
is $? 0 "thrust: vectors, iterators, algorithms, random numbers"
like "$got" '^\| PASS$' "give what plain loops give"
like "$got" '2  thrust.cu:[0-9]+  row_sums  <<<1, 4>>>  recorded' \
	"within a kernel, too"

got=$(run "$programs/texture.cu")
is $? 0 "textures and surfaces: address modes, filters, formats, layers"
like "$got" '^\| PASS$' "are read by the guide's rules"
like "$got" 'texture.cu:[0-9]+: reads of this array are counted as if' \
	"what is not known of their cost is said"
got=$(run -D BEYOND=1 "$programs/texture.cu")
like "$got" '^beyond: crash: .*__trap\(\)' "a store beyond a surface stops"
like "$("$builddir/gemmviz" report --launch 19 "$programs/texture.cu" 2>&1)" \
	' from +ld +4 ' "a read is a load of the array"

got=$(run "$programs/nested.cu")
is $? 0 "kernels that launch kernels"
like "$got" '^\| PASS$' "are followed by what they launch, in order"
like "$got" '2  nested.cu:19  halves  <<<1, 32>>>' "which is listed"
like "$got" 'nested.cu:21  add  <<<1, 32>>>.*recorded' "and recorded"

got=$(run "$programs/cub.cu")
is $? 0 "CUB's blocks, warps and device"
like "$got" '^\| PASS$' "give what plain loops give"
is "$(echo "$got" | grep -c race)" 0 "without a race"
"$builddir/gemmviz" record "$programs/cub.cu" --launch 1 -o "$tmp/cub.gvt" \
	>/dev/null 2>&1
is "$("$builddir/gemmviz" dump "$tmp/cub.gvt" | sed -n '/^warp 0 1/,/^warp 0 2/p' |
	sed '1,2d; $d')" '1 00000001 8 = 0x44be0000
2 ffffffff
4 ffffffff
5 00000001 8 = 0x42440000
6 ffffffff
8 ffffffff
9 00000001 24 = 0x0,0x4097c000
9 00000001 32 = 0x0,0x40400000
10 ffffffff' "a warp stores its sum, its greatest number, its pair, and waits each time"
got=$(run "$programs/cub_scan.cu")
is "$(echo "$got" | sed -n 's/^| //p')" 'exclusive 96 5726c854 482
exclusive 64 43a29fe1 318
exclusive 32 5055ab57 161
inclusive 96 bcfe3854 482
inclusive 16 fa7b4d29 81
threes 591da6c1 1921' "scans give what they give on a GPU"
"$builddir/gemmviz" record "$programs/cub_scan.cu" -o "$tmp/scan.gvt" \
	>/dev/null 2>&1
got=$("$builddir/gemmviz" dump "$tmp/scan.gvt")
is "$(echo "$got" | sed -n 's/^array [23] //p' | sed 's/ at .*//')" \
	'"temp.raking_grid" shared i32 4 [96]
"temp.block_aggregate" shared i32 4 [1]' "in shared memory that is laid out as it is there"
is "$(echo "$got" | sed -n '/^warp 0 0/,/^warp 0 1/p' | cut -d= -f1 |
	sed '1,2d; $d; s/ $//')" '1 ffffffff 0+4*32
2 ffffffff
3 ffffffff 0+12*32
3 ffffffff 4+12*32
3 ffffffff 8+12*32
3 ffffffff 0+12*32
3 ffffffff 4+12*32
1 ffffffff 0+12*32
1 ffffffff 4+12*32
1 ffffffff 8+12*32
4 00000001 0
2 ffffffff
5 ffffffff 0*32
3 ffffffff 0+4*32
6 ffffffff 0+4*32
7 00000001 384' "by the accesses that nvcc has there, of whole warps, whichever lanes call the operator"
got=$(run "$programs/barrier.cu")
is $? 0 "cuda::barrier: arrivals, waits, copies"
like "$got" '^\| PASS$' "order what they are to"
like "$(run -D MISSING=1 "$programs/barrier.cu")" 'turn: race: .*b\[' \
	"without one there is a race"

# Accesses of several widths in one asm statement, and a barrier behind them.
cat >"$tmp/widths.cu" <<'END'
__global__ void widths(const float *x, float *y)
{
    __shared__ float s[2][32];
    float a, b, c, d, e;
    const float *p = x + threadIdx.x * 8, *q = p + 4;
    asm volatile("ld.global.f32 %0, [%5];\n\t"
                 "ld.global.v4.f32 {%1, %2, %3, %4}, [%6];"
                 : "=f"(a), "=f"(b), "=f"(c), "=f"(d), "=f"(e)
                 : "l"(p), "l"(q));
    asm volatile("st.global.v2.f32 [%0], {%1, %2};\n\t"
                 "st.global.f32 [%0+8], %3;"
                 :: "l"(y + threadIdx.x * 4), "f"(a), "f"(b), "f"(c));
    if (threadIdx.x < 32) {
        unsigned to = (unsigned)__cvta_generic_to_shared(s[0] + threadIdx.x);
        asm volatile("st.shared.f32 [%0], %1;\n\tbar.sync 0;\n\t"
                     "st.shared.f32 [%0+128], %1;"
                     :: "r"(to), "f"(e) : "memory");
    }
}
int main()
{
    float *x, *y, host[256];
    for (int i = 0; i < 256; i++)
        host[i] = i;
    cudaMalloc(&x, sizeof(host));
    cudaMalloc(&y, 128 * sizeof(float));
    cudaMemcpy(x, host, sizeof(host), cudaMemcpyHostToDevice);
    widths<<<1, 32>>>(x, y);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(y);
}
END
"$builddir/gemmviz" record "$tmp/widths.cu" -o "$tmp/widths.gvt" >/dev/null 2>&1
got=$("$builddir/gemmviz" dump "$tmp/widths.gvt")
is "$(echo "$got" | grep -o '^site [0-9] [^:]*:[0-9]* [a-z]* *[0-9]*' |
	sed 's/:[0-9]*//')" 'site 0 9 ld 4
site 1 9 ld 16
site 2 12 st 8
site 3 12 st 4
site 4 17 st 4
site 5 17 barrier' "accesses of one asm statement have the widths that it gives"
is "$(echo "$got" | sed -n '/^warp/,/^end/p' | cut -d' ' -f1-6)" 'warp 0 0
0 ffffffff 0+32*32 = 0 8
1 ffffffff 16+32*32 = 4,5,6,7 12,13,14,15
2 ffffffff 0+16*32 = 0,4 8,12
3 ffffffff 8+16*32 = 5 13
4 ffffffff 0+4*32 = 7 15
5 ffffffff
4 ffffffff 128+4*32 = 7 15
end' "and their values, on either side of its barrier"

cat >"$tmp/parts.cu" <<'END'
__global__ void add(const int *a, const int *b, int *to)
{
    to[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}

int main()
{
    int *x, *y, got;
    cudaMalloc(&x, 128 * sizeof(int));
    cudaMalloc(&y, 64 * sizeof(int));
    cudaMemset(x, 1, 128 * sizeof(int));
    cudaMemset(y, 1, 64 * sizeof(int));
    add<<<1, 64>>>(x, y, x + 64);
    cudaMemcpy(&got, x + 127, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(y);
    return got != 0x02020202;
}
END
got=$(run "$tmp/parts.cu")
is $? 0 "two arguments that lead into one allocation, around another's"
like "$got" '1  parts.cu:13  add  <<<1, 64>>>  recorded' "are recorded"

two=$programs/two
echo words >"$tmp/in"
got=$(run -I "$two/inc" "$two/main.cu" "$two/kernel.cu" "$tmp/in")
is $? 0 "two files, a header's folder, exceptions"
like "$got" '^\| read words$' "a file that an argument names is read"
like "$got" '^\| x\[31\] is 62$' "a kernel of the other file"
like "$got" '1  kernel.cu:10  number  <<<1, 32>>>  recorded' "is recorded"
got=$("$builddir/gemmviz" report -I "$two/inc" "$two/main.cu" "$two/kernel.cu")
like "$got" '5:27 +to +st|5:[0-9]+ +to +st' "and reported in its own text"
like "$(run "$two/main.cu" "$tmp/in" "$tmp/out")" \
	'^gemmviz: main.cu:[0-9]+: half.h: .*; -I [^ ]*two/inc finds half.h$' \
	"a folder below that has what is missing is named"
got=$(run -I "$two/inc" "$two/main.cu" "$tmp/in" "$tmp/out")
like "$got" '^gemmviz: added [^ ]*two/kernel.cu, which defines run..$' \
	"a source of the same folder is taken, which is said"
like "$got" '1  kernel.cu:10  number  <<<1, 32>>>  recorded' "and all is there"
like "$("$builddir/gemmviz" report -I "$two/inc" "$two/main.cu" 2>/dev/null)" \
	'5:[0-9]+ +to +st' "in a report, too"
cp -r "$two" "$tmp/more"
cp "$two/kernel.cu" "$tmp/more/other.cu"
got=$(run -I "$two/inc" "$tmp/more/main.cu" "$tmp/in" "$tmp/out")
is $? 3 "of two that would do none is taken"
like "$got" 'run is not defined in the program.s files, and|main.cu:[0-9]+: run is not defined in the program.s files; [^ ]*more/[a-z]*.cu defines it: add it after main.cu$' \
	"but one is named"
got=$(run --allow-write "$tmp" -I "$two/inc" "$two/main.cu" "$two/kernel.cu" \
	"$tmp/in" "$tmp/out")
is "$(cat "$tmp/out")" written "--allow-write lets it write there"

# Nothing that it makes there has a set-user-ID, set-group-ID or sticky bit.
cat >"$tmp/hostile_setuid.cu" <<'END'
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
__global__ void k() {}
int main(int, char **argv)
{
    umask(0);
    int made = 0;
    char name[4096];
    for (int bit = 01000; bit <= 04000; bit *= 2) {
        snprintf(name, sizeof(name), "%s/open-%o", argv[1], bit);
        made += open(name, O_WRONLY | O_CREAT, 0755 | bit) >= 0;
        snprintf(name, sizeof(name), "%s/creat-%o", argv[1], bit);
        made += creat(name, 0755 | bit) >= 0;
        snprintf(name, sizeof(name), "%s/mkdir-%o", argv[1], bit);
        made += mkdir(name, 0755 | bit) == 0;
        snprintf(name, sizeof(name), "%s/mkdirat-%o", argv[1], bit);
        made += mkdirat(AT_FDCWD, name, 0755 | bit) == 0;
    }
    snprintf(name, sizeof(name), "%s/plain", argv[1]);
    printf("made %d, plain %d\n", made, creat(name, 0755) >= 0);
    k<<<1, 32>>>();
    return 0;
}
END
mkdir "$tmp/setuid"
got=$(run --allow-write "$tmp/setuid" "$tmp/hostile_setuid.cu" "$tmp/setuid")
like "$got" 'made 0, plain 1' "it makes nothing with a set-user-ID bit"
is "$(find "$tmp/setuid" -perm /7000)" "" "... and nothing has one"

mkdir "$tmp/pair"
cat >"$tmp/pair/fill.h" <<'END'
template <class T> __global__ void fill(T *to, T v) { to[threadIdx.x] = v; }
END
cat >"$tmp/pair/first.cu" <<'END'
#include "fill.h"
__global__ void one(int *to) { to[threadIdx.x] += 1; }
void second(int *to);
int main()
{
    int *to;
    cudaMallocManaged(&to, 128);
    fill<<<1, 32>>>(to, 1);
    one<<<1, 32>>>(to);
    second(to);
    return cudaDeviceSynchronize() || to[5] != 9 || cudaFree(to);
}
END
cat >"$tmp/pair/second.cu" <<'END'
#include "fill.h"
static __global__ void two(int *to) { to[threadIdx.x] += 2; }
void second(int *to) { fill<<<1, 32>>>(to, 7); two<<<1, 32>>>(to); }
END
got=$(run "$tmp/pair/first.cu" "$tmp/pair/second.cu")
is $? 0 "a template's kernel that two files have, beside their own"
is "$(echo "$got" | grep -o ':[0-9]*  [a-z<>]*  <<<' | tr -d '\n')" \
	":8  fill<int>  <<<:9  one  <<<:3  fill<int>  <<<:3  two  <<<" \
	"and all of them are launched"

cat >"$tmp/again.cu" <<'END'
__global__ void next(int *to)
{
    to[threadIdx.x] = to[threadIdx.x + 1];
}

int main()
{
    int *to;
    cudaMalloc(&to, 65 * sizeof(int));
    cudaMemset(to, 0, 65 * sizeof(int));
    for (int i = 0; i < 3; i++)
        next<<<1, 64>>>(to);
    return cudaFree(to);
}
END
is "$(run "$tmp/again.cu" | grep -o 'race: .*' |
	sed 's/.*(and/(and/')" "(and 62 more like it); in 3 launches" \
	"what is wrong in each launch is told once"

if grep -q '^#define SANITIZED 1' "$builddir/config.h"; then
	skip confinement "with the address sanitizer programs are not confined"
elif "$builddir/gemmviz" --version | grep -q Landlock; then
	mkdir "$tmp/own"
	for name in write exec; do
		sed "s,@DIR@,$tmp/own," "$programs/hostile_$name.cu" \
			>"$tmp/hostile_$name.cu"
	done
	got=$(run "$tmp/hostile_write.cu")
	is $? 0 "a program that writes goes on"
	like "$got" 'hostile_write.cu:6: all writes to .* are discarded: --allow-write' \
		"and what becomes of it is said"
	cat >"$tmp/hostile_change.cu" <<'END'
#include <cstdio>
#include <sys/stat.h>
__global__ void k() {}
int main(int, char **argv)
{
    return argv[1][0] == 'm' ? mkdir(argv[2], 7) : rename("x", argv[2]);
}
END
	for how in mkdir rename; do
		got=$(run "$tmp/hostile_change.cu" $how "$tmp/own/x")
		is $? 8 "a program that changes files is refused"
		like "$got" "change.cu:6: refused: it tried to write a file .--allow" \
			"at its line: $how"
	done
	got=$(run "$tmp/hostile_exec.cu")
	is $? 8 "one that starts another"
	like "$got" 'hostile_exec.cu:4: refused: it tried to start a process' \
		"at its line"
	like "$(run "$programs/hostile_read.cu")" '^\| read: nothing$' \
		"other files cannot be read"
	is "$(ls "$tmp/own")" "" "nothing was done"
else
	skip confinement "this system cannot confine a file"
fi
got=$(run --seconds 1 "$programs/hostile_loop.cu")
like "$got" 'the program took too long and was stopped' "one without an end ends"
like "$(run --seconds 2 "$programs/cut.cu")" \
	'^k: cap: .* 1 of 96 blocks are complete; thread [0-9]+ of block [0-9]+ was' \
	"blocks that wait for each other may take too long"
for how in "" launches; do
	ended=0
	for _ in 1 2 3; do
		# shellcheck disable=SC2086
		run --seconds 1 "$programs/endless_host.cu" $how |
			grep -q 'the program took too long and was stopped' &&
			ended=$((ended + 1))
	done
	is $ended 3 "and not amid what a library or the recorder does: $how"
done
printf 'int main() { void *p; cudaMallocMipmappedArray(&p, 0, 1); }\n' >"$tmp/u.cu"
like "$(run "$tmp/u.cu")" \
	'^gemmviz: u.cu:1: gemmviz does not support cudaMallocMipmappedArray on the CPU; --kernel-only ' \
	"what is not supported is named with its place"
cat >"$tmp/u.cu" <<'X'
#include <cstdio>
__global__ void f(int *x) { *x = 1; }
int main()
{
    enum cudaSharedMemConfig banks;
    enum cudaFuncCache cache;

    cudaDeviceGetSharedMemConfig(&banks);
    cudaDeviceGetCacheConfig(&cache);
    printf("%d %d\n", banks == cudaSharedMemBankSizeFourByte,
           cache == cudaFuncCachePreferNone);
}
X
like "$(run "$tmp/u.cu")" '^\| 1 1$' "banks and caches that nobody has set"
printf '__global__ void f(int *x) { *x = __shfl_xor(*x, 1); }\nint main() { }\n' \
	>"$tmp/u.cu"
like "$(run "$tmp/u.cu")" "^gemmviz: u.cu:1: '__shfl_xor' was not declared in this scope; since CUDA 9 it is __shfl_xor_sync\(mask, \.\.\.\)\$" \
	"what CUDA 9 has taken away is named with what it has in its place"
printf 'template <class T> __global__ void f(T *x) { *x = __any(1); }\nint main() { }\n' \
	>"$tmp/u.cu"
like "$(run "$tmp/u.cu")" "^gemmviz: u.cu:1: '__any' was not declared in this scope; since CUDA 9 it is __any_sync\(mask, \.\.\.\)\$" \
	"in a template, too"
printf '#include <cudaTypedefs.h>\nint main() { }\n' >"$tmp/u.cu"
like "$(run "$tmp/u.cu")" '^gemmviz: u.cu:1: gemmviz does not support cudaTypedefs.h on the CPU' \
	"so is a header of CUDA's, be it on this machine or not"
got=$(run "$programs/fp8.cu")
like "$got" '^\| 77 5c 78 5c 7e 5f 7f 5f 7f 7c 7f 7b 00 14 00 14 00 00 80 80$' \
	"reals of 8 bits are rounded as CUDA 13.0's header does"
like "$got" '^\| 0 of 512 come back as others$' "each comes back from a float"
like "$got" '^\| -448 -104 288; 1 -2 0.5 448; -1.5 57344$' "in a kernel, in fours and pairs"
is "$(echo "$got" | grep -c 'read-before-write\|bounds')" 0 "without a finding"
cat >"$tmp/u.cu" <<'X'
#include <curand_kernel.h>
__global__ void f(float *x)
{
    curandState s;

    curand_init(1, threadIdx.x, 0, &s);
    x[threadIdx.x] = curand_uniform(&s);
}
X
like "$("$builddir/gemmviz" report "$tmp/u.cu" --block 32 --grid 1 2>&1)" \
	' x +st +4 +1 ' "cuRAND's generators in a kernel without a program"
# refused TEXT WORDS: what is said of a program that begins with the text.
refused() {
	printf '%s\nint main() { }\n' "$1" >"$tmp/seek/a/u.cu"
	is "$(run "$tmp/seek/a/u.cu")" "gemmviz: u.cu:$2" "$1"
}
mkdir -p "$tmp/seek/a" "$tmp/seek/more/inc"
refused '#include "circuit.h"' \
	"1: circuit.h: No such file or directory; give its folder with -I FOLDER"
: >"$tmp/seek/more/inc/circuit.h"
# named TEXT WORDS: what the program lacks is found around it, and named.
named() {
	printf '%s\nint main() { }\n' "$1" >"$tmp/seek/a/u.cu"
	like "$(run "$tmp/seek/a/u.cu")" "^gemmviz: u.cu:1: .*; $2" "$1"
}
# taken TEXT WHAT: what the program lacks is in its folder, and it runs.
taken() {
	printf '%s\nint main() { }\n' "$1" >"$tmp/seek/a/u.cu"
	is "$(run "$tmp/seek/a/u.cu" | head -n 1)" \
		"gemmviz: added $2" "$1"
}
seek=$(realpath "$tmp/seek")
named '#include <circuit.h>' "-I $seek/more/inc finds circuit.h\$"
mkdir "$tmp/seek/more/old"
: >"$tmp/seek/more/old/circuit.h"
like "$(run "$tmp/seek/a/u.cu")" \
	'^gemmviz: u.cu:1: circuit.h: No such file .*; -I .*/more/(inc|old) finds circuit.h$' \
	"of two folders none is taken"
rm -r "$tmp/seek/more/old"
cat >"$tmp/seek/more/u.cu" <<'END'
#define CIRCUIT <inc/circuit.h>
#include CIRCUIT
#if !defined(__NVCC__) || __CUDACC_VER_MAJOR__ < 12
#error which compiler is it?
#endif
int main() { return 4; }
END
like "$(run -I "$tmp/seek/more" "$tmp/seek/more/u.cu" 2>&1)" \
	'u.cu: the program ended with status 4' \
	"-I may be the file's own folder, an include a macro; nvcc's are there"
mkdir "$tmp/seek/lib"
cat >"$tmp/seek/lib/scan.cpp" <<'END'
int scan(int); // and not this one: int scan(int n) {
int twice(int n) { return 2 * n; }
END
cat >"$tmp/seek/lib/more.cpp" <<'END'
namespace mine { int scan(int n) { return n; } }
END
echo 'int twice(int) { return 0; } int main() { }' >"$tmp/seek/a/other.cpp"
named 'int twice(int); int x = twice(1);' \
	"$seek/lib/scan.cpp defines it: add it after u.cu\$"
cp "$seek/lib"/*.cpp "$seek/a"
: >"$seek/a/here.h"
taken 'int twice(int); int x = twice(1);' \
	"$seek/a/scan.cpp, which defines twice()"
taken 'namespace mine { int scan(int); } int y = mine::scan(1);' \
	"$seek/a/more.cpp, which defines scan()"
taken '#include <here.h>' "-I $seek/a, which contains here.h"
rm "$seek/a/scan.cpp" "$seek/a/more.cpp"
refused '#include <cusparse_none.h>' \
	"1: gemmviz does not support cusparse_none.h on the CPU; --kernel-only records a kernel without the program"
refused '#include <cub/none.cuh>' \
	"1: gemmviz does not support cub/none.cuh on the CPU"
refused '#include <bits/stat.h>' \
	'1: its header stat.h does not compile here: #error "Never include <bits/stat.h> directly; use <sys/stat.h> instead."'
refused '
extern "C" int cusparseNone();
int x = cusparseNone();' \
	"2: cusparseNone is not defined in the program's files, and gemmviz does not support it on the CPU"
refused '
namespace inner { int lacking(float *, int); }
int y = inner::lacking(0, 1);' \
	"2: lacking is not defined in the program's files, and gemmviz does not support it on the CPU"
refused '#include <cooperative_groups.h>
__global__ void k() { cooperative_groups::this_multi_grid(); }' \
	"2: gemmviz does not support cooperative_groups::this_multi_grid on the CPU"
refused '#include <cooperative_groups.h>
__global__ void k() { __shared__ cooperative_groups::block_tile_memory<64> m; }' \
	"2: gemmviz does not support cooperative_groups::block_tile_memory on the CPU"

got=$(run "$programs/nvtx.cu")
like "$got" '^\| PASS$' "what is marked for a profiler is left out"
like "$got" 'nvtx.cu:22  number  <<<1, 32>>>  recorded$' "and all else is there"

done_testing
