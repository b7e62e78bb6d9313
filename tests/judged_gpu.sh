#!/usr/bin/env bash
# judged_gpu.sh build FOLDER: compiles the programs of tests/judged with nvcc into
#	the folder (ARCH=sm_90).
# judged_gpu.sh run FOLDER: runs each of their kernels on a GPU under
#	compute-sanitizer's tools, and prints what these report: lines of KIND,
#	KERNEL, and "clean" or the tools with their numbers of errors.
# judged_gpu.sh table FILE: puts the lines in data/verdicts.tsv.
#
# JOBS (12) runs go on at a time; SECONDS_MOST (190) ends them all: what has not
# run by then is "?". Needs no build of gemmviz.
set -u
here=$(cd "$(dirname "$0")" && pwd)
table=$here/../data/verdicts.tsv
tools="memcheck racecheck initcheck synccheck"
PATH=$PATH:/usr/local/cuda/bin:/usr/local/cuda/compute-sanitizer

rows() { grep -v '^#' "$table" | tail -n +2 | cut -f 1,2; }

# run_tool FOLDER TOOL KIND KERNEL: writes the number of errors to a file.
run_tool() {
	local to="$1/said/$2.$3.$4" n
	timeout 30 compute-sanitizer --tool "$2" "$1/$3" "$4" >"$to" 2>&1
	n=$(sed -n 's/.*ERROR SUMMARY: \([0-9]*\) error.*/\1/p
		s/.*RACECHECK SUMMARY: \([0-9]*\) hazard.*/\1/p' "$to" | tail -n 1)
	echo "${n:-timeout}" >"$to.count"
}

# print_row FOLDER KIND KERNEL
print_row() {
	local tool count words=
	for tool in $tools; do
		count=$(cat "$1/said/$tool.$2.$3.count" 2>/dev/null || echo '?')
		[ "$count" = 0 ] || words="$words $tool:$count"
	done
	words=${words# }
	printf '%s\t%s\t%s\n' "$2" "$3" "${words:-clean}"
}

case ${1-} in
build)
	mkdir -p "$2" || exit
	for file in "$here"/judged/*.cu; do
		nvcc -std=c++17 -arch="${ARCH:-sm_90}" -lineinfo \
			-o "$2/$(basename "$file" .cu)" "$file" || exit
	done
	du -sh "$2" ;;
run)
	command -v compute-sanitizer >/dev/null || {
		echo "judged_gpu.sh: there is no compute-sanitizer" >&2
		exit 3
	}
	mkdir -p "$2/said" || exit
	export -f run_tool
	for tool in $tools; do
		rows | while IFS='	' read -r kind kernel; do
			printf '%s\n' "run_tool '$2' $tool $kind $kernel"
		done
	done | timeout "${SECONDS_MOST:-190}" \
		xargs -P "${JOBS:-12}" -d '\n' -n 1 bash -c
	rows | while IFS='	' read -r kind kernel; do
		print_row "$2" "$kind" "$kernel"
	done ;;
table)
	awk -F'\t' -v OFS='\t' 'NR == FNR { said[$1 "/" $2] = $3; next }
		$1 "/" $2 in said { $6 = said[$1 "/" $2] } 1' \
		"$2" "$table" >"$table.new" && mv "$table.new" "$table" ;;
*)
	sed -n '2,/^set/s/^# \{0,1\}//p' "$0" | sed '$d'
	exit 2 ;;
esac
