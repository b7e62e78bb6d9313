#!/usr/bin/env bash
# Without a compiler each lesson opens and ends with status 0, from the store of
# compiled kernels that make fills; a step whose kernel is not in there is the
# only one that is missing, and says how to get a compiler.
# sanitized: nightly (it records each lesson, as others do)
. "$srcdir/tests/tap.sh"
gemmviz=$(cd "$builddir" && pwd)/gemmviz
tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/bin"
export XDG_CACHE_HOME=$tmp/cache

# bare ARGUMENT...: gemmviz where PATH has no program at all, into out and err.
bare() {
	PATH=$tmp/bin "$gemmviz" "$@" >"$tmp/out" 2>"$tmp/err"
}

count=0
for lesson in $("$gemmviz" list | sed -n '/^lessons/,/^$/s/^  \([^ ]*\) .*/\1/p'); do
	bare --lesson "$lesson" --plain
	is "$?:$(cat "$tmp/err")" 0: "$lesson opens"
	is "$(grep -c 'is not installed' "$tmp/out")" 0 "... with all steps"
	count=$((count + 1))
done
is "$count" "$(find "$srcdir/lessons" -maxdepth 1 -name "[a-z]*.md" | wc -l)" \
	"these were all lessons"
[ -e "$tmp/cache/gemmviz" ]
is $? 1 "nothing went to the reader's own store"

# A lesson with a kernel of its own.
echo '__global__ void own(float *C) { C[threadIdx.x] = 1; }' >"$tmp/own.cu"
cat >"$tmp/own.md" <<'END'
# Two kernels

```gemmviz
record naive m=16 n=16 k=16
record own.cu block=32x1 grid=1 m=32 n=32 k=32 as own
```

## Built in

{lanes(B)} lanes read B.

```gemmviz
use naive
stand array=B op=ld
```

## Of its own

{lanes(C)} lanes write C.

```gemmviz
use own
ask How many lanes?
answer lanes(C)
wrong 7 No.
wrong 8 No.
```

## Built in, again

{lanes(B)} lanes read B, as before.

```gemmviz
use naive
stand array=B op=ld
```
END
bare --lesson "$tmp/own.md" --plain
is "$?:$(cat "$tmp/err")" 0: "a lesson opens, of which one step needs a compiler"
is "$(grep -c '^32 lanes read B' "$tmp/out")" 2 "... with its other steps"
like "$(grep -A 8 '^2/3' "$tmp/out" | tr '\n' ' ')" \
	'g\+\+ is not installed: .*apt-get install g\+\+' \
	"... and where the step would be, how to get one"
grep -q 'How many lanes' "$tmp/out"
is $? 1 "... without its question"
sed -i '/^record naive/d; s/^use naive/use own/' "$tmp/own.md"
bare --lesson "$tmp/own.md" --plain
is "$?:$(wc -l <"$tmp/err")" 5:1 "a lesson without a trace does not open"
"$gemmviz" --lesson "$tmp/own.md" --plain >"$tmp/out" 2>&1
is $? 0 "... with a compiler it does"
done_testing
