# shellcheck shell=bash
# tap.sh: the shell's side of TAP. Source it (. "$srcdir/tests/tap.sh"), call
# ok/is/like/skip, end with done_testing. The programs are in $builddir;
# tests/run sets both.
tap_count=0
tap_failed=0

# Records a command that does not exist, wherever its status and its message go:
# tests/limit.pl fails the test then. bash calls it.
command_not_found_handle() {
	echo "$1" >>"${TAP_MISSING:-/dev/null}"
	echo "$1: command not found" >&2
	return 127
}

# ok STATUS WHAT: passes when STATUS is 0.
ok() {
	tap_count=$((tap_count + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $tap_count - $2"
	else
		tap_failed=$((tap_failed + 1))
		echo "not ok $tap_count - $2"
	fi
}

# is GOT WANT WHAT
is() {
	if [ "$1" = "$2" ]; then
		ok 0 "$3"
	else
		ok 1 "$3"
		printf '%s\n' "got:  $1" "want: $2" | sed 's/^/#   /'
	fi
}

# like TEXT PATTERN WHAT: PATTERN is an extended regular expression.
like() {
	if printf '%s\n' "$1" | grep -Eq -- "$2"; then
		ok 0 "$3"
	else
		ok 1 "$3"
		printf '%s\n' "got:  $1" "want: $2" | sed 's/^/#   /'
	fi
}

# skip WHAT WHY
skip() {
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - $1 # SKIP $2"
}

# in_turn N: whether the next of many like cases is tried in this run: every Nth,
# another Nth with each commit (TEST_TURN; .ci/run), all of them with TEST_ALL.
tap_turn=${TEST_TURN:-0}
in_turn() {
	tap_turn=$((tap_turn + 1))
	[ -n "${TEST_ALL-}" ] || [ $((tap_turn % $1)) -eq 0 ]
}

# need TOOL...: fails the test for each that is not installed.
need() {
	local tool
	for tool; do
		command -v "$tool" >/dev/null || ok 1 "needs $tool, which is missing"
	done
}

# want TOOL WHAT: skips WHAT and returns 1 if the tool is not installed.
want() {
	command -v "$1" >/dev/null && return
	skip "$2" "no $1"
	return 1
}

# processes_of TEXT: prints the process ID and the command line of each process
# that has TEXT in its command line, apart from this shell.
processes_of() {
	local at args
	for at in /proc/[0-9]*; do
		args=()
		{ mapfile -d '' args <"$at/cmdline"; } 2>/dev/null
		case ${at#/proc/} in
		"$$" | "$BASHPID") continue ;;
		esac
		case "${args[*]}" in
		*"$1"*) echo "${at#/proc/} ${args[*]}" ;;
		esac
	done
}

# children_of PID: prints the process IDs of its children.
children_of() {
	cat "/proc/$1"/task/*/children 2>/dev/null
}

# children_ms: prints how many ms of processor time this shell's children have
# used, of those that it has waited for.
children_ms() {
	local stat
	read -r stat <"/proc/$$/stat"
	# shellcheck disable=SC2086
	set -- ${stat##*) }
	echo $((($(shift 13; echo "$1 + $2")) * 1000 / $(getconf CLK_TCK)))
}

# Prints the plan. Returns 0 if all has passed.
done_testing() {
	echo "1..$tap_count"
	[ "$tap_failed" -eq 0 ]
}
