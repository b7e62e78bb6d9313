#!/usr/bin/env bash
# A lesson that was never compiled in: opened by its path, and checked.
. "$srcdir/tests/tap.sh"
gemmviz=$(cd "$builddir" && pwd)/gemmviz
tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit
export LC_ALL=C.UTF-8 LANGUAGE=en

# says STATUS PATTERN ARGUMENT...: the status, and a line that matches.
says() {
	local want=$1 pattern=$2
	shift 2
	"$gemmviz" "$@" >out 2>&1 </dev/null
	is $? "$want" "gemmviz $*: status $want"
	like "$(cat out)" "$pattern" "... and $pattern"
}

# changed FROM TO: the good lesson with one thing wrong, as bad.md.
changed() {
	sed "s|$1|$2|" course/mine.md >course/bad.md
}

mkdir -p course/zh course/kernels
cat >course/kernels/copy.cu <<'END_OF_KERNEL'
__global__ void copy(const float *A, const float *B, float *C, int M, int N,
                     int K)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    C[i] = A[i * STRIDE];
}
END_OF_KERNEL
cat >course/mine.md <<'END_OF_LESSON'
# Mine: a lesson of my own

```gemmviz
record kernels/copy.cu STRIDE=4 block=32 grid=2 m=16 n=16 k=16
record naive as other
```

## A stride

Each lane reads {index_at(A, 1) - index_at(A, 0)} elements further on.

```gemmviz
use copy
stand array=A op=ld
show sectors
ask How many sectors does the warp touch?
answer sectors(A)
wrong 4 That would be without the stride.
wrong 32 Two lanes share a sector.
right It touches {sectors(A)}.
expect sectors(A) == 16
expect total_events(other, C, st) == M * N * 4
```
END_OF_LESSON
sed 's/^# .*/# 我的：自己的课/; s/^## .*/## 步长/' course/mine.md >course/zh/mine.md

says 0 ' A stride$' --lesson course/mine.md --plain
like "$(cat out)" 'Each lane reads 4 elements' "its kernel is recorded"
(cd course && "$gemmviz" --lesson mine.md --plain) >out 2>&1
like "$(cat out)" 'Each lane reads 4 elements' "a bare name that ends in .md"
says 0 '步长' --lang zh --lesson ./course/mine.md --plain
says 0 '^course/mine.md: 1 steps, [0-9]+ checks passed$' \
	list --check course/mine.md
is "$(wc -l <out)" 1 "... and nothing else"
says 0 'course/zh/mine.md: 1 steps' list --check course/mine.md \
	course/zh/mine.md

# Claims and answers that are wrong, by their lines.
changed '== 16' '== 17'
says 1 '^course/bad.md:21: expect sectors\(A\) == 17: does not hold$' \
	list --check course/bad.md
is "$(wc -l <out)" 1 "... and nothing else"
changed 'wrong 32' 'wrong (4*4)'
says 1 '^course/bad.md:17: answers: \(4\*4\) has the same value as another answer' \
	list --check course/bad.md
changed '{sectors(A)}' '{wavefronts(A)}'
says 1 '^course/bad.md:20: right: a number is not available' \
	list --check course/bad.md
changed 'elements further' '{row(Q)} elements further'
says 1 '^course/bad.md:10: the text: .*Q' list --check course/bad.md
changed 'array=A op=ld' 'array=A op=ld nth=99'
says 1 '^course/bad.md:8: where the step stands: .*no such request' \
	list --check course/bad.md
changed 'wrong 32 Two' 'wrong 31 One\nwrong 30 Two\nwrong 29 Three'
says 1 'at most three' list --check course/bad.md
says 1 'mine.md: 1 steps' list --check course/bad.md course/mine.md

# What is malformed, and what cannot be recorded.
changed 'show sectors' 'shwo sectors'
says 3 "course/bad.md:15: expected a directive, got 'shwo'; did you mean 'show'" \
	list --check course/bad.md
says 3 "course/bad.md:15: expected a directive" --lesson course/bad.md --plain
changed 'show sectors' 'show sectros'
says 3 "course/bad.md:15: .*'sectros'" list --check course/bad.md
changed 'STRIDE=4 ' ''
says 3 '^course/bad.md:4: record copy: copy.cu:5: .*STRIDE' \
	list --check course/bad.md
changed 'kernels/copy.cu' 'gone/copy.cu'
says 3 '^course/bad.md:4: record copy: .*course/gone/copy.cu.*No such' \
	list --check course/bad.md
changed 'block=32 ' ''
says 3 'course/bad.md:4: expected block= and grid=' list --check course/bad.md
changed 'grid=2' 'grid=2x'
says 3 'course/bad.md:4: ' list --check course/bad.md
says 3 'No such file' list --check course/none.md
says 2 "no lesson 'tilling'; did you mean 'tiling'" list --check tilling
changed '^record naive' 'place two\n&'
says 3 "bad.md:5: expected a number after 'place'" list --check course/bad.md
changed '^show' 'place 2\n&'
says 3 "bad.md:15: expected one 'place', before the first step" \
	list --check course/bad.md

# A lesson's file is in its folder or below it, wherever links lead.
cp course/kernels/copy.cu outside.cu
ln -s ../outside.cu course/out.cu
ln -s .. course/up
ln -s "$PWD/outside.cu" course/absolute.cu
ln -s kernels/copy.cu course/in.cu
mkfifo course/fifo.cu
for name in ./out.cu up/outside.cu absolute.cu ../outside.cu \
	kernels/../../outside.cu "$PWD/course/in.cu"; do
	changed 'kernels/copy.cu\(.*\)' "$name\\1 as copy"
	says 8 'is not in the folder course/, or below it' \
		--lesson course/bad.md --plain
done
changed 'kernels/copy.cu\(.*\)' './in.cu\1 as copy'
says 0 ' A stride$' --lesson course/bad.md --plain
changed 'kernels/copy.cu\(.*\)' 'fifo.cu\1 as copy'
says 3 'not a regular file' --lesson course/bad.md --plain

# As other systems write it.
{ printf '\357\273\277'; sed 's/$/\r/' course/mine.md; } >course/bad.md
"$gemmviz" --lesson course/mine.md --plain >mine 2>&1
"$gemmviz" --lesson course/bad.md --plain >out 2>&1
is "$(cat out)" "$(cat mine)" "a byte order mark and lines that end in CR LF"

# Code with the marks that stand around code: those around it are more.
# shellcheck disable=SC2016
sed '0,/^Each/s//``` a``b ` c ``` Each/' course/mine.md >course/bad.md
(cd course && "$gemmviz" export --lesson bad.md --format md -o bad.out) 2>&1
# shellcheck disable=SC2016
like "$(cat course/bad.out)" '^``` a``b ` c ``` Each' "... which a handout keeps"

done_testing
