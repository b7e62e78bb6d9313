#!/bin/sh
# fill_store.sh SRCDIR: fills modules/kernels, the read-only part of the store of
# compiled kernels (compile_store.h), with what the lessons record and no module
# holds, so that no lesson needs a compiler. Runs in the build folder. An object
# depends on a text, its entry and its -D, not on the sizes: each of these is
# recorded once, at the smallest sizes; one that cannot be recorded is named and
# left out.
set -u
srcdir=$1
cache=modules/cache

# Prints the arguments of `gemmviz record` for each pair, one pair a line.
list_pairs() {
	awk -v lessons="$srcdir/lessons" '
	/^record / {
		what = pair = $2
		line = ""
		volume = 1
		for (i = 3; i <= NF && $i != "as"; i++) {
			split($i, part, "=")
			if (part[1] ~ /^[mnk]$/) {
				volume *= part[2]
				line = line " -" part[1] " " part[2]
			} else if (part[1] ~ /^[A-Z]/) {
				pair = pair " " $i
				line = line " -D " $i
			} else {
				if (part[1] == "entry")
					pair = pair " " $i
				line = line " --" part[1] " " part[2]
			}
		}
		if (what ~ /\.cu$/)
			what = lessons "/" what
		print volume "\t" pair "\t" what line
	}' "$srcdir"/lessons/*.md | sort -n |
		awk -F '\t' '!seen[$2]++ { print $3 }'
}

# What is stored is looked up first: it would not be compiled, or marked as used.
rm -rf modules/kernels
mkdir -p "$cache" modules/kernels
: >modules/filling
# No settings of whoever builds it take part. Status 1: the kernel has a defect.
list_pairs | XDG_CACHE_HOME=$PWD/$cache XDG_CONFIG_HOME=/dev/null \
	xargs -P "$(nproc)" -L 1 sh -c '
		said=$(./gemmviz record --force -o /dev/null "$@" 2>&1) ||
			[ $? -eq 1 ] || echo "$1 is not stored: $said" >&2' -

# The objects that were used, by their names without the compiler's part.
find "$cache/gemmviz/kernels" -type f -newer modules/filling 2>/dev/null |
while read -r object; do
	name=${object##*/}
	cp "$object" "modules/kernels/${name%-*}"
	chmod a+r "modules/kernels/${name%-*}"
done
rm -f modules/filling
