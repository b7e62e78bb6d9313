#!/usr/bin/env bash
# mutants.sh [WORD]: plants the bugs of tests/mutants.list, each on its own, in
# a copy of the tree, and runs the tests that are named beside it (TEST or
# TEST=ARGUMENT): one of them must fail. WORD: only those whose file or tests
# have it in them. Run in the build folder (`make mutants`); MUTANTS names a
# folder that keeps the copy for the next time.
here=$(cd "$(dirname "$0")/.." && pwd)
build=$PWD
copy=${MUTANTS:-$(mktemp -d)}
[ -n "$MUTANTS" ] || trap 'rm -rf "$copy"' EXIT
mkdir -p "$copy/build" || exit

# The tree as it is; what has not changed is not built again.
(cd "$here" && git ls-files && ls configure aclocal.m4 Makefile.in config.h.in \
	build-aux/*) | sort -u | while read -r file; do
	[ -f "$here/$file" ] || continue
	cmp -s "$here/$file" "$copy/$file" && continue
	mkdir -p "$copy/$(dirname "$file")"
	cp "$here/$file" "$copy/$file"
done
cd "$copy/build" || exit
if [ ! -e Makefile ]; then
	eval "../configure -q $("$build/config.status" --config)" || exit
fi
make -s -j2 all >log 2>&1 || { tail log; exit 1; }

# run TEST...: makes the tests, and the programs where one is needed, and runs
# them; 0: all pass, 1: one fails, 2: it does not build.
run() {
	local test made="tests/pty_screen tests/term_demo tests/fake_gpu" all=
	case $file in emu/* | record/* | runner/* | cli/*) all=all ;; esac
	for test; do
		case $test in
		*.sh*) all=all ;;
		term_*) all=all made="$made tests/$test" ;;
		*) made="$made tests/${test%%=*}" ;;
		esac
	done
	# One after the other: both make the libraries.
	# shellcheck disable=SC2086
	if [ -n "$all$changed" ]; then
		make -s -j2 all >log 2>&1 || return 2
	fi
	changed=$all		# as they are now, programs are no others' either
	# shellcheck disable=SC2086
	make -s -j2 $made >log 2>&1 || return 2
	for test; do
		case $test in
		*.sh*) test=../tests/$test ;;
		*) test=tests/$test ;;
		esac
		# shellcheck disable=SC2086
		TEST_SECONDS=${TEST_SECONDS:-100} sh ../tests/run ${test/=/ } \
			>log 2>&1 || return 1
	done
}

planted=0 caught=0 bad=0 changed=
declare -A sound
while IFS=$'\t' read -r file tests change; do
	case $file in '' | \#*) continue ;; esac
	case "$file $tests" in *"${1-}"*) ;; *) continue ;; esac
	for test in $tests; do
		[ -n "${sound[$test]}" ] && continue
		if run "$test" || run "$test"; then
			sound[$test]=1
		else
			echo "$test: fails without a bug"
			tail -3 log
			bad=$((bad + 1))
			continue 2
		fi
	done
	cp -p "../src/$file" kept
	sed -i "$change" "../src/$file"
	begin=$(date +%s)
	if cmp -s kept "../src/$file"; then
		what="NOT PLANTED"
		bad=$((bad + 1))
	else
		# shellcheck disable=SC2086
		run $tests
		case $? in
		0) what=LIVED planted=$((planted + 1)) ;;
		1) what=caught planted=$((planted + 1)) caught=$((caught + 1)) ;;
		*) what="DOES NOT BUILD" bad=$((bad + 1)) ;;
		esac
	fi
	cp kept "../src/$file"
	printf '%-14s %3d s  %-30s %s\n' "$what" $(($(date +%s) - begin)) \
		"$file" "$change"
done <"$copy/tests/mutants.list"
echo "$planted planted, $caught caught, $((planted - caught)) lived, $bad not planted"
[ "$planted" -eq "$caught" ] && [ "$bad" -eq 0 ]
