#!/bin/bash
# record_cost.sh GEMMVIZ: what a recording costs as M, N and K grow, and with a
# sample of the blocks: rows for data/README.md. The seconds are of processor
# time, of recorder and interface together, the least of REPEAT runs (3): others
# use the machine, too. All on one core, where no process helps the recorder.
gemmviz=${1:?usage: record_cost.sh GEMMVIZ}
trace=$(mktemp) || exit
trap 'rm -f "$trace"' EXIT
TIMEFORMAT='%U %S'
core=$(taskset -cp $$ | sed 's/.* //; s/[-,].*//')

# Seconds and what was said of one recording.
once() {
	{ time taskset -c "$core" "$gemmviz" record "$@" --force -o "$trace" 2>/dev/null; } 2>&1 |
		tr '\n' ' '
}

# row KERNEL M N K SAMPLE, 0: all blocks
row() {
	local words=("$1" -m "$2" -n "$3" -k "$4") all
	[ "$5" = 0 ] || words+=(--sample "$5")
	all=$(for ((i = 0; i < ${REPEAT:-3}; i++)); do
		once "${words[@]}"
		echo
	done)
	awk -v kernel="$1" -v size="$2 x $3 x $4" -v sample="$5" \
	    -v bytes="$(stat -c %s "$trace")" '
	{
		seconds = $(NF - 1) + $NF
		least = NR == 1 || seconds < least ? seconds : least
		for (i = 2; i <= NF; i++)
			if ($i == "events")
				events = $(i - 1)
	}
	END {
		printf "| %s | %s | %s | %.2f | %.1f | %.2f | %.0f |\n", kernel, size,
			sample ? sample : "all", events / 1e6, bytes / 1e6, least,
			events / 1e6 / least
	}' <<<"$all"
}

echo '| kernel | M x N x K | blocks | million events | MB | seconds | million events/s |'
echo '|---|---|---|---|---|---|---|'
for kernel in tiled hgemm; do
	row $kernel 256 256 256 0
	row $kernel 512 256 256 0
	row $kernel 256 512 256 0
	row $kernel 256 256 512 0
	row $kernel 512 512 512 0
done
for kernel in naive tiled float4 sgemm wmma mma mma_multistage wgmma_basic \
	tma_pipeline hgemm; do
	row $kernel 192 192 192 0
done
for sample in 1 4 16 64; do
	row tiled 1024 1024 1024 $sample
done
row tiled 1024 1024 2048 16
