#!/bin/sh
# streams_hardware.sh [FILE]: measures what several streams and two GPUs give,
# and writes FILE (streams.json), see data/README.md. Needs nvcc, nvidia-smi and
# two GPUs. PROGRAM=FILE: bench/streams.cu, built already. The whole takes
# seconds.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-streams.json}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

if [ -z "${PROGRAM:-}" ]; then
	PROGRAM=$tmp/streams
	nvcc -std=c++17 -O3 -arch=native -o "$PROGRAM" "$here/streams.cu"
fi
"$PROGRAM" >"$tmp/measured"
driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -n 1)
sed "1s/^{\"machine\":{/{\"date\":\"$(date -u +%Y-%m-%d)\",\"machine\":{\"driver\":\"$driver\",/" \
	"$tmp/measured" >"$out"
