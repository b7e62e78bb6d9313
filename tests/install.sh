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
for file in bin/gemmviz bin/gemmviz-course libexec/gemmviz/gemmviz-emu libexec/gemmviz/gemmviz-machine share/man/man1/gemmviz.1 \
		share/man/man1/gemmviz-report.1 \
		share/man/man1/gemmviz-course.1 \
		share/bash-completion/completions/gemmviz \
		share/zsh/site-functions/_gemmviz \
		share/fish/vendor_completions.d/gemmviz.fish \
		share/gemmviz/kernels/naive.cu share/gemmviz/lessons/coalescing.md \
		share/gemmviz/lessons/zh/coalescing.md \
		share/doc/gemmviz/README.md \
		$(command -v msgfmt >/dev/null &&
			echo share/locale/zh/LC_MESSAGES/gemmviz.mo \
				share/man/zh_CN/man1/gemmviz-report.1); do
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
# terminfo, of which a wheel brings its own, is searched after the system's.
# type TYPE: what doctor says of a terminal of this type.
type() {
	TERM=$1 "$gemmviz" doctor |
		sed -n 's/^ *[-+!] \(terminal\|colours\) *\([^;]*\).*/\2/p' | tr '\n' ' '
}
own=gemmviz-$$
is "$(type "$own")" "xterm-256color 256 " "a terminal's type that nobody knows"
{ echo "$own|one that only the program knows,"
	infocmp -x xterm-256color | sed 1,2d; } >"$tmp/own"
echo 'xterm-256color|not the one of the system, cols#80,' >"$tmp/other"
tic -x -o "$tmp/moved/place/share/gemmviz/terminfo" "$tmp/own" &&
	tic -x -o "$tmp/moved/place/share/gemmviz/terminfo" "$tmp/other"
is "$(type "$own")" "$own 256 " "... is found in the program's own terminfo"
is "$(TERMINFO_DIRS=$tmp type "$own")" "$own 256 " "... after TERMINFO_DIRS"
is "$(type xterm-256color)" "xterm-256color 256 " "... and after the system's"
rm -r "$tmp/moved/place/share/gemmviz/terminfo"
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
