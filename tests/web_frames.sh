#!/usr/bin/env bash
# The golden frames as the program for a page draws them, in node: byte for byte
# those of the native program without variables, which a page cannot have.
# sanitized: never (the program is not compiled with them)
# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

web=$builddir/web
if ! command -v node >/dev/null; then
	skip "frames in node" "no node (Debian: nodejs)"
	done_testing
	exit
elif [ ! -e "$web/frames_test.js" ]; then
	skip "frames in node" "no make web-tests (it needs emscripten)"
	done_testing
	exit
elif [ ! -x "$builddir/tests/web_golden" ]; then
	ok 1 "there is tests/web_golden to compare with (make tests/web_golden)"
	done_testing
	exit
fi

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir -p "$tmp/tests/golden" "$tmp/recorded"
cp "$srcdir"/tests/*.json "$tmp/tests"
grep -v "[[:space:]]~" "$srcdir/tests/frames.list" >"$tmp/tests/frames.list"

# What a frame of a kernel shows.
grep -o '%[^ 	]*' "$srcdir/tests/frames.list" | sort -u | tr -d % | tr , ' ' |
	while read -r what; do
		# shellcheck disable=SC2086
		"$builddir/gemmviz" record $what --force \
			-o "$tmp/recorded/$what.gvt" >/dev/null 2>&1
	done
srcdir=$tmp UPDATE_GOLDEN=1 "$builddir/tests/web_golden" >"$tmp/native.out"
ok $? "the native program draws them"

frames=$(grep -c golden/ "$tmp/native.out")
same=0
for file in "$tmp"/tests/golden/*; do
	! cmp -s "$file" "$srcdir/tests/golden/${file##*/}" || same=$((same + 1))
done
ok $((same * 2 <= frames)) "most have no variables: they are the golden files"
echo "# $same of $frames"

node "$srcdir/tests/web_frames.js" "$web" "$web/data" "$tmp/recorded" "$tmp" \
	>"$tmp/node.out" 2>"$tmp/node.err"
ok $? "node draws them"
is "$(grep -c '^ok' "$tmp/node.out")" "$frames" "the same bytes, all of them"
grep '^not ok' "$tmp/node.out" | sed 's/^/# /'
sed 's/^/# /' "$tmp/node.err" | head -5
done_testing
