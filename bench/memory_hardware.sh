#!/bin/sh
# memory_hardware.sh [FILE]: measures latency and bandwidth of the levels of
# this machine's GPU memory, and writes FILE (memory.json), see data/README.md.
# Needs nvcc, nvidia-smi and compute capability 9.0. PROGRAM=FILE: bench/memory.cu,
# built already. The whole takes seconds.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-memory.json}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

if [ -z "${PROGRAM:-}" ]; then
	PROGRAM=$tmp/memory
	nvcc -std=c++17 -O3 -gencode=arch=compute_90a,code=sm_90a -o "$PROGRAM" "$here/memory.cu"
fi
"$PROGRAM" >"$tmp/measured"
driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -n 1)
sed "1s/^{\"machine\":{/{\"date\":\"$(date -u +%Y-%m-%d)\",\"machine\":{\"driver\":\"$driver\",/" \
	"$tmp/measured" >"$out"
