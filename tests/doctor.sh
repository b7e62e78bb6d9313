#!/usr/bin/env bash
# gemmviz doctor: what it says of a machine is so, and what to do is said where
# something fails; one screen, in every language.
# sanitized: nightly
. "$srcdir/tests/tap.sh"
gemmviz=$(cd "$builddir" && pwd)/gemmviz
tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT

# state NAME: of the check, from JSON.
state() {
	perl -0777 -MJSON::PP -ne '
		for (@{decode_json($_)->{checks}}) {
			print "$_->{state}: $_->{text}",
			      defined $_->{advice} ? " ($_->{advice})" : ""
				if $_->{name} eq "'"$1"'" }' <"$tmp/out"
}

doctor() {
	"$gemmviz" doctor --json "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
}

doctor
status=$?
is "$(perl -0777 -MJSON::PP -ne '
	print join " ", map { $_->{name} } @{decode_json($_)->{checks}}' <"$tmp/out")" \
	"terminal colours locale settings recorder compiler kernel cache confinement machine code driver GPU CUDA counters runner" \
	"what it looks at"
is "$(cat "$tmp/err")" "" "it complains of nothing"
like "$(state recorder)" '^works: recorded a kernel on the CPU in [0-9]+ ms$' \
	"the recorder is tried"
if "$gemmviz" --version | grep -q Landlock; then
	is $status 0 "what is needed works"
	like "$(state compiler)" "^works: .*g\+\+.* ms$" "the compiler is tried"
	like "$(state confinement)" '^works: Landlock' "what confines files"
else
	is $status 1 "what is needed fails"
	like "$(state confinement)" '^fails: ' "nothing confines files"
fi
if [ ! -e /proc/driver/nvidia/version ]; then
	like "$(state driver)" '^absent: no NVIDIA driver' "no driver"
	is "$(state GPU)" "absent: none" "no GPU"
fi
TERM=dumb doctor
like "$?:$(state terminal)" \
	"^1:fails: cannot draw on a terminal of type 'dumb' .Set TERM to" \
	"a terminal that cannot be drawn on"
TERM=xterm-256color doctor
is "$(state terminal)" \
	"absent: xterm-256color; the output is not a terminal" "a pipe"
is "$(state colours)" "works: 256" "colours"
NO_COLOR=1 doctor
is "$(state colours)" "works: none: NO_COLOR is set" "none, as was wanted"
LC_ALL=C doctor
like "$(state locale)" '^works: not UTF-8: text is ASCII.*LC_ALL' "a locale of bytes"
is "$(state settings)" "absent: $XDG_CONFIG_HOME/gemmviz/config does not exist" \
	"no settings"
mkdir "$tmp/bin"
PATH=$tmp/bin doctor
is $? 1 "without a compiler: status 1"
like "$(state compiler)" '^fails: .*is not installed.*install a C\+\+ compiler' \
	"... it says what to install"
is "$(state recorder | cut -d: -f1)" works "... and the rest works"
doctor --runner false
is $? 1 "a runner that fails: status 1"
like "$(state runner)" '^fails: false ended with status 1.*by hand' \
	"... and why"
doctor --runner "$builddir/gemmviz-emu"
like "$(state runner)" '^works: recorded a kernel on the CPU' "one that works"

# A page to paste: on a terminal of 80x24, in each language.
for lang in en zh; do
	"$gemmviz" doctor --lang $lang >"$tmp/out" 2>"$tmp/err"
	[ "$(wc -l <"$tmp/out")" -le 24 ]
	ok $? "$lang: one screen ($(wc -l <"$tmp/out") lines)"
	is "$(perl -CS -ne 'chomp; s/[^\x00-\x{2e80}]/xx/g;
		print "$_\n" if length > 80' <"$tmp/out")" "" \
		"$lang: no line is too long"
done
"$builddir/tests/pty_screen" "$tmp/raw" "" "$gemmviz" doctor
like "$(cat "$tmp/raw")" 'xterm-256color, 120x44' "a terminal's size"
done_testing
