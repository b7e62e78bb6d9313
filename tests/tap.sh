# shellcheck shell=sh
# tap.sh: the shell's side of TAP. Source it (. "$srcdir/tests/tap.sh"), call
# ok/is/like/skip, end with done_testing. The programs are in $builddir;
# tests/run sets both.
tap_count=0
tap_failed=0

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

done_testing() {
	echo "1..$tap_count"
	[ "$tap_failed" -eq 0 ]
}
