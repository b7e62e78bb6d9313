#!/usr/bin/env bash
# What make install puts where, that it runs from there and from anywhere
# else, and that make uninstall takes all of it away.
# sanitized: never (it installs)
. "$srcdir/tests/tap.sh"

tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
root=$tmp/root
# The variables of make, from the Makefile itself.
prefix=$(sed -n 's/^prefix = //p' "$builddir/Makefile")

make -s -C "$builddir" install DESTDIR="$root" >"$tmp/log" 2>&1
ok $? "make install into DESTDIR"
[ -e "$root$prefix/bin/gemmviz" ] || sed 's/^/# /' "$tmp/log"
is "$(cd "$root" && find . -type f ! -path ".$prefix/*")" "" \
	"nothing outside the prefix"
for file in bin/gemmviz bin/gemmviz-course libexec/gemmviz/gemmviz-emu share/man/man1/gemmviz.1 \
		share/man/man1/gemmviz-report.1 \
		share/man/man1/gemmviz-course.1 \
		share/bash-completion/completions/gemmviz \
		share/zsh/site-functions/_gemmviz \
		share/fish/vendor_completions.d/gemmviz.fish \
		share/gemmviz/kernels/naive.cu share/gemmviz/lessons/coalescing.md \
		share/gemmviz/lessons/zh/coalescing.md \
		share/doc/gemmviz/README.md \
		$(command -v msgfmt >/dev/null &&
			echo share/locale/zh/LC_MESSAGES/gemmviz.mo); do
	ok "$([ -s "$root$prefix/$file" ]; echo $?)" "$file is installed"
done

# An installation must not lean on the build tree: list names what it read.
mkdir "$tmp/moved"
mv "$root$prefix" "$tmp/moved/place"
gemmviz=$tmp/moved/place/bin/gemmviz
cd / || exit
like "$("$gemmviz" --version 2>&1)" '^gemmviz [0-9]+\.[0-9]+' "--version"
like "$("$gemmviz" --version)" '^built with(out)?: .*gemmviz-gpu' \
	"... and whether gemmviz-gpu was built"
like "$("$gemmviz" list 2>&1)" '^ *coalescing ' "lessons are found after a move"
"$gemmviz" record naive -m 16 -n 16 -k 16 -o "$tmp/naive.gvt" >"$tmp/log" 2>&1
ok $? "an installed and moved program records" || sed 's/^/# /' "$tmp/log"
sed -i 's/^# .*/# Changed/' "$tmp/moved/place/share/gemmviz/lessons/coalescing.md"
like "$("$gemmviz" list 2>&1)" '^ *coalescing +Changed$' \
	"it reads the installed lessons, not the build tree's"
# names: the lessons, in the order of the list.
names() {
	"$gemmviz" list | sed -n '/^lessons/,/^$/s/^  \([^ ]*\) .*/\1/p' |
		tr '\n' ' '
}
before=$(names)
sed 's/^place .*/place 1.5/; s/^# .*/# New/' \
	"$srcdir/lessons/tiling.md" >"$tmp/moved/place/share/gemmviz/lessons/new.md"
is "$(names)" \
	"$(echo "$before" | sed 's/coalescing/new &/')" \
	"a lesson is in the list where it says"
like "$("$gemmviz" --lesson new --plain 2>&1)" '^New$' "... and opens"
rm "$tmp/moved/place/share/gemmviz/lessons/new.md"
mkdir -p "$root$(dirname "$prefix")"
mv "$tmp/moved/place" "$root$prefix"

make -s -C "$builddir" uninstall DESTDIR="$root" >"$tmp/log" 2>&1
ok $? "make uninstall"
is "$(cd "$root" && find . -type f)" "" "leaves no file"

done_testing
