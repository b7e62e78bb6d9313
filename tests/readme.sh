# The Chinese README gives the commands of the English one, and what both
# link to is there.
# sanitized: never (it reads texts)
. "$srcdir/tests/tap.sh"

# commands FILE: its indented commands, without what is said beside them.
commands() {
	sed -n 's/^    \(\.\/start.*\)/\1/p' "$1" | sed 's/   *.*//'
}

# missing FILE: what it links to in the tree and is not there.
missing() {
	grep -o '](\([^)#:]*\)[)#]' "$1" | sed 's/^](//; s/[)#]$//' |
		while read -r path; do
			[ -z "$path" ] || [ -e "$srcdir/$path" ] || echo "$path"
		done
}

like "$(commands "$srcdir/README.md")" '^\./start race$' \
	"README.md has commands"
is "$(commands "$srcdir/README.zh.md")" "$(commands "$srcdir/README.md")" \
	"README.zh.md has the same ones, in this order"
for file in README.md README.zh.md; do
	like "$(cat "$srcdir/$file")" '\]\([A-Za-z/.]*\)' "$file has links"
	is "$(missing "$srcdir/$file")" "" "$file: what it links to is there"
done
like "$(cat "$srcdir/README.md")" '\]\(README\.zh\.md\)' \
	"README.md leads to the Chinese one"
done_testing
