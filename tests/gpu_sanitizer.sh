#!/bin/sh
# compute-sanitizer looks at the kernels as they are timed: no bad access, no
# race, no misused barrier, nothing read that nobody wrote; at two sizes, one of
# them no multiple of a tile where the kernel takes it.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/table.sh"

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

# judged WHAT TOOLS STATUS: of the launch in $tmp/request, by all at once.
judged() {
	for tool in $2; do
		(
			"$sanitizer" --tool "$tool" --error-exitcode 99 \
				"$builddir/gemmviz-gpu" --launch "$tmp/request" \
				>"$tmp/$tool" 2>&1
			echo $? >"$tmp/$tool.status"
		) &
	done
	wait
	for tool in $2; do
		judge=$(cat "$tmp/$tool.status")
		is "$judge" "$3" "$1: $tool finds $(
			[ "$3" -eq 0 ] && echo nothing || echo it)"
		[ "$judge" = "$3" ] || sed 's/^/# /' "$tmp/$tool"
	done
}

# clean NAME KERNEL DEFINES M N K
clean() {
	name=$1
	shift
	request "$@" >"$tmp/request"
	judged "$name" "memcheck racecheck synccheck initcheck" 0
}

for size in "128 64 64" "100 70 33"; do
	# shellcheck disable=SC2086
	set -- $size
	for k in $(kernels right); do
		takes "$k" -m "$1" -n "$2" -k "$3" &&
			clean "$k $1x$2x$3" "$k" "" "$@"
	done
	for t in 8 32; do
		clean "tiled TILE=$t $1x$2x$3" tiled "\"TILE\":\"$t\"" "$@"
	done
done
for k in warptile sgemm_pipelined; do
	clean "$k 64x128x48" "$k" "" 64 128 48
	clean "$k 128x256x16" "$k" "" 128 256 16
done
for k in mma mma_multistage wgmma_basic tma_pipeline hgemm; do
	clean "$k 100x264x40" "$k" "" 100 264 40
done
# More tiles than blocks run at once, and worth sharing.
for k in sgemm hgemm; do
	clean "$k 2304x2184x120" "$k" "" 2304 2184 120
done

# In the museum it finds what the recorder finds: with whole tiles and with an
# edge. racecheck knows of shared memory alone, and of nothing behind a crash.
for k in $(kernels wrong); do
	for depth in 64 40; do
		takes "$k" -k $depth || continue
		found=$("$builddir/gemmviz" report "$k" -k $depth --json |
			sed 's/.*"findings"://')
		request "$k" "" 64 64 $depth >"$tmp/request"
		judged "$k, K $depth" memcheck "$(
			case $found in
			*'"kind":"out-of-bounds"'* | *'"kind":"crash"'*)
				echo 99 ;;
			*)	echo 0 ;;
			esac)"
		case $found in
		*'"kind":"crash"'*) continue ;;
		esac
		judged "$k, K $depth" racecheck "$(
			if echo "$found" | tr '{' '\n' |
				grep '"kind":"race"' | grep -qv ' C\['; then
				echo 99
			else
				echo 0
			fi)"
	done
done

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
