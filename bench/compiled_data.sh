#!/bin/bash
# compiled_data.sh [FILE]: writes FILE (data/compiled.jsonl): for each launch of
# shared memory that lessons compare with its source, a line with what the
# machine's accesses come to, by array and op, see data/README.md. Needs
# gemmviz, built here or named by GEMMVIZ, NVRTC, nvdisasm and python3, and no
# GPU. tests/machine.sh holds the lines to the tools that are there.
set -u
here=$(cd "$(dirname "$0")" && pwd)
gemmviz=${GEMMVIZ:-$here/../build/gemmviz}
out=${1:-$here/../data/compiled.jsonl}

# line ARGUMENTS: prints the line of a report that stands on standard input.
line() {
	python3 -c '
import json, sys
words = sys.argv[1].split()
defines = dict(w.split("=") for w in words if "=" in w)
r = json.load(sys.stdin)
m = r["machine"]
assert m["held"] in ("answer", "addresses"), m["why"]
sums = {}
for site in r["sites"]:
    if site["space"] != "shared":
        continue
    # One access may stand for several sites.
    of = sums.setdefault((site["array"], site["op"]), {})
    for a in site["compiled"]:
        of[a["address"]] = a
print(json.dumps({"kernel": r["kernel"], "defines": defines,
    "m": r["m"], "n": r["n"], "k": r["k"],
    "compiler": m["compiler"], "arch": m["arch"],
    "registers": m["registers"], "accesses": [
        {"array": array, "op": op,
         "bytes": max(a["bytes"] for a in of.values()),
         "requests": sum(a["requests"] for a in of.values()),
         "wavefronts": sum(a["wavefronts"] for a in of.values())}
        for (array, op), of in sorted(sums.items()) if of]},
    separators=(",", ":")))' "$1"
}

while read -r kernel; do
	# shellcheck disable=SC2086
	"$gemmviz" report $kernel --machine --json | line "$kernel" || exit 1
done >"$out" <<'END'
float4 -m 64 -n 64 -k 32
float4_at -m 64 -n 64 -k 32
tiled -D TILE=32 -m 64 -n 64 -k 64
tiled_bt -D TILE=32 -m 64 -n 64 -k 64
tiled_bt_pad -D TILE=32 -m 64 -n 64 -k 64
register_tiled -m 32 -n 32 -k 32
tiled -D TILE=32 -m 32 -n 32 -k 32
END
