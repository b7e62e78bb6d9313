#!/bin/bash
# COVERAGE.md: each lesson and step that it names is there, in every row.
. "${srcdir:=.}/tests/tap.sh"
lessons=$srcdir/lessons

# A row that teaches has three columns: what is in the last one.
rows=$(sed '/^## Not taught/,$d' "$lessons/COVERAGE.md" |
	sed -n 's/^| [^|]* | [^|]* | \(.*\) |$/\1/p' |
	grep -v '^taught in$')
ok "$([ "$(wc -l <<<"$rows")" -gt 50 ]; echo $?)" "COVERAGE.md has its rows"
places=$(sed 's/; /\n/g' <<<"$rows" | LC_ALL=C sort -u)
while IFS= read -r place; do
	lesson=${place%%: *}
	grep -qFx "## ${place#*: }" "$lessons/$lesson.md" 2>/dev/null
	ok $? "$place"
done <<<"$places"
done_testing
