#!/bin/sh
# compute-sanitizer looks at the kernels as they are timed: no bad access, no
# race, at two sizes, one of them no multiple of a tile.
. "$srcdir/tests/tap.sh"

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
sanitizer=$(command -v compute-sanitizer)
[ -n "$sanitizer" ] || sanitizer=$(ls /usr/local/cuda/bin/compute-sanitizer \
	2>/dev/null)
if [ ! -x "$builddir/gemmviz-gpu" ] || [ -z "$sanitizer" ]; then
	skip "compute-sanitizer" "no gemmviz-gpu, or no compute-sanitizer"
	done_testing
	exit
fi

# request KERNEL DEFINES M N K
request() {
	printf '{"type":"counters","id":1,"kernel":"%s","defines":{%s},' "$1" "$2"
	printf '"m":%s,"n":%s,"k":%s,"optimized":true}\n' "$3" "$4" "$5"
}
request naive "" 8 8 8 >"$tmp/request"
said=$("$builddir/gemmviz-gpu" --launch "$tmp/request" 2>&1)
if [ $? -eq 6 ]; then
	skip "compute-sanitizer" "$said"
	done_testing
	exit
fi

# clean NAME KERNEL DEFINES M N K
clean() {
	name=$1
	shift
	request "$@" >"$tmp/request"
	for tool in memcheck racecheck; do
		"$sanitizer" --tool $tool --error-exitcode 99 \
			"$builddir/gemmviz-gpu" --launch "$tmp/request" \
			>"$tmp/said" 2>&1
		is $? 0 "$name: $tool finds nothing" ||
			sed 's/^/# /' "$tmp/said"
	done
}

for size in "128 64 64" "100 70 33"; do
	# shellcheck disable=SC2086
	set -- $size
	clean "naive $1x$2x$3" naive "" "$@"
	clean "naive_swapped $1x$2x$3" naive_swapped "" "$@"
	for t in 8 16 32; do
		clean "tiled TILE=$t $1x$2x$3" tiled "\"TILE\":\"$t\"" "$@"
	done
done
clean "float4 128x64x64" float4 "" 128 64 64
clean "float4 192x128x48" float4 "" 192 128 48

# It would find something: a read beyond the end of A.
text=$(sed 's/"/\\"/g' "$srcdir/tests/kernels/bounds.cu" |
	awk '{ printf "%s\\n", $0 }')
cat >"$tmp/request" <<END
{"type":"counters","id":1,"source":{"file":"bounds.cu","text":"$text"},
"m":64,"n":64,"k":8,"block":[32,32,1],"grid":[4,4,1],"optimized":true}
END
"$sanitizer" --tool memcheck --error-exitcode 99 \
	"$builddir/gemmviz-gpu" --launch "$tmp/request" >"$tmp/said" 2>&1
is $? 99 "memcheck finds what is wrong in bounds.cu" ||
	sed 's/^/# /' "$tmp/said"
done_testing
