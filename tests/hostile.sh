#!/usr/bin/env bash
# Hostile text in a kernel, a trace, a lesson, a recorder's words and on the
# command line, on every way out: nothing but text arrives.
. "$srcdir/tests/tap.sh"
build=$(cd "$builddir" && pwd)
tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT

# ESC sequences, BEL, a title, CR, BS, DEL, C1 (as UTF-8), bidi override and
# isolate, zero width space and joiner, a line separator, a noncharacter.
evil=$'\e[31mE\e]0;t\a\r\b\x7f\xc2\x9b1m\xe2\x80\xae\xe2\x81\xa6\xe2\x80\x8b\xe2\x80\x8d\xe2\x80\xa8\xef\xbf\xbe%n%s'

# clean FILE WHAT: strict UTF-8, no controls but newlines (and tabs, where
# they are our own), nothing that is invisible or turns text around.
clean() {
	local bad
	bad=$(perl -CS -ne 'BEGIN { binmode STDIN, ":utf8" }
		while (/([\x00-\x08\x0b-\x1f\x7f-\x9f\x{200b}-\x{200f}\x{2028}-\x{202e}\x{2060}-\x{206f}\x{feff}\x{fffe}\x{ffff}])/g)
		{ printf "U+%04X in line %d\n", ord $1, $. }' <"$1" | head -3)
	is "$bad" "" "$2: only text"
	perl -ne 'utf8::decode($_) or exit 1' "$1"
	ok $? "$2: strict UTF-8"
}

# out STATUS WHAT ARGUMENT...: both outputs of a command.
out() {
	local want=$1 what=$2
	shift 2
	"$build/gemmviz" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	is $? "$want" "$what: status"
	clean "$tmp/out" "$what"
	clean "$tmp/err" "$what, standard error"
}

# screen WHAT ARGUMENT...: what a terminal is sent, byte for byte, less the
# sequences that ncurses and the program send. What is left of one that a text
# brought would be seen, and so would one that looks like ours: the text's own
# words stand behind a picture of ESC, never behind ESC.
screen() {
	local what=$1
	shift
	"$builddir/tests/pty_screen" "$tmp/raw" "ll	" "$build/gemmviz" "$@"
	is $? 0 "$what: the program ends as it should"
	perl -0777 -pe 's/\e\[[?>]?[\d;]*[A-Za-ln-z]|\e\[[\d;]*m|\e[()][0B]|\e[=>78M]|\e[PX^_]//g;
		s/[\r\x0e\x0f]//g; s/\x08//g' <"$tmp/raw" >"$tmp/out"
	clean "$tmp/out" "$what on the screen"
	is "$(perl -0777 -ne 'print "seen" if /\e\[31m(E|\W*$)|\e\]|\x9b1m|\a/' <"$tmp/raw")" \
		"" "$what: no sequence of theirs"
	like "$(tr -d '\n' <"$tmp/out")" "${shown-␛\[31mE}" "$what: but their words"
}

# Options that there are not.
for bad in $'-\e' $'-\xff' $'--\e[31mE' "-$evil" "--$evil" "--json=$evil"; do
	out 2 "list $(printf %q "$bad")" list "$bad"
done

# A kernel.
printf '// %s\n__global__ void k(const float *x, const float *y, float *z,
    int n)\n{\n    /* %s */ z[threadIdx.x] = x[threadIdx.x] +
        y[threadIdx.x]; // %s\n}\n' "${evil/$'\r'/}" "$evil" \
	"${evil/$'\r'/}" >"$tmp/e.cu"		# a CR ends a comment
launch="--block 32 --grid 1"
# shellcheck disable=SC2086
{
	out 0 "report of a kernel" report "$tmp/e.cu" $launch
	out 0 "JSON of a kernel" report "$tmp/e.cu" $launch --json
	out 0 "a kernel in words" view "$tmp/e.cu" $launch --plain
	screen "a kernel" view "$tmp/e.cu" $launch
	out 0 "a trace is made" record "$tmp/e.cu" $launch -o "$tmp/e.gvt"
	echo "#error $evil" >"$tmp/error.cu"
	out 3 "the compiler's words" report "$tmp/error.cu" $launch
	cp "$tmp/e.cu" "$tmp/$(printf 'n\e[2J\xe2\x80\xae').cu"
	out 0 "a file's name" report "$tmp"/n*.cu $launch
}

# A trace: all its strings.
"$build/gemmviz" dump "$tmp/e.gvt" >"$tmp/e.txt"
clean "$tmp/e.txt" "dump"
sed -e 's/^kernel ".*"/kernel "\\x1b[2J\\u{202e}k"/' \
	-e 's/^file ".*"/file "\\x1b]0;t\\x07\\u{200b}"/' \
	-e 's/^device ".*"/device "\\x9b"/' \
	-e 's/^\(array [0-9]* \)"A"/\1"\\x1b[31mA\\u{202e}"/' \
	"$tmp/e.txt" >"$tmp/evil.txt"
"$build/gemmviz" dump --parse "$tmp/evil.txt" -o "$tmp/evil.gvt" 2>"$tmp/err"
if [ -f "$tmp/evil.gvt" ]; then
	out 0 "dump of a trace" dump "$tmp/evil.gvt"
	out 0 "report of a trace" report "$tmp/evil.gvt"
	out 0 "JSON of a trace" report "$tmp/evil.gvt" --json
	out 0 "a trace in words" view "$tmp/evil.gvt" --plain
	screen "a trace" view "$tmp/evil.gvt"
else
	clean "$tmp/err" "text that is no trace"
fi
printf '%s' "$evil" >"$tmp/foreign.gvt"
out 3 "a foreign file" dump "$tmp/foreign.gvt"
printf 'gemmviz trace 1\n%s\n' "$evil" >"$tmp/foreign.txt"
out 3 "foreign text" dump --parse "$tmp/foreign.txt" -o "$tmp/x.gvt"

# A lesson, in an installation of its own.
mkdir -p "$tmp/tree/bin" "$tmp/tree/share/gemmviz"
if make -s -C "$build" install DESTDIR="$tmp/root" prefix=/p >/dev/null 2>&1
then
	lessons=$tmp/root/p/share/gemmviz/lessons
	sed -i "s/^# .*/# $(printf '%s' "$evil" | tr -d '\r\a' |
		sed 's/[&/\]/\\&/g')/; s/32 addresses/32 $(printf '\e[31m')/" \
		"$lessons/coalescing.md"
	build=$tmp/root/p/bin
	out 0 "a lesson in words" --lesson coalescing --plain
	out 0 "the list" list
	out 0 "the list's JSON" list --json
	screen "a lesson" --lesson coalescing
	build=$(cd "$builddir" && pwd)
else
	skip "a lesson" "it could not be installed"
fi

# Words from the command line and from a recorder.
out 2 "an argument" report "$evil"
out 2 "an option" "--$evil"
out 2 "a define" report tiled -D "$evil=1"
out 2 "an expression" access global 4 "$evil"
printf '{"space":"%s"}\n' "shared\\u001b[2J\\u202e" |
	"$build/gemmviz" access --stdin >"$tmp/out" 2>"$tmp/err"
clean "$tmp/out" "a request"
printf '#!/bin/sh\nprintf "%%b" "\\033[2J\\0302\\0233\\n" >&2\nexit 3\n' \
	>"$tmp/runner"
chmod +x "$tmp/runner"
out 5 "a recorder's last words" report naive --runner "$tmp/runner"
like "$(cat "$tmp/err")" "status 3" "and how it ended"

done_testing
