#!/usr/bin/env bash
# The page where something is missing or wrong: a line says what, and the page
# goes on; also without a network, after a visit.
# sanitized: never (the program is not compiled with them)
# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"
# shellcheck source=tests/page.sh
. "$srcdir/tests/page.sh"

# goes_on: the commands that open a lesson from the map: the page is alive.
goes_on() {
	cat <<-'END'
	key m
	key Enter
	END
	echo "eval $until(() => /lesson=/.test(location.hash))"
}
# blocked: the script that lets a property of the window throw.
blocked() {
	echo "before Object.defineProperty(window, '$1', { get() { throw new DOMException('it is denied', 'SecurityError'); } })"
}
# replaced BODY: the script that has recordings answered by BODY, from `r`.
replaced() {
	echo "before const f = fetch; fetch = async (name) => { const r = await f(name); return /shelf/.test(name) ? $1 : r; }"
}
dropped='(name, bytes) => { const d = new DataTransfer(); d.items.add(new File([bytes], name)); dispatchEvent(new DragEvent("drop", { dataTransfer: d, cancelable: true })); }'
"$builddir/gemmviz" record tiled -o "$tmp/tiled.gvt" >/dev/null
cp "$tmp/tiled.gvt" "$public/web/tiled.gvt"

asked bad '' <<-END
before delete window.WebAssembly
open 1280 800
$(read_in notice 'WebAssembly')
eval document.getElementById('notice').textContent.includes('\n')
$(blocked localStorage)
open 1280 800
$(read_in text 'it is denied')
$(goes_on)
before Storage.prototype.setItem = () => { throw new DOMException('it is full', 'QuotaExceededError'); }
at #lesson=coalescing&step=1
open 1280 800
$(seen '32 addresses at once')
key b
$(read_in text 'it is full')
$(goes_on)
$(replaced "new Response('', { status: 404 })")
open 1280 800
$(read_in text 'did not arrive .*404.*reload')
$(goes_on)
$(replaced "new Response((await r.arrayBuffer()).slice(0, 999))")
open 1280 800
$(read_in text 'damaged|cut|trace|recording')
$(goes_on)
at #lesson=nothing
before
open 1280 800
$(read_in text 'nothing')
eval location.hash = '#rubbish=1'
$(read_in text 'rubbish=1')
eval location.hash = '#%'
eval location.hash = '#lesson=banks&step=99&lane=99&view=none'
$(read_in text 'none')
$(goes_on)
eval gemmviz_drop = $dropped, 1
eval gemmviz_drop('bad.gvt', '<b>no trace</b>')
$(read_in text 'bad.gvt')
eval document.querySelector('b') === null
eval fetch('tiled.gvt').then((r) => r.arrayBuffer()).then((b) => gemmviz_drop('cut.gvt', b.slice(0, b.byteLength / 2)))
$(read_in text 'cut.gvt')
eval fetch('tiled.gvt').then((r) => r.arrayBuffer()).then((b) => { new Uint8Array(b).fill(255, 300, 2000); gemmviz_drop('bent.gvt', b); })
$(read_in text 'bent.gvt')
$(goes_on)
eval localStorage.setItem('gemmviz-progress', '{"v":')
at
open 1280 800
$(read_in text 'progress')
$(goes_on)
trouble
END

# n WHAT NUMBER...: these answers are true.
good() {
	local what=$1 all=
	shift
	for n; do
		all="$all $(answer "$n" bad)"
	done
	is "$(tr -d ' ' <<<"${all//true/}")" "" "$what"
}
is "$(answer 3 bad) $(answer 4 bad)" "true false" "no WebAssembly: a line says so"
good "no storage: a line, and the page goes on" 7 10
good "full storage: a line, and the page goes on" 14 16 19
good "a recording that is not there: a line, and the page goes on" 22 25
good "one that is cut: a line, and the page goes on" 28 31
good "links to nowhere: a line each, and the page goes on" 35 37 40 43
good "a dropped file that is no recording: a line, no markup" 46 47
good "damaged recordings: a line, and the page goes on" 49 51 54
good "damaged progress: a line, and the page goes on" 58 61
is "$(answer 62 bad)" "[]" "no trouble"

asked visit '#lesson=coalescing&step=1' <<-END
open 1280 800
$(seen '32 addresses at once')
eval $until(() => navigator.serviceWorker.controller)
eval navigator.serviceWorker.ready.then(() => true)
END
end_server
for lang in en zh; do
	asked offline "#lesson=coalescing&step=1&lang=$lang" <<-END
	open 1280 800
	$(seen 'a\) 1')
	eval location.hash
	key !
	$(seen '\n(= |\u7b54)')
	END
	is "$(answer 2 visit) $(answer 2 offline) $(answer 5 offline)" \
		"true true true" "$lang: the lesson without a network"
done
done_testing
