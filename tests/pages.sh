#!/usr/bin/env bash
# The pages for developers name what is there: functions, structures, files and
# folders in backticks, and links. Each folder in HACKING's table has a README, and
# HACKING's worked examples compile and are right.
# sanitized: never (it reads texts, and checks one lesson)
. "$srcdir/tests/tap.sh"

# pages: the pages, one a line.
pages() {
	(cd "$1" && find ARCHITECTURE.md HACKING.md CONTRIBUTING.md \
		doc/decisions src -name '*.md' 2>/dev/null | sort)
}

# known TREE: what the tree has, one a line: "file PATH", "name FUNCTION",
# "struct TAG".
known() {
	(cd "$1" && find . \( -name '.?*' -o -type d -path './build*' \) \
		-prune -o -print |
		sed 's,^\./,,; s,^,file ,'
	find src tests -type f \( -name '*.[ch]' -o -name '*.cu' \) -print0 |
		xargs -0 cat |
		grep -aoE '[A-Za-z_][A-Za-z_0-9]*\(|struct [a-z_0-9]+ \{' |
		sed 's/^\([^ ]*\)($/name \1/; s/ {$//' | sort -u)
}

# named TREE PAGE ...: "PAGE KIND WORD" of each function, structure and file that
# a page names; words with placeholders (NAME, LL, *) are left out.
named() {
	(cd "$1" && shift && for page; do
		sed 's/```.*//' "$page" | grep -oE '`[^`]+`' |
			sed 's/^`//; s/`$//' |
			grep -vE 'NAME|LANG|LL|FOLDER|[*$~<{]' |
			sed -nE -e 's/^([A-Za-z_0-9]+)\(\)$/name \1/p' \
				-e 's/^(const )?(struct [a-z_0-9]+)$/\2/p' \
				-e 's,^([A-Za-z0-9_./-]+\.(c|h|cu|sh|md|mk|awk|list|def|pl|py|po))$,file \1,p' \
				-e 's,^([A-Za-z0-9_./-]+)/$,file \1,p' \
				-e 's,^[a-z0-9_]+_(test|data)$,file tests/&.c,p' |
			sed "s,^,$page ,"
		grep -oE '\]\([^)#:]+' "$page" | sed "s,^](,$page link ,"
	done)
}

# missing TREE: what a page names and the tree does not have. A file's path
# begins at the top, at src/, in the page's folder or (../) in build/; a name without
# a folder may be anywhere.
missing() {
	{
		known "$1"
		echo
		# shellcheck disable=SC2046
		named "$1" $(pages "$1")
	} | awk '
	!NF { body = 1; next }
	!body {
		have[$1, $2]
		if ($1 == "file")
			sub(".*/", "", $2)
		have[$1, $2]
		next
	}
	{
		if ($2 != "file" && $2 != "link") {
			if (!(($2, $3) in have))
				print
			next
		}
		name = $3
		sub("/$", "", name)
		if ($2 == "file")
			sub("^[.][.]/", "", name)
		beside = $1
		sub("[^/]*$", "", beside)
		beside = beside name
		while (sub("[^/.]+/[.][.]/", "", beside))
			;
		if (!(("file", beside) in have) && ($2 == "link" ||
		    (!(("file", name) in have) && !(("file", "src/" name) in have))))
			print
	}'
}

# table TREE: "FOLDER USED USED ...", HACKING's table of folders.
table() {
	sed -n '/^| folder | holds | uses |$/,/^$/p' "$1/HACKING.md" |
		awk -F ' *\\| *' 'NR > 2 && NF { gsub("`", "", $2); print $2, $4 }' |
		sed 's,/\*,,; s/ *$//'
}

# uses TREE: the same, as the folders' READMEs say it.
uses() {
	table "$1" | while read -r folder _; do
		echo "$folder" "$(sed -n '/^May use: /,/^$/p' \
			"$1/src/$folder/README.md" | tr '\n' ' ' |
			sed 's/^May use: //; s/[`,]//g; s/[.] *$//; s/^no other folder$//')"
	done | sed 's/ *$//'
}

is "$(missing "$srcdir")" "" "what the pages name is there"
is "$(uses "$srcdir")" "$(table "$srcdir")" \
	"each folder has a README, which names the folders that HACKING names"

# example SECTION: the text of HACKING's worked example, of its first file.
example() {
	sed -n "/^## $1\$/,/^## /p" "$srcdir/HACKING.md" |
		awk '/^    [+]/ { print substr($0, 6); begun = 1; next }
			begun { exit }'
}

tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
if command -v cc >/dev/null; then
	for what in picture "export format"; do
		like "$(example "Add an\? $what")" '^const struct ' \
			"HACKING has an example: $what"
		example "Add an\? $what" >"$tmp/example.c"
		# shellcheck disable=SC2046
		is "$(cc -std=c11 -D_GNU_SOURCE -Wall -Wextra -fsyntax-only \
			$(sed -n 's/^JANSSON_CFLAGS = //p' "$builddir/Makefile") \
			-I"$srcdir/src" "$tmp/example.c" 2>&1)" "" \
			"which compiles"
	done
else
	skip "HACKING's examples compile" "no cc"
fi
example "Add a lesson" >"$tmp/lesson.md"
like "$("$builddir/gemmviz" list --check "$tmp/lesson.md" 2>&1)" \
	'1 steps, [0-9]+ checks passed' "its example of a lesson is right"
sed 's/sectors(B) == 4/sectors(B) == 5/' "$tmp/lesson.md" >"$tmp/wrong.md"
"$builddir/gemmviz" list --check "$tmp/wrong.md" >"$tmp/said" 2>&1
is $? 1 "and would be wrong with another number"

mkdir -p "$tmp/src/a/b" "$tmp/doc/decisions" "$tmp/tests"
touch "$tmp/CONTRIBUTING.md" "$tmp/HACKING.md"
echo 'int here(void) { }; struct known { };' >"$tmp/src/a/b/c.c"
echo '`here()`, `struct known`, `a/b/c.c`, `src/a/`, `c.c`, [x](src/a) and
`gone()`, `struct lost`, `a/c.c`, `NAME.c`, [y](b/c.c)' >"$tmp/ARCHITECTURE.md"
is "$(missing "$tmp")" "ARCHITECTURE.md name gone
ARCHITECTURE.md struct lost
ARCHITECTURE.md file a/c.c
ARCHITECTURE.md link b/c.c" "a function, structure, file or link that is not is found"
done_testing
