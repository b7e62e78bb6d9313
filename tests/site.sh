#!/usr/bin/env bash
# make site: pages that need nothing from elsewhere, whose links lead somewhere,
# in a folder of its own; and a check that finds what is wrong with them.
# sanitized: never (pages are read)
. "$srcdir/tests/tap.sh"
here=$(cd "$builddir" && pwd)
source=$(cd "$srcdir" && pwd)
tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
export LC_ALL=C.UTF-8 LANGUAGE=en
cd "$tmp" || exit

# built FOLDER LESSON...: as make site does, in the build folder.
built() { (cd "$here" && bash "$source/site/build.sh" "$@"); }
checked() { perl "$source/site/check.pl" "$1"; }

# ---- Markdown as a page ----

page() { "$here/site/page"; }
is "$(printf '# A <b> & c\n\n## A `b` c\n\n## A b c\n' | page)" \
	'<h1 id="a-b--c">A &lt;b&gt; &amp; c</h1>
<h2 id="a-b-c">A <code>b</code> c</h2>
<h2 id="a-b-c-1">A b c</h2>' "headings have ids, none twice, and no markup"
is "$(printf '[a](x/y.md#z) [b](d/) [c](#e) ![p *q*](r.svg)\n' | page)" \
	'<p><a href="x/y.html#z">a</a> <a href="d/README.html">b</a> <a href="#e">c</a> <img src="r.svg" alt="p q"></p>' \
	"links lead to pages"
is "$(printf '一\n二 a\nb 三\nc\n' | page)" "<p>一二 a
b 三
c</p>" "lines of Chinese are joined without a space"
like "$(printf '| a |\n|---|\n| 1 |\n' | page)" \
	'<div class="wide" tabindex="0"><table>' "a table that scrolls"
like "$(printf '# t\n\n## a\n\n## b\n\n## c\n\n## d\n' | page)" \
	'<li><a href="#d">d</a></li>' "a long page lists its parts"

# ---- two lessons and all documents ----

built "$tmp/site" coalescing banks >out.log 2>&1
is "$?: $(cat out.log)" "0: " "the site is made"
got=$(checked site)
is "$?" 0 "its links hold"
like "$got" "^[0-9]+ pages, [0-9]+ links, 0 faults$" "it says what it looked at"
pages=$(sed -n '$s/ .*//p' <<<"$got")
ok "$((pages < 15))" "documents and lessons: $pages pages"
is "$(grep -c '<li>' site/index.html site/zh/index.html | sed 's/.*://' |
	tr '\n' ' ')" "7 7 " "both lists have both lessons"
like "$(cat site/lessons/banks.html)" 'href="coalescing.html">← Coalescing' \
	"a lesson leads to the one before it"
like "$(cat site/lessons/zh/banks.html)" 'href="../banks.html">English' \
	"and to the other language's"
mkdir mine
: >mine/file
got=$(built "$tmp/mine" banks 2>&1)
is "$?" 2 "a folder that is no site is left alone"
like "$got" "no site" "it says why"
is "$(ls mine)" file "and has what it had"

# faulty PATTERN WHAT COMMAND...: what a change to the site is told as.
faulty() {
	local pattern=$1 what=$2 got
	shift 2
	rm -rf bad
	cp -r site bad
	(cd bad && "$@")
	got=$(checked bad)
	is "$?" 1 "$what: fails"
	like "$got" "$pattern" "$what: said"
}
faulty 'index.html: leads nowhere: lessons/banks.html' "a page is missing" \
	rm lessons/banks.html
faulty 'README.html: no such anchor: data/README.html#adding' \
	"an anchor is missing" \
	sed -i 's/ id="adding-another-machine"//' data/README.html
faulty 'index.html: leads elsewhere: https://example.org/x.png' \
	"a picture from elsewhere" \
	sed -i 's,src="doc/coalescing.svg",src="https://example.org/x.png",' \
	index.html
faulty 'index.html: leads elsewhere: //example.org' "a link elsewhere" \
	sed -i 's,<main>,&<a href="//example.org/">x</a>,' index.html
faulty 'leads nowhere: ../../etc/passwd' "a link out of the folder" \
	sed -i 's,<main>,&<a href="../../etc/passwd">x</a>,' data/README.html
faulty 'site.css: refers to fonts/x' "a font" \
	sh -c 'echo "body { src: url(fonts/x) }" >>site.css'
faulty 'banks.html: refers to https://example.org' "a script that asks" \
	sed -i "s,^'use strict';,&fetch('https://example.org/');," \
	lessons/banks.html
faulty 'new.html: cannot be reached' "a page that nobody finds" \
	cp README.html new.html
faulty 'index.html: a picture without words' "no words for a picture" \
	perl -0pi -e 's/ alt="[^"]*"/ alt=""/' index.html
faulty 'banks.html: has more than 2 MB' "a page that is too large" \
	sh -c 'yes "<!-- -->" | head -c 2000000 >>lessons/banks.html'
faulty 'index.html: has no title' "no title" \
	sed -i 's,<title>.*</title>,,' index.html

# ---- in a browser ----

chromium=$(command -v chromium || command -v chromium-browser)
if [ -z "$chromium" ]; then
	skip "a browser shows it" "no chromium (Debian: chromium)"
	done_testing
	exit
fi
for page in index.html zh/index.html README.html data/SUMMIT.html \
	lessons/CLAIMS.html lessons/zh/banks.html; do
	for width in 1400 800 380; do
		printf '%s\n' "open $width 800" \
			"eval document.documentElement.scrollWidth <= $width" \
			"eval [...document.images].every(i => i.naturalWidth)" \
			trouble |
			perl "$source/tests/browser.pl" "$chromium" "$tmp" \
				"site/$page" >seen
		is "$(sed -n '2,3p' seen | tr '\n' ' ')$(sed -n 4p seen |
			sed 's,"request: file://[^"]*",,g; s/,//g')" \
			"true true []" "$page fits $width pixels"
	done
done
done_testing
