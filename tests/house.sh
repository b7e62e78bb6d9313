#!/usr/bin/env bash
# The house is in order: the folders of src/ are the rows of HACKING's table, in
# the order in which they may use each other; each includes only what its row
# names, so that the graph from folder to folder has no circle; no function is too
# long, but for those in HACKING's list of exceptions. Files that are long are
# listed, and fail nothing.
#
# `house.sh TREE` prints the counts for any tree of this program instead.
# sanitized: never (it reads texts)
# A file longer than this is listed: does it have one subject?
files_most=800
lines_most=60

# c_files TREE: the C files of src/. CUDA's headers for the host and kernels
# are texts for other compilers.
c_files() {
	(cd "$1/src" && find . -name '*.[ch]' ! -path './cuda-headers/*' \
		! -path './kernels/ptx.h' |
		sed 's,^\./,,' | sort)
}

# table TREE: "FOLDER USED USED ...", HACKING's table of folders.
table() {
	sed -n '/^| folder | holds | uses |$/,/^$/p' "$1/HACKING.md" |
		awk -F ' *\\| *' 'NR > 2 && NF { gsub("`", "", $2); print $2, $4 }'
}

# rows TREE: the same with a row for each folder that a row FOLDER/* is about:
# none of these may use another.
rows() {
	table "$1" | while read -r folder uses; do
		case $folder in
		*/\*)
			for path in "$1/src/${folder%\*}"*/; do
				path=${path#"$1/src/"}
				echo "${path%/} $uses"
			done
			;;
		*) echo "$folder $uses" ;;
		esac
	done
}

# exceptions TREE: the functions that HACKING allows to be over the limit,
# "FILE:FUNCTION".
exceptions() {
	sed -n '/^| over the limit | why |$/,/^$/p' "$1/HACKING.md" |
		sed -n 's,^| `\([^`]*\)` .*,\1,p'
}

# includes TREE: every include with quotes, as "FILE INCLUDED WORDS": what is
# included is looked for beside the file, from src/, and by its name.
includes() {
	(cd "$1/src" && c_files "$1" | tr '\n' '\0' |
		xargs -0 grep -H '^#include "' /dev/null) |
		sed 's,^\([^:]*\):#include "\([^"]*\)".*,\1 \2,' |
		grep -v ' config\.h$' |
		awk -v list="$(c_files "$1")" '
		BEGIN {
			n = split(list, file, "\n")
			for (i = 1; i <= n; i++) {
				known[file[i]] = 1
				name = file[i]
				sub(".*/", "", name)
				where[name] = file[i]
			}
		}
		{
			to = $1
			sub("[^/]*$", $2, to)
			while (sub("[^/]+/[.][.]/", "", to))
				;
			if (!(to in known))
				to = $2
			if (!(to in known) && to in where)
				to = where[to]
			print $1, to, $2
		}'
}

# wrong TREE: the includes that no row allows, one a line.
wrong() {
	{
		rows "${2:-$1}"
		echo
		includes "$1"
	} | awk '
	function folder(path) {
		if (!sub("/[^/]*$", "", path))
			return "."
		return path
	}
	!NF { body = 1; next }
	!body { for (i = 1; i <= NF; i++) may[$1, $i] = 1; next }
	!((folder($1), folder($3)) in may) {
		print "src/" $1 " includes " $3
	}'
}

# Who knows JSON: the protocol's ends, the command line, and these, which write
# or read files and what is printed for programs.
json_files='analysis/advice_json analysis/finding_json analysis/report analysis/report_diff analysis/report_machine analysis/report_out analysis/report_parts export/export_cast export/export_html export/html_frames
practice/judge practice/judge_answer practice/judge_cost practice/judge_job practice/judge_parts practice/judge_program practice/judge_stages
provenance/provenance provenance/provenance_out app/class_event app/progress timing/timing_file
timing/across timing/calibrated timing/calibration timing/calibration_rules timing/compiled timing/ladder timing/streams timing/timing_json timing/timing_members timing/timing_message timing/tuned
web/runner_web'

# json TREE: the other files that know it, one a line.
json() {
	(cd "$1/src" && c_files "$1" | tr '\n' '\0' |
		xargs -0 grep -lE 'json_[a-z]+|jansson' /dev/null) |
		grep -vE '^(protocol|runner|cli|record|emu|cudart|worker|toolkit|gpu)/' |
		sed 's,\.[ch]$,,' | sort -u |
		grep -vxF "$(echo "$json_files" | tr ' ' '\n')"
}

# circles TREE: the folders of each circle, one a line.
circles() {
	includes "$1" | awk '
	function folder(path) {
		return sub("/[^/]*$", "", path) ? path : "."
	}
	{
		a = folder($1); b = folder($2)
		all[a]; all[b]
		way[a, b] = 1
	}
	END {
		for (k in all) for (i in all) for (j in all)
			if ((i, k) in way && (k, j) in way)
				way[i, j] = 1
		for (i in all) {
			if (i in seen)
				continue
			line = i
			for (j in all)
				if (i != j && (i, j) in way && (j, i) in way) {
					line = line " " j
					seen[j]
				}
			if (line != i)
				print line
		}
	}'
}

# lengths TREE: "LINES FILE" of each .c file.
lengths() {
	(cd "$1" && c_files . | sed -n 's,.*\.c$,src/&,p' |
		while read -r file; do echo "$(wc -l <"$file") $file"; done)
}

# functions TREE: "LINES FILE:FUNCTION" of each function, its head included.
functions() {
	(cd "$1" && c_files . | sed 's,^,src/,' | tr '\n' '\0' | xargs -0 awk '
	FNR == 1 { head = 0 }
	/^[a-zA-Z_].*\(/ && !/^(else|while|for|if)/ {
		head = FNR
		name = $0
		sub(/\(.*/, "", name)
		sub(/.*[ *]/, "", name)
	}
	/^}/ {
		if (head && open)
			print FNR - head + 1, FILENAME ":" name
		head = open = 0
	}
	/^{/ { open = head }
	/;$/ && /^[a-zA-Z_\t].*\);$/ && !open { head = 0 }')
}

# over MOST: of "LINES NAME", the names that have more, longest first.
over() {
	awk -v most="$1" '$1 > most' | sort -rn
}

counts() {
	echo "C files in src/: $(lengths "$1" | wc -l)"
	echo "C files flat in src/: $(lengths "$1" | grep -c ' src/[^/]*$')"
	echo "C files over $files_most lines: $(lengths "$1" |
		over $files_most | wc -l)"
	lengths "$1" | over $files_most | sed 's/^/    /'
	echo "functions: $(functions "$1" | wc -l)"
	echo "functions over $lines_most lines: $(functions "$1" |
		over $lines_most | wc -l)"
	functions "$1" | over $lines_most | sed 's/^/    /'
	echo "circles of folders: $(circles "$1" | wc -l)"
	circles "$1" | sed 's/^/    /'
	if [ -n "$(rows "$1")" ]; then
		echo "upward includes: $(wrong "$1" | wc -l)"
		wrong "$1" | sed 's/^/    /'
	else
		echo "upward includes: n/a, HACKING has no table of folders"
	fi
}

if [ $# -gt 0 ]; then
	counts "$(cd "$1" && pwd)"
	exit
fi
. "${srcdir:?}/tests/tap.sh"

folders=$(table "$srcdir" | cut -d' ' -f1 | sed 's,/\*$,,')
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
done <<END
$(rows "$srcdir")
END
is "$(wrong "$srcdir")" "" "no file includes what its folder may not use"
is "$(circles "$srcdir")" "" "no circle of folders"
is "$(json "$srcdir")" "" "no JSON between the edges"

# users PATTERN [FOLDER ...]: the files of src/ that a pattern is in.
users() {
	pattern=$1
	shift
	(cd "$srcdir/src" && grep -rlE --include='*.[ch]' "$pattern" "${@:-.}") |
		sed 's,^\./,,' | LC_ALL=C sort | xargs
}
is "$(users '^#include <(ncursesw?.)?(curses|term)\.h')" "term/term.c" \
	"one file includes curses"
is "$(users '"term/term\.h"')" \
	"app/ui.h cli/cmd_doctor.c term/term.c web/term_web.c web/term_web.h" \
	"only who opens the terminal knows it, and who asks what it is"

# excessive: of "LINES NAME", the names that are no exceptions.
excessive() {
	awk '{ print $2 }' | grep -vxF -f <(exceptions "$srcdir")
}
lengths "$srcdir" | over $files_most |
	sed "s/^/# over $files_most lines, perhaps of two subjects: /"
is "$(functions "$srcdir" | over $lines_most | excessive)" "" \
	"no function has over $lines_most lines"

is "$(grep -v '^#' "$srcdir/tests/mutants.list" |
	while IFS='	' read -r file _ edit; do
		sed "$edit" "$srcdir/src/$file" 2>&1 |
			cmp -s - "$srcdir/src/$file" && echo "$file $edit"
	done)" "" "each bug of mutants.list can still be planted"

# The test itself, with a tree in which all is wrong.
tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
mkdir -p "$tmp/src/trace" "$tmp/src/viz"
echo '#include "viz/canvas.h"' >"$tmp/src/trace/trace.h"
echo '#include "trace/trace.h"' >"$tmp/src/viz/canvas.h"
echo '#include "trace.h"' >"$tmp/src/viz/frame_model.h"
echo 'json_t *words;' >"$tmp/src/viz/words.c"
{
	printf 'static int short_one(void)\n{\n}\n\nint long_one(int a,\n'
	printf '\t     int b)\n{\n'
	yes '	a++;' | head -n 58
	printf '}\n'
	yes '' | head -n 800
} >"$tmp/src/trace/long.c"
is "$(wrong "$tmp" "$srcdir" | sort)" "src/trace/trace.h includes viz/canvas.h
src/viz/canvas.h includes trace/trace.h
src/viz/frame_model.h includes trace.h" "one that goes up, or not from src/, is found"
is "$(circles "$tmp" | tr ' ' '\n' | sort | tr '\n' ' ')" "trace viz " \
	"and a circle"
is "$(json "$tmp")" "viz/words" "and JSON in a view"
is "$(functions "$tmp" | over $lines_most)" "62 src/trace/long.c:long_one" \
	"and a long function"
is "$(lengths "$tmp" | over $files_most)" "866 src/trace/long.c" \
	"and a long file"

done_testing
