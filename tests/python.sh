#!/bin/bash
# CUDA text in the strings of Python files and notebooks, and from the standard
# input: kernels are found and recorded, and lines are those of the file.
. "$srcdir/tests/tap.sh"
gemmviz=$builddir/gemmviz
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit

# run ARGUMENT...: sets out, err and status.
run() {
	out=$("$gemmviz" "$@" 2>err)
	status=$?
	err=$(cat err)
}

cat >model.py <<'E'
import torch, cupy, pycuda
open("executed", "w")
torch_source = r"""
#include <torch/extension.h>
template <typename T>
__global__ void scale(const T *a, T *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        out[i] = 2 * a[i];
}
torch::Tensor run(torch::Tensor a) {
    auto out = torch::empty_like(a);
    scale<float><<<2, 32>>>(a.data_ptr<float>(), out.data_ptr<float>(), 64);
    return out;
}
"""
module = load_inline(name="m", cuda_sources=[torch_source])
add = cupy.RawKernel('''
extern "C" __global__ void add(float *x) {
    x[threadIdx.x] = y;
}
''', 'add')
size = SourceModule(f"""
__global__ void size(float *x) {{ x[0] = {N}; }}
""")
E
run report model.py
is "$status $err" "2 gemmviz: model.py has several kernels; choose one with --entry: scale@6, add@19" \
	"the kernels are listed"
run report model.py --entry scale
is $status 0 "one is recorded by its name"
like "$out" '^scale<float>, .* block 32 x 1 x 1' "with the launch that its string shows"
like "$out" '^ +9:9  out +st ' "rows of the report have the file's lines"
like "$out" 'line 4, note: the header torch/extension.h' "and so have notes"
like "$err" 'taken from the launch at model.py:13' "and what is printed besides"
run check model.py --entry scale --arg n=40 --array a=40 --array out=40
is $status 1 "check takes it"
like "$out" '^model.py:9:[0-9]+: error: thread 8 of block 1 (reads a|writes out)\[40\]' \
	"with the file's line and column"
run check "$tmp/model.py" --entry add@19 --block 32 --grid 1
is $status 3 "one that does not compile"
like "$out" "^$tmp/model.py:20: error: 'y' was not declared" \
	"has the compiler's error at the file's line"
run report model.py --entry size
is "$status $err" "2 gemmviz: model.py:23: this string cannot be read: Python fills in its fields when it runs" \
	"a string that is not known is refused by line"
run report model.py --entry size --lang zh
like "$err" '^gemmviz: model.py:23: ' "in Chinese, too"
[ -e executed ]
is $? 1 "nothing is executed"
run record model.py --entry scale -o scale.gvt
is $status 0 "it is recorded"
run dump scale.gvt
like "$out" '\|__global__ void scale\(' "with its text"

# cell LINE...: a cell of code.
cell() {
	printf '{"cell_type":"code","source":['
	printf '"%s\\n",' "$@"
	printf '""]}'
}
{
	printf '{"nbformat":4,"cells":[{"cell_type":"markdown","source":"#"},'
	cell "k = RawKernel('''" '__global__ void one(float *x) {' \
		'  x[threadIdx.x + 1] = 1; }' "''', 'one')"
	printf ,
	cell '%%writefile main.cu' '__global__ void one(float *x) {' \
		'  x[threadIdx.x + 1] = 1; }' 'int main() { float *x;' \
		'cudaMalloc(&x, 128); one<<<1, 32>>>(x); cudaFree(x); }'
	printf ']}'
} >notes.ipynb
run check notes.ipynb --entry one
is $status 2 "of a notebook"
like "$out" 'choose one with --entry: one@2, one@3' "the cells are listed"
run check notes.ipynb --entry one@2 --block 32 --grid 1 --array x=32 --sarif s
like "$out" '^notes.ipynb:cell 2:3:[0-9]+: error: thread 31 of block 0 writes x\[32\]' \
	"and a finding says cell and line"
like "$(cat s)" '"uri": "notes.ipynb"' "SARIF has the notebook's name"
like "$(cat s)" '"name": "cell 2:3"' "with cell and line"
run report notes.ipynb --entry one@2 --block 32 --grid 1
is "$err" "gemmviz: the lines are those of notes.ipynb:cell 2" \
	"a report says which cell its lines are of"
run run --entry @3 notes.ipynb
is $status 1 "a cell of CUDA text is run as a program"
like "$out" '1  notes.ipynb:cell 3:5  one  <<<1, 32>>>' "with its lines"

# Standard input.
echo '#define AT threadIdx.x + 1' >at.h
printf '%s\n' '#include "at.h"' '__global__ void one(float *x) {' \
	'  x[AT] = 1; }' >one.cu
input() { run "$@" <one.cu; }
input check - --block 32 --grid 1 --array x=32
like "$out" '^<stdin>:1: error: "at.h" is outside .*; allow it with -I \.' \
	"the standard input has no folder to include from"
input check - --block 32 --grid 1 --array x=32 -I .
like "$out" '^<stdin>:3:[0-9]+: error: thread 31 of block 0 writes x\[32\]' \
	"but that of -I"
input diff - - --block 32 --grid 1 -I .
is $status 0 "it is read once for all of a command"
input record - --block 32 --grid 1 -I . -o one.gvt
is $status 0 "and recorded"
for command in "view -" "watch -" "view --watch -" "race -"; do
	# shellcheck disable=SC2086 # words
	input $command
	is $status 2 "not for $command"
done
input view --plain - --block 32 --grid 1 -I .
like "$out" '^1\. line 3: ' "a screen's text is printed"
run check - </dev/null
is "$status $(echo "$out" | head -1)" \
	"2 <stdin>: error: <stdin> needs a block and a grid, such as --block 16x16 --grid 4x4 [unrecorded]" \
	"an empty one has no launch"

for file in load.rs none.txt; do
	run report $file
	like "$status $err" "^2 gemmviz: $file is neither a kernel nor a file that gemmviz reads: \.cu, " \
		"$file: what is read is said"
done
run report none.py
like "$err" 'none.py: No such file' "and of a file that is read that it is missing"
done_testing
