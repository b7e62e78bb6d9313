#!/usr/bin/env bash
# The page in Chromium: lessons are opened by a link, answered by keys and by
# clicks; nothing is asked of another server, and nothing is said on the console.
#
# `web.sh all` drives every lesson, in both languages, at three sizes.
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

public=$builddir/public
chromium=$(command -v chromium || command -v chromium-browser)
if [ -z "$chromium" ]; then
	skip "a page in a browser" "no chromium (Debian: chromium)"
	done_testing
	exit
elif [ ! -e "$public/web/index.html" ]; then
	skip "a page in a browser" "no make web (it needs emscripten)"
	done_testing
	exit
fi

tmp=$(mktemp -d)
mkfifo "$tmp/open"
exec 8<>"$tmp/open"
perl "$srcdir/tests/serve.pl" "$public" <"$tmp/open" >"$tmp/port" 8>&- &
server=$!
trap 'kill $server; wait $server 2>/dev/null; rm -rf "$tmp"' EXIT
for _ in $(seq 100); do
	[ ! -s "$tmp/port" ] || break
	sleep 0.05
done
site=http://127.0.0.1:$(cat "$tmp/port")/web/

# asked NAME FRAGMENT: what the browser answers to the commands on standard
# input.
asked() {
	perl "$srcdir/tests/browser.pl" "$chromium" "$tmp" "$site$2" >"$tmp/$1" \
		2>"$tmp/$1.err" 8>&-
}
# answer N NAME: the Nth answer.
answer() { sed -n "$1p" "$tmp/$2"; }

# What a command waits for, in the page: that an expression becomes true.
until='(f => new Promise((ok) => { const t = Date.now(), again = () =>
	f() ? ok(true) : Date.now() - t > 20000 ? ok(false) :
	setTimeout(again, 20); again(); }))'
until=$(tr -d '\n\t' <<<"$until")
words="document.getElementById('words').textContent"
# seen PATTERN: the command that waits until the frame's sentences match.
seen() { echo "eval $until(() => /$1/.test($words))"; }
# click_on TEXT: the command that clicks on a text on the screen.
click_on() {
	cat <<-END
	eval (() => { const r = document.createRange(), w = document.createTreeWalker(document.getElementById('text'), 4); let n; while ((n = w.nextNode())) { const i = n.data.indexOf('$1'); if (i < 0) continue; r.setStart(n, i); r.setEnd(n, i + 1); const b = r.getBoundingClientRect(), o = { clientX: b.x + b.width / 2, clientY: b.y + b.height / 2, bubbles: true }; n.parentNode.dispatchEvent(new MouseEvent('click', o)); return true; } return false; })()
	END
}

if [ "${1-}" != all ]; then
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

	asked bad '#lesson=nothing' <<-END
	open 1280 800
	eval $until(() => /nothing/.test(document.getElementById('text').textContent))
	eval gemmviz_test_drop = (name, bytes) => { const d = new DataTransfer(); d.items.add(new File([bytes], name)); dispatchEvent(new DragEvent('drop', { dataTransfer: d, cancelable: true })); }
	eval gemmviz_test_drop('bad.gvt', '<b>no trace</b>')
	eval $until(() => /bad.gvt/.test(document.getElementById('text').textContent))
	eval document.querySelector('b') === null
	key Enter
	eval $until(() => /lesson=/.test(location.hash))
	trouble
	END
	is "$(answer 2 bad)" true "a link to nowhere is said in a line"
	is "$(answer 5 bad) $(answer 6 bad)" "true true" \
		"so is a file that is no recording; it is no markup"
	is "$(answer 8 bad)" true "and the page goes on"
	is "$(answer 9 bad)" "[]" "no trouble"
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
	for log in keys clicks zh bad; do
		[ ! -s "$tmp/$log.err" ] || sed 's/^/# /' "$tmp/$log" "$tmp/$log.err"
	done
else
	# Each lesson, answered to its end by keys: ! shows an answer, Enter
	# goes on.
	"$builddir/gemmviz" list --json >"$tmp/list"
	for name in $(perl -MJSON::PP -0777 -ne \
		'print "$_->{name}\n" for @{ decode_json($_)->{lessons} }' \
		"$tmp/list"); do
		for lang in en zh; do
			for size in '1280 800' '390 844' '640 400 2'; do
				asked drive "#lesson=$name&lang=$lang" <<-END
				open $size
				$(seen '1\/[0-9]+')
				eval (async () => { const press = (key) => dispatchEvent(new KeyboardEvent('keydown', { key, cancelable: true })), sleep = (ms) => new Promise((f) => setTimeout(f, ms)); for (let i = 0; i < 90 && !/^#lang/.test(location.hash); i++) { press('!'); await sleep(30); press('Enter'); await sleep(30); } return location.hash; })()
				trouble
				END
				is "$(answer 2 drive) $(answer 3 drive)" \
					"true \"#lang=$lang\"" \
					"$name, $lang, $size: to its end"
				is "$(answer 4 drive)" "[]" "no trouble"
			done
		done
	done
fi
done_testing
