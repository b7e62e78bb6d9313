#!/usr/bin/env bash
# The manual pages, as man and mandoc read them: a page for each command, which
# says what its --help says.
# sanitized: never (it reads texts)
. "$srcdir/tests/tap.sh"
cd "$builddir" || exit
export LC_ALL=C.UTF-8 LANGUAGE=en MANWIDTH=80

# flat: words one blank apart, as roff's pages and --help break lines elsewhere.
flat() {
	tr -s ' \n\t' ' '
}

# options COMMAND...: what --help says of each, an option a line.
options() {
	./gemmviz "$@" --help | sed '1,/^\(options:\|选项：\)/d; /^\(examples:\|示例：\)/,$d' |
		awk '/^  -/ { if (line) print line; line = "" }
		/^ / { sub(/^ +/, ""); line = line " " $0 }
		END { print line }' | tr -s ' ' | sed 's/^ //'
}

# taken COMMAND: the options that it takes, as --NAME, from completion's table.
taken() {
	(. complete/gemmviz >/dev/null 2>&1; _gemmviz_options "$1") |
		sed 's/ .*//' | sort -u
}

# page COMMAND: its manual page as text, on one line.
page() {
	man --no-hyphenation --no-justification -P cat -l "man/$1.1" |
		col -bx | flat
}

commands=$(./gemmviz --help | sed -n '/^commands/,/^$/s/^  \([a-z]*\) .*/\1/p')
is "$(for c in gemmviz $(sed 's/^/gemmviz-/' <<<"$commands"); do
	echo "$c.1"; done | sort)" \
	"$(find man -maxdepth 1 -name '*.1' -exec basename {} \; | sort)" \
	"each command has a page"
for c in '' $commands; do
	name=gemmviz${c:+-$c}
	like "$(./gemmviz $c --help)" "^  gemmviz${c:+ $c}( |$)" \
		"$name: --help has an example"
	if ! command -v man >/dev/null; then
		skip "$name: its page" "no man here"
		continue
	fi
	is "$(man --warnings -l "man/$name.1" 2>&1 >/dev/null)" "" \
		"... man has no warning"
	text=$(page "$name")
	left=$(options $c | while read -r line; do
		[[ $text == *"$line"* ]] || echo "$line"; done)
	is "$left" "" "... the page has each option, and what it does"
	listed=$(options $c; options record)
	is "$(taken "$c" | while read -r name; do
			grep -qE -e "(^|, )$name(,| |\$)" <<<"$listed" ||
				echo "$name"
		done)" "" "... each option is in it, or among those of record"
	usage=$(./gemmviz $c --help | sed '/^$/q; s/^usage: //' |
		sed 's/^ *//; /^$/d')
	is "$(while read -r line; do
		[[ $text == *"$line"* ]] || echo "$line"; done <<<"$usage")" \
		"" "... how it is called"
	is "$(./gemmviz $c --help | sed '1,/^examples:/d; s/^ *//' |
		while read -r line; do [[ $text == *"$line"* ]] ||
			echo "$line"; done)" "" "... and the examples"
done
if command -v man >/dev/null; then
	for section in COMMANDS ENVIRONMENT FILES 'EXIT STATUS' EXAMPLES \
		'SEE ALSO'; do
		like "$(page gemmviz)" "$section" "gemmviz(1) has $section"
	done
	text=$(page gemmviz)
	is "$(grep -rhoE 'getenv\("[A-Z_]+"' "$srcdir/src" | cut -d'"' -f2 |
		grep -v '^PATH$' | sort -u | while read -r name; do
		[[ $text == *"$name"* ]] || echo "$name"; done)" "" \
		"and each variable that is read"
fi
# The pages in Chinese say what --help says in Chinese, and name the same options
# as those in English. Lines may break anywhere between two characters.
# zh_page FILE: a page as text without blanks.
zh_page() {
	man --no-hyphenation -P cat -l "$1" | col -bx | tr -d ' \n\t'
}
for page in man/zh_CN/*.1; do
	[ -e "$page" ] && command -v man >/dev/null || continue
	c=$(basename "$page" .1)
	[ "$c" = gemmviz ] && c='' name=gemmviz || name=gemmviz-$c
	is "$(man --warnings -l "$page" 2>&1 >/dev/null)" "" \
		"$page: man has no warning"
	text=$(zh_page "$page")
	is "$(options $c --lang zh | tr -d ' ' | while read -r line; do
		[[ $text == *"$line"* ]] || echo "$line"; done)" "" \
		"... it has each option, and what it does"
	is "$(grep -oE '\\-\\-[a-z][a-z\\-]*' "$page" | sort -u)" \
		"$(grep -oE '\\-\\-[a-z][a-z\\-]*' "man/$name.1" | sort -u)" \
		"... the options are those of the English page"
	is "$(grep -c '^\.SH' "$page")" "$(grep -c '^\.SH' "man/$name.1")" \
		"... and so are the sections"
	is "$(grep -c '^\.TP' "$page")" "$(grep -c '^\.TP' "man/$name.1")" \
		"... and what is described"
done
if command -v mandoc >/dev/null; then
	# Pages have no date, for they would differ each day.
	is "$(mandoc -T lint -W warning man/*.1 man/zh_CN/*.1 \
		"$srcdir"/doc/*.1 |
		grep -v 'missing date, using "": TH')" "" "mandoc finds nothing"
else
	skip "mandoc finds nothing" "no mandoc here"
fi
ok "$(./gemmviz --lang xx --help >/dev/null 2>&1; [ $? = 2 ]; echo $?)" \
	"a language that there is not is refused"
done_testing
