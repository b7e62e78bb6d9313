# shellcheck shell=bash
# page.sh: what tests of the page share; source it after tap.sh. Without a browser
# or the page the test is skipped, and ends here. Else the page's folder is served
# at $site, and $tmp is a folder that goes at the end.
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
# Ends the server; the page has no network then.
end_server() {
	[ -z "$server" ] || { kill "$server"; wait "$server" 2>/dev/null; }
	server=
}
trap 'end_server; rm -rf "$tmp"' EXIT
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
	[ ! -s "$tmp/$1.err" ] || sed 's/^/# /' "$tmp/$1" "$tmp/$1.err"
}
# answer N NAME: the Nth answer.
answer() { sed -n "$1p" "$tmp/$2"; }

# What a command waits for, in the page: that an expression becomes true.
until='(f => new Promise((ok) => { const t = Date.now(), again = () =>
	f() ? ok(true) : Date.now() - t > 20000 ? ok(false) :
	setTimeout(again, 20); again(); }))'
until=$(tr -d '\n\t' <<<"$until")
# seen PATTERN: the command that waits until the frame's sentences match.
seen() { echo "eval $until(() => /$1/.test(document.getElementById('words').textContent))"; }
# read_in ID PATTERN: the same of the text of a part of the page.
read_in() { echo "eval $until(() => /$2/.test(document.getElementById('$1').textContent))"; }
# click_on TEXT: the command that clicks on a text on the screen.
click_on() {
	cat <<-END
	eval (() => { const r = document.createRange(), w = document.createTreeWalker(document.getElementById('text'), 4); let n; while ((n = w.nextNode())) { const i = n.data.indexOf('$1'); if (i < 0) continue; r.setStart(n, i); r.setEnd(n, i + 1); const b = r.getBoundingClientRect(), o = { clientX: b.x + b.width / 2, clientY: b.y + b.height / 2, bubbles: true }; n.parentNode.dispatchEvent(new MouseEvent('click', o)); return true; } return false; })()
	END
}
