#!/usr/bin/env bash
# The folders of src/ are the rows of HACKING's table, in the order in which
# they may use each other, and each includes only what its row names: so the
# graph from folder to folder has no circle.
. "$srcdir/tests/tap.sh"

# rows: "FOLDER USED USED ...", from the table.
rows() {
	sed -n '/^| folder | holds | uses |$/,/^$/p' "$srcdir/HACKING.md" |
		awk -F ' *\\| *' 'NR > 2 && NF { gsub("`", "", $2); print $2, $4 }'
}

# folder_of PATH: which of the folders a file below src/ is in.
folders=$(rows | cut -d' ' -f1)
is "$(echo "$folders" | cut -d/ -f1 | sort -u)" \
	"$(cd "$srcdir/src" && find . -mindepth 1 -maxdepth 1 |
		sed 's,^\./,,' | sort)" \
	"the table has the folders of src/, and no others"
is "$(sed -n 's,^include src/\(.*\)/local\.mk$,\1,p' "$srcdir/Makefile.am" |
	sort)" "$(echo "$folders" | sort)" "each has its local.mk in the Makefile"

above=
while read -r folder uses; do
	unknown=
	for used in $uses; do
		case " $above " in
		*" $used "*) ;;
		*) unknown="$unknown $used" ;;
		esac
	done
	is "$unknown" "" "$folder uses only folders above it"
	above="$above $folder"
done <<EOF
$(rows)
EOF

# Every include with quotes, as "FILE INCLUDED"; CUDA's headers for the host and
# kernels, which are texts for other compilers, are no part of the graph.
includes() {
	(cd "$1" && find . -name '*.[ch]' ! -path './emu/cuda/*' \
		! -path './kernels/ptx.h' -exec grep -H '^#include "' {} +) |
		sed 's,^\./\([^:]*\):#include "\([^"]*\)".*,\1 \2,' |
		grep -v ' config\.h$'
}

# wrong ROOT: the includes that no row allows, one a line.
wrong() {
	{
		rows
		echo
		includes "$1"
	} | awk '
	function folder(path) {
		sub("/[^/]*$", "", path)
		return path
	}
	!NF { body = 1; next }
	!body { for (i = 1; i <= NF; i++) may[$1, $i] = 1; next }
	!((folder($1), folder($2)) in may) {
		print "src/" $1 " includes " $2
	}'
}
is "$(wrong "$srcdir/src")" "" "no file includes what its folder may not use"

# The test itself: an include that goes up is named with both files.
tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
mkdir -p "$tmp/trace" "$tmp/viz"
echo '#include "viz/canvas.h"' >"$tmp/trace/trace.h"
echo '#include "trace.h"' >"$tmp/viz/canvas.h"
is "$(wrong "$tmp" | sort)" "src/trace/trace.h includes viz/canvas.h
src/viz/canvas.h includes trace.h" "one that goes up, or not from src/, is found"

done_testing
