#!/bin/bash
# Reports of anybody's machine code: a cubin, PTX, a folder of Triton's cache; and
# hostile ones: damaged, enormous, or with an nvdisasm that they have taken over.
# The cubins are NVRTC's (tests/make_cubin). MACHINE_CODE=all, as in make nightly,
# damages 400 of them instead of 6.
# sanitized: nightly
. "$srcdir/tests/tap.sh"
export GEMMVIZ_LANG=en
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
gemmviz=$builddir/gemmviz

# report FILE [OPTION...]: a report of the kernel "tail"; its status, and how many
# lines it wrote to standard error.
report() {
	"$gemmviz" report "$1" --block 64 --grid 3 --arg 2=150 "${@:2}" \
		>"$tmp/out" 2>"$tmp/err"
	echo "$? $(wc -l <"$tmp/err")"
}

# totals: the eight counts of the JSON in $tmp/out.
totals() {
	sed -n 's/.*"machine":{.*"totals":{\([^}]*\)}.*/\1/p' "$tmp/out" |
		sed 's/"[a-z_]*"://g'
}

# ---- without a cubin ----
printf 'no cubin' >"$tmp/bad.cubin"
if [ "$(report "$tmp/bad.cubin")" = "5 1" ]; then
	skip "machine code" "nvdisasm is not here (pip install nvidia-cuda-nvdisasm)"
	done_testing
	exit
fi
is "$(report "$tmp/bad.cubin")" "3 1" "a damaged cubin: status 3, one line"
head -c 100000000 /dev/zero >"$tmp/big.cubin"
is "$(report "$tmp/big.cubin")" "3 1" "one of 100 MB"
rm "$tmp/big.cubin"

cat >"$tmp/own.cu" <<'END'
__constant__ int factors[4] = { 7, 5, 3, 2 };
__global__ void tail(const int *in, int *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		out[i] = in[i] / factors[i % 4] + in[i] % n;
}
__global__ void twice(float *x)
{
	__shared__ float all[64];

	all[threadIdx.x] = x[threadIdx.x];
	__syncthreads();
	x[threadIdx.x] = 2 * all[63 - threadIdx.x];
}
END
name=$("$builddir/tests/make_cubin" "$tmp/own.cu" tail 90 "$tmp/own.cubin")
if [ $? = 77 ]; then
	skip "cubins" "NVRTC is not here (pip install nvidia-cuda-nvrtc)"
	done_testing
	exit
fi

# ---- good ones ----
is "$(report "$tmp/own.cubin" --entry "$name" --json)" "0 0" "a cubin"
is "$(totals | cut -d, -f1,3)" "5,5" "... only warps with lanes count"
like "$(cat "$tmp/out")" '"accesses":\[\{"address":[0-9]+,"line":7' "... with its lines"
is "$(report "$tmp/own.cubin" --entry nothing)" "2 1" \
	"no entry of that name: status 2"
for arch in 75 80; do
	"$builddir/tests/make_cubin" "$tmp/own.cu" tail $arch \
		"$tmp/$arch.cubin" >/dev/null
	report "$tmp/$arch.cubin" --entry tail --json >/dev/null
	is "$(totals | cut -d, -f1,3)" "5,5" "sm_$arch"
done
"$builddir/tests/make_cubin" "$tmp/own.cu" tail 100 "$tmp/100.cubin" >/dev/null
is "$(report "$tmp/100.cubin" --entry tail)" "3 1" \
	"an architecture that is not covered"
"$builddir/tests/make_cubin" "$tmp/own.cu" tail 90 "$tmp/own.ptx" >/dev/null
found=$(report "$tmp/own.ptx" --entry tail --json)
if [ "$found" = "5 1" ]; then
	skip "PTX" "nvJitLink is not here (pip install nvidia-nvjitlink)"
else
	is "$found $(totals | cut -d, -f1,3)" "0 0 5,5" "PTX"
	printf '.version 8.0\n.target sm_90\nnonsense\n' >"$tmp/bad.ptx"
	is "$(report "$tmp/bad.ptx")" "3 1" "PTX that is not valid"
fi

# ---- a debug build ----
cat >"$tmp/debug.cu" <<'END'
__global__ void debug(const float *in, float *out)
{
	__shared__ float part[256];
	float mine[8], sum = 0;
	int t = threadIdx.x;

	for (int i = 0; i < 8; i++)
		mine[i] = in[t + i];
	for (int i = 0; i < 4; i++)
		part[t * 4 + i] = mine[(t + i) & 7];
	__syncthreads();
	for (int i = 0; i < 4; i++)
		sum += part[(t ^ 1) * 4 + i];
	out[t] = sum;
}
END
nvcc=$(PATH=$PATH:/usr/local/cuda/bin command -v nvcc)
for arch in 75 80 90; do
	if [ -z "$nvcc" ]; then
		skip "a debug build for sm_$arch" "nvcc is not here"
		continue
	fi
	"$nvcc" -G -cubin -arch=sm_$arch -o "$tmp/debug.cubin" "$tmp/debug.cu" \
		>/dev/null 2>&1
	is "$("$gemmviz" report "$tmp/debug.cubin" --block 64 --grid 1 --json \
		>"$tmp/out" 2>&1; echo $?) $(totals)" \
		"0 16,78,2,8,8,32,8,32" \
		"a debug build for sm_$arch: nothing is merged, by generic addresses"
	is "$(grep -o '"space":"local"' "$tmp/out" | wc -l)" 2 \
		"... and its local array is in local memory"
done

# ---- Triton's cache ----
mkdir "$tmp/cache"
is "$(report "$tmp/cache")" "3 1" "a folder without a kernel"
cp "$tmp/own.cubin" "$tmp/cache/tail.cubin"
printf '{"name":"%s","num_warps":4,"shared":1024}' "$name" \
	>"$tmp/cache/tail.json"
printf '{"child_paths":{}}' >"$tmp/cache/__grp__tail.json"
is "$("$gemmviz" report "$tmp/cache" --grid 2 --arg 2=150 >"$tmp/out" 2>&1
	echo $?)" 0 "a kernel of Triton's cache"
like "$(cat "$tmp/out")" 'block 128 x 1 x 1' "... with its warps"
other=$("$builddir/tests/make_cubin" "$tmp/own.cu" twice 90 \
	"$tmp/cache/twice.cubin")
printf '{"name":"%s","num_warps":2,"shared":0}' "$other" \
	>"$tmp/cache/twice.json"
is "$(report "$tmp/cache")" "2 1" "two of them: status 2"
like "$(cat "$tmp/err")" "$name, $other" "... and which there are"
is "$("$gemmviz" report "$tmp/cache" --entry "$other" >"$tmp/out"
	echo $?)" 0 "... unless one is named"
like "$(cat "$tmp/out")" "^$other, .*block 64 x 1 x 1" "... with its own JSON"
is "$(report "$tmp/cache" --entry nothing)" "2 1" "no kernel of that name"
printf '{"name":' >"$tmp/cache/tail.json"
rm "$tmp/cache/twice.cubin"
is "$(report "$tmp/cache")" "3 1" "a JSON that is cut off"

# ---- damaged ones ----
most=6
[ "$MACHINE_CODE" = all ] && most=400
bad=0
for ((i = 1; i <= most; i++)); do
	perl -e '($from, $to, $seed) = @ARGV; srand $seed; local $/;
		open F, "<:raw", $from; $d = <F>;
		substr($d, rand length $d, 1) = chr rand 256 for 0 .. rand 3;
		open F, ">:raw", $to; print F $d' \
		"$tmp/own.cubin" "$tmp/flip.cubin" $i
	now=$(report "$tmp/flip.cubin" --entry "$name")
	case $now in
	"0 0" | "2 1" | "3 1") ;;
	*)
		bad=$((bad + 1))
		echo "# seed $i: $now $(cat "$tmp/err")"
		;;
	esac
done
is $bad 0 "$most cubins with flipped bytes: a report, or one line"
head -c 900 "$tmp/own.cubin" >"$tmp/cut.cubin"
is "$(report "$tmp/cut.cubin")" "3 1" "one that is cut off"

# ---- an nvdisasm that does what it wants ----
mkdir -p "$tmp/toolkit/bin"
cp "$builddir/tests/hostile_tool" "$tmp/toolkit/bin/nvdisasm"
mkdir -p "$tmp/config/gemmviz"
printf 'cuda = %s\n' "$tmp/toolkit" >"$tmp/config/gemmviz/config"
XDG_CONFIG_HOME=$tmp/config HOSTILE=memory report "$tmp/own.cubin" \
	--entry "$name" >/dev/null
like "$(cat "$tmp/err")" 'cannot read it' "the setting cuda says where it is"
export CUDA_HOME=$tmp/toolkit
HOSTILE=rights report "$tmp/own.cubin" --entry "$name" --unconfined >/dev/null
like "$(cat "$tmp/err")" 'cannot be started' \
	"unconfined, a hostile tool has rights (or this proves nothing)"
rm -f /tmp/gemmviz-hostile
is "$(HOSTILE=rights report "$tmp/own.cubin" --entry "$name")" "3 1" \
	"confined, it ends"
like "$(cat "$tmp/err")" 'cannot read it' "... and has none of them"
is "$(HOSTILE=memory report "$tmp/own.cubin" --entry "$name" --memory 512)" \
	"3 1" "one that takes all memory"
like "$(cat "$tmp/err")" 'cannot read it' "... gets no more than the limit"
is "$(HOSTILE=text report "$tmp/own.cubin" --entry "$name")" "3 1" \
	"one that writes without an end"
HOSTILE=loop report "$tmp/own.cubin" --entry "$name" --timeout 1 >/dev/null
like "$(cat "$tmp/err")" 'more than 1 second' "one that never ends"
done_testing
