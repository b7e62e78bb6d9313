#!/bin/bash
# gpu_data.sh NAME [KERNEL...]: adds what the GPU of this machine gives to the
# project's data: races/NAME.json, all kernels and cuBLAS timed, and
# counters/NAME.jsonl, what the hardware counts of them (data/README.md). With
# kernels named, of these alone. Needs gemmviz and gemmviz-gpu, built here or
# installed, and Nsight Compute (ncu) with permission to read the counters.
#
#   GEMMVIZ=PROGRAM  instead of ./gemmviz, build/gemmviz or the one in PATH
#   DATA=FOLDER      instead of the source tree's data/
#   RACES=no         counters alone
here=$(cd "$(dirname "$0")" && pwd)
data=${DATA:-$here/../data}
export GEMMVIZ_LANG=en

fail() {
	echo "gpu_data.sh: $2" >&2
	exit "$1"
}

find_gemmviz() {
	local p
	for p in "${GEMMVIZ:-./gemmviz}" "$here/../build/gemmviz" gemmviz; do
		command -v "$p" && return
		[ -z "$GEMMVIZ" ] || return
	done
	return 1
}

name=$1
shift
case $name in
'' | -* | .* | *[!A-Za-z0-9._-]*)
	fail 2 "usage: gpu_data.sh NAME [KERNEL...], NAME such as h200-2026-11-21" ;;
esac
gemmviz=$(find_gemmviz) || fail 2 "no gemmviz here or in PATH; GEMMVIZ names it"
races=$data/races/$name.json
counters=$data/counters/$name.jsonl
if [ "$RACES" != no ] && [ -e "$races" ]; then
	fail 2 "$races is there already"
fi
[ ! -e "$counters" ] || fail 2 "$counters is there already"
mkdir -p "$data/races" "$data/counters" || exit 7
tmp=$(mktemp -d) || exit 7
trap 'rm -rf "$tmp"' EXIT

# The table's kernels, a line each with what the program says of it.
"$gemmviz" list --json >"$tmp/list" || exit
sed 's/.*"kernels":\[//; s/"programs":.*//' "$tmp/list" | tr '{' '\n' >"$tmp/kernels"

# named LINES: the kernels' names in them, those that were asked for.
named() {
	sed -n 's/^"name":"\([^"]*\)".*/\1/p' "$1" |
	if [ -n "$asked" ]; then grep -Fx -- "$asked"; else cat; fi
}
asked=$(printf '%s\n' "$@")

# ---- races ----

entrants=()
for k in $(grep -v '"museum"' "$tmp/kernels" >"$tmp/raced"; named "$tmp/raced")
do
	case $k in
	naive)		entrants+=(naive naive:BLOCK=32) ;;
	naive_swapped)	entrants+=(naive_swapped:BLOCK=32) ;;
	tiled)		entrants+=(tiled:TILE=8 tiled:TILE=16 tiled:TILE=32) ;;
	*)		entrants+=("$k") ;;
	esac
done
[ ${#entrants[@]} -gt 0 ] || fail 2 "none of these kernels can race"
sizes=()
for s in 1024 2048 4096 8192 8192x1024x1024 1024x8192x256 4096x4096x512 \
	128x4096x4096; do
	sizes+=(--size "$s")
done
status=0
if [ "$RACES" != no ]; then
	"$gemmviz" time "${entrants[@]}" cublas-fp32 cublas-tf32 \
		cublas-fp16 cublas-bf16 "${sizes[@]}" --counters -o "$races"
	status=$?
	[ -s "$races" ] || exit $status
fi

# ---- counters ----

# A sign of what is missing before all of it is asked for.
"$gemmviz" report naive -m 8 -n 8 -k 8 --counters --json >"$tmp/report" ||
	exit
# The GPU that counts need not be the one that raced.
"$gemmviz" time naive --size 64 --seconds 0.01 -o "$tmp/race" >"$tmp/why" ||
	exit
machine=$(sed 's/.*"machine":\({[^}]*}\).*/\1/' "$tmp/race")

# member NAME: of the report, an object without others in it, a list or text.
member() {
	sed -n 's/.*"'"$1"'":\({[^}]*}\|\[[^]]*\]\|"[^"]*"\).*/\1/p' \
		"$tmp/report"
}

# line KERNEL M N K OPTIMIZED ARGUMENT...: the report's counts. One whose
# recording finds a fault (1) has them, too.
line() {
	local kernel=$1 m=$2 n=$3 k=$4 optimized=$5
	shift 5
	"$gemmviz" report "$kernel" -m "$m" -n "$n" -k "$k" "$@" --counters \
		--json >"$tmp/report" 2>"$tmp/why"
	[ -n "$(member counters)" ] || return
	printf '{"kernel":"%s","m":%d,"n":%d,"k":%d,"optimized":%s,' \
		"$kernel" "$m" "$n" "$k" "$optimized"
	printf '"text_hash":%s,"grid":%s,"block":%s,"date":"%s",' \
		"$(member text_hash)" "$(member grid)" "$(member block)" \
		"$(date -u +%Y-%m-%d)"
	printf '"machine":%s,"totals":%s,"counters":%s}\n' "$machine" \
		"$(member totals)" "$(member counters)"
}

# lines KERNEL SIZE...: both builds at the first size that it takes.
lines() {
	local kernel=$1 size
	shift
	for size; do
		# shellcheck disable=SC2086
		if line "$kernel" ${size//x/ } false; then
			line "$kernel" ${size//x/ } true --on gpu --optimized ||
				echo "$kernel $size, optimized: $(tail -n 1 "$tmp/why")" >&2
			return
		fi
	done
	echo "$kernel $size: $(tail -n 1 "$tmp/why")" >&2
}

for k in $(named "$tmp/raced"); do
	lines "$k" 64x64x64 128x128x64 128x128x128
	lines "$k" 128x192x80 128x256x96 256x384x192
done >"$tmp/counters"
mv "$tmp/counters" "$counters" || exit 7
echo "gpu_data.sh: $counters: $(wc -l <"$counters") lines, $SECONDS s" >&2
exit $status
