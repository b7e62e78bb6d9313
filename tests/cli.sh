#!/usr/bin/env bash
# The command line: what each command says, and the status it ends with.
. "$srcdir/tests/tap.sh"
gemmviz=$(cd "$builddir" && pwd)/gemmviz
tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit

# ends STATUS PATTERN ARGUMENT...: the status, and one line on standard error
# that matches (none for an empty pattern); nothing else anywhere.
ends() {
	local want=$1 pattern=$2 status
	shift 2
	"$gemmviz" "$@" >out 2>err </dev/null
	status=$?
	is "$status" "$want" "gemmviz $*: status $want"
	if [ -n "$pattern" ]; then
		is "$(wc -l <err)" 1 "... says one line"
		like "$(cat err)" "^gemmviz.*$pattern" "... which is $pattern"
		is "$(wc -c <out)" 0 "... and nothing else"
	else
		is "$(cat err)" "" "... without complaint"
	fi
}

# gives STATUS ARGUMENT...: full disk on standard output.
full() {
	"$gemmviz" "$@" >/dev/full 2>err </dev/null
	is $? 7 "gemmviz $*, on a full disk: status 7"
	is "$(wc -l <err)" 1 "... says one line"
}

ends 0 "" --version
like "$(cat out)" '^gemmviz [0-9]' "the version"
ends 0 "" --help
for c in list record view report dump access occupancy table; do
	ends 0 "" $c --help
	like "$(cat out)" '^usage: gemmviz' "$c has a usage"
done
ends 0 "" list
for name in indexing coalescing tiling float4 outer-product naive \
	naive_swapped tiled; do
	like "$(cat out)" "^  $name +[^ ]" "list names $name"
done
is "$(sed -n '/^museum/,$p' out | grep -c '^  bug_[a-z_]* *[^ ]')" \
	"$(grep -c '^  bug_' out)" "wrong kernels stand in the museum, no others"
ends 0 "" list --json
like "$(cat out)" '"name":"bug_edge","idea":"[^"]*","museum":"[^"]' \
	"and as data say what is wrong"

ends 2 "no command 'lsit'; did you mean list" lsit
ends 2 "no lesson 'coalesing'; did you mean 'coalescing'" --lesson coalesing
ends 2 "no kernel 'tield'; did you mean tiled" report tield
ends 2 "did you mean --lesson" --leson coalescing
ends 2 "did you mean --max-events" report naive --max-event5 3
ends 2 "no theme 'blue'" --theme blue
ends 2 "no language 'tlh'" --lang tlh
ends 2 "-m needs" report naive -m 0
ends 2 "-m needs" report naive -m -1
ends 2 "-n needs" report naive -n 64x
ends 2 "-k needs" report naive -k 99999999999999999999
ends 2 "-D needs" report tiled -D =3
ends 2 "no parameter FOO" report tiled -D FOO=1
ends 2 "multiples of 64" report float4 -m 32 -n 48 -k 16
ends 2 "no output file: give -o F.gvt" record naive
ends 2 "give a kernel or a file" report
ends 2 "give only one kernel or file" report naive tiled
ends 6 "GPU" report naive --on gpu
ends 6 "GPU" report naive --optimized
ends 2 "cpu or gpu" report naive --on tpu
ends 3 "No such file" report nothing.gvt
ends 3 "No such file" report nothing.cu
ends 3 "directory" view ./

# Descriptors that are closed at the start are not taken for files of ours.
for closed in '>&-' '2>&-' '<&-' '<&- >&- 2>&-'; do
	rm -f "$tmp/closed.gvt"
	eval "$gemmviz record naive -m 16 -n 16 -k 16 -o $tmp/closed.gvt $closed"
	"$gemmviz" dump "$tmp/closed.gvt" >/dev/null
	ok $? "record $closed: the trace is whole"
done

# A trace, whole and damaged.
ends 0 "" record naive -m 20 -n 24 -k 8 -o t.gvt
like "$(cat out)" '^t.gvt: [0-9]+ events' "record says what it recorded"
cp t.gvt kept.gvt
ends 2 "exists" record naive -o t.gvt
cmp -s t.gvt kept.gvt
ok $? "a file that is there stays as it is"
ends 0 "" record naive -m 20 -n 24 -k 8 -o t.gvt --force
cmp -s t.gvt kept.gvt
ok $? "the same launch gives the same bytes"
# It keeps addresses in a structure.
ends 0 "" record sgemm -m 64 -n 64 -k 16 -o s.gvt
cp s.gvt again.gvt
ends 0 "" record sgemm -m 64 -n 64 -k 16 -o s.gvt --force
cmp -s s.gvt again.gvt
ok $? "so does one whose registers hold addresses"
ends 0 "" dump t.gvt
cp out t.txt
ends 0 "" dump --parse t.txt -o back.gvt
cmp -s t.gvt back.gvt
ok $? "text becomes the same trace again"
head -c 300 t.gvt >cut.gvt
ends 3 "byte [0-9]+: expected" dump cut.gvt
head -c 4000 /dev/zero >foreign.gvt
ends 3 "byte 0: expected" report foreign.gvt
ends 0 "" view t.gvt --plain
is "$(grep -c '^[0-9]*\. line [0-9]*: ' out)" 17 "a line for each request"

# Reports: numbers that follow from the kernel's definition.
ends 0 "" report naive --json
like "$(cat out)" '^\{"kernel":"naive","m":64,"n":64,"k":64,"grid":\[4,4,1\],"block":\[16,16,1\],"on":"cpu","sites":\[\{"line":' "the report's head"
like "$(cat out)" '"totals":\{"global_load_requests":16384,"global_load_sectors":32768,"global_store_requests":128,"global_store_sectors":512,"shared_load_wavefronts":0,"shared_store_wavefronts":0,"flops":524288,"bytes_global":1064960,"intensity":0.49' "the report's totals"
like "$(cat out)" '"findings":\[\],' "naive has no findings"
ends 0 "" report t.gvt --json
like "$(cat out)" '"m":20,"n":24,"k":8' "a report of a trace"
ends 0 "" report tiled -D TILE=12 --json
like "$(cat out)" '"block":\[12,12,1\]' "a tile that is compiled at run time"
ends 0 "" report naive --blocks 1,0 --spaces global --json
like "$(cat out)" '"global_store_requests":8,' "one block of sixteen"
ends 0 "" report tiled --sample 4
like "$(tr -s '\n ' ' ' <out)" 'only 4 of 16 blocks were recorded: \([0-3],0,0\) \([0-3],1,0\) \([0-3],2,0\) \([0-3],3,0\)' "a sample is one"
like "$(tr -s '\n ' ' ' <out)" '4 times as much for all blocks' "... and what it says of the launch"
ends 0 "" report tiled --sample 4 --json
like "$(cat out)" '"blocks":\{"recorded":4,"of":16\}' "... in JSON, too"
ends 2 '--blocks and --sample cannot' report tiled --sample 4 --blocks 1,0

# A reader's own kernel, right and wrong.
cat >add.cu <<'END'
__global__ void add(const float *A, const float *B, float *C, int M, int N,
                    int K)
{
    C[threadIdx.x] = A[threadIdx.x] + B[threadIdx.x];
}
END
ends 1 "" report add.cu --block 32 --grid 1 --json
like "$(cat out)" '"kernel":"add"' "a file's kernel"
sed 's/A\[threadIdx.x\]/A[threadIdx.x + M * K]/' add.cu >out-of.cu
"$gemmviz" report out-of.cu --block 32 --grid 1 --json >out 2>err
is $? 1 "an access out of bounds: status 1"
like "$(cat out)" '"kind":"out-of-bounds","line":4,' "... and its line"
echo '__global__ void k(float *A) { int x = ; }' >broken.cu
ends 3 "broken.cu:1: " report broken.cu --block 1 --grid 1

# What is printed for programs is JSON whatever the name of a file.
json='use JSON::PP; binmode STDOUT, ":utf8"; local $/;
	print JSON::PP->new->utf8->decode(scalar <STDIN>)->{file}'
for name in 'a"b.gvt' 'a\b.gvt' $'a\nb.gvt' $'a\tb.gvt' 'ä.gvt'; do
	"$gemmviz" record naive -m 4 -n 4 -k 4 --json -o "$name" >out 2>err
	is "$?:$(perl -e "$json" <out)" "0:$name" "JSON of a name: $name"
done
"$gemmviz" record naive -m 4 -n 4 -k 4 --json -o $'a\xffb.gvt' >out 2>err
is "$?:$(perl -e "$json" <out)" $'0:a\xef\xbf\xbdb.gvt' \
	"what is not UTF-8 in a name is U+FFFD"
for name in 'a"b.cu' 'a\b.cu' $'a\nb.cu' $'a\xffb.cu'; do
	cp add.cu "$name"
	"$gemmviz" report "$name" --block 32 --grid 1 --json >out 2>err
	like "$?:$(perl -e "$json" <out >/dev/null && echo JSON)" '^[01]:JSON$' \
		"a report's of $(printf %q "$name")"
done

# Recorders that fail.
ends 5 "false" report naive --runner false
ends 5 "protocol" report naive --runner 'echo {}'
ends 5 "no-such-program" report naive --runner no-such-program

# ... and what they say of it.
version=$("$gemmviz" --version | sed -n 's/^gemmviz //p')
recorder_says() {
	printf '#!/bin/sh\necho %s\nread line\necho %s\nsleep 5\n' \
		"'{\"type\":\"hello\",\"protocol\":1,\"program\":\"x\",\"version\":\"$version\",\"on\":\"cpu\"}'" \
		"'{\"type\":\"error\",\"id\":1,\"status\":$1,\"message\":\"$2\"}'" >says
	chmod +x says
}
for status in 255 143 0 9; do
	recorder_says $status "it is so"
	ends 5 "it is so" report naive --runner ./says
done
recorder_says 3 "it is so"
ends 3 "it is so" report naive --runner ./says
recorder_says 5 " "
ends 5 "gave no reason" report naive --runner ./says

# Outputs without a name, launches without an end, folders without one.
ends 2 "no name" record naive -o ''
ends 2 "no name" dump --parse t.txt -o ''
begin=$(children_ms)
ends 2 "1000000000 blocks of 8 warps are too many for a trace" \
	report add.cu --block 256 --grid 1000000000
ends 2 "2097153 blocks" report add.cu --block 32 --grid 2097153
ends 2 "1048577 blocks of 2 warps" report add.cu --block 64 --grid 1048577
[ $(($(children_ms) - begin)) -le 2000 ]
ok $? "... at once"
touch many{1..65}.cu
ends 2 "a program has at most 64 files" run add.cu many*.cu
rm many*.cu
ends 0 "" report add.cu --block 32 --grid 1000000000 --blocks 5 -m 99 -n 999
part=$(printf 'a%.0s' $(seq 200))
long=$PWD/$part/$part/$part/$part/$part/$part/$part/$part/$part/$part
mkdir -p "$long"
TMPDIR=$long ends 1 "" report add.cu --block 32 --grid 1
TMPDIR=$long/$long/$long ends 7 "File name too long" \
	report add.cu --block 32 --grid 1

# Names that are not UTF-8, as classrooms have them: of files and folders.
gbk=$'\xbe\xd8\xd5\xf3'
mkdir "$gbk" "$gbk/inc"
echo '#include "../one.h"
#define TWO (1 + ONE)' >"$gbk/inc/two.h"
echo '#define ONE 1' >"$gbk/one.h"
echo '#include "two.h"
__global__ void k(float *A) { A[threadIdx.x] = TWO; }' >"$gbk.cu"
cp "$gbk.cu" "$gbk/$gbk.cu"
ends 0 "" report "$gbk.cu" -I "$gbk/inc" --block 32 --grid 1
ends 0 "" report "$gbk/$gbk.cu" -I "$gbk/inc" --block 32 --grid 1
ends 0 "" record "$gbk.cu" -I "$gbk/inc" --block 32 --grid 1 -o "$gbk/$gbk.gvt"
[ -f "$gbk/$gbk.gvt" ]
ok $? "a trace has the name that it was given"
ends 0 "" report "$gbk/$gbk.gvt"
ends 0 "" view "$gbk/$gbk.gvt" --plain
TMPDIR=$PWD/$gbk ends 1 "" report add.cu --block 32 --grid 1
is "$(find "$gbk" -maxdepth 1 -name 'gemmviz-*' | wc -l)" 0 \
	"a folder for temporary files, too, and nothing is left in it"
echo '#error none' >"$gbk/inc/two.h"
ends 3 "%BE%D8%D5%F3/inc/two.h:1: #error none" \
	report "$gbk.cu" -I "$gbk/inc" --block 32 --grid 1
ends 2 "not UTF-8: " report add.cu -D "X=$gbk" --block 32 --grid 1
ends 2 "not UTF-8: " report add.cu --entry "$gbk" --block 32 --grid 1

# Texts that are not UTF-8, as classrooms have them, too: lines and columns stay.
source=$'// 矩阵乘法\n#include "lib.h"\n__global__ void k(float *A)\n{\n    /* 越界 */ A[threadIdx.x + 20 * ONE] = 1;\n}'
mkdir utf8 other
echo "$source" >utf8/k.cu
printf '#define ONE 1 // 一\n' >utf8/lib.h
for file in k.cu lib.h; do
	iconv -f UTF-8 -t GBK utf8/$file >other/$file
done
launch='--block 32 --grid 1 --array A=40'
# shellcheck disable=SC2086
{
	"$gemmviz" report utf8/k.cu $launch >want
	"$gemmviz" report other/k.cu $launch >out 2>err
	is "$? $(cat err)" \
		"1 gemmviz: k.cu is not UTF-8; reading it as GB18030 (GBK)" \
		"a text in GBK is read, and said to be"
	is "$(cat out)" "$(cat want)" "... and reported as it is in UTF-8"
	like "$(cat out)" "  5:18  A " "... with its lines"
	"$gemmviz" record utf8/k.cu $launch -o u.gvt >/dev/null 2>&1
	"$gemmviz" record other/k.cu $launch -o o.gvt >/dev/null 2>&1
	"$gemmviz" dump u.gvt >want
	"$gemmviz" dump o.gvt | cmp - want
	ok $? "... and columns"
}
printf '// caf\xe9 \n' >latin.cu
ends 3 "latin.cu is neither UTF-8 nor GB18030 \\(GBK\\) text" \
	report latin.cu --block 32 --grid 1

# A lesson that cannot be read keeps its line.
mkdir -p tree/share
if make -s -C "$builddir" install DESTDIR="$PWD/tree" prefix=/p >/dev/null 2>&1
then
	lesson=tree/p/share/gemmviz/lessons/coalescing.md
	printf '\n```gemmviz\nnonsense\n```\n' >>"$lesson"
	like "$(tree/p/bin/gemmviz list | grep '^  coalescing ')" \
		'cannot be read: .*coalescing\.md:[0-9]+: ' \
		"list: a lesson that cannot be read"
	like "$(tree/p/bin/gemmviz list --json | perl -0777 -MJSON::PP -ne '
		($l) = grep { $_->{name} eq "coalescing" } @{decode_json($_)->{lessons}};
		print defined $l->{title} ? "title" : $l->{error}')" \
		'coalescing\.md:[0-9]+: ' "... and as JSON"
else
	skip "list" "it could not be installed"
fi

full list
full report naive
full dump t.gvt
full --lesson tiling --plain
full access global 4 'lane * 4'
ends 7 "full: No space" record naive -o /dev/full

# Every command that prints: a full disk and a closed standard output are status
# 7 and one line, and a closed pipe ends it by SIGPIPE, without a word.
export GEMMVIZ_CLASS_FOLDER=$PWD/classes XDG_STATE_HOME=$PWD/state
mkdir -p "$XDG_STATE_HOME/gemmviz/class"
"$gemmviz" class start monday >/dev/null
echo '{"v":1,"who":"a-b","n":1,"lesson":"tiling","step":1,"steps":8}' |
	tee "$XDG_STATE_HOME/gemmviz/class/monday.jsonl" |
	"$gemmviz" class collect monday
printf 'file add.cu\nlaunch --block 32 --grid 1\n' >.gemmviz-check
commands=$("$gemmviz" --help | sed -n '/^commands/,/^options/s/^  \([a-z]*\)  .*/\1/p')
ok "$([ "$(echo "$commands" | wc -l)" -ge 15 ]; echo $?)" "--help lists the commands"
{
	echo --version
	echo --help
	for c in $commands; do
		echo "$c --help"
	done
	cat <<-END
		--lesson tiling --plain
		--plain
		list
		list --json
		report naive
		report naive --json
		report add.cu --block 32 --grid 1 --json
		record naive -m 16 -n 16 -k 16 --force -o p.gvt
		record naive -m 16 -n 16 -k 16 --force --json -o p.gvt
		view t.gvt --plain
		dump t.gvt
		diff t.gvt t.gvt
		diff t.gvt t.gvt --json
		check .
		check --json .
		export --lesson tiling --format txt -o -
		access global 4 lane*4
		access global 4 lane*4 --json
		occupancy naive --arch sm_80
		table tile-size --arch sm_80
		fragment m16n8k16.f16 A
		glossary
		glossary --json
		doctor
		drill --plain
		provenance tiled 5,7
		class start new-class
		class show monday --plain
		class show monday --csv
		class send monday
	END
} >commands
while read -r words; do
	# shellcheck disable=SC2086
	"$gemmviz" $words >sound 2>err </dev/null
	status=$?
	rm -rf classes/new-class
	if [ ! -s sound ]; then
		is "no output: $(cat err)" "" "gemmviz $words prints something"
		continue
	fi
	for to in /dev/full '&-'; do
		eval '"$gemmviz" $words 2>err </dev/null >'"$to"
		is $? 7 "gemmviz $words >$to: status 7 (else $status)"
		rm -rf classes/new-class
		like "$(grep -c 'cannot write\|not be written' err)" '^1$' \
			"... says so in one line"
	done
	# Its reader has gone before it begins.
	# shellcheck disable=SC2086
	{ sleep 0.1; "$gemmviz" $words 2>err </dev/null; echo $? >status; } | :
	is "$(cat status)" 141 "gemmviz $words | :"
	is "$(grep -ci 'pipe\|cannot write' err)" 0 "... without a word"
	rm -rf classes/new-class
done <commands
(
	trap '' PIPE
	{ sleep 0.1; "$gemmviz" list 2>err; echo $? >status; } | :
)
is "$(cat status)" 7 "a closed pipe where SIGPIPE is ignored: status 7"
"$gemmviz" report naive --runner true >out 2>err
is $? 5 "a recorder that has gone is a message, no signal"

# A small stack.
for words in --version list 'report naive' '--lesson tiling --plain'; do
	# shellcheck disable=SC2086
	(ulimit -s 64; exec "$gemmviz" $words) >out 2>err </dev/null
	is "$?:$(wc -l <err)" 8:1 "ulimit -s 64: gemmviz $words says one line"
	like "$(cat err)" 'stack is too small: ulimit -s is 64' "... which is the reason"
	# shellcheck disable=SC2086
	(ulimit -S -s 64; exec "$gemmviz" $words) >out 2>err </dev/null
	is $? 0 "... and raises a soft limit"
done

ends 4 "not a terminal" --lesson coalescing
ends 0 "" --lesson coalescing --plain
like "$(cat out)" '^  B\[3 \* 32 \+ 7\] = B\[103\] = row 3, column 7$' \
	"the lesson in words has the numbers of its line"
is "$(grep -no '^[?=]\|costs' out | head -3 | cut -d: -f2 | tr -d '\n')" \
	"?=costs" "... and what a request costs behind the answer"
ends 0 "" --lang zh --lesson coalescing --plain
like "$(cat out)" '合并访问' "and in Chinese"
LC_ALL=C ends 0 "" --lang zh --lesson coalescing --plain
[ -z "$(LC_ALL=C tr -d '\n -~' <out)" ]
ok $? "a terminal without UTF-8 gets ASCII"

got=$("$builddir/gemmviz" report tiled -m 2048 -n 2048 -k 2048 --seconds 1)
like "$(echo "$got" | tr -s ' \n' ' ')" \
	'cap: recording stopped at the time limit of 1 s: [0-9]+ of 16384 blocks' \
	"a kernel whose blocks end is slow, not endless"
done_testing
