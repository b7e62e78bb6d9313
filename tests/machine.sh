#!/bin/bash
# report --machine, and report of a cubin: what the compiler made of accesses.
# Without NVRTC and nvdisasm a sentence and no number; with them the counts that
# a GPU gives (data/counters), edge cases, and bad input. A cubin is one that
# NVRTC made, which gemmviz-machine does not hand out: nvcc, if it is here.
# sanitized: nightly
. "$srcdir/tests/tap.sh"
export GEMMVIZ_LANG=en
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
gemmviz=$builddir/gemmviz
mkdir "$tmp/files"
export TMPDIR=$tmp/files

# number JSON NAME: a number of a report.
number() {
	printf '%s\n' "$1" | sed -n 's/.*"'"$2"'":\([0-9]*\|null\).*/\1/p'
}

# totals JSON: the eight counts of the machine's totals.
totals() {
	printf '%s\n' "$1" | sed -n 's/.*"machine":{.*"totals":{\([^}]*\)}.*/\1/p' |
		sed 's/"[a-z_]*"://g'
}

# ---- without the tools ----
nothing=$(env -i PATH=/usr/bin:/bin HOME="$tmp" GEMMVIZ_LANG=en \
	CUDA_HOME="$tmp" "$gemmviz" report tiled -m 16 -n 16 -k 16 --machine)
if printf '%s\n' "$nothing" | grep -q 'Compiled by'; then
	skip "without the tools" "they are where every program finds them"
else
	like "$(echo $nothing)" 'Counts are those of the source; .*pip install nvidia-cuda-nvrtc nvidia-cuda-nvdisasm shows it' \
		"without the tools: a sentence that says what to install"
	is "$(printf '%s\n' "$nothing" | grep -c 'as compiled')" 0 \
		"... and no number"
fi

# ---- with them ----
if ! "$gemmviz" doctor --json | grep -q '"name":"machine code","state":"works"'; then
	skip "with the tools" "NVRTC or nvdisasm is not here (pip install nvidia-cuda-nvrtc nvidia-cuda-nvdisasm)"
	done_testing
	exit
fi

machine() {
	"$gemmviz" report "$@" --machine --json
}

now=$(machine tiled -m 64 -n 64 -k 64)
is "$(totals "$now")" "1024,4096,128,512,10240,12288,1024,1024" \
	"tiled: as a GPU counts"
like "$now" '"held":"answer"' "... and its values are the recording's"
like "$now" '"compiled":\[.*"opcode":"LDS.128"' "... accesses have opcodes"
now=$(machine tiled_bt -D TILE=32 -m 64 -n 64 -k 64)
is "$(totals "$now")" "512,2048,128,512,4096,69632,512,8448" "tiled_bt"
now=$(machine float4 -m 64 -n 64 -k 64)
is "$(totals "$now" | cut -d, -f5-)" "1024,3072,64,256" \
	"float4: four lines become one store"
for arch in sm_75 sm_80; do
	now=$(machine wmma -m 64 -n 64 -k 64 --arch $arch)
	is "$(totals "$now" | cut -d, -f6)" 768 "wmma, $arch: fragments"
	now=$(machine double_buffered -m 64 -n 64 -k 64 --arch $arch)
	is "$(totals "$now" | cut -d, -f7)" "$([ $arch = sm_75 ] && echo 1024 ||
		echo 0)" "double_buffered, $arch: asynchronous copies"
done
now=$(machine mma --arch sm_75 2>&1)
is $? 3 "mma for sm_75 does not compile: status 3"
like "$now" 'mma.cu:[0-9]+: sm_75 lacks mma_m16n8k16' "... and why"
now=$(machine tma_pipeline)
like "$now" '"held":"no","why":"[A-Z0-9.]* is not interpreted"' \
	"what is not interpreted is not known, and why"
like "$now" '"totals":null' "... without counts"
like "$now" '"registers":[0-9]+' "... but with registers"

# ---- a reader's kernels ----
cat >"$tmp/own.cu" <<'END'
template <int N> __global__ void sum(const float *in, float *out, int n)
{
	__shared__ float part[N];
	int t = threadIdx.x, i = blockIdx.x * N + t;

	part[t] = i < n ? in[i] : 0;
	__syncthreads();
	for (int d = N / 2; d > 0; d /= 2) {
		if (t < d)
			part[t] += part[t + d];
		__syncthreads();
	}
	if (t == 0)
		out[blockIdx.x] = part[0];
}
template __global__ void sum<64>(const float *, float *, int);
template __global__ void sum<128>(const float *, float *, int);
__global__ void tail(const int *in, int *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		out[i] = in[i] / 7 + in[i] % n;
}
struct pair { float x; int n; };
__constant__ float factors[4] = { 1, 2, 3, 4 };
__global__ void scaled(const float *in, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		out[i] = in[i] * factors[i % 4];
}
__global__ void structs(const float *in, float *out, struct pair p)
{
	out[threadIdx.x] = in[threadIdx.x] * p.x + (float)p.n;
}
__global__ void __launch_bounds__(1024, 2) spills(const float *in, float *out,
						  int n)
{
	float v[48];
	int t = threadIdx.x;

	for (int i = 0; i < 48; ++i)
		v[i] = in[(t * 48 + i) % n];
	for (int r = 0; r < 3; ++r)
		for (int i = 0; i < 48; ++i)
			v[i] += v[(i * 7 + 1) % 48] * v[(i + 5) % 48];
	for (int i = 0; i < 48; ++i)
		out[t * 48 + i] = v[i];
}
END
cat >"$tmp/halves.cu" <<'END'
#include <cuda_fp16.h>
__global__ void halves(const __half *in, __half *out, __half by)
{
	out[threadIdx.x] = __hmul(in[threadIdx.x], by);
}
END
now=$(machine "$tmp/own.cu" --entry 'sum<128>' --block 128 --grid 3 --arg n=300 \
	--array in=300)
like "$now" '"held":"answer"' "a template's instance: the one that was recorded"
like "$now" '"shared_bytes":512' "... with its shared memory"
now=$(machine "$tmp/own.cu" --entry tail --block 64 --grid 3 --arg n=150)
like "$now" '"held":"answer"' "a predicated tail, and divisions"
is "$(totals "$now" | cut -d, -f1,3)" "5,5" "... only warps with lanes count"

for arch in sm_80 sm_90; do	# sm_75 has registers enough
	now=$(machine "$tmp/own.cu" --entry spills --block 32 --grid 1 \
		--arg n=2048 --array in=2048 --array out=1536 --arch $arch)
	is "$([ "$(number "$now" spill_stores)" -gt 0 ] && number "$now" local_bytes |
		grep -c '^[1-9]')" 1 "$arch: a kernel that spills"
	like "$now" '"held":"answer"' "... has the recording's values"
	like "$now" '"text":"LDL[^"]*","line":[0-9]*,"executed":[1-9]' \
		"... and local memory was used"
done
for arch in sm_75 sm_80 sm_90; do
	now=$(machine "$tmp/own.cu" --entry scaled --block 32 --grid 2 --arg n=50 \
		--arch $arch)
	like "$now" '"held":"answer"' "$arch: constants of the text"
done
now=$("$gemmviz" report "$tmp/own.cu" --entry structs --block 32 --grid 1 \
	--machine 2>&1)
is $? 2 "a struct as a parameter is refused, as without --machine"
if "$builddir/tests/make_cubin" "$tmp/halves.cu" halves 90 "$tmp/h.cubin" \
	>/dev/null 2>&1; then
	now=$(machine "$tmp/halves.cu" --entry halves --block 32 --grid 1 \
		--arg by=2.5)
	like "$now" '"held":"answer"' "a half as a parameter"
else
	skip "a half as a parameter" "cuda_fp16.h is not here"
fi

# ---- a program ----
cat >"$tmp/program.cu" <<'END'
#include <cstdio>
#include <vector>
__global__ void twice(float *x, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		x[i] = 2 * x[i];
}
int main()
{
	std::vector<float> host(100, 1);
	float *x;

	cudaMalloc(&x, 400);
	cudaMemcpy(x, host.data(), 400, cudaMemcpyHostToDevice);
	twice<<<2, 64>>>(x, 100);
	cudaMemcpy(host.data(), x, 400, cudaMemcpyDeviceToHost);
	printf("%g\n", host[7]);
	cudaFree(x);
}
END
now=$(machine "$tmp/program.cu")
like "$now" '"held":"answer"' "a program's launch"
is "$(totals "$now" | cut -d, -f1,3)" "4,4" "... has its accesses as compiled"
now=$("$gemmviz" report "$tmp/program.cu" --machine --arch sm_100 2>&1 >/dev/null)
is "$?,$(printf '%s\n' "$now" | wc -l)" "3,1" \
	"... for what is not covered: status 3, one line"

# ---- view ----
cat >"$tmp/mixed.cu" <<'END'
__global__ void mixed(const float *in, float *out)
{
	extern __shared__ float pool[];
	__shared__ float last[3];
	__shared__ int first[5];
	int t = threadIdx.x;

	pool[t] = in[t];
	if (t < 5)
		first[t] = t;
	if (t < 3)
		last[t] = in[t];
	__syncthreads();
	out[t] = pool[63 - t] + last[t % 3] + (float)first[t % 5];
}
END
now=$("$gemmviz" view "$tmp/mixed.cu" --block 64 --grid 1 --array in=64 \
	--array out=64 --shared 256 --machine --plain)
is "$(printf '%s\n' "$now" | grep -c "of the warp's")" \
	"$(printf '%s\n' "$now" | sed -n "s/.*of the warp's \([0-9]*\),.*/\1/p" | tail -1)" \
	"view: shared arrays that do not lie as recorded have their accesses"
"$gemmviz" view tiled -m 16 -n 16 -k 16 --machine --plain --arch sm_100 \
	>"$tmp/out" 2>"$tmp/err"
is "$(wc -l <"$tmp/err")" 1 "... what is not covered: a line"
like "$(cat "$tmp/err")" 'sm_100 is not covered' "... that says so"
is "$(grep -c "of the warp's" "$tmp/out")" 0 "... and no access"

# ---- what lessons say of merging ----
same=$(sed -n '1s/.*"compiler":"\([^"]*\)".*/\1/p' "$srcdir/data/compiled.jsonl")
here=$(machine tiled -m 16 -n 16 -k 16 |
	sed -n 's/.*"compiler":"\([^"]*\)".*/\1/p')
if [ "$here" != "$same" ] || ! command -v python3 >/dev/null; then
	skip "data/compiled.jsonl" "the compiler is $here, not $same"
else
	GEMMVIZ=$gemmviz bash "$srcdir/bench/compiled_data.sh" "$tmp/compiled"
	is "$(cat "$tmp/compiled")" "$(cat "$srcdir/data/compiled.jsonl")" \
		"what lessons have recorded is what the tools give"
fi

# ---- diff ----
now=$("$gemmviz" diff double_buffered double_buffered -m 64 -n 64 -k 64 --machine \
	--arch sm_75,sm_80)
like "$now" 'shared store instructions +1024 +0$' \
	"diff: what two architectures make of one text"
like "$now" 'registers a thread +[0-9]+ +[0-9]+$' "... and what they need"
now=$("$gemmviz" diff tiled tiled_bt -m 64 -n 64 -k 64 -D TILE=32 --machine --json)
like "$now" '"machine":\{"before":.*"shared_load_wavefronts":12288.*"after":.*"shared_load_wavefronts":69632' \
	"... of two kernels, as JSON"

# ---- check ----
"$gemmviz" check "$tmp/own.cu" --entry tail --block 64 --grid 3 \
	--max-registers 4 --max-spills 0 >"$tmp/out" 2>"$tmp/err"
is $? 1 "check: more registers than the limit fail"
like "$(cat "$tmp/out")" '[0-9]+ registers a thread' "... and it says how many"
"$gemmviz" check "$tmp/own.cu" --entry tail --block 64 --grid 3 \
	--max-registers 255 --max-spills 0 --max-compiled-ratio 1 >"$tmp/out" 2>"$tmp/err"
is "$(grep -cE 'registers|spills|as compiled' "$tmp/out")" 0 \
	"... and none within the limits"

is "$(find "$TMPDIR" -name 'gemmviz-machine-*')" "" \
	"nothing is left in the temporary folder"
done_testing
