#!/bin/bash
# A hundred random shapes of the fastest kernels, each with inputs of its own.
# The seed is the day's; SHAPES_SEED=N takes another.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/gpu_lib.sh"

seed=${SHAPES_SEED:-$(date +%Y%m%d)}
most=50				# sizes of a request
highest=1500

if [ ! -x "$program" ]; then
	skip "random shapes" "built without CUDA"
	done_testing
	exit
fi
gpu_start probe
gpu_say probe '{"type":"time","id":1,"entrants":[{"kernel":"tiled"}],"sizes":[[64,64,64]],"repeat":1}'
gpu_wait probe '"type":"(timed|error)"' 120
if grep -q '"status":6' "$tmp/probe"; then
	skip "random shapes" "no GPU"
	done_testing
	exit
fi
gpu_close probe
echo "# SHAPES_SEED=$seed"

# side STEP: sets `side` to one of 64 to $highest, a multiple of STEP.
state=$seed
side() {
	state=$(((state * 1103515245 + 12345) & 0x7fffffff))
	side=$((64 + (state >> 8) % (highest - 63)))
	side=$((side / $1 * $1))
}

# sizes STEP: N and K are multiples of it.
sizes() {
	list=
	for _ in $(seq $most); do
		side 1
		m=$side
		side "$1"
		n=$side
		side "$1"
		list="$list,[$m,$n,$side]"
	done
	list=${list#,}
}

# said NAME ENTRANT: of each size whether its error was told and within its
# bound, then how it ended.
said() {
	grep '"type":"entrant"' "$tmp/$1" | grep "\"entrant\":$2," | awk '
		function value(name) {
			if (!match($0, "\"" name "\":[^,}]*"))
				return ""
			return substr($0, RSTART + length(name) + 3,
				      RLENGTH - length(name) - 3)
		}
		value("state") == "\"ready\"" {
			held[value("size")] = value("error") != "" &&
				value("error") + 0 <= value("bound") + 0
		}
		value("state") ~ /timed|skipped|failed/ {
			if (value("state") == "\"timed\"" &&
			    held[value("size")])
				print "right"
			else
				print
		}'
}

# tried NAME STEP KERNEL...: a kernel is a JSON object of it.
tried() {
	local name=$1 step=$2 e=0 k entrants=
	shift 2
	for k; do
		entrants=$entrants,$k
	done
	for part in 1 2; do
		sizes "$step"
		gpu_start "$name$part"
		gpu_say "$name$part" '{"type":"time","id":1,"entrants":['"${entrants#,}"'],"sizes":['"$list"'],"repeat":1,"seconds":0.01,"seed":'$((seed + part))'}'
		gpu_wait "$name$part" '"type":"(timed|error)"' 200
		gpu_close "$name$part"
	done
	for k; do
		{ said "${name}1" $e; said "${name}2" $e; } >"$tmp/said"
		e=$((e + 1))
		if grep -q '"text":"[^"]*needs sm_' "$tmp/said"; then
			skip "$k" "another architecture's"
			continue
		fi
		is "$(grep -c '^right$' "$tmp/said")" $((2 * most)) \
			"$k: right at $((2 * most)) random shapes"
		grep -v '^right$' "$tmp/said" | head -n 4 | sed 's/^/# /'
	done
}

tried any 1 '{"kernel":"sgemm"}'
# Those of one type side by side: an answer serves them all.
tried even 8 '{"kernel":"hgemm"}' '{"kernel":"tma_pipeline"}' \
	'{"kernel":"wgmma_basic"}' '{"kernel":"mma_multistage"}' \
	'{"kernel":"hgemm","defines":{"EXPONENT":"8"}}' \
	'{"kernel":"hgemm","defines":{"WIDTH":"32"}}' \
	'{"kernel":"hgemm","defines":{"BM":"120","STAGES":"6","BESIDE":"4"}}'
done_testing
