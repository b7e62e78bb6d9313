#!/usr/bin/env bash
# gemmviz export: files that other programs open, the same bytes each time,
# all of them or none.
. "$srcdir/tests/tap.sh"
gemmviz=$(cd "$builddir" && pwd)/gemmviz
screen=$srcdir/tests/screen.pl
tmp=$(mktemp -d) || exit
trap 'chmod -R u+w "$tmp"; rm -rf "$tmp"' EXIT
export LC_ALL=C.UTF-8 LANGUAGE=en
cd "$tmp" || exit

# made WHAT ARGUMENT...: an export that must succeed.
made() {
	local what=$1
	shift
	"$gemmviz" export "$@" >out.log 2>&1
	is "$?: $(cat out.log)" "0: " "$what"
}

# refused STATUS PATTERN WHAT ARGUMENT...
refused() {
	local status=$1 pattern=$2 what=$3 got
	shift 3
	got=$("$gemmviz" export "$@" 2>&1 >out.log)
	is "$?" "$status" "$what: status $status"
	like "$got" "$pattern" "$what: says why"
	is "$(printf '%s\n' "$got" | wc -l)" 1 "$what: in one line"
}

# have TOOL PACKAGE WHAT: or skip WHAT.
have() {
	command -v "$1" >/dev/null && return
	skip "$3" "no $1 (Debian: $2)"
	return 1
}

# page N FILE: a page of text, without the form feed.
page() { awk -v n="$1" 'BEGIN { RS = "\f" } NR == n { printf "%s", $0 }' "$2"; }

# ---- usage ----

refused 2 "did you mean svg" "a format that there is not" naive \
	--format svgg -o x
refused 2 "no output file" "no output" naive --format svg
refused 2 "unknown format" "no format" naive -o picture
refused 2 "one lesson" "nothing to export" -o x.svg
refused 2 "one lesson" "two things to export" naive --lesson banks -o x.svg
refused 2 "for kernels" "a lesson of another size" --lesson banks -m 64 \
	-o x.svg
refused 2 "the lesson has 10" "a step that there is not" --lesson coalescing \
	--step 11 -o x.svg
refused 2 "the warp has [0-9]+ \(--beat phase\)" \
	"a beat that there is not" tiled --beat phase --step 4000 -o x.svg
refused 2 "2-4" "steps the wrong way" naive --steps 4-2 -o x.svg
refused 2 "40x12 to" "a screen too small" naive --size 20x5 -o x.svg
refused 2 "no beat" "a beat of no known size" naive --beat leap -o x.svg
refused 2 "matrices, .*devices, " "a view that there is not" naive \
	--view source -o x.svg
refused 2 "for kernels" "a lesson of another view" --lesson banks \
	--view banks -o x.svg
refused 3 "no fragments" "a view that the kernel has not" tiled \
	--view fragments -o x.svg
refused 2 "no theme" "no theme" naive --theme blue -o x.svg
refused 2 "from 1 to 60" "too many frames" naive --fps 61 -o x.svg
refused 2 "from 1 to 3600" "no rest" naive --rest 0 -o x.svg
refused 2 "files next to it" "a handout on standard output" --lesson banks \
	--format md -o -
is "$(ls)" out.log "nothing is left of all these"

# ---- traces of others ----

"$gemmviz" record naive -m 8 -n 8 -k 8 -o n.gvt >out.log
"$gemmviz" dump n.gvt >n.txt
{ sed '/^warp /,$d' n.txt; echo end; } >none.txt
"$gemmviz" dump --parse none.txt -o n.gvt --force
refused 3 "no requests" "a trace of nothing" n.gvt -o x.svg
sed 's,^kernel "naive",kernel "n</script>\\xff\\x1b[2J",
	s,^file "naive.cu",file "\\xe2\\x80\\xae<b>.cu",' n.txt >names.txt
"$gemmviz" dump --parse names.txt -o n.gvt --force
for format in txt ansi svg html cast md; do
	made "names that are no names: $format" n.gvt --steps 1-2 \
		--format $format -o odd.$format
done
is "$(grep -c '</script>\|<b>' odd.svg) $(grep -c '</script>' odd.html)" \
	"0 2" "they are no markup"
is "$(cat odd.txt odd.svg odd.html odd.cast odd.md odd-*.svg | tr -d '\f' |
	LC_ALL=C tr -d '\t\n\040-\177\200-\377' | wc -c)" 0 \
	"and control nothing"
rm -f n.* odd.* odd-* none.txt names.txt

# ---- files ----

: >there.svg
refused 2 "already exists" "a file that is there" naive --step 1 -o there.svg
is "$(wc -c <there.svg)" 0 "it is left as it was"
made "--force overwrites it" naive --step 1 --force -o there.svg
refused 7 "No such file" "no such folder" naive --step 1 -o no/x.svg
refused 7 "No space" "a full disk" naive --step 1 --format svg -o /dev/full
: >hand-02.svg
refused 2 "hand-02.svg: already exists" "a picture beside that is there" \
	--lesson coalescing --steps 1-2 -o hand.md
is "$(ls -A | tr '\n' ' ')" "hand-02.svg out.log there.svg " \
	"and nothing of that handout is left, nor any temporary file"
rm -f hand-02.svg there.svg

# ---- text: the screen's own characters ----

for size in 80x24 120x36 200x60; do
	made "text, $size" --lesson coalescing --size $size -o $size.txt
	page 1 $size.txt >is
	sed '/^-- fg$/,$d' "$srcdir/tests/golden/coalescing-$size.txt" >want
	cmp is want
	ok $? "text, $size: the first page is the screen's golden frame"
done
sed 's/\x1b\[[0-9;]*m//g; s/ *$//' <("$gemmviz" export --lesson coalescing \
	--size 120x36 --format ansi -o -) | cmp - 120x36.txt
ok $? "in colour: the same characters"
made "ASCII" --lesson coalescing --step 4 --ascii -o ascii.txt
is "$(LC_ALL=C tr -d '\n\f\040-\176' <ascii.txt | wc -c)" 0 \
	"--ascii: nothing else in it"
like "$(cat ascii.txt)" "^\+- Swap x and y -+ 4/10 -\+" "with frames of its own"
made "a lesson with its race" --lesson coalescing --steps 10-10 -o race.txt
like "$(cat race.txt)" "Race 4096×4096×4096 .* recorded 2" \
	"a step's race, as it was recorded"
made "in Chinese" --lesson coalescing --lang zh -o zh.txt
like "$(cat zh.txt)" "扇区" "the Chinese words are in it"
made "a kernel, eight requests" naive --steps 1-8 -o naive.txt
is "$(tr -cd '\f' <naive.txt | wc -c)" 7 "eight pages"

made "a view" tiled --view occupancy --step 1 -o view.txt
like "$(cat view.txt)" "8 blocks, 64 of 64 warps" "a picture that the step does not call for"
made "a program's launch, on four GPUs" across_gpus --devices 4 --launch 3 \
	--view devices --step 1 -o gpus.txt
like "$(cat gpus.txt)" "GPU 3" "what its devices do"
"$builddir/gemmviz" export across_gpus --devices 4 --view devices --steps 2-4 \
	-o turns.txt 2>&1
is "$(grep -o 'Turn [0-9]* of' turns.txt | uniq | tr '\n' ' ')" \
	"Turn 2 of Turn 3 of Turn 4 of " "the film goes through their turns"

# ---- the same bytes each time ----

for format in txt ansi svg cast md; do
	mkdir -p one two
	"$gemmviz" export --lesson tiling --steps 1-2 -o one/l.$format &&
		"$gemmviz" export --lesson tiling --steps 1-2 -o two/l.$format
	diff -r one two >/dev/null && [ -s one/l.$format ]
	ok $? "$format: the same bytes twice"
done

# ---- SVG ----

made "a still" --lesson coalescing --step 2 -o still.svg
made "its cells" --lesson coalescing --step 2 --format ansi -o still.ansi
made "a film" --lesson coalescing --steps 1-2 -o film.svg
for svg in still film; do
	have xmllint libxml2-utils "$svg: well-formed" || continue
	xmllint --noout $svg.svg 2>out.log
	is "$?: $(cat out.log)" "0: " "$svg: well-formed"
done
like "$(cat still.svg)" "<title>Coalescing: what a warp reads together<" \
	"it has the lesson's title"
like "$(tr '\n' ' ' <still.svg)" "<desc>.*Lanes 0-31 read B.*</desc>" \
	"it says in words what it shows"
like "$(cat still.svg)" ">A, B, C: 2 × 2<" "its text is text"
like "$(cat film.svg)" "@keyframes" "the film moves"
made "without colours" --lesson coalescing --step 2 --theme mono -o mono.svg
is "$(grep -o 'fill:#[0-9a-f]*' mono.svg | sort -u | tr '\n' ' ')" \
	"fill:#000000 fill:#ffffff " "ink on paper"
made "README's picture" --lesson coalescing --steps 4-5 --rest 4 -o readme.svg
cmp -s readme.svg "$srcdir/doc/coalescing.svg"
ok $? "README's picture is what the program draws now (else: make picture)"
made "README.zh's picture" --lesson coalescing --steps 4-5 --rest 4 --lang zh \
	-o readme.zh.svg
cmp -s readme.zh.svg "$srcdir/doc/coalescing.zh.svg"
ok $? "... and so is README.zh's"
# The last page of the ANSI export is the answered step as the still has it.
awk 'BEGIN { RS = "\f" } { last = $0 } END { printf "%s", last }' \
	still.ansi >last.ansi
for theme in dark light; do
	"$gemmviz" export --lesson coalescing --step 2 --theme $theme \
		--force -o still.svg
	"$gemmviz" export --lesson coalescing --step 2 --theme $theme \
		--force --format ansi -o still.ansi
	awk 'BEGIN { RS = "\f" } { last = $0 } END { printf "%s", last }' \
		still.ansi >last.ansi
	if have rsvg-convert librsvg2-bin "$theme: rsvg's pixels"; then
		rsvg-convert still.svg -o still.png
		is "$(perl "$screen" pixels still.png last.ansi)" \
			"4320 cells, 0 differ" \
			"$theme: rsvg draws each cell in its colours"
	fi
	have chromium chromium "$theme: Chromium's pixels" || continue
	printf '%s\n' "open 976 592" "shot still.png" |
		perl "$srcdir/tests/browser.pl" chromium "$tmp" still.svg >out.log
	is "$(perl "$screen" pixels still.png last.ansi)" \
		"4320 cells, 0 differ" \
		"$theme: Chromium draws each cell in its colours"
done

# ---- asciicast ----

made "a cast" --lesson coalescing -o lesson.cast
is "$(perl "$screen" markers lesson.cast | sed 's/^[0-9.]* //')" \
	"$(sed -n 's/^## //p' "$srcdir/lessons/coalescing.md"
	echo "What you learned")" "a marker for each step"
made "a quick cast" --lesson coalescing --rest 1 -o quick.cast
is "$(perl "$screen" markers quick.cast | sed -n '2s/ .*//p')" 7.167 \
	"its first step: the words, 7.2 seconds with what moves"
perl "$screen" cast lesson.cast >sent
player="cat sent"
if have asciinema asciinema "asciinema reads it"; then
	# It wants a terminal, and a folder to write to.
	player="env ASCIINEMA_CONFIG_HOME=$tmp/asciinema asciinema cat lesson.cast"
fi
if have tmux tmux "a terminal shows the last frame"; then
	cat >show.sh <<-END
	$player | tee played
	printf '\\033[?25l'
	tmux -L "\$1" wait-for -S sent
	sleep 60
	END
	name=gemmviz-export-$$
	tmux -L $name -f /dev/null new-session -d -x 120 -y 36 \
		"tmux -L $name set -g status off; sh show.sh $name"
	timeout 30 tmux -L $name wait-for sent
	tmux -L $name capture-pane -p >shown
	tmux -L $name kill-server
	made "its pages" --lesson coalescing -o lesson.txt
	awk 'BEGIN { RS = "\f" } { last = $0 } END { printf "%s", last }' \
		lesson.txt >want
	cmp shown want
	ok $? "a terminal shows the last frame"
	cmp played sent
	ok $? "all of it was sent ($player)"
fi

# ---- a recording without a request ----

beyond=$srcdir/tests/kernels/beyond.cu
launch="--block 32 --grid 2 -m 8 -n 8 -k 8"
# shellcheck disable=SC2086
made "of stores that all fail" "$beyond" $launch -o beyond.txt
like "$(tr "\n" " " <beyond.txt)" "defect 1 of 1 *outside its array.*64 stores outside C, line 5 .*writes C\[64\]; C has 64 elements" \
	"the defect is the picture"
like "$(cat beyond.txt)" "beyond 8×8×8, block 32×1 *block \(0,0\)" \
	"it says whose it is"
# shellcheck disable=SC2086
like "$("$gemmviz" view "$beyond" $launch --plain 2>/dev/null)" \
	"^Thread 0 of block 0 writes C\[64\]" "it is told without a screen, too"

# ---- the handout ----

made "a handout" --lesson coalescing -o "hand out.md"
is "$(grep -c '^## [1-9]' 'hand out.md')" \
	"$(grep -c '^## ' "$srcdir/lessons/coalescing.md")" \
	"a heading for each step"
missing=$(sed -n 's/^!\[.*\](\(.*\))$/\1/p' 'hand out.md' | sed 's/%20/ /g' |
	while read -r name; do [ -s "$name" ] || echo "$name"; done)
is "$missing" "" "each picture in it is there"
is "$(grep -c '^\*\*Question' 'hand out.md')" \
	"$((2 * $(grep -c '^ask ' "$srcdir/lessons/coalescing.md")))" \
	"each question, and each answer"
if have xmllint libxml2-utils "the pictures are well-formed"; then
	xmllint --noout "hand out"-*.svg 2>out.log
	is "$?: $(cat out.log)" "0: " "the pictures are well-formed"
fi
done_testing
