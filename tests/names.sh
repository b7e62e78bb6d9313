#!/usr/bin/env bash
# A file's name is data: whatever a file or a folder is called, and wherever its
# name comes from, each command works or says in one line why not; nothing is
# taken for an option, nothing is run, and no control character is printed.
#
# `names.sh TEXT` tries only the names that have TEXT in them.
# sanitized: nightly
. "$srcdir/tests/tap.sh"

gemmviz=$(cd "$builddir" && pwd)/gemmviz
tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit
cat >evil.sh <<SH2
#!/bin/sh
touch "$tmp/canary"
SH2
chmod +x evil.sh
PATH=$tmp:$PATH

# Names of files without their ends. What is bad in them is for a shell, for
# g++'s options and lists of options, for a format, or for a terminal.
names=('-specs=x' '-o' '--' '@x' 'a b' $'new\nline' "quo'te" 'dou"ble'
	'$(evil.sh)' '`evil.sh`' ';evil.sh' '|evil.sh' 'back\slash' 'per%s%n'
	'e=q' $'latin\xe9' $'esc\033[2Jape' $'c1\xc2\x9b2J' '#hash' '~' '*')
kernel='__global__ void k(float *A) { A[threadIdx.x] = VALUE; }'
program='int main() { float *d; cudaMalloc(&d, 128); k<<<1, 32>>>(d);
cudaDeviceSynchronize(); cudaFree(d); return VALUE - 2; }'

# shown NAME: the name for a test's line.
shown() {
	printf '%q' "$1"
}

# fine WANT WHAT COMMAND...: the command ends with one of the statuses WANT.
fine() {
	local want=$1 what=$2 status
	shift 2
	"$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	status=$?
	case " $want " in
	*" $status "*) ok 0 "$what: status $status" ;;
	*) is "$status" "$want" "$what ($(head -c 200 "$tmp/err" | tr '\n' ' '))" ;;
	esac
	if [ $status -gt 1 ] && [ $status -ne 124 ]; then
		# check has errors among its findings, on standard output.
		like "$(wc -l <"$tmp/err"),$(wc -l <"$tmp/out")" \
			'^1,|^0,[1-9]' "$what: one line"
	fi
	LC_ALL=C grep -qa "[$(printf '\001-\010\013-\037\177')]" "$tmp/out" \
		"$tmp/err"
	is $? 1 "$what: no control characters"
	LC_ALL=C grep -qaP '\xc2[\x80-\x9f]' "$tmp/out" "$tmp/err"
	is $? 1 "$what: of no kind"
	[ ! -e "$tmp/canary" ]
	ok $? "$what: nothing is run"
}

# What g++ would take from these, if it took names for options.
printf '@c++:\nsh evil.sh %%i\n\n' >specs
launch=(--block 32 --grid 1)
for name in "${names[@]}"; do
	[[ $name = *"${1-}"* ]] || continue
	[ -n "${1-}" ] || in_turn 3 || continue
	s=$(shown "$name")
	mkdir "$tmp/d" "$tmp/d/$name.d"
	cd "$tmp/d" || exit
	cp "$tmp/specs" "x.cu"
	cp "$tmp/specs" x

	# As an argument.
	printf '#define VALUE 2\n%s\n' "$kernel" >"./$name.cu"
	fine 0 "report $s" "$gemmviz" report "${launch[@]}" -- "./$name.cu"
	case $name in
	-*) fine 0 "report -- $s" "$gemmviz" report "${launch[@]}" -- "$name.cu" ;;
	esac
	fine 0 "record $s" "$gemmviz" record "./$name.cu" "${launch[@]}" \
		-o "./$name.gvt" --force
	fine 0 "dump $s" "$gemmviz" dump "./$name.gvt"
	fine 0 "diff $s" "$gemmviz" diff "./$name.gvt" "./$name.cu" "${launch[@]}"
	fine 0 "check $s" "$gemmviz" check "./$name.cu" "${launch[@]}"
	fine 0 "check --json $s" "$gemmviz" check --json "./$name.cu" \
		"${launch[@]}" --sarif "./$name.sarif" --junit "./$name.xml"
	fine 0 "export $s" "$gemmviz" export "./$name.cu" "${launch[@]}" \
		--steps 1-1 -o "./$name.md"
	fine '2 5 6' "time $s" "$gemmviz" time "./$name.cu" "${launch[@]}" \
		--size 64
	fine 124 "watch $s" timeout 3 "$gemmviz" watch "./$name.cu" \
		"${launch[@]}"
	fine '2 4' "view $s" "$gemmviz" view "./$name.cu" "${launch[@]}"

	# In a lesson and in rules, where words end at blanks.
	printf '# T\n\n## S\n\nText.\n\n```gemmviz\nrecord ./%s.cu block=32 grid=1 as own\nshow own\n```\n' \
		"$name" >"./$name.md"
	fine '0 1 3' "lesson $s" "$gemmviz" list --check "./$name.md"
	printf 'file %s.cu\nlaunch --block 32 --grid 1 -I %s.d -D X=%s\n' \
		"$name" "$name" "$name" >.gemmviz-check
	fine '0 1 2 3' "rules for $s" "$gemmviz" check "./$name.cu"
	rm .gemmviz-check
	printf 'max-way 2\n' >"./$name.rules"
	fine 0 "--rules $s" "$gemmviz" check --rules "./$name.rules" \
		"./$name.cu" "${launch[@]}"

	# As a header, in a folder of -I, above, and as a link.
	printf '#define VALUE 2\n' | tee "./$name.h" >"./$name.d/value.h"
	printf '#include "%s.h"\n%s\n' "$name" "$kernel" >include.cu
	fine '0 3' "#include $s" "$gemmviz" report include.cu "${launch[@]}"
	printf '#include <value.h>\n%s\n' "$kernel" >angle.cu
	fine 0 "-I $s" "$gemmviz" report angle.cu -I "./$name.d" "${launch[@]}"
	fine 0 "-I without ./ $s" "$gemmviz" report angle.cu -I "$name.d" \
		"${launch[@]}"
	mkdir below
	printf '#include "../%s.d/value.h"\n%s\n' "$name" "$kernel" >below/up.cu
	fine '3 8' "#include ../$s" "$gemmviz" report below/up.cu "${launch[@]}"
	ln -s "../$name.d/value.h" below/value.h
	printf '#include "value.h"\n%s\n' "$kernel" >below/link.cu
	fine 8 "a link to $s" "$gemmviz" report below/link.cu "${launch[@]}"

	# As a program, which is one of its sources, a neighbour, an argument.
	printf '#define VALUE 2\n%s\nint helper();\n%s\n' "$kernel" \
		"${program/VALUE - 2/helper()}" >main.cpp
	mv main.cpp main.cu
	rm "./$name.cu" "./x.cu"
	printf 'int helper() { return 0; }\n' >"./$name.cu"
	cp "$tmp/specs" x.txt
	case $name in
	@*) want='2 3' ;;
	*) want=0 ;;
	esac
	fine "$want" "run main.cu ./$s" "$gemmviz" run main.cu "./$name.cu"
	fine "$want" "run main.cu $s" "$gemmviz" run main.cu "$name.cu"
	# A request is UTF-8: the reader is told how to name such a file.
	[[ $name = latin* ]] && want=3
	fine "$want" "$s is next to main.cu" "$gemmviz" run main.cu
	fine "$want" "$s, told in JSON" "$gemmviz" run --json main.cu
	mkdir below/own
	printf '#define VALUE 2\n%s\n%s\n' "$kernel" "$program" \
		>"below/own/$name.cu"
	fine 0 "run $s" "$gemmviz" run "./below/own/$name.cu" "$name"
	cd "$tmp" || exit
	rm -rf "$tmp/d"
done

# A value of -D may be anything, its name a word.
printf '%s\n%s\n' "$kernel" "$program" >m.cu
cp specs 'x=2'
fine 0 "-D VALUE" "$gemmviz" run -D VALUE=2 m.cu
fine 2 "-D @x" "$gemmviz" run -D VALUE=2 -D @x=2 m.cu
fine 2 "-D -x" "$gemmviz" run -D VALUE=2 -D -x=2 m.cu

# What the compiler is started with.
mkdir p
printf 'int helper() { return 0; }\n' >p/-specs=x.cu
printf '#define VALUE 2\n%s\nint helper();\n%s\n' "$kernel" "$program" >p/main.cu
sed -i 's/return VALUE - 2/return helper()/' p/main.cu
mkdir p/-I
if command -v strace >/dev/null; then
	(cd p && strace -f -s 4000 -v -e trace=execve -o "$tmp/calls" \
		"$gemmviz" run --no-cache -I ./-I main.cu -specs=x.cu) >/dev/null 2>&1
	is "$(grep -c '"-specs=x.cu"' "$tmp/calls")" \
		"$(grep -c '"-dumpbase", "-specs=x.cu"\|"run", "--no-cache"' "$tmp/calls")" \
		"-specs=x.cu is only the value of -dumpbase"
	like "$(grep -c '"\./-specs=x.cu"' "$tmp/calls")" '^[1-9]' \
		"and ./-specs=x.cu is compiled"
	like "$(grep -c '"-I\./-I"\|"-I", "\./-I"' "$tmp/calls")" '^[1-9]' \
		"the folder of -I begins with ./"
else
	skip "the compiler's arguments" "no strace"
fi
done_testing
