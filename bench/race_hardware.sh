#!/bin/bash
# race_hardware.sh [SIZE...]: all kernels and cuBLAS on the GPU of this
# machine, at 1024 and 4096 or at the sizes given (N or M,N,K). All messages
# go to standard output, a table of medians to standard error. Run it where
# gemmviz-gpu was built; PROGRAM names another one.
program=${PROGRAM:-./gemmviz-gpu}
sizes=
for s in "${@:-1024 4096}"; do
	for n in $s; do
		case $n in
		*,*)	sizes=$sizes,[$n] ;;
		*)	sizes=$sizes,[$n,$n,$n] ;;
		esac
	done
done
entrants='{"kernel":"naive_swapped","defines":{"BLOCK":"32"}},{"kernel":"naive"},{"kernel":"naive","defines":{"BLOCK":"32"}},{"kernel":"tiled","defines":{"TILE":"8"}},{"kernel":"tiled"},{"kernel":"tiled","defines":{"TILE":"32"}},{"kernel":"tiled","defines":{"TILE":"24"}},{"kernel":"float4"},{"rival":"cublas-fp32"},{"rival":"cublas-tf32"},{"rival":"cublas-fp16"}'
out=$(mktemp)
trap 'rm -f "$out"' EXIT
coproc "$program"
printf '{"type":"time","id":1,"entrants":[%s],"sizes":[%s],"repeat":15,"seconds":1}\n' \
	"$entrants" "${sizes#,}" >&"${COPROC[1]}"
while IFS= read -r line <&"${COPROC[0]}"; do
	printf '%s\n' "$line" | tee -a "$out"
	case $line in
	*'"type":"timed"'* | *'"type":"error"'*) break ;;
	esac
done
python3 - "$out" "[${sizes#,}]" "[$entrants]" >&2 <<'PYTHON'
import json, statistics, sys
sizes, entrants = json.loads(sys.argv[2]), json.loads(sys.argv[3])
samples, last, ready = {}, {}, {}
for line in open(sys.argv[1]):
    m = json.loads(line)
    key = m.get("entrant"), m.get("size")
    if m.get("type") == "sample":
        samples.setdefault(key, []).append(m["seconds"])
    if m.get("type") == "entrant":
        last[key] = m
        if m["state"] == "ready":
            ready[key] = m
for s, (M, N, K) in enumerate(sizes):
    print(f"{M}x{N}x{K}")
    for e, what in enumerate(entrants):
        name = what.get("kernel", what.get("rival")) + "".join(
            f" {k}={v}" for k, v in what.get("defines", {}).items())
        got, m = samples.get((e, s)), last.get((e, s), {})
        if not got:
            print(f"  {name:24} {m.get('state')}: {m.get('text')}")
            continue
        t, r = statistics.median(got), ready[e, s]
        q = sorted(got)
        print(f"  {name:24} {2 * M * N * K / t / 1e12:8.2f} TFLOP/s"
              f"  {t * 1e3:9.4f} ms  spread {q[-1] / q[0] - 1:6.1%}"
              f"  {len(got):3} samples  error {r.get('error'):.1e}"
              f" of {r['bound']:.1e} ({r['reference']})"
              f"  {r.get('registers', '-')} registers")
PYTHON
