#!/bin/bash
# ladder_data.sh [FILE]: writes FILE (ladder.jsonl): for each kernel of the
# ladder, a line with what the model counts in a recording of it, see
# data/README.md. Needs gemmviz, built here or named by GEMMVIZ, and no GPU.
# tests/ladder_data.sh holds the lines to the kernels as they are now.
set -u
here=$(cd "$(dirname "$0")" && pwd)
gemmviz=${GEMMVIZ:-$here/../build/gemmviz}
out=${1:-$here/../data/ladder.jsonl}
tmp=$(mktemp -d) || exit 7
trap 'rm -rf "$tmp"' EXIT

# part PATTERN: of the report, what stands in \(...\).
part() {
	sed -n "s/.*$1.*/\1/p" "$tmp/report"
}

# line DEFINES KERNEL [-D NAME=VALUE]: of the report what the ladder needs.
line() {
	local defines=$1
	shift
	"$gemmviz" report "$@" -m 256 -n 256 -k 128 --json >"$tmp/report" \
		2>/dev/null || [ $? -eq 1 ] || exit 5
	printf '{"kernel":"%s","defines":{%s},"m":256,"n":256,"k":128,' \
		"$1" "$defines"
	printf '"text_hash":%s,"totals":%s,"sites":%s}\n' \
		"$(part '"text_hash":\("[^"]*"\)')" \
		"$(part '"totals":\({[^}]*}\)')" \
		"$(part '"sites":\(\[.*\]\),"text_hash"')"
}

"$gemmviz" list --json | sed 's/.*"kernels":\[//; s/"programs":.*//' | tr '{' '\n' |
	grep -v '"museum"' | sed -n 's/^"name":"\([^"]*\)".*/\1/p' >"$tmp/names"
while read -r name; do
	case $name in
	naive*)	line '' "$name"
		line '"BLOCK":"32"' "$name" -D BLOCK=32 ;;
	tiled)	line '' "$name"
		line '"TILE":"8"' "$name" -D TILE=8
		line '"TILE":"32"' "$name" -D TILE=32 ;;
	*)	line '' "$name" ;;
	esac
done <"$tmp/names" >"$tmp/lines" && cp "$tmp/lines" "$out"
