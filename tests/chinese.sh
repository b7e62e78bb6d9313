#!/usr/bin/env bash
# What a reader of Chinese sees: no English sentence, one term for one thing,
# and spaces where Chinese has them.
# covers: po lessons cli
. "$srcdir/tests/tap.sh"
cd "$builddir" || exit
gemmviz="$PWD/gemmviz"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ ! -e locale/zh/LC_MESSAGES/gemmviz.mo ]; then
	skip "Chinese" "no gettext tools"
	done_testing
	exit
fi
han='[\x{4e00}-\x{9fff}]'

# badly_spaced: the lines whose Chinese lacks a space next to Latin letters and
# digits, or has one next to full-width punctuation.
badly_spaced() {
	grep -nP "${han}[A-Za-z0-9]|[A-Za-z0-9]${han}|[，。；：！？（] +[^ │─]|[^ │─?▲▼] [，。；：！？）]" "$@"
}

# ---- the catalogue ----
# What gemmviz-emu says is translated, too, and names of every script are whole;
# so are texts with a conversion of <inttypes.h>, which msgfmt would leave open.
printf '__global__ void k(float *A)\n{\n\t__shared__ float 共享[20000];\n\tA[0] = 共享[0];\n}\n' >"$work/多.cu"
is "$("$gemmviz" report "$work/多.cu" --lang zh --block 1 --grid 1 2>&1)" \
	"gemmviz: 共享 有 80000 字节静态共享内存，而一个核函数最多 49152 字节：更多的要用 extern __shared__" \
	"a message of gemmviz-emu"
is "$(msgunfmt locale/zh/LC_MESSAGES/gemmviz.mo | grep -c '<PRI')" 0 \
	"no conversion is left open"
# A conversion of a number is a number, a text may be anything.
translations() {
	msgcat --no-wrap "$srcdir/po/zh.po" | grep '^msgstr' |
		sed -E 's/^msgstr(\[0\])? "//; s/"$//; s/\\n/ \n/g
			s/%[0-9$]*[-.0-9]*(hh|h|ll|l|z)?[duifgx]/7/g
			s/%[0-9$]*[-.0-9]*<PRI[a-z0-9]*>/7/g; s/%[0-9$]*\.?\*?s/「」/g'
}
translations | grep -v '^ *$' >"$work/zh"
is "$(badly_spaced "$work/zh")" "" "the translations have spaces in place"
is "$(printf '%s\n' '有7 个' '第 7个' '到此。 再来' '，如此 。' |
	badly_spaced - | wc -l)" 4 "... which would be found"
# A word that Chinese has another one for, everywhere.
for word in 内核[^模] 换位[^置] 'bank 冲突' 主维 跟踪文件 校准 参赛 触及 您 图样 \
	井道 闸门 不活动 个屏障 '[^位]浮点数'; do
	is "$(grep -n "$word" "$work/zh" "$srcdir"/lessons/zh/*.md |
		grep -v 'GLOSSARY.md:[0-9]*:##')" "" "nothing says $word"
done

# ---- lessons, as they are printed ----
for lesson in "$srcdir"/lessons/zh/[a-z]*.md; do
	lesson=$(basename "$lesson" .md)
	"$gemmviz" --lesson "$lesson" --lang zh --plain >"$work/$lesson"
	ok $? "$lesson is printed"
	is "$(badly_spaced "$work/$lesson")" "" "$lesson: spaces are in place"
done

# ---- findings and errors ----
report=$("$gemmviz" report bug_edge --lang zh)
like "$report" '越界访问（out-of-bounds）：' "a report names a finding"
is "$(grep -c "[ ，]out-of-bounds[:：]" <<<"$report")" 0 \
	"... and not by its code alone"
check=$("$gemmviz" check bug_edge --lang zh)
like "$check" ': error: 越界访问，.*\[out-of-bounds\]' \
	"check does, and keeps what editors read"
like "$("$gemmviz" diff bug_first_barrier tiled --lang zh)" '数据竞争（race）' \
	"diff does"
like "$("$gemmviz" report bug_edge --lang zh --json)" '"kind": ?"out-of-bounds"' \
	"JSON has the code"
# says ARGUMENTS...: the error is in Chinese.
says() {
	local text
	text=$("$gemmviz" "$@" --lang zh 2>&1 >/dev/null)
	ok "$(grep -qP "$han.*$han" <<<"$text"; echo $?)" "$*: ${text%%$'\n'*}"
}
says report --blok
says report nosuch
says report naive -m 100000000
says glossary nonsense
says access globl 4 lane
says access global 4 '1 +'
says export naive --size 3
says class
says occupancy --arch sm_1 --threads 32
says fragment m16n8k16.f16 Z
says record naive
printf '__global__ void k(float *A) { A[0] = B; }\n' >"$work/bad.cu"
says report "$work/bad.cu"
printf '__global__ void k(float *A) { A[0] = 1; }\n' >"$work/open.cu"
says report "$work/open.cu"
# From the recorder, another process.
says report naive -D BLOCK=7777
# What the program reads in the recorder's errors it finds in Chinese, too.
mkdir "$work/program"
printf '__global__ void k() {}\nvoid scan();\nint main() { scan(); k<<<1, 1>>>(); }\n' \
	>"$work/program/main.cu"
printf 'void scan() {}\n' >"$work/program/scan.cu"
like "$("$gemmviz" run "$work/program/main.cu" --lang zh 2>&1)" \
	'加上 .*scan\.cu' "the file with a name is found"
mkdir "$work/apart" "$work/apart/inc" "$work/apart/src"
printf '#include "timer.h"\n__global__ void k() { TIMER }\nint main() { k<<<1, 1>>>(); }\n' \
	>"$work/apart/src/main.cu"
printf '#define TIMER\n' >"$work/apart/inc/timer.h"
like "$("$gemmviz" run "$work/apart/src/main.cu" --lang zh 2>&1)" \
	'-I .*inc' "... and the folder of a header"
like "$("$gemmviz" glossary 合并访存 --lang zh)" 合并访问 \
	"a word of other courses is found"
done_testing
