#!/bin/bash
# The machine code that is timed is made of the text that is shown, and of
# nothing else.
. "$srcdir/tests/tap.sh"

program=$builddir/gemmviz-gpu
if [ ! -x "$program" ]; then
	skip "machine code and text" "built without CUDA"
	done_testing
	exit
fi
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# make's own way of compiling.
value() {
	sed -e :a -e '/\\$/{N;s/\\\n[[:space:]]*//;ba' -e '}' "$builddir/Makefile" |
		sed -n "s/^$1 = //p"
}
nvcc=$(value NVCC)

# code ARCHITECTURE: what a kernel that needs it is compiled for.
code() {
	case $1 in
	any)	value NVCC_CODE ;;
	*)	value "NVCC_CODE_$1" ;;
	esac
}

# stored SYMBOL: the bytes of it in the program, up to the next symbol of the
# table (each has a NUL behind it).
readelf -sW "$program" | awk '$8 ~ /^embedded_/ { print $2, $8 }' | sort >"$tmp/symbols"
rodata=$(readelf -SW "$program" | sed -n 's/^ *\[ *[0-9]*\] \.rodata *[A-Z]* *//p')
at=$((0x$(echo "$rodata" | cut -d' ' -f1)))
offset=$((0x$(echo "$rodata" | cut -d' ' -f2)))
stored() {
	local from
	from=$((0x$(awk -v s="$1" '$2 == s { print $1 }' "$tmp/symbols")))
	tail -c +$((from - at + offset + 1)) "$program" | head -c "$2"
}

for line in $(make -s --no-print-directory -C "$builddir" print-builds); do
	build=${line#*/}
	kernel=${build%%-*}
	symbol=embedded_$(printf %s "$build" | tr -c 'A-Za-z0-9_' _)
	define=$(echo "$build" | sed 's/^[^-]*//; s/-/ -D/g; s/\./=/g')
	text=$srcdir/src/kernels/$kernel.cu
	"$builddir/gemmviz" record "$kernel" -m 128 -n 128 -k 64 --blocks 0,0 --force \
		-o "$tmp/trace.gvt" >/dev/null 2>&1
	"$builddir/gemmviz" dump "$tmp/trace.gvt" | sed -n 's/^|//p' \
		>"$tmp/$kernel.cu"
	cmp -s "$tmp/$kernel.cu" "$text"
	ok $? "$build: the text that is shown is the one in src/kernels"
	stored "${symbol}_text" "$(wc -c <"$text")" | cmp -s - "$text"
	ok $? "$build: so is the text in the program that times it"
	# shellcheck disable=SC2046,SC2086
	(cd "$tmp" && "$nvcc" "-I$srcdir/src/kernels" -O3 -fatbin -no-compress \
		$(code "${line%%/*}") $define -o fresh.fatbin "$kernel.cu")
	stored "${symbol}_fatbin" "$(wc -c <"$tmp/fresh.fatbin")" \
		>"$tmp/stored.fatbin"
	cmp "$tmp/fresh.fatbin" "$tmp/stored.fatbin"
	ok $? "$build: its machine code is the shown text's, compiled afresh"
	! grep -q gemmviz_ "$tmp/stored.fatbin"
	ok $? "$build: and has none of our symbols"
done
grep -q gemmviz_ "$builddir/gpu/check.fatbin"
ok $? "our own kernels' symbols would be found"
done_testing
