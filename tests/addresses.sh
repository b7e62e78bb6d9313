# A launch that is recorded twice is the same, also where a kernel writes down
# where its variables are: the machine's own addresses are others in each run.
. "$srcdir/tests/tap.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# twice NAME BLOCK
twice() {
	for n in 1 2; do
		"$builddir/gemmviz" record "$srcdir/tests/kernels/$1.cu" \
			--block "$2" --grid 1 -o "$tmp/$n.gvt" >"$tmp/said" 2>&1
		"$builddir/gemmviz" dump "$tmp/$n.gvt" >"$tmp/$n.txt"
		rm "$tmp/$n.gvt"
	done
	[ -s "$tmp/1.txt" ] && cmp -s "$tmp/1.txt" "$tmp/2.txt"
	ok $? "$1, $2: one trace" || diff "$tmp/1.txt" "$tmp/2.txt" |
		cut -c 1-70 | sed 's/^/# /' | head -n 8
}

twice bounds_pointer_right 32x8
twice addresses 32
done_testing
