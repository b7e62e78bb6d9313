#!/usr/bin/env bash
# The manual page has each command's options, as --help prints them, and no
# others.
. "$srcdir/tests/tap.sh"
gemmviz=$(cd "$builddir" && pwd)/gemmviz
export LC_ALL=C.UTF-8 LANGUAGE=en

commands=$("$gemmviz" --help | sed -n '/^commands/,/^$/s/^  \([a-z]*\) .*/\1/p')

# help_options COMMAND...: "-o, --output F.gvt", an option a line.
help_options() {
	"$gemmviz" "$@" --help | sed -n '/^options:/,/^$/{
		s/^  \(-.*[^ ]\)   *[^ ].*/\1/; s/^  \(-\)/\1/; /^-/p; }'
}

# man_options COMMAND: the same from the sections that name it.
man_options() {
	awk -v want="$1" '
	/^\.SH/ { options = /OPTIONS/ }
	/^\.SS/ {
		sub(/^\.SS /, "")
		here = $0 == "all"
		n = split($0, names, ", ")
		for (i = 1; i <= n; i++)
			here = here || names[i] == want
	}
	options && here && entry {
		gsub(/\\f[BIR]/, "")
		gsub(/\\-/, "-")
		print
	}
	{ entry = /^\.TP/ }' "$srcdir/doc/gemmviz.1"
}

ok "$([ -n "$commands" ]; echo $?)" "--help names the commands"
is "$(man_options gemmviz | sort)" "$(help_options | sort)" \
	"gemmviz: the manual has its options"
for c in $commands; do
	is "$(man_options "$c" | sort)" "$(help_options "$c" | sort)" \
		"$c: the manual has its options"
	like "$("$gemmviz" "$c" --help)" "^  gemmviz $c" "... and --help an example"
	ok "$(grep -Eq "^(\\.B |\\\\fB)$c" "$srcdir/doc/gemmviz.1"; echo $?)" \
		"... and the manual the command"
done
ok "$("$gemmviz" --lang xx --help >/dev/null 2>&1; [ $? = 2 ]; echo $?)" \
	"a language that there is not is refused"
done_testing
