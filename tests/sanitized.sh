#!/bin/sh
# sanitized.sh some|all [build]: runs tests in a build tree that has the
# sanitizers; with `build`, builds these and what they need instead.
#
# `all` is for the night. `some` runs every sixth test, another sixth with each
# commit, and the tests of the folders of src/ that the last commit touches. A C
# test covers the folders that it includes; a script says in its first lines
# `# covers: emu cli`. A test that shows nothing of memory says `# sanitized: never`,
# and one that takes too long for every commit `# sanitized: nightly`, with the
# reason.
set -u
source=$(cd "$(dirname "$0")/.." && pwd)
which=${1:-all}
number=${TEST_TURN:-0}
touched=$(git -C "$source" diff --name-only HEAD~1 HEAD -- src 2>/dev/null |
	sed -n 's,^src/\(.*\)/[^/]*$,\1,p' | sort -u)

# text TEST: the file that the test is written in.
text() {
	case $1 in
	*.sh) echo "$source/$1" ;;
	*) echo "$source/$1.c" ;;
	esac
}

# covers FILE: whether the test looks at a folder that was touched.
covers() {
	folders=$(sed -n 's/^# covers: //p' "$1" | head -n 1; sed -n \
		's,^#include "\([a-z/-]*\)/[^/]*"$,\1,p' "$1")
	for folder in $folders; do
		for t in $touched; do
			case $t/ in "$folder"/*) return 0 ;; esac
		done
	done
	return 1
}

# chosen: the tests to run, one a line.
chosen() {
	at=0
	for test in $(make -s print-tests); do
		file=$(text "$test")
		how=$(head -n 20 "$file" 2>/dev/null |
			sed -n 's/^\(#\| \*\) sanitized: \([a-z]*\).*/\2/p')
		[ "$how" = never ] && continue
		[ "$which" = some ] && [ "$how" = nightly ] && continue
		at=$((at + 1))
		[ "$which" = all ] || [ $((at % 6)) -eq $((number % 6)) ] ||
			covers "$file" || continue
		echo "$test"
	done
}

list=$(chosen)
[ -n "$list" ] || { echo "no test was chosen" >&2; exit 1; }
if [ "${2-}" = build ]; then
	left_out=$(for test in $(make -s print-tests); do
		echo "$list" | grep -qxF "$test" || echo "$test"
	done)
	# shellcheck disable=SC2086
	exec make -s -j"$(nproc)" tests-all LEFT_OUT="$(echo $left_out)"
fi
# shellcheck disable=SC2086
exec make -s prove TEST_SECONDS=1200 ONLY="$(echo $list)"
