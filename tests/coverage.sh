#!/bin/bash
# COVERAGE.md: each lesson and step that it names is there, in every row; and
# how much each lesson has.
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

# What the course has, as the program counts it.
is "$(LANGUAGE=en "$builddir/gemmviz" list --json | perl -0777 -MJSON::PP -ne '
	print "$_->{name} $_->{steps} $_->{questions}\n"
		for @{decode_json($_)->{lessons}}' | LC_ALL=C sort)" \
	"$(for file in $(grep -lE "^place [0-9]" "$lessons"/*.md); do
		echo "$(basename "$file" .md) $(grep -c '^## ' "$file")" \
			"$(grep -c '^ask ' "$file")"
	done | LC_ALL=C sort)" "list --json counts each lesson's steps and questions"
done_testing
