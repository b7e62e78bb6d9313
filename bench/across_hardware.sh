#!/bin/sh
# across_hardware.sh [FILE [SIZE...]]: measures what several GPUs give a product,
# and writes FILE (across.json), see data/README.md. Needs nvidia-smi, two GPUs or
# more, NCCL and cuBLAS; nvcc unless PROGRAM=FILE is bench/across.cu, built already.
# The whole takes about a minute. Where the two libraries are not among those that
# the system finds, they are looked for where CUDA and Python's packages have them.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-across.json}
[ $# -eq 0 ] || shift
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

for name in libnccl.so.2 libcublas.so.13; do
	found=$(find / -xdev -name "$name" 2>/dev/null | head -n 1)
	[ -z "$found" ] ||
		LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}${found%/*}
done
export LD_LIBRARY_PATH
if [ -z "${PROGRAM:-}" ]; then
	PROGRAM=$tmp/across
	nvcc -std=c++17 -O3 -arch=native -o "$PROGRAM" "$here/across.cu" \
		-lnccl -lcublas
fi
"$PROGRAM" "$@" >"$tmp/measured"
driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -n 1)
sed "1s/^{\"machine\":{/{\"date\":\"$(date -u +%Y-%m-%d)\",\"machine\":{\"driver\":\"$driver\",/" \
	"$tmp/measured" >"$out"
