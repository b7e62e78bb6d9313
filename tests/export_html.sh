#!/usr/bin/env bash
# gemmviz export --format html: a page that needs nothing from elsewhere, and
# that a browser opens, steps through and answers.
# sanitized: never (a browser runs)
. "$srcdir/tests/tap.sh"
gemmviz=$(cd "$builddir" && pwd)/gemmviz
tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
export LC_ALL=C.UTF-8 LANGUAGE=en
cd "$tmp" || exit

for page in "lesson --lesson coalescing" "zh --lesson coalescing --lang zh" \
	"kernel tiled --beat phase"; do
	# shellcheck disable=SC2086
	set -- $page
	name=$1
	shift
	"$gemmviz" export "$@" -o "$name.html" &&
		"$gemmviz" export "$@" -o again.html
	cmp "$name.html" again.html
	ok $? "$name: the same bytes twice"
	rm -f again.html
	ok "$(($(wc -c <"$name.html") >= 2000000))" "$name: less than 2 MB"
	is "$(grep -oE '(src|href)=|url\(|@import|https?://[^"'"' ]*" \
		"$name.html" | sort -u)" \
		"http://www.w3.org/2000/svg" "$name: nothing from elsewhere"
	sed -n 's,^.*<script type="application/json" id="film">\(.*\)</script>$,\1,p' \
		"$name.html" >film.json
	is "$(perl -MJSON::PP -e 'my $f = decode_json(<>);
		my ($bad, $n) = (0, $f->{w} * $f->{h});
		for my $i (0 .. $#{ $f->{frames} }) {
			my $l = $f->{frames}[$i]{l} or next;
			my $cells = 0;
			$cells += $l->[1][$_ * 2] for 0 .. $#{ $l->[1] } / 2;
			$bad++ if $cells != $n;
		}
		print scalar @{ $f->{questions} }, " ", $bad, " ",
			exists $f->{frames}[0]{c} ? "begins" : "?"' film.json)" \
		"$(grep -c '<fieldset>' "$name.html") 0 begins" \
		"$name: the data is JSON, with each question and whole frames"
done
like "$(cat lesson.html)" "the lanes want 128" "a wrong answer's reply is there"
is "$(sed -n 's,^<h2>[0-9]*\. \(.*\)</h2>$,\1,p' lesson.html)" \
	"$(sed -n 's/^## //p' "$srcdir/lessons/coalescing.md")" \
	"its steps are headings"
like "$(cat zh.html)" '<html lang="zh">' "the page says its language"
like "$(cat zh.html)" 'aria-label="播放"' "and speaks it"

cat >bad.md <<'E2'
# </script><b>x</b>

## One <script>alert(1)</script>

```gemmviz
record naive
```

`</script>` & "quotes"
E2
"$gemmviz" export --lesson ./bad.md -o bad.html
is "$(grep -c '<script>alert\|<b>x' bad.html)" 0 "a lesson's words are no markup"

# ---- in a browser ----

chromium=$(command -v chromium || command -v chromium-browser)
if [ -z "$chromium" ]; then
	skip "a browser opens it" "no chromium (Debian: chromium)"
	done_testing
	exit
fi

# asked NAME PAGE: what the browser answers to the commands on standard input.
asked() { perl "$srcdir/tests/browser.pl" "$chromium" "$tmp" "$2" >"$1"; }
# answer N FILE: the Nth answer.
answer() { sed -n "$1p" "$2"; }

asked steps lesson.html <<'END'
open 1280 800
eval document.querySelector('article.now h2').textContent
key PageDown
eval document.querySelector('article.now h2').textContent
click #next
eval document.querySelector('article.now h2').textContent
eval document.getElementById('scrub').value > 0
eval (s => { s.value = s.max; s.dispatchEvent(new Event('input')); })(document.getElementById('scrub'))
eval document.querySelector('article.now h2').textContent
key Home
eval document.getElementById('scrub').value
click article.now [data-choice="0"]
eval document.querySelector('article.now .reply').textContent
eval document.getElementById('scrub').value
click #play
wait 1500
eval document.getElementById('scrub').value
key b
eval document.querySelector('article.now .reply').className
wait 3000
eval document.getElementById('scrub').value > 0
eval /4 sectors of 32/.test(document.getElementById('said').textContent)
click #theme
eval getComputedStyle(document.body).backgroundColor
trouble
END
is "$(answer 1 steps)" '"Coalescing: what a warp reads together"' "it opens"
is "$(answer 2 steps)" '"1. 32 addresses at once"' "at the first step"
is "$(answer 4 steps)" '"2. Is B read with a stride?"' "a key goes on"
is "$(answer 6 steps)" '"3. All lanes read the same A"' "a button, too"
is "$(answer 9 steps)" '"What you learned"' "scrubbed to the end"
is "$(answer 11 steps)" '"0"' "and to the beginning"
is "$(answer 13 steps)" '"A sector has 32 bytes; the lanes want 128."' \
	"a wrong answer has the lesson's reply"
is "$(answer 14 steps) $(answer 17 steps)" '"0" "0"' \
	"and until the right one nothing plays"
is "$(answer 19 steps)" '"reply right"' "the right one, by its key"
is "$(answer 21 steps) $(answer 22 steps)" "true true" \
	"sets the picture going, which then shows the costs"
is "$(answer 24 steps)" '"rgb(18, 18, 18)"' "a button for dark and light"
is "$(answer 25 steps)" "[]" \
	"no exception, no message, and nothing was asked of any network"

# On paper each step has its picture; then the screen is as it was.
asked paper lesson.html <<'END'
open 1280 800
key n
eval dispatchEvent(new Event('beforeprint'))
eval [...document.querySelectorAll('article .paper')].filter(s => s.querySelectorAll('text').length > 20).length
eval dispatchEvent(new Event('afterprint'))
eval document.querySelectorAll('.paper').length
key n
key p
eval document.querySelector('#screen text').textContent
trouble
END
is "$(answer 4 paper)" "$(grep -c '<article>' lesson.html)" \
	"printed, each step has its picture"
is "$(answer 6 paper) $(answer 9 paper)" '0 "gemmviz"' \
	"and nothing of that stays"
is "$(answer 10 paper)" "[]" "without trouble"

# What the page draws is what the canvas has: the words of each row.
"$gemmviz" export tiled --beat phase --steps 1-3 -o three.html
"$gemmviz" export tiled --beat phase --steps 1-3 --format txt -o three.txt
asked rows three.html <<'END'
open 1000 700
key End
eval [...document.querySelectorAll('#screen > g:not(.marks)')].map(g => [...g.querySelectorAll('text')].map(t => t.textContent).join(' ')).join('\n').replace(/ +/g, '')
eval document.querySelector('#screen').getBoundingClientRect().width > 900
trouble
END
perl -CO -MJSON::PP -e '
	my $text = JSON::PP->new->utf8->allow_nonref->decode(<STDIN>);
	print join("", map { "$_\n" } split /\n/, $text, -1)' \
	<<<"$(answer 3 rows)" >is
awk 'BEGIN { RS = "\f" } { last = $0 } END { printf "%s", last }' three.txt |
	perl -CS -pe 'chomp; s/[\x{2500}-\x{259f}\x{2800}-\x{28ff}]/ /g;
		s/ +//g; $_ .= "\n"' >want
# The row of keys is left out of pages.
sed -i '$d' is
sed -i '$d' want
diff is want
ok $? "each row has the words of the screen's"
is "$(answer 5 rows)" "[]" "a kernel's page, without trouble"

for page in lesson zh kernel; do
	for width in 1400 800 380; do
		asked wide $page.html <<-END
		open $width 800
		eval document.documentElement.scrollWidth <= $width
		eval document.querySelectorAll('#screen text').length > 9
		move #screen
		trouble
		END
		is "$(sed -n '2,3p;5p' wide | tr '\n' ' ')" "true true [] " \
			"$page, $width pixels wide: it fits, and draws"
	done
done

# An answer may be typed, as a number or as the choice's word.
asked typed lesson.html <<'END'
open 1280 800
key 9
key Enter
eval document.querySelector('article.now .reply').textContent
key 3
key 2
key Enter
eval document.querySelector('article.now .reply').textContent
eval document.querySelector('article.now .wrong').dataset.choice
key 4
key .
key 0
key Enter
eval document.querySelector('article.now .reply').className
wait 3000
eval document.getElementById('scrub').value > 0
key n
key Escape
eval document.querySelector('article.now .reply').className
key !
eval document.querySelector('article.now .reply').className
eval document.querySelector('article.now .typed input').disabled
trouble
END
like "$(answer 4 typed)" "Not quite" "a number that is none of the choices"
like "$(answer 8 typed)" "that many only if" "one of them has its own reply"
is "$(answer 9 typed)" '"3"' "and is crossed out"
is "$(answer 14 typed) $(answer 16 typed)" '"reply right" true' \
	"4.0 is 4, and sets the picture going"
is "$(answer 19 typed)" '"reply"' "Esc does not show the answer"
is "$(answer 21 typed) $(answer 22 typed)" '"reply right" true' "! does"
is "$(answer 23 typed)" "[]" "without trouble"

# The step's race, as it was recorded.
asked race lesson.html <<'END'
open 1280 800
key End
key ArrowLeft
eval document.getElementById('said').textContent.split(',')[0]
eval /naive_swapped/.test(document.getElementById('screen').textContent)
key l
eval document.querySelectorAll('.lit').length
key p
key n
key n
trouble
END
is "$(answer 4 race) $(answer 5 race) $(answer 7 race)" \
	'"Race: C = A B" true 0' "the last step ends in its race"
is "$(answer 11 race)" "[]" "without trouble"

# ---- for those who do not see it, or have no mouse ----

# Words and what is behind them differ by 4.5, as WCAG asks; what is pressed
# has 24 pixels; headings leave no level out.
seen='(() => {
	const rgb = c => c.match(/[\d.]+/g).map(Number);
	const light = c => rgb(c).slice(0, 3).map(v => v / 255).map(v =>
		v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
		.reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
	const ground = e => { for (; e; e = e.parentElement) {
		const c = getComputedStyle(e).backgroundColor;
		if (rgb(c)[3] !== 0) return c; } return "rgb(255,255,255)"; };
	const bad = [];
	let level = 0;
	for (const e of document.querySelectorAll("body *:not(script):not(svg *)")) {
		if (!e.offsetParent) continue;
		const at = e.getBoundingClientRect();
		if (e.matches("h1,h2,h3")) {
			if (+e.tagName[1] > level + 1) bad.push(e.tagName);
			level = +e.tagName[1]; }
		if (e.matches("button,input,summary") &&
		    (at.height < 16 || (at.height < 24 && e.id !== "scrub") ||
		     at.width < 24))
			bad.push(e.tagName + " " + at.width + "x" + at.height);
		if (![...e.childNodes].some(n => n.nodeType === 3 &&
		    n.data.trim())) continue;
		const a = light(getComputedStyle(e).color), b = light(ground(e));
		const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
		if (ratio < 4.5)
			bad.push(e.tagName + "." + e.className + " " +
				ratio.toFixed(1)); }
	return bad.join(", "); })()'
seen=$(tr '\n\t' '  ' <<<"$seen")
for page in lesson zh; do
	for theme in dark light; do
		asked seen $page.html <<-END
		theme $theme
		open 1280 800
		eval $seen
		key b
		eval document.querySelector('article.now [data-choice="0"]').click()
		key 7
		eval document.querySelector('#keys').open = true
		eval $seen
		END
		is "$(answer 3 seen) $(answer 8 seen)" '"" ""' \
			"$page, $theme: can be read and pressed"
	done
	asked roles $page.html <<-'END'
	open 1280 800
	roles
	eval [...document.querySelectorAll('[tabindex]')].every(e => e.tabIndex === 0)
	END
	perl -CO -MJSON::PP -e 'print map { "$_\n" }
		@{ JSON::PP->new->utf8->decode(<STDIN>) }' \
		<<<"$(answer 2 roles)" >named
	is "$(grep -cv ' .' named)" 0 "$page: all that can have the focus has a name"
	is "$(cut -d' ' -f1 named | sort | uniq -c | tr -s ' \n' ' ')" \
		" 1 DisclosureTriangle 12 button 2 group 2 heading 1 image 1 slider 1 textbox " \
		"$page: and a role"
	is "$(answer 3 roles)" true "$page: the focus goes as the page does"
done
{
	echo open 1280 800
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
		echo key Tab
		echo "eval (e => e.id || e.className || e.dataset.choice || e.type || e.tagName)(document.activeElement)"
	done
} | asked focus lesson.html
is "$(sed -n '3~2p' focus | tr -d '"' | tr '\n' ' ')" \
	"theme 0 1 2 3 text submit reveal stage before back play on next scrub SUMMARY " \
	"Tab goes through the words, then through the player"

# ---- on paper ----

asked paper lesson.html <<'END'
open 1280 800
key b
wait 3000
print page.pdf
trouble
END
is "$(answer 5 paper)" "[]" "printed without trouble"
is "$(LC_ALL=C grep -ac '/Type /Page$' page.pdf)" \
	"$(grep -c '<article>' lesson.html)" "a sheet for each step"
if ! command -v pdftotext >/dev/null; then
	skip "what is on paper" "no pdftotext (Debian: poppler-utils)"
else
	pdftotext page.pdf page.txt
	like "$(cat page.txt)" "every byte of them is used" \
		"an answer that was given is printed"
	is "$(grep -cE 'or type it|Show the answer|Keys' page.txt)" 0 \
		"what is for the screen is not"
fi

# A lane: its cells light up where the mouse is, and by the key.
"$gemmviz" export naive --steps 1-2 -o naive.html
asked lanes naive.html <<'END'
open 1280 800
eval document.querySelectorAll('.lit').length
wait 2000
key l
eval document.getElementById('lit').textContent
eval document.querySelectorAll('.lit').length > 0
key Escape
eval document.querySelectorAll('.lit').length
trouble
END
is "$(answer 2 lanes)" 0 "no lane is lit at first"
is "$(answer 5 lanes)" '"lane 0"' "l lights lane 0"
is "$(answer 6 lanes)" true "its cells"
is "$(answer 8 lanes)" 0 "Esc leaves it"
is "$(answer 9 lanes)" "[]" "without trouble"
done_testing
