#!/usr/bin/env bash
# gemmviz export --format gif: small, the same bytes each time, and what giflib's
# own programs and the canvas say it is.
. "$srcdir/tests/tap.sh"
gemmviz=$(cd "$builddir" && pwd)/gemmviz
tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
export LC_ALL=C.UTF-8 LANGUAGE=en
cd "$tmp" || exit

if ! grep -q '^#define HAVE_GIF 1' "$builddir/config.h"; then
	got=$("$gemmviz" export naive -o x.gif 2>&1)
	is "$?" 2 "built without giflib: refused"
	like "$got" "libgif-dev" "and it says what is missing"
	is "$(ls -A)" "" "nothing is written"
	done_testing
	exit
fi
got=$(GEMMVIZ_FONT=/nowhere.ttf "$gemmviz" export naive -o x.gif 2>&1)
is "$?" 3 "no font: status 3"
like "$got" "fonts-dejavu-core" "it says which package has one"
is "$(ls -A)" "" "nothing is written"
if ! "$gemmviz" export naive --step 1 -o one.gif 2>out.log; then
	skip "a GIF" "$(cat out.log)"
	done_testing
	exit
fi

mkfifo fifo.ttf
GEMMVIZ_FONT=fifo.ttf timeout 60 "$gemmviz" export naive --step 1 -o x.gif 2>out.log
is "$?" 3 "a font that is none is not waited for"

# Ten seconds of a kernel's phases.
for i in one two; do
	"$gemmviz" export tiled --beat phase --steps 1-8 --force -o $i.gif
	ok $? "made"
done
cmp one.gif two.gif
ok $? "the same bytes twice"
ok "$(($(wc -c <one.gif) >= 3000000))" "ten seconds at 120x36: less than 3 MB"

# blocks FILE: its blocks, read by a program that knows nothing of ours:
# "WxH COLOURS", then "X Y W H HUNDREDTHS" for each frame, and "end".
blocks() {
	perl -e '
	local $/; open my $f, "<:raw", $ARGV[0] or die; my $d = <$f>;
	my ($magic, $w, $h, $flags) = unpack "a6vvC", $d;
	die "not a GIF\n" unless $magic eq "GIF89a";
	my $at = 13 + 3 * (2 << ($flags & 7));
	my $delay = 0;
	print "${w}x$h ", 2 << ($flags & 7), "\n";
	sub skip { while (my $n = ord substr $d, $at++, 1) { $at += $n } }
	while (1) {
		my $kind = ord substr $d, $at++, 1;
		if ($kind == 0x3b) { print "end\n"; last }
		if ($kind == 0x21) {
			my $what = ord substr $d, $at++, 1;
			$delay = unpack "v", substr $d, $at + 2, 2
				if $what == 0xf9;
			skip();
		} elsif ($kind == 0x2c) {
			my @at = unpack "vvvv", substr $d, $at, 8;
			$at += 10;
			skip();
			print "@at $delay\n";
		} else { die "block $kind\n" }
	}
	die "bytes behind its end\n" if $at != length $d' "$1"
}
blocks one.gif >is
ok $? "it is a GIF from its first byte to its last"
is "$(sed -n 1p is)" "960x576 64" "a pixel to each unit of a cell, few colours"
is "$(sed -n 2p is | cut -d' ' -f1-4)" "0 0 960 576" \
	"the first frame is the whole picture"
outside=$(awk 'NF == 5 && ($1 + $3 > 960 || $2 + $4 > 576 || $3 < 1)' is)
is "$outside" "" "all frames lie within it"
# The cast has the same frames at the same times.
"$gemmviz" export tiled --beat phase --steps 1-8 -o film.cast
is "$(awk 'NF == 5 { all += $5 } END { print all }' is)" \
	"$(tail -1 film.cast | perl -MJSON::PP -e \
		'print sprintf "%.0f", decode_json(<>)->[0] * 100')" \
	"it lasts as long as the cast"

have() {
	command -v "$1" >/dev/null && return
	skip "$2" "no $1 (Debian: giflib-tools)"
	return 1
}
if have giftext "giftext reads it"; then
	giftext one.gif >text 2>out.log
	is "$?: $(cat out.log)" "0: " "giftext reads it"
	is "$(grep -c '^Image #' text)" "$(awk 'NF == 5' is | wc -l)" \
		"and finds its frames"
fi
# A still's pixels: backgrounds and blocks are where the canvas has them.
if have gif2rgb "the pixels of a still"; then
	"$gemmviz" export --lesson coalescing --step 2 -o still.gif
	"$gemmviz" export --lesson coalescing --step 2 --format ansi -o pages
	awk 'BEGIN { RS = "\f" } { last = $0 } END { printf "%s", last }' \
		pages >last.ansi
	gif2rgb -1 -o still.rgb still.gif
	is "$(perl "$srcdir/tests/screen.pl" pixels still.rgb last.ansi)" \
		"4320 cells, 0 differ" "each cell of a still has its colours"
fi
done_testing
