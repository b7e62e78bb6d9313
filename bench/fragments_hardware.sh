#!/bin/sh
# fragments_hardware.sh [FILE]: asks the GPU of this machine, one of compute
# capability 9.0, which lane holds which element in mma, wmma, ldmatrix,
# stmatrix and wgmma, and writes FILE (fragments.jsonl), a layout a line.
# Needs nvcc. The whole takes seconds.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-fragments.jsonl}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

nvcc -std=c++17 -gencode=arch=compute_90a,code=sm_90a -o "$tmp/fragments" \
	"$here/fragments.cu"
"$tmp/fragments" >"$out"
