#!/usr/bin/env bash
# Every lesson in Chromium, in both languages, answered to its end by keys and by
# clicks: on a desktop, a phone and at 200 % zoom. Prints of each how many events
# it took, the median and the most milliseconds from one to its frame, and the
# megabytes of the program and its scripts.
#
#   web_drive.sh [LESSON...]
# sanitized: never (the program is not compiled with them)
# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"
# shellcheck source=tests/page.sh
. "$srcdir/tests/page.sh"

megabytes_most=64
languages=${WEB_LANGUAGES-en zh}
drive=$(tr -d '\n\t' <"$srcdir/tests/web_drive.js")
"$builddir/gemmviz" list --json >"$tmp/list"
if [ $# = 0 ]; then
	# shellcheck disable=SC2046
	set -- $(perl -MJSON::PP -0777 -ne \
		'print "$_->{name}\n" for @{ decode_json($_)->{lessons} }' \
		"$tmp/list")
fi
ways=('1280 800/' '1280 800/true' '390 844/' '390 844/true' '640 400 2/'
	'640 400 2/true')

for name; do
	steps=$(perl -MJSON::PP -0777 -e 'for (@{ decode_json(<STDIN>)->{lessons} }) {
		print $_->{steps} if $_->{name} eq $ARGV[0]; }' "$name" <"$tmp/list")
	for lang in $languages; do
		{
			echo "before const make = WebAssembly.instantiate; WebAssembly.instantiate = async (...all) => { const made = await make(...all); gemmviz_memory = Object.values((made.instance || made).exports).find((x) => x instanceof WebAssembly.Memory); return made; }"
			for way in "${ways[@]}"; do
				echo "at #lesson=$name&lang=$lang&step=1"
				echo "open ${way%/*}"
				seen '1\/[0-9]+'
				echo "eval $until(() => !/█ +[0-9]+ . /.test(document.getElementById('text').textContent))"
				echo "eval localStorage.clear(), ($drive)(${way#*/})"
				echo trouble
			done
		} | asked drive ''
		n=1
		for way in "${ways[@]}"; do
			read -r ended events median most megabytes \
				<<<"$(answer $((n + 5)) drive | tr -d '"')"
			what="$name, $lang, ${way%/*}$([ "${way#*/}" ] && echo ', clicks')"
			is "$ended $(answer $((n + 6)) drive)" "true []" \
				"$what: to its end, without trouble"
			ok $((events < 2 * steps)) "each step had its turn"
			echo "# $events events, $median ms, at most $most; $megabytes MB"
			ok $((megabytes > megabytes_most)) "memory"
			n=$((n + 6))
		done
	done
done
done_testing
