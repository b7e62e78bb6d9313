#!/usr/bin/env bash
# gemmviz export of what moves: at every moment an animated SVG in a browser, a
# GIF and an asciicast show the frame that is on the canvas then.
# sanitized: nightly
. "$srcdir/tests/tap.sh"
gemmviz=$(cd "$builddir" && pwd)/gemmviz
pages=$(cd "$builddir" && pwd)/tests/film_pages
tests=$srcdir/tests
tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
export LC_ALL=C.UTF-8 LANGUAGE=en
cd "$tmp" || exit
chromium=$(command -v chromium || command -v chromium-browser)

# have TOOL PACKAGE WHAT: or skip WHAT.
have() {
	command -v "$1" >/dev/null && return
	skip "$3" "no $1 (Debian: $2)"
	return 1
}

# compared PICTURE MS: how the cells of the frame of that time differ in it.
compared() {
	perl "$tests/film.pl" page frames "$2" >page.ansi
	perl "$tests/screen.pl" pixels "$1" page.ansi | sed "s/^/at $2: /"
}

# all_same WHAT: of the lines of compared() on standard input.
all_same() {
	local wrong
	wrong=$(grep -v ', 0 differ$')
	is "$wrong" "" "$1"
}

gif() {
	have gifbuild giflib-tools "$1: the GIF" || return
	gifbuild -d film.gif >film.dump
	for ms in $moments; do
		perl "$tests/film.pl" gif film.dump "$ms" at.rgb
		compared at.rgb "$ms"
	done >differ
	all_same "$1: the GIF's pixels" <differ
}

# A microsecond after a frame has begun: a browser computes in seconds, and the sum
# at which a cell appears may be off by its last bit.
svg() {
	have "${chromium:-chromium}" chromium "$1: the SVG" || return
	{
		echo "open $((8 * width + 16)) $((16 * height + 16))"
		for ms in $moments; do
			cat <<-END
			eval document.getAnimations().forEach(a => { a.pause(); a.currentTime = $ms.001; })
			eval [...document.querySelectorAll('tspan')].filter(e => getComputedStyle(e).visibility == 'visible').map(e => [+e.getAttribute('x'), +e.parentNode.getAttribute('y'), e.textContent])
			shot $ms.png
			END
		done
	} | perl "$tests/browser.pl" "$chromium" "$tmp" film.svg >answers
	grep '^\[' answers | paste -d' ' <(printf '%s\n' $moments) - |
		perl "$tests/film.pl" words frames >differ
	is "$(cat differ)" "$(wc -w <<<"$moments") times, 0 differ" \
		"$1: the SVG's words, in a browser"
	for ms in $moments; do
		compared "$ms.png" "$ms"
		rm "$ms.png"
	done >differ
	all_same "$1: its pixels" <differ
}

# still WHAT: where nothing is animated, the SVG is its last frame.
still() {
	have rsvg-convert librsvg2-bin "$1: the SVG on paper" || return
	rsvg-convert film.svg -o paper.png
	compared paper.png 999999999 >differ
	all_same "$1: on paper its last frame" <differ
}

# films WHAT SIZE FPS THEME LANG PAGES-OF STEPS ARGUMENT...
films() {
	local what=$1 size=$2 fps=$3 theme=$4 lang=$5 of=$6 steps=$7 all
	in_turn 3 || return
	shift 7
	width=${size%x*} height=${size#*x}
	"$pages" "$of" "${steps%-*}" "${steps#*-}" "$width" "$height" "$fps" \
		"$theme" "$lang" >frames
	ok $? "$what: its frames"
	for format in cast gif svg; do
		"$gemmviz" export "$@" --steps "$steps" --size "$size" \
			--theme "$theme" --lang "$lang" --fps "$fps" --force \
			-o "film.$format" || rm -f "film.$format"
	done 2>export.log
	is "$(perl "$tests/film.pl" cast frames film.cast)" \
		"$(grep -a -c ' \(moving\|rest\)$' frames) frames, 0 differ" \
		"$what: the cast's screen at each frame"
	all=$(perl "$tests/film.pl" times frames)
	# a dozen of them, from the whole film
	moments=$(awk -v n="$(wc -l <<<"$all")" -v most="${MOMENTS:-12}" \
		'int(NR * most / n) != int((NR - 1) * most / n)' <<<"$all")
	if [ -e film.gif ]; then
		gif "$what"
	else
		skip "$what: the GIF" "$(cat export.log)"
	fi
	svg "$what"
	still "$what"
}

films "a lesson" 80x24 15 dark en coalescing 2-3 --lesson coalescing
films "in Chinese, light" 80x24 10 light zh tiling 1-1 --lesson tiling
"$gemmviz" record tiled -m 32 -n 32 -k 32 -o tiled.gvt >record.log
films "a kernel, 30 frames a second" 100x30 30 dark en tiled.gvt 3-4 tiled.gvt

if have gifbuild giflib-tools "60 frames a second" &&
	"$gemmviz" export tiled.gvt --steps 3-4 --fps 60 -o fast.gif \
		2>export.log; then
	is "$(gifbuild -d fast.gif | awk '$1 == "delay" && $2 < 2' | wc -l)" 0 \
		"60 frames a second: no frame of a GIF is too short for a browser"
fi
done_testing
