#!/usr/bin/env bash
# web_frames.sh [KERNEL...]: how many frames a second the page shows in Chromium
# while a picture moves, and how long a key takes to its frame, for each kernel of
# the course at 1280 x 800: median milliseconds from frame to frame, of the page's
# own work in a frame, and from a key to the end of the frame that follows. Run it
# in the build folder, after make web.
: "${srcdir:=$(cd "$(dirname "$0")/.." && pwd)}" "${builddir:=$PWD}"
export srcdir builddir
# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"
# shellcheck source=tests/page.sh
. "$srcdir/tests/page.sh"
mapfile -t kernels < <(zcat "$public/web/rest.pack.gz" | sed '/^$/q' |
	sed -n '/across/d; s,^[0-9]* kernels/\(.*\)\.cu$,\1,p')
[ $# -eq 0 ] || kernels=("$@")

# Presses the key for a step, and notes the frames until each has moved.
measure=$(tr -d '\n\t' <<'END'
(async () => {
	const took = [], gaps = [], keys = [];
	const sleep = (ms) => new Promise((ok) => setTimeout(ok, ms));
	const median = (all) => all.length ?
		all.sort((a, b) => a - b)[all.length >> 1].toFixed(1) : "-";
	for (let i = 0; i < 12; i++) {
		gemmviz_frames.length = 0;
		const from = performance.now();
		dispatchEvent(new KeyboardEvent("keydown",
			{ key: "ArrowRight", cancelable: true }));
		await sleep(400);
		const f = gemmviz_frames;
		if (f.length)
			keys.push(f[0].end - from);
		for (let k = 0; k < f.length; k++) {
			took.push(f[k].end - f[k].begin);
			if (k && f[k].at - f[k - 1].at < 200)
				gaps.push(f[k].at - f[k - 1].at);
		}
	}
	return `${median(gaps)} ${median(took)} ${median(keys)} ${took.length}`;
})()
END
)
{
	echo 'before const raf = requestAnimationFrame; gemmviz_frames = []; requestAnimationFrame = (f) => raf((at) => { const begin = performance.now(); f(at); gemmviz_frames.push({ at, begin, end: performance.now() }); })'
	for name in "${kernels[@]}"; do
		echo "at #kernel=$name"
		echo 'open 1280 800'
		seen '[0-9]'
		echo 'wait 300'
		echo "eval $measure"
	done
} | asked frames ''
echo 'kernel                 frame to frame   work   key  frames'
n=6
for name in "${kernels[@]}"; do
	read -r gap work key frames <<<"$(answer $n frames | tr -d '"')"
	printf '%-22s %14s %6s %5s %7s\n' "$name" "$gap" "$work" "$key" "$frames"
	n=$((n + 5))
done
