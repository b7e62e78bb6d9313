#!/usr/bin/env bash
# mutants.sh [-j N] [WORD]: plants the bugs of tests/mutants.list, each on its
# own, in a copy of the tree, and runs the tests that are named beside it (TEST
# or TEST=ARGUMENT): one of them must fail. WORD: only those whose file or tests
# have it in them. N: so many copies share the list, each taking the next line
# that none has begun. Run in the build folder (`make mutants`); MUTANTS names a
# folder that keeps the copies for the next time. However this ends, the copies
# end with it.
export TEST_ALL=1
here=$(cd "$(dirname "$0")/.." && pwd)
build=$PWD
copies=1
while getopts j: option; do
	case $option in
	j) copies=$OPTARG ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
all=${MUTANTS:-$(mktemp -d)}
mkdir -p "$all" || exit
all=$(cd "$all" && pwd)
[ -n "$MUTANTS" ] || trap 'rm -rf "$all"' EXIT
rm -rf "$all/begun" "$all/sound" "$all/said"
mkdir "$all/begun" "$all/sound" "$all/said" || exit

# fill COPY: the tree as it is; what has not changed is not built again.
fill() {
	mkdir -p "$1/build"
	(cd "$here" && git ls-files && ls configure aclocal.m4 Makefile.in \
		config.h.in build-aux/*) | sort -u | while read -r name; do
		[ -f "$here/$name" ] || continue
		cmp -s "$here/$name" "$1/$name" && continue
		mkdir -p "$1/$(dirname "$name")"
		cp "$here/$name" "$1/$name"
	done
}

# make_copy COPY: built, too. That the first one was copied to another place is
# told to configure's output, and to the one file that holds where it is.
make_copy() {
	local first=$all/1
	if [ "$1" != "$first" ] && [ ! -e "$1/build/Makefile" ]; then
		cp -a "$first" "$1" || return
		touch "$1/src/base/paths.c"
		sed -i "s|$first|$1|g" "$1/build/config.status"
		(cd "$1/build" && ./config.status -q) || return
	fi
	fill "$1"
	cd "$1/build" || return
	if [ ! -e Makefile ]; then
		eval "../configure -q $("$build/config.status" --config)" || return
	fi
	make -s -j"${2-2}" all >log 2>&1 || { tail log; return 1; }
}

# run TEST...: makes the tests, and the programs where one is needed, and runs
# them; 0: all pass, 1: one fails, 2: it does not build.
run() {
	local test made="tests/pty_screen tests/term_demo tests/fake_gpu" all=
	case $file in emu/* | cudart/* | worker/* | record/* | protocol/* | runner/* | cli/*) all=all ;; esac
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

# is_sound TEST: without a bug it passes, as one of the copies has found out.
is_sound() {
	local begin
	[ -e "$all/sound/$1" ] && return
	begin=$(date +%s)
	run "$1" || run "$1" || return
	echo $(($(date +%s) - begin)) >"$all/sound/$1"
}

# plant FILE CHANGE TEST...: says what came of it.
plant() {
	local file=$1 change=$2 test begin what
	shift 2
	for test; do
		is_sound "$test" && continue
		printf 'NOT SOUND      %s: fails without a bug\n' "$test"
		tail -3 log
		return
	done
	begin=$(date +%s)
	if ! cp -p "../src/$file" kept; then
		printf 'NOT PLANTED    %s: no such file\n' "$file"
		return
	fi
	sed -i "$change" "../src/$file"
	if cmp -s kept "../src/$file"; then
		what="NOT PLANTED"
	else
		run "$@"
		case $? in
		0) what=LIVED ;;
		1) what=caught ;;
		*) what="DOES NOT BUILD" ;;
		esac
	fi
	cp kept "../src/$file"
	printf '%-14s %3d s  %-30s %s\n' "$what" $(($(date +%s) - begin)) \
		"$file" "$change"
}

# chosen_lines [WORD]: prints the numbers of the lines that this run plants.
chosen_lines() {
	awk -F'\t' -v word="${1-}" \
		'!/^#/ && NF && index($1 " " $2, word) { print NR }' \
		"$all/1/tests/mutants.list"
}

# check_control: a change that is no bug must live, or "caught" means nothing.
check_control() {
	local changed=
	cd "$all/1/build" &&
	plant base/map.c '$s@$@ /* no bug */@' map_test | grep -q '^LIVED' &&
	return
	echo "A change that is no bug was not judged to live:"
	tail -3 "$all/1/build/log"
	return 1
}

# share NUMBER [WORD]: the lines that this copy is the first to begin.
share() {
	local file tests change line=0 changed=
	cd "$all/$1/build" || return
	while IFS=$'\t' read -r file tests change; do
		line=$((line + 1))
		case $file in '' | \#*) continue ;; esac
		case "$file $tests" in *"${2-}"*) ;; *) continue ;; esac
		mkdir "$all/begun/$line" 2>/dev/null || continue
		# shellcheck disable=SC2086
		plant "$file" "$change" $tests | tee -a "$all/said/$1"
	done <"$all/$1/tests/mutants.list"
}

make_copy "$all/1" $((2 * copies)) || exit
(check_control) || exit
for ((i = 2; i <= copies; i++)); do
	(make_copy "$all/$i") || exit
done
# offspring PID...: these processes and all that they have started.
offspring() {
	local process child
	for process; do
		echo "$process"
		for child in $(cat "/proc/$process"/task/*/children); do
			offspring "$child"
		done
	done
}

# copy NUMBER [WORD]: ends with this script, even where that is killed.
copy() {
	local own=$BASHPID
	{
		watch=$BASHPID
		while kill -0 $$; do
			sleep 1
		done
		# shellcheck disable=SC2046
		kill -KILL $(offspring $own | grep -vx $watch)
	} 2>/dev/null &
	share "$@"
	kill $!
}

trap 'kill -KILL $(offspring $(jobs -p)); exit 1' HUP INT TERM
for ((i = 1; i <= copies; i++)); do
	copy $i "$@" &
done
wait

count() {
	cat "$all"/said/* 2>/dev/null | grep -c "^$1 "
}
caught=$(count caught) lived=$(count LIVED) chosen=$(chosen_lines "$@" | wc -l)
bad=$(count '\(NOT PLANTED\|NOT SOUND\|DOES NOT BUILD\)')
if [ "$copies" -gt 1 ]; then
	echo "All that were not caught:"
	grep -hv '^caught ' "$all"/said/*
fi
echo "The slowest of the tests, plain, with their building:"
(cd "$all/sound" && grep -H . -- *) | sort -t: -k2 -rn | head -5
echo "$((caught + lived)) planted, $caught caught, $lived lived, $bad not planted"
if [ $((caught + lived + bad)) -ne "$chosen" ]; then
	echo "of $chosen lines the others were not judged"
	exit 1
fi
[ "$caught" -gt 0 ] && [ "$lived" -eq 0 ] && [ "$bad" -eq 0 ]
