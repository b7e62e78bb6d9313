#!/usr/bin/env bash
# Traces and lessons that are well-formed and not true: what they say is taken
# for what it is, by whatever command. None ends by a signal, takes long, sends
# anything but text, or puts markup into a page.
. "$srcdir/tests/tap.sh"
build=$(cd "$builddir" && pwd)
tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit

# What text files may not have: controls but newlines, tabs and form feeds.
controls=$(printf '[\001-\010\013\016-\037\177]')
markup='<script>alert|<img src=x|<svg onload'

# try ARGUMENT...: in 20 seconds, with a status that says what it found.
try() {
	local file
	rm -rf out
	mkdir out
	timeout -s KILL 100 "$build/gemmviz" "$@" >out/said 2>out/errors </dev/null
	case $? in
	[0-3]) ;;
	*) echo "$1: status $?" ;;
	esac
	[ "$(wc -l <out/errors)" -le 1 ] || echo "$1: more than a line"
	for file in out/*; do
		LC_ALL=C grep -q "$controls" "$file" &&
			[ "${file##*.}" != gif ] && echo "$1: controls in $file"
		case $file in
		*.html | *.svg) ! grep -qE "$markup" "$file" || echo "$1: $file" ;;
		esac
	done
}

exports() {
	local format
	for format in svg html txt cast md; do
		try export "$@" --format $format --size 80x24 -o out/x.$format
	done
}

# ---- traces ----

"$build/gemmviz" record naive -m 8 -n 8 -k 4 -o true.gvt 2>/dev/null
"$build/gemmviz" dump true.gvt >true.txt
# As the text of a trace has them, in Perl.
evil='\\\\x1b[2J\\\\x1b]52;c;eA==\\\\x07\\\\xe2\\\\x80\\\\xae\\\\xe2\\\\x80\\\\x8b\\\\xff'
tag='<\/script><script>alert(1)<\/script><img src=x onerror=alert(1)>'

# lie WHAT PERL: the true trace, each of whose lines that has changed.
lie() {
	local what=$1
	in_turn 2 || return
	perl -pe "$2" true.txt >false.txt
	if cmp -s true.txt false.txt; then
		is same changed "$what: is a lie"
	elif ! "$build/tests/text_trace" false.gvt <false.txt 2>errors; then
		is "$(cat errors)" "" "$what: is a trace"
	else
		is "$(try report false.gvt
			try report false.gvt --json
			try dump false.gvt
			try diff false.gvt true.gvt
			try diff true.gvt false.gvt --json
			try provenance false.gvt 0,0
			try view false.gvt --plain
			exports false.gvt --steps 1-2)" "" "$what"
	fi
}

lie "a kernel with controls" "s/kernel \"naive\"/kernel \"$evil\"/"
lie "a kernel of markup" "s/kernel \"naive\"/kernel \"$tag\"/; s/\|\/\/ naive/|$tag/"
lie "a long kernel" 's/kernel "naive"/"kernel \"" . "k" x 50000 . "\""/e'
lie "a file with controls" "s/file \"naive.cu\"/file \"$evil\"/"
lie "another file's name" 's,file "naive.cu",file "../../../../etc/passwd",'
lie "a device's" 's,file "naive.cu",file "/dev/zero",'
lie "a machine with controls" "s/device \"\"/device \"$evil\"/; s/on \"cpu\"/on \"$evil\"/"
lie "an array with controls" "s/array 0 \"A\"/array 0 \"$evil\"/"
lie "an array of markup" "s/array 0 \"A\"/array 0 \"$tag\"/"
lie "a long array" 's/array 0 "A"/"array 0 \"" . "A" x 50000 . "\""/e'
lie "a parameter with controls" "s/argument \"A\" \"const/argument \"$evil\" \"$evil/; s/value \"8\"/value \"$evil\"/"
lie "an unknown problem" "s/problem \"gemm\" \"rows\"/problem \"$evil\" \"$evil\"/"
lie "a text with controls" "s/^\|\/\/ naive/|$evil/"
lie "no text" 's/^\|.*\n//'
lie "a long line" 's/^\|\/\/ naive/"|" . "x" x 200000/e'
lie "many lines" 's/^\|\/\/ naive/"|\n" x 200000 . "|"/e'
lie "deep braces" 's/^\|\/\/ naive/"|" . "{" x 200000/e'
lie "deep brackets" 's/^\|\/\/ naive/"|" . "(" x 200000/e'
lie "many <" 's/^\|\/\/ naive/"|" . "a<" x 200000/e'
lie "a comment without end" 's/^\|\/\/ naive/|\/*/'
lie "a string without end" 's/^\|\/\/ naive/|R"xxxxxxxxxxxxxxxx(/'
lie "wide signs and marks" 's/^\|\/\/ naive/"|" . "\\xe4\\xb8\\xad\\xcc\\x81" x 20000/e'
lie "the largest sizes" 's/^size .*/size 4294967295 4294967295 4294967295/'
lie "no sizes" 's/^size .*/size 0 0 0/'
lie "the largest grid" 's/^grid .*/grid 4294967295 1 1/'
lie "a flat block" 's/^block .*/block 1024 1 1/'
lie "the largest array" 's/\[8\]\[4\]/[4294967295][4194303]/'
lie "a wide one" 's/\[8\]\[4\]/[1][16777216]/'
lie "a tall one" 's/\[8\]\[4\]/[16777216][1]/'
lie "arrays at one address" 's/at 0x1000[12]00/at 0x1000000/'
lie "one at the end of memory" 's/at 0x1000000$/at 0xffffffffffffff00/'
for space in shared register constant; do
	lie "arrays in $space memory" "s/ global f32/ $space f32/"
done
lie "another array" 's/array 0 by problem/array 2 by problem/'
lie "what is no number" 's/0xc022000000000000/0x7ff8000000000000/'
lie "what has no end" 's/0xc022000000000000/0xfff0000000000000/'
lie "before everything" 's/before 0/before 18446744073709551615/'
lie "a line that is not there" 's/^site 0 23:20/site 0 4000000000:4000000000/'
lie "line 0" 's/^site 0 23:20/site 0 0:0/'
lie "no spaces" 's/^spaces .*/spaces/'
lie "no values" 's/^values yes/values no/; s/ = .*//'
lie "the largest seed" 's/^seed 1/seed 18446744073709551615/'
lie "many arrays" 's/^site 0/join("", map { "array $_ \"a$_\" global f32 4 [2] at 0x2000000\n" } 3..20000) . $&/e'
lie "many sites" 's/^argument "A"/join("", map { "site $_ 23:$_ ld 4 array 0\n" } 3..20000) . $&/e'
lie "many parameters" 's/^warp 0 0/join("", map { "argument \"x$_\" \"int\" array none by name value \"8\" size m before 0 holds 0x0 0x0 by given\n" } 1..50) . $&/e'
lie "many findings" 's/^warp 0 0/"finding race 3 \"x\"\n" x 60000 . $&/e'
lie "a finding with controls" "s/^warp 0 0/finding race 3 \"$evil\"\n$&/"
lie "a finding of markup" "s/^warp 0 0/finding race 3 \"$tag\"\n$&/"
lie "a long finding" 's/^warp 0 0/"finding race 3 \"" . "word " x 50000 . "\"\n$&"/e'

# ---- lessons ----

evil=$'\e[2J\e]52;c;eA==\a\xe2\x80\xae\xe2\x80\x8b\xc2\x9b'
tag='</script><script>alert(1)</script><img src=x onerror=alert(1)>'
# lesson WHAT TITLE PROSE RECORD DIRECTIVES
lesson() {
	in_turn 2 || return
	printf '# %s\n\n```gemmviz\n%s\n```\n\n## Step %s\n\n%s\n\n```gemmviz\n%s\n```\n' \
		"${2:-T}" "${4:-record naive m=8 n=8 k=4}" "${2:-T}" \
		"${3:-p}" "${5:-show sectors}" >false.md
	is "$(try list --check false.md
		try --lesson ./false.md --plain --notes
		exports --lesson ./false.md --steps 1-1)" "" "a lesson of $1"
}
# times N TEXT
times() { perl -e 'print $ARGV[1] x $ARGV[0]' "$@"; }

lesson "controls" "$evil" "$evil \`$evil\` {$evil}"
lesson "markup" "$tag" "$tag [x](javascript:alert(1)) \`\` $tag \`\`"
lesson "asked markup" "" "" "" "ask $tag
answer 1
wrong 2 $tag
wrong 3 b
right $tag"
lesson "deep quotes" "" "$(times 20000 '>') x"
lesson "deep lists" "" "$(perl -e 'print " " x (2 * $_), "* x\n" for 0 .. 400')"
lesson "stars" "" "$(times 30000 '*')a$(times 30000 '*')"
lesson "brackets" "" "$(times 60000 '[')"
lesson "links" "" "$(times 20000 '[a](')"
lesson "underscores" "" "$(times 40000 'a_b_')"
lesson "entities" "" "$(times 500 '&#x1b;&#0;&#x9b;&#x202e;&lt;script&gt;')"
lesson "braces" "" "$(times 20000 '{1+1}')"
lesson "deep brackets" "" "" "" "expect $(times 60000 '(')1$(times 60000 ')') == 1"
lesson "many signs" "" "" "" "expect $(times 100000 '-')1 == 1"
lesson "long sums" "" "" "" "expect $(times 60000 '1+')1 == 1"
lesson "what overflows" "" "" "" "expect 9223372036854775807 * 9223372036854775807 == 1
expect -9223372036854775808 / -1 == 1
expect 1 / 0 == 1
expect 1 % 0 == 1"
lesson "what is drawn" "" "" "" "ask x {a}
draw a -9223372036854775808..9223372036854775807
answer a
wrong 1 x
wrong 2 y
right z"
lesson "another's file" "" "" "record ../../../../etc/passwd block=32 grid=1"
lesson "a device" "" "" "record /dev/zero block=32 grid=1"
lesson "the largest matrices" "" "" "record naive m=2147483647 n=2147483647 k=2147483647"
lesson "many recordings" "" "" "$(perl -e 'print "record naive as a$_\n" for 1 .. 5000')"
lesson "the farthest place" "" "" "" "stand block=4294967295,4294967295 warp=4294967295 lane=31 nth=4294967295 phase=4294967295"
lesson "a long race" "" "" "" "race $(times 2000 'naive ')"
lesson "turns without end" "" "" "" "show banks
turn pitch 2147483647"
lesson "NUL and CR" "" "$(printf 'a\rb\r\r')"

# ---- recorders, of a program ----

cat >program.cu <<'X'
#include <cstdio>
__global__ void f(float *x) { x[threadIdx.x] = 1; }
int main() { float *x; cudaMalloc(&x, 128); f<<<1, 32>>>(x); puts("true"); }
X
version=$("$build/gemmviz" --version | sed -n '1s/.* //p')
# told ON COMMAND ANSWER...: what is printed of a recorder's answers, which it
# gives whatever it is asked, and the status.
told() {
	local on=$1 command=$2
	shift 2
	{
		echo '#!/bin/sh'
		echo "echo '{\"type\":\"hello\",\"protocol\":1,\"program\":\"x\",\"version\":\"$version\",\"on\":\"$on\"}'"
		printf "read job\ncat <<'X'\n"
		printf '%s\n' "$@" X "sleep 1"
	} >recorder
	chmod +x recorder
	# shellcheck disable=SC2086
	timeout 100 "$build/gemmviz" $command --runner ./recorder program.cu 2>errors
	echo "status $?"
}
said='{"type":"output","id":1,"text":"all is right\n"}'
ended='{"type":"program","id":1,"how":"exit","status":0,"output":"all is right\n",
	"output_bytes":13,"launches":[],"traces":[{"launch":1,"bytes":40}]}'
ended=$(tr -d '\n\t' <<<"$ended")
trace='{"type":"trace","id":1,"bytes":40}'
for json in "" --json; do
	is "$(told cpu "report $json" "$said" "$ended" nonsense)" "status 5" \
		"a program's words before nonsense${json:+, JSON}: nothing is printed"
	is "$(told cpu "report $json" "$said" "$ended" "$trace" "$(times 40 x)")" \
		"status 5" "before what is no trace"
	is "$(told cpu "report $json" "$said" "$ended" \
		'{"type":"error","id":1,"status":5,"message":"x"}')" "status 5" \
		"before an error"
done

launch='"launch":1,"count":1,"kernel":"f","grid":[1,1,1],"block":[32,1,1]'
# launches WHAT LAUNCH: of the answer to `time` nothing is printed but the status.
launches() {
	is "$(told gpu time "{\"type\":\"launches\",\"id\":1,\"machine\":{},\"program\":{\"how\":\"exit\"},\"launches\":[$2]}")" \
		"status 5" "launches: $1"
}
launches "no object" 7
launches "no time" "{$launch}"
launches "a time before its begin" "{$launch,\"samples\":[-1]}"
launches "a time that is none" "{$launch,\"samples\":[\"x\"]}"
launches "no number" "{${launch/:1/:1e300},\"samples\":[1]}"
launches "no grid" "{${launch/1,1,1/1,1},\"samples\":[1]}"
launches "a grid of nothing" "{${launch/1,1,1/1,0,1},\"samples\":[1]}"
launches "a product of nothing" \
	"{$launch,\"samples\":[1],\"product\":{\"m\":-1,\"n\":1,\"k\":1,\"baseline\":\"x\",\"samples\":[1]}}"
for json in "" --json; do
	told gpu "time $json" "{\"type\":\"launches\",\"id\":1,\"machine\":{\"gpu\":\"\\u001b[2J\"},\"program\":{\"how\":\"exit\"},\"launches\":[{${launch/\"f\"/\"\\u009b2Jf\"},\"samples\":[1,2]}]}" >said
	like "$(tail -n 1 said)" "status 0" "launches that may be${json:+, JSON}"
	is "$(perl -CS -ne 'BEGIN { binmode STDIN, ":utf8" } print if /[\x00-\x08\x0b-\x1f\x7f-\x9f]/' <said)" \
		"" "... send no controls"
done
done_testing
