#!/bin/sh
# access_hardware.sh [FILE]: measures what access patterns cost on the GPU of
# this machine, with nvcc and Nsight Compute (ncu), and writes FILE
# (access.jsonl): a pattern a line with what was counted. Needs permission to
# read the GPU's performance counters. RUNS=5 repeats all five times.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-access.jsonl}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

nvcc -std=c++17 -arch=native -o "$tmp/patterns" "$here/patterns.cu"
python3 "$here/patterns.py" make >"$tmp/all"
grep '"space":"global"' "$tmp/all" >"$tmp/global"
grep -v '"space":"global"' "$tmp/all" >"$tmp/shared"
for space in shared global; do
	python3 "$here/patterns.py" plain <"$tmp/$space" >"$tmp/$space.txt"
	metrics=$(python3 "$here/patterns.py" metrics $space)
	for run in $(seq "${RUNS:-3}"); do
		ncu --clock-control none --cache-control none --csv \
			--page raw --print-units base --metrics "$metrics" \
			--log-file "$tmp/$space$run.csv" \
			"$tmp/patterns" "$tmp/$space.txt"
	done
	python3 "$here/patterns.py" join "$tmp/$space" \
		"$tmp/$space"[0-9]*.csv >"$tmp/$space.jsonl"
done
cat "$tmp/shared.jsonl" "$tmp/global.jsonl" >"$out"
