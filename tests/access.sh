# gemmviz access: the calculator for people, and the one a program talks to.
. "$srcdir/tests/tap.sh"
gemmviz=${GEMMVIZ:-$builddir/gemmviz}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

answer() {
	printf '%s\n' "$1" | "$gemmviz" access --stdin
}

# a list of 32 addresses: addresses 'EXPRESSION of l', as bash calculates
addresses() {
	local l list=
	for l in {0..31}; do
		list+="${list:+,}$(($1))"
	done
	echo "[$list]"
}

# ---- for people ----

out=$("$gemmviz" access shared 4 'lane * 128')
like "$out" '^  wavefronts +32 \(ideal: 1\)$' 'a column costs 32'
like "$out" '^ +0 +0 +32 +0 \| 1 \| 2 \|' 'and who collides'
out=$("$gemmviz" access global 4 --index 'lane * 2')
like "$out" '^  sectors +8 \(ideal: 4\)$' 'every other element: 8 sectors'
like "$out" '^ +32 +16 +4-7$' 'who is in which, and how much is used'
out=$("$gemmviz" access shared 4 'lane < 8 ? lane * 4 : none')
like "$out" 'lanes 0-7$' 'none is an inactive lane'
like "$out" 'no bank has to deliver more than one word' 'nothing collides'
out=$("$gemmviz" access --store shared 16 0)
like "$out" '^shared st, 16 bytes per lane, lanes 0-31$' 'a store'
out=$("$gemmviz" access global 16 none)
like "$out" 'no active lane' 'no lane at all'
is "$("$gemmviz" access shared 16 --json 0)" \
	'{"requests":1,"sectors":null,"lines":null,"wavefronts":2,"ideal_wavefronts":2,"max_way":1}' \
	'--json: 16 bytes of one address cost 2'
is "$("$gemmviz" access --store --json shared 16 0)" \
	'{"requests":1,"sectors":null,"lines":null,"wavefronts":4,"ideal_wavefronts":4,"max_way":1}' \
	'--store: where a load costs 2, a store costs 4'
is "$("$gemmviz" access --json global 4 'lane*4')" \
	'{"requests":1,"sectors":4,"lines":1,"wavefronts":null,"ideal_wavefronts":null,"max_way":null}' \
	'--json: a row is 4 sectors of a line'
is "$("$gemmviz" access --json ldmatrix 16 'lane < 16 ? lane*128 : none')" \
	'{"requests":1,"sectors":null,"lines":null,"wavefronts":16,"ideal_wavefronts":2,"max_way":8}' \
	'--json: ldmatrix x2, rows 128 bytes apart'
wide=$("$gemmviz" access shared 4 '(lane * 37 % 32) * 4 + (lane % 3) * 128' |
	awk 'length > 80')
is "$wide" '' '80 columns are enough'

# refused STATUS PATTERN ARGUMENT...
refused() {
	local status=$1 pattern=$2 err
	shift 2
	err=$("$gemmviz" access "$@" 2>&1 >"$dir/out")
	is $? "$status" "refused: access $*"
	like "$err" "$pattern" "with a word about it"
	is "$(cat "$dir/out")" '' 'and no output'
	is "$(printf '%s\n' "$err" | wc -l)" 1 'in one line'
}
refused 2 'lane 1: address 2 is not a multiple of 4' global 4 'lane*2'
refused 2 "no space 'globl'; did you mean global" globl 4 lane
refused 2 'a lane cannot access 3 bytes' shared 3 lane
refused 2 "BYTES must be 1, 2, 4, 8 or 16, not '0'" shared 0 lane
refused 2 "BYTES must be 1, 2, 4, 8 or 16, not '4x'" shared 4x lane
refused 2 'column 6: expected a value' global 4 'lane*'
refused 2 "unknown name 'x'" global 4 'lane*x'
refused 2 'column 6: division by zero' global 4 'lane / 0'
refused 2 'lane 0: -4 is below 0' global 4 'lane * 4 - 4'
refused 2 'whole number' global 4 'lane * 1.5'
refused 2 'whole number' global 4 '"text"'
refused 2 'does not fit in 64 bits' global 16 --index '(lane + 1) << 59'
refused 2 'lanes 0-7, 0-15 or 0-31' ldmatrix 16 'lane < 9 ? lane*16 : none'
refused 2 'rows of 16 bytes' ldmatrix 8 'lane*16'
refused 2 'only loads' ldmatrix 16 --store 'lane*16'
refused 2 'give a space, BYTES' global 4
refused 2 'did you mean --stdin' --stdinn
refused 2 'takes no other arguments' --stdin global 4 lane
refused 2 "expected a value, not '[^[:cntrl:]]+'" global 4 $'\e[31m'
"$gemmviz" access global 4 lane*4 >/dev/full 2>"$dir/err"
is $? 7 'a full disk'
like "$(cat "$dir/err")" 'cannot write' 'is said'

# ---- for programs ----

row=$(addresses 'l*4')
is "$(answer '{"space":"global","op":"ld","size":4,"addresses":'"$row}")" \
	'{"requests":1,"sectors":4,"lines":1,"wavefronts":null,"ideal_wavefronts":null,"max_way":null}' \
	'a global load'
is "$(answer '{"space":"shared","size":4,"addresses":'"$(addresses 'l*128')}")" \
	'{"requests":1,"sectors":null,"lines":null,"wavefronts":32,"ideal_wavefronts":1,"max_way":32}' \
	'a shared access, op left out'
is "$(answer '{"space":"ldmatrix","addresses":'"$(addresses 'l*16')}")" \
	'{"requests":1,"sectors":null,"lines":null,"wavefronts":4,"ideal_wavefronts":4,"max_way":1}' \
	'ldmatrix, size left out'
top=$(addresses '0x7ffffffffffffe00+l*16')
is "$(answer '{"space":"global","op":"st","size":16,"addresses":'"$top}")" \
	'{"requests":1,"sectors":16,"lines":4,"wavefronts":null,"ideal_wavefronts":null,"max_way":null}' \
	'addresses up to the last'
none=$(addresses 0 | sed 's/0/null/g')
is "$(answer '{"space":"shared","size":8,"addresses":'"$none}")" \
	'{"requests":0,"sectors":null,"lines":null,"wavefronts":0,"ideal_wavefronts":0,"max_way":0}' \
	'no active lane'

# wrong PATTERN LINE: an error as one JSON object, and reading goes on.
good='{"space":"global","size":4,"addresses":'"$row}"
wrong() {
	local out
	out=$(printf '%s\n%s\n' "$2" "$good" | "$gemmviz" access --stdin)
	is $? 0 "answered: ${2:0:60}"
	like "$(sed -n 1p <<<"$out")" '^\{"error":".*'"$1"'.*"\}$' \
		'with an error that says why'
	like "$(sed -n 2p <<<"$out")" '^\{"requests":1,"sectors":4,' \
		'and reading goes on'
	is "$(wc -l <<<"$out")" 2 'a line for a line'
}
wrong 'lane 1: address 2 is not' \
	'{"space":"global","size":4,"addresses":'"$(addresses 'l*2')}"
wrong 'list of 32' '{"space":"global","size":4,"addresses":[0,4]}'
wrong 'list of 32' \
	'{"space":"global","size":4,"addresses":'"${row%]},1]}"
wrong 'list of 32' '{"space":"global","size":4}'
wrong 'list of 32' '{"space":"global","size":4,"addresses":{}}'
wrong 'cannot access 3 bytes' '{"space":"global","size":3,"addresses":'"$row}"
wrong 'must be 1, 2, 4' '{"space":"global","size":"4","addresses":'"$row}"
wrong 'must be 1, 2, 4' '{"space":"global","size":0,"addresses":'"$row}"
wrong 'must be 1, 2, 4' '{"space":"global","size":4294967300,"addresses":'"$row}"
wrong 'is missing' '{"space":"shared","addresses":'"$row}"
wrong 'rows of 16' '{"space":"ldmatrix","size":4,"addresses":'"$row}"
wrong 'no space' '{"space":"local","size":4,"addresses":'"$row}"
wrong 'space.. must be' '{"size":4,"addresses":'"$row}"
wrong 'space.. must be' '{"space":7,"size":4,"addresses":'"$row}"
wrong 'op.. must be' '{"space":"global","op":"mv","size":4,"addresses":'"$row}"
wrong 'op.. must be' '{"space":"global","op":1,"size":4,"addresses":'"$row}"
wrong 'only loads' '{"space":"ldmatrix","op":"st","addresses":'"$row}"
wrong 'lanes 0-7, 0-15' \
	'{"space":"ldmatrix","addresses":'"$(sed 's/0/null/' <<<"$row")}"
wrong 'unknown member' '{"space":"global","wide":4,"addresses":'"$row}"
wrong 'lane 0: an address' \
	'{"space":"global","size":4,"addresses":'"$(sed 's/0/-4/' <<<"$row")}"
wrong 'lane 0: an address' \
	'{"space":"global","size":4,"addresses":'"$(sed 's/0/4.0/' <<<"$row")}"
wrong 'lane 0: an address' \
	'{"space":"global","size":4,"addresses":'"$(sed 's/0/"4"/' <<<"$row")}"
wrong 'not JSON' \
	'{"space":"global","size":4,"addresses":'"$(sed 's/0/9223372036854775808/' \
	<<<"$row")}"
wrong 'not JSON' '{"space":"global","size":4,"size":8,"addresses":'"$row}"
wrong 'not JSON' '{"space":'
wrong 'not JSON' ''
wrong 'not JSON' "$good$good"
wrong 'not JSON' $'\xff\xfe{}'
wrong 'not JSON' "$(printf '[%.0s' {1..5000})"
wrong 'not a JSON object' '[]'
wrong 'not a JSON object' '"global"'

{
	head -c 3000000 /dev/zero | tr '\0' ' '
	echo "$good"
	echo "$good"
} >"$dir/long"
out=$("$gemmviz" access --stdin <"$dir/long")
like "$(sed -n 1p <<<"$out")" '"error":"a line is longer than 1048576 bytes"' \
	'a line of three million bytes is refused'
is "$(wc -l <<<"$out")" 2 'and read over'
{
	head -c $((1048576 - ${#good})) /dev/zero | tr '\0' ' '
	echo "$good"
} >"$dir/long"
like "$("$gemmviz" access --stdin <"$dir/long")" '^\{"requests":1' \
	'one of a mebibyte is not'
printf '%s\0\n' "$good" >"$dir/nul"
like "$("$gemmviz" access --stdin <"$dir/nul")" '^\{"error"' \
	'a NUL in a line is no end of it'
like "$(printf '%s' "$good" | "$gemmviz" access --stdin)" '"sectors":4' \
	'the last line may lack its newline'
is "$("$gemmviz" access --stdin </dev/null)" '' 'nothing in, nothing out'

coproc "$gemmviz" access --stdin
pid=$COPROC_PID
echo "$good" >&"${COPROC[1]}"
read -r -t 20 line <&"${COPROC[0]}"
like "$line" '"sectors":4' 'an answer comes before the next question'
eval "exec ${COPROC[1]}>&-"
wait "$pid"

yes "$good" | head -5000 | "$gemmviz" access --stdin 2>"$dir/err" >/dev/full
is "${PIPESTATUS[2]}" 7 'a full disk ends it'
is "$(wc -l <"$dir/err")" 1 'with one line'
{
	yes "$good" | head -5000 | "$gemmviz" access --stdin 2>"$dir/err"
	echo $? >"$dir/status"
} | head -1 >/dev/null
is "$(cat "$dir/status")" 141 'a closed pipe ends it by SIGPIPE'
"$gemmviz" access --stdin <"$dir" >/dev/null 2>"$dir/err"
is $? 3 'input that cannot be read'
like "$(cat "$dir/err")" 'cannot read' 'is said'
done_testing
