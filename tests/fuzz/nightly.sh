#!/usr/bin/env bash
# nightly.sh [EXECUTIONS] [FOLDER]: runs every fuzz target, in the build folder,
# for its share of so many executions (20 million), from the corpus of the
# tests and from what earlier nights have found, which stays in FOLDER
# (fuzz/found). A line for each: executions, how many a second, what was found.
# Ends with 1 if there is a crash; the input lies in FOLDER/NAME-crash.
here=$(cd "$(dirname "$0")" && pwd)
total=${1:-20000000}
found=${2:-fuzz/found}
make -s fuzz || exit 2
targets=$(cd "$here" && ls ./*_fuzz.c | sed 's,./\(.*\)_fuzz.c,\1,')
share=$((total / $(echo "$targets" | wc -w)))
status=0

# stat NAME: a number of the log's last lines.
stat() {
	sed -n "s/^stat::$1: *//p" "$found/log"
}

for target in $targets; do
	mkdir -p "$found/$target"
	nice "fuzz/$target" -runs="$share" -max_len=65536 -timeout=20 \
		-rss_limit_mb=1024 -print_final_stats=1 \
		-artifact_prefix="$found/$target-" "$found/$target" \
		"$here/corpus/$target" >"$found/log" 2>&1
	how=$?
	printf '%-10s %9d executions, %6d a second, %5d new inputs%s\n' \
		"$target" "$(stat number_of_executed_units)" \
		"$(stat average_exec_per_sec)" "$(stat new_units_added)" \
		"$([ $how -eq 0 ] || echo ": FOUND, see $found/$target.log")"
	[ $how -eq 0 ] && continue
	mv "$found/log" "$found/$target.log"
	status=1
done
exit $status
