#!/usr/bin/env bash
# The page in Chromium: lessons are opened by a link, answered by keys and by
# clicks; nothing is asked of another server, and nothing is said on the console.
# sanitized: never (the program is not compiled with them)
# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

said=$(make -s -C "$builddir" web EMCC= 2>&1 | grep emscripten)
like "$said" 'apt-get install emscripten' "without emscripten: what to install"
is "$(grep -c . <<<"$said")" 1 "in one line"

# Where the program for a page was not made, an export says so.
if [ ! -e "$builddir/web/one.html" ]; then
	said=$("$builddir/gemmviz" export tiled --format page -o - 2>&1)
	is "$? $(wc -l <<<"$said")" "7 1" "no program for a page: one line"
fi

# shellcheck source=tests/page.sh
. "$srcdir/tests/page.sh"

asked keys '#lesson=coalescing&step=1' <<-END
open 1280 800
$(seen '32 addresses at once')
eval location.hash
key b
$(seen '\n= ')
key Enter
$(seen '2\/[0-9]+')
eval location.hash
trouble
eval navigator.serviceWorker.ready.then(() => caches.open('gemmviz')).then((kept) => kept.keys()).then((all) => all.length >= 8)
END
is "$(answer 10 keys)" true "what it needs is kept for want of a network"
is "$(answer 2 keys) $(answer 5 keys) $(answer 7 keys)" \
	"true true true" "a link, an answer and a step, by keys"
like "$(answer 8 keys)" 'lesson=coalescing&step=2' "the place is a link"
is "$(answer 9 keys)" "[]" "no trouble"

asked clicks '#lesson=banks&step=3&lane=7' <<-END
open 390 844
$(seen '3\/10')
$(click_on 'a  32')
$(seen '\n= ')
$(seen 'lane 7')
eval location.hash
trouble
END
is "$(answer 3 clicks) $(answer 4 clicks)" "true true" \
	"on a phone, an answer by a click"
is "$(answer 5 clicks) $(answer 6 clicks)" \
	'true "#lesson=banks&step=3&lane=7&view=banks"' \
	"the link's lane, and the step's picture in the link"
is "$(answer 7 clicks)" "[]" "no trouble"

asked zh '#lesson=tiling&lang=zh' <<-END
open 640 400 2
$(seen '1\/[0-9]+  .*[\u4e00-\u9fff]')
key ?
$(seen '[\u4e00-\u9fff]')
key Escape
key q
eval $until(() => location.hash === '#lang=zh')
key j
key Enter
eval $until(() => /lesson=/.test(location.hash))
eval localStorage.length <= 1
trouble
END
is "$(answer 2 zh) $(answer 7 zh) $(answer 10 zh)" "true true true" \
	"in Chinese, at 200 %: a lesson, the map, another"
is "$(answer 12 zh)" "[]" "no trouble"

# A rung of practice: its task, its skeleton, a picture, and what to do instead of
# judging it here.
asked rung '#practice=coalesced' <<-END
open 1280 800
$(seen 'gemmviz practice coalesced')
$(read_in text 'coalesced<<<grid, block>>>.A')
key v
eval $until(() => /kernel=naive_swapped/.test(location.hash))
$(seen 'sector')
key q
eval $until(() => location.hash === '#practice=coalesced')
key q
eval $until(() => location.hash === '#practice=map')
key j
$(seen 'transpose')
key q
eval $until(() => location.hash === '')
eval /close the page/.test(document.getElementById('text').textContent)
key p
eval $until(() => location.hash === '#practice=map')
eval /practice/.test(localStorage.getItem("gemmviz-progress") || "")
trouble
END
is "$(answer 2 rung) $(answer 3 rung) $(answer 5 rung) $(answer 6 rung)" \
	"true true true true" "a rung, its skeleton and its picture"
is "$(answer 8 rung) $(answer 10 rung) $(answer 12 rung)" "true true true" \
	"back to the rung, to the map of rungs, another"
is "$(answer 14 rung) $(answer 15 rung) $(answer 17 rung) $(answer 18 rung)" \
	"true false true false" \
	"to the course and back; nothing is made or noted"
is "$(answer 19 rung)" "[]" "no trouble"

# Fingers, the clipboard's text, a screen reader, and what only computes.
touches='(kind, ...at) => document.getElementById("text").dispatchEvent(new TouchEvent(kind, { bubbles: true, cancelable: true, touches: kind === "touchend" ? [] : at.map(([x, y], i) => new Touch({ identifier: i, target: document.body, clientX: x, clientY: y })), changedTouches: at.map(([x, y], i) => new Touch({ identifier: i, target: document.body, clientX: x, clientY: y })) }))'
plain=$("$builddir/gemmviz" --lesson coalescing --plain | sed -n 3p)
asked touch '#lesson=coalescing&step=1' <<-END
open 390 844
$(seen '32 addresses at once')
eval gemmviz_touch = $touches, 1
key !
$(seen '\n= ')
eval gemmviz_touch('touchstart', [300, 300]), gemmviz_touch('touchmove', [200, 300]), gemmviz_touch('touchend', [100, 305])
$(seen 'Request 9 of')
eval gemmviz_touch('touchstart', [100, 300]), gemmviz_touch('touchend', [300, 305])
$(seen 'Request 8 of')
eval gemmviz_rows = document.getElementById('text').children.length
eval gemmviz_touch('touchstart', [100, 300], [200, 300]), gemmviz_touch('touchmove', [50, 300], [100, 300]), gemmviz_touch('touchend', [50, 300])
eval $until(() => document.getElementById('text').children.length > gemmviz_rows)
eval getSelection().selectAllChildren(document.getElementById('text').children[0]), String(getSelection())
eval document.getElementById('words').textContent
eval document.getElementById('words').getAttribute('aria-live')
eval document.querySelector('#keys [data-key="="]').click()
eval $until(() => !document.getElementById('calculator').hidden)
eval (document.querySelector('#calculator input').value = "access global 4 --index 'lane * 64'", document.getElementById('calculator').requestSubmit(), document.querySelector('#calculator pre').textContent)
eval (document.querySelector('#calculator input').value = 'gemmviz occupancy --arch sm_90 --threads 256 --registers 64', document.getElementById('calculator').requestSubmit(), document.querySelector('#calculator pre').textContent)
eval (document.querySelector('#calculator input').value = 'fragment m16n8k16.f16 A --element 9,3', document.getElementById('calculator').requestSubmit(), document.querySelector('#calculator pre').textContent)
eval (document.querySelector('#calculator input').value = 'table tile-size', document.getElementById('calculator').requestSubmit(), document.querySelector('#calculator pre').textContent)
trouble
END
is "$(answer 7 touch) $(answer 9 touch)" "true true" \
	"a swipe is a step, there and back"
is "$(answer 12 touch)" true "two fingers make it smaller"
like "$(answer 13 touch)" 'gemmviz|coalescing' "a row of text can be selected"
like "$(answer 14 touch)" "$(head -c 40 <<<"$plain")" \
	"a screen reader gets what --plain prints"
is "$(answer 15 touch)" '"polite"' "when it has time"
n=18
while read -r -a words; do
	said=$("$builddir/gemmviz" "${words[@]}" 2>&1)
	is "$(answer $n touch | perl -MJSON::PP -ne \
		'print JSON::PP->new->utf8->allow_nonref->decode($_)')" \
		"$said" "${words[0]}: as in a terminal"
	n=$((n + 1))
done <<'END'
access global 4 --index lane*64
occupancy --arch sm_90 --threads 256 --registers 64
fragment m16n8k16.f16 A --element 9,3
table tile-size
END
is "$(answer 22 touch)" "[]" "no trouble"

"$builddir/gemmviz" record tiled -o "$tmp/tiled.gvt" >/dev/null
"$builddir/gemmviz" export "$tmp/tiled.gvt" --format page \
	-o "$tmp/tiled.html"
is $? 0 "a recording as one page"
"$builddir/gemmviz" export --lesson coalescing -o "$tmp/l.page.html"
is $? 0 "a lesson as one page"
for page in tiled l; do
	case $page in tiled) what='tiled.cu' ;; *) what='32 addresses' ;; esac
	perl "$srcdir/tests/browser.pl" "$chromium" "$tmp" \
		"$tmp/$page.html" >"$tmp/one" 2>&1 8>&- <<-END
	open 1280 800
	$(seen "$what")
	trouble
	END
	is "$(answer 2 one) $(answer 3 one)" "true []" \
		"$page: it opens from a disk, without trouble"
	[ $page = l ] || mv "$tmp/l.page.html" "$tmp/l.html"
done

# What the page of one file may run is named by its hash.
policy=$(grep -o 'Content-Security-Policy" content="[^"]*"' "$tmp/tiled.html")
is "$(grep -c unsafe-inline <<<"$policy") $(grep -o "'sha256-" <<<"$policy" | wc -l)" \
	"0 3" "nothing inline is allowed but by three hashes"
perl -pe 's/"use strict";/"use  strict";/' "$tmp/tiled.html" >"$tmp/changed.html"
perl "$srcdir/tests/browser.pl" "$chromium" "$tmp" "$tmp/changed.html" \
	>"$tmp/one" 2>&1 8>&- <<-END
open 1280 800
trouble
END
like "$(answer 2 one)" 'Content Security Policy' "a script that was changed is refused"
done_testing
