#!/bin/sh
# asm_values.sh [FILE]: asks the GPU of this machine, one of compute capability
# 9.0, what the PTX instructions of src/emu/warp/asm_alu.def make of edge values, and
# writes FILE (asm.jsonl), an instruction a line. Needs nvcc. The whole takes
# seconds.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-asm.jsonl}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

nvcc -std=c++17 -gencode=arch=compute_90,code=sm_90 -I"$here/../src" \
	-o "$tmp/asm_values" "$here/asm_values.cu"
"$tmp/asm_values" >"$out"
