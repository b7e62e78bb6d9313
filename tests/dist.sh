#!/usr/bin/env bash
# The distribution holds every file of the repository that one needs.
# sanitized: never (it reads texts)
. "$srcdir/tests/tap.sh"

if ! [ -e "$srcdir/.git" ] || ! command -v git >/dev/null; then
	skip "every file is distributed" "this is not the repository"
	done_testing
	exit
fi
tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT

make -s -C "$builddir" print-dist | tr -s ' ' '\n' |
	sed "s|^$srcdir/||; s|^\(\.\./\)*||; s|/\$||" | sort -u >"$tmp/dist"
git -C "$srcdir" -c safe.directory='*' ls-files |
	grep -v -e '^\.' | sort >"$tmp/files"
# A folder stands for what is in it.
awk 'NR == FNR { dist[$0]; next }
{
	name = $0
	while (!(name in dist) && sub("/[^/]*$", "", name))
		;
	if (!(name in dist))
		print $0
}' "$tmp/dist" "$tmp/files" >"$tmp/left"
is "$(wc -l <"$tmp/dist" | awk '{ print ($1 > 10) }')" 1 "make knows its files"
is "$(cat "$tmp/left")" "" "every file is distributed"

done_testing
