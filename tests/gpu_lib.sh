# shellcheck shell=bash
# gpu_lib.sh: drives gemmviz-gpu by its protocol, and the checks that hold for
# a GPU as for what stands in for one. Source it after tap.sh.
tmp=$(mktemp -d)
program=$builddir/gemmviz-gpu
runners=
inputs=
trap 'kill $runners 2>/dev/null; rm -rf "$tmp"' EXIT

# gpu_start NAME: a runner whose answers are in $tmp/NAME.
gpu_start() {
	mkfifo "$tmp/$1.in"
	(
		# The others' inputs are not its own to keep open.
		for fd in $inputs; do
			eval "exec $fd>&-"
		done
		exec "$program" <"$tmp/$1.in" >"$tmp/$1" 2>"$tmp/$1.err"
	) &
	eval "pid_$1=$!"
	runners="$runners $!"
	eval "exec {fd_$1}>\"$tmp/$1.in\"; inputs=\"\$inputs \$fd_$1\""
}

# gpu_say NAME JSON
gpu_say() {
	eval "printf '%s\\n' \"\$2\" >&\$fd_$1"
}

# gpu_wait NAME PATTERN SECONDS: for a line of the answers.
gpu_wait() {
	local tries=0 pid
	eval "pid=\$pid_$1"
	while ! grep -Eqs -- "$2" "$tmp/$1"; do
		tries=$((tries + 1))
		if [ $tries -ge $(($3 * 20)) ] || ! kill -0 "$pid" 2>/dev/null
		then
			tail -n 3 "$tmp/$1" "$tmp/$1.err" | sed 's/^/# /'
			return 1
		fi
		sleep 0.05
	done
}

# gpu_close NAME: ends its input, and waits for it; sets status.
gpu_close() {
	eval "exec {fd_$1}>&-"
	eval "wait \$pid_$1"
	status=$?
}

# gpu_source NAME COLUMNS ROWS [DEFINES]: an entrant, tests/kernels/NAME.cu in
# blocks of 16 x 16 threads.
gpu_source() {
	printf '{"source":{"file":"%s.cu","text":"' "$1"
	awk '{ gsub(/\\/, "\\\\"); gsub(/"/, "\\\""); printf "%s\\n", $0 }' \
		"$srcdir/tests/kernels/$1.cu"
	printf '"},"defines":{%s},"block":[16,16,1],"grid":[%d,%d,1]}' \
		"${4-}" $(($2 / 16)) $(($3 / 16))
}

# gpu_entry ENTRY: that of gpu_hosted.cu, at 64x64.
gpu_entry() {
	gpu_source gpu_hosted 64 64 |
		sed "s/\"},\"defines\"/\",\"entry\":\"$1\"},\"defines\"/"
}

# gpu_state NAME ENTRANT SIZE: the last word on it.
gpu_state() {
	grep "\"type\":\"entrant\"" "$tmp/$1" |
		grep "\"entrant\":$2,\"size\":$3," | tail -n 1 |
		sed 's/.*"state":"\([a-z]*\)".*/\1/'
}

# gpu_text NAME ENTRANT SIZE: the sentence with it.
gpu_text() {
	grep "\"type\":\"entrant\"" "$tmp/$1" |
		grep "\"entrant\":$2,\"size\":$3," | tail -n 1 |
		sed 's/.*"text":"\(\([^"\\]\|\\.\)*\)".*/\1/'
}

# gpu_samples NAME ENTRANT SIZE
gpu_samples() {
	grep '"type":"sample"' "$tmp/$1" |
		grep -c "\"entrant\":$2,\"size\":$3,"
}

# gpu_number NAME ENTRANT SIZE MEMBER: of the message that it is ready.
gpu_number() {
	grep "\"entrant\":$2,\"size\":$3,\"state\":\"ready\"" "$tmp/$1" |
		sed "s/.*\"$4\":\([-+0-9.eE]*\).*/\1/"
}

table='{"kernel":"naive"},{"kernel":"naive_swapped"},{"kernel":"tiled"},
	{"kernel":"tiled","defines":{"TILE":"12"}},{"kernel":"float4"},
	{"kernel":"padded","defines":{"TILE":"24"}},{"kernel":"sgemm"}'
rivals='{"rival":"cublas-fp32"},{"rival":"cublas-tf32"},
	{"rival":"cublas-fp16"},{"rival":"cublas-bf16"},
	{"rival":"cublaslt-fp32"},{"rival":"cublaslt-fp16"}'

# all_timed SIZES COUNT: every entrant of the table and of cuBLAS is checked
# and timed at COUNT sizes.
all_timed() {
	local e s bad=
	gpu_start all
	gpu_say all "$(echo '{"type":"time","id":1,"entrants":['"$table,$rivals"'],
		"sizes":['"$1"'],"repeat":15,"seconds":0.2}' | tr -d '\n\t')"
	gpu_wait all '"type":"(timed|error)"' 200
	ok $? "a race ends"
	for e in $(seq 0 12); do
		for s in $(seq 0 $(($2 - 1))); do
			if [ "$(gpu_state all $e "$s")" != timed ] ||
			   [ "$(gpu_samples all $e "$s")" -eq 0 ] ||
			   ! awk -v e="$(gpu_number all $e "$s" error)" \
				-v b="$(gpu_number all $e "$s" bound)" \
				'BEGIN { exit !(e > 0 && e <= b && b < 0.005) }'
			then
				bad="$bad $e/$s"
				grep "\"entrant\":$e,\"size\":$s,\"state" \
					"$tmp/all" | tail -n 2 | sed 's/^/# /'
			fi
		done
	done
	is "$bad" "" "all kernels and cuBLAS have samples, with errors under the bound"
	like "$(gpu_number all 2 0 registers)" '^[1-9]' "registers are told"
	like "$(gpu_number all 11 0 tried)" '^[1-9]' \
		"the fastest of cublasLt's algorithms is taken"
	like "$(cat "$tmp/all")" '"type":"machine"' "and the machine"
	gpu_close all
	is "$status" 0 "closing its input ends it"
}

# tensor_maps: kernels of half and bfloat16 whose A and B are tensor maps, hgemm
# that has clusters too, and rows that TMA cannot take.
tensor_maps() {
	local list
	list=$(gpu_source gpu_mapped 64 64),$(gpu_source gpu_mapped 64 64 '"BF16":"1"')
	list=$list,'{"kernel":"hgemm"},{"kernel":"hgemm","defines":{"EXPONENT":"8","CLUSTER":"1"}}'
	gpu_start maps
	gpu_say maps '{"type":"time","id":1,"entrants":['"$list"'],"sizes":[[64,64,64],[64,64,72],[64,64,76]],"repeat":2}'
	gpu_wait maps '"type":"(timed|error)"' 200
	if grep -q '"text":".*needs sm_90\|the driver is too old, or the GPU' \
		"$tmp/maps"; then
		skip "tensor maps" "this GPU has none"
		gpu_close maps
		return
	fi
	is "$(gpu_state maps 0 0) $(gpu_state maps 0 1)" "timed timed" \
		"a kernel has its matrices as tensor maps"
	is "$(gpu_state maps 1 0) $(gpu_state maps 1 1)" "timed timed" \
		"also of bfloat16"
	is "$(gpu_state maps 2 0) $(gpu_state maps 3 1)" "timed timed" \
		"persistent blocks with and without clusters"
	is "$(grep -o '"entrant":[0-9],.*"early":true' "$tmp/maps" |
		cut -c 11 | sort -u | tr -d '\n')" 23 \
		"whose launches, and nobody else's, start early"
	awk -v h="$(gpu_number maps 0 0 error)" -v b="$(gpu_number maps 1 0 error)" \
		'BEGIN { exit !(h > 1e-5 && h < 1e-3 && b > 1e-3 && b < 1e-2) }'
	ok $? "with errors that are of their C"
	like "$(gpu_text maps 0 2)" 'rows of a multiple of 16 bytes, but A has 76 columns' \
		"rows that TMA cannot take are refused in words"
	gpu_close maps
}

# bad_ones SIZE: kernels that are wrong, fault, hang; 128 x 64.
bad_ones() {
	local size='[64,128,96]' list
	list=$(gpu_source gpu_wrong 128 64),$(gpu_source gpu_unwritten 128 64)
	list=$list,$(gpu_source gpu_faults 128 64)
	list=$list,$(gpu_source gpu_hangs 128 64)
	list=$list,'{"source":{"file":"no.cu","text":"__global__ void no(float *A) {\n  x = 1; }"},"block":[1,1,1],"grid":[1,1,1]}'
	gpu_start bad
	gpu_say bad '{"type":"time","id":7,"entrants":['"$list"',{"kernel":"tiled"},{"kernel":"float4"}],"sizes":['$size',[64,128,72]],"repeat":5,"patience":3}'
	gpu_wait bad '"type":"(timed|error)"' 200
	ok $? "a race with bad kernels ends"
	is "$(gpu_state bad 0 0)" failed "a kernel that leaves something out fails"
	like "$(gpu_text bad 0 0)" 'wrong: its relative error is' "and why is said"
	is "$(gpu_state bad 1 0)" failed "one that leaves an element unwritten fails"
	like "$(gpu_text bad 1 0)" ' 1 of 8192 elements of C were never' \
		"and how many is said"
	is "$(gpu_state bad 2 0)" failed "one that faults fails"
	like "$(gpu_text bad 2 0)" 'illegal memory access|lost' "and how is said"
	is "$(gpu_state bad 3 0)" failed "one that hangs fails"
	like "$(gpu_text bad 3 0)" 'hangs: it was ended after 3 seconds' \
		"and what was done is said"
	is "$(gpu_state bad 4 0)" failed "a text that is no CUDA fails"
	like "$(gpu_text bad 4 0)" 'no.cu\(2\): error:' "with the compiler's line"
	is "$(gpu_state bad 5 0) $(gpu_state bad 5 1)" "timed timed" \
		"the others are timed"
	is "$(gpu_samples bad 5 0)" 5 "with each sample once"
	is "$(gpu_state bad 6 1)" skipped "what a kernel cannot take is skipped"
	like "$(gpu_text bad 6 1)" 'K must be a multiple of 16' "in a sentence"
	gpu_close bad
}

# files_of_people: a text with its host's code; a kernel that adds to C.
files_of_people() {
	local list
	list=$(gpu_entry 'hosted<float, 16>'),$(gpu_entry adds)
	list=$list,$(gpu_entry hosted),$(gpu_entry host)
	gpu_start hosted
	gpu_say hosted '{"type":"time","id":1,"entrants":['"$list"'],"sizes":[[64,64,64]],"repeat":2}'
	gpu_wait hosted '"type":"(timed|error)"' 100
	is "$(gpu_state hosted 0 0)" timed \
		"a template is timed, from a file with its host's code"
	is "$(gpu_state hosted 1 0)" timed "and a kernel that adds to C"
	like "$(gpu_text hosted 2 0)" "template: give its arguments, such as --entry 'hosted<float, 16>'" \
		"a template alone is told what to ask for"
	like "$(gpu_text hosted 3 0)" "no kernel host; did you mean hosted" \
		"and who writes a wrong name, the right one"
	gpu_close hosted
}

# timed_program: what gemmviz time says of tests/programs/timed.cu, as JSON in
# $tmp/program.json; sets status.
timed_program() {
	"$builddir/gemmviz" time "$srcdir/tests/programs/timed.cu" --json \
		--repeat 3 --seconds 0.2 --runner "$program" \
		>"$tmp/program.json" 2>"$tmp/program.err"
	status=$?
	[ -s "$tmp/program.json" ] || sed 's/^/# /' "$tmp/program.err"
}

# of_launch NUMBER EXPRESSION: of Perl, where $_ is that launch of it.
of_launch() {
	perl -0777 -MJSON::PP -e '
		my ($n, $code) = splice @ARGV, 0, 2;
		local $_ = (grep { $_->{launch} == $n }
			@{decode_json(<>)->{launches}})[0];
		my $v = eval $code;
		print defined $v ? $v : "undef"' "$1" "$2" "$tmp/program.json"
}

sides='join("x", @{$_->{product}}{"m", "n", "k"}) . " $_->{product}{baseline} " .
	($_->{product}{b_by_columns} ? "columns" : "rows")'

# two_runs: one waits for the other; pause; cancel.
two_runs() {
	local long='{"type":"time","id":1,"entrants":[{"kernel":"tiled"}],"sizes":[[64,64,64]],"repeat":1000000,"seconds":3000}'
	local before
	gpu_start first
	gpu_say first "$long"
	gpu_wait first '"type":"sample"' 60
	gpu_start second
	gpu_say second '{"type":"time","id":2,"entrants":[{"kernel":"tiled"}],"sizes":[[64,64,64]],"repeat":3}'
	gpu_wait second '"place":1' 60
	ok $? "a second run knows that one is before it"
	gpu_say first '{"type":"pause","id":2,"paused":true}'
	sleep 1
	before=$(gpu_samples first 0 0)
	sleep 1
	is "$(gpu_samples first 0 0)" "$before" "a race that pauses takes no samples"
	gpu_start third
	gpu_say third '{"type":"record","id":3,"kernel":"naive","m":16,"n":16,"k":16}'
	gpu_wait third '"type":"progress"' 60 &&
		! grep -qE '"type":"(trace|error)"' "$tmp/third"
	ok $? "a recording waits for the race's end"
	gpu_say first '{"type":"pause","id":3,"paused":false}'
	sleep 1
	[ "$(gpu_samples first 0 0)" -gt "$before" ]
	ok $? "and goes on"
	gpu_say first '{"type":"cancel","id":4}'
	gpu_wait first '"type":"timed"' 20
	ok $? "cancelled, it ends"
	is "$(gpu_state first 0 0)" timed "with what there is"
	gpu_wait second '"type":"timed"' 60
	ok $? "the second has its turn"
	like "$(cat "$tmp/second")" '"place":0' "and is told"
	is "$(gpu_samples second 0 0)" 3 "and is timed"
	gpu_wait third '"type":"(trace|error)"' 60
	ok $? "then the recording"
	gpu_close third
	gpu_close first
	gpu_close second
}

# cancel_hang: a race can be cancelled in a kernel that hangs.
cancel_hang() {
	gpu_start stuck
	gpu_say stuck "{\"type\":\"time\",\"id\":1,\"entrants\":[{\"kernel\":\"tiled\"},$(gpu_source gpu_hangs 64 64)],\"sizes\":[[64,64,64]],\"patience\":600}"
	gpu_wait stuck '"entrant":1,.*"checking"' 60
	sleep 1
	gpu_say stuck '{"type":"cancel","id":2}'
	gpu_wait stuck '"type":"timed"' 30
	ok $? "a race is cancelled while a kernel hangs"
	is "$(gpu_state stuck 1 0) $(gpu_text stuck 1 0)" "skipped cancelled" \
		"and says so"
	gpu_close stuck
}

# ends_clean WHAT: after WHAT the runner `gone` and its worker are gone.
ends_clean() {
	local worker tries=0
	gpu_start "$1"
	gpu_say "$1" "{\"type\":\"time\",\"id\":1,\"entrants\":[$(gpu_source gpu_hangs 64 64)],\"sizes\":[[64,64,64]],\"patience\":600}"
	gpu_wait "$1" '"type":"machine"' 60
	sleep 2
	eval "worker=\$(children_of \$pid_$1)"
	[ -n "$worker" ]
	ok $? "a worker is there"
	case $1 in
	eof)	gpu_close eof ;;
	*)	eval "kill -$1 \$pid_$1; wait \$pid_$1 2>/dev/null" ;;
	esac
	while kill -0 $worker 2>/dev/null && [ $tries -lt 200 ]; do
		tries=$((tries + 1))
		sleep 0.05
	done
	! kill -0 $worker 2>/dev/null
	ok $? "$1 in a kernel that hangs: nothing is left"
}

# median_ratio FILE KERNEL BASELINE SIZE: the kernel's rate as a share of the
# baseline's, by medians of their samples, in a race of time --json.
median_ratio() {
	perl -MJSON::PP -e '
		my ($file, $kernel, $baseline, $n) = @ARGV;
		local $/;
		open(my $in, "<", $file) or die;
		my $t = decode_json(<$in>);
		my %median;
		for my $r (@{$t->{results}}) {
			next if $t->{sizes}[$r->{size}][0] != $n;
			my @s = sort { $a <=> $b } @{$r->{samples} || []};
			$median{$t->{entrants}[$r->{entrant}]{name}} //=
				$s[@s / 2] if @s;
		}
		printf "%.3f\n", $median{$kernel} && $median{$baseline} ?
			$median{$baseline} / $median{$kernel} : 0;' "$@"
}

# ratios_hold FILE KERNEL BASELINE SIZE=LOWEST...: in a race that was timed.
ratios_hold() {
	local file=$1 kernel=$2 baseline=$3 pair ratio
	shift 3
	for pair; do
		ratio=$(median_ratio "$file" "$kernel" "$baseline" "${pair%=*}")
		ok "$(awk -v r="$ratio" -v low="${pair#*=}" \
			'BEGIN { print !(r >= low) }')" \
			"$kernel at ${pair%=*} has $ratio of $baseline, at least ${pair#*=}"
	done
}
