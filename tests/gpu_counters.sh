#!/bin/sh
# The model against the hardware's counters, on the build in which the
# compiler merges nothing: requests and sectors are equal, wavefronts within
# 1 %, but that stores count up to some 50 more in any launch. What the counters
# do not show is left out: how the hardware reads wmma's fragments from shared
# memory, and the stores of asynchronous copies. Wavefronts of loads are
# ldmatrix's, too. Kernels of which TMA moves most are left out altogether.
#
# Asynchronous copies of 16 bytes are counted as half a sector each, whatever
# they have in common. sgemm's have, where N is no multiple of its tile's
# columns. It has few steps here, so that none are shared out: among how many
# blocks they would be, is the GPU's to say.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/table.sh"
export GEMMVIZ_LANG=en

gemmviz=$builddir/gemmviz
said=$("$gemmviz" report naive -m 8 -n 8 -k 8 --counters --json 2>&1)
status=$?
if [ $status -ne 0 ]; then
	skip "the hardware's counters" "$(echo "$said" | tail -n 1)"
	done_testing
	exit
fi

# number TEXT NAME
number() {
	echo "$1" | sed -n "s/.*\"$2\":\([0-9.eE+]*\).*/\1/p"
}

# held NAME ARGUMENT...
held() {
	name=$1
	shift
	json=$("$gemmviz" report "$@" --counters --json)
	model=$(echo "$json" | sed 's/.*"totals":{\([^}]*\)}.*/\1/')
	counted=$(echo "$json" | sed 's/.*"counters":{\([^}]*\)}.*/\1/')
	for what in global_load_requests global_load_sectors \
		global_store_requests global_store_sectors; do
		case "$name $what" in
		"sgemm -m "*" -n 64 "*load_sectors | \
			"sgemm -m "*" -n 192 "*load_sectors)
			continue ;;
		esac
		m=$(number "$model" $what)
		c=$(number "$counted" $what)
		[ -n "$c" ] && awk "BEGIN { exit $m != $c }"
		ok $? "$name: $what, $m, counted $c"
	done
	for what in shared_load_wavefronts shared_store_wavefronts; do
		spare=0
		m=$(number "$model" $what)
		c=$(number "$counted" $what)
		case "$name $what" in
		wmma*load* | double_buffered*store* | mma_multistage*store* | \
			sgemm*store*)
			continue ;;
		*store*) spare=50 ;;
		esac
		[ -n "$c" ] && awk -v m="$m" -v c="$c" -v s=$spare \
			'BEGIN { exit !(m - c <= m / 100 && c - m <= m / 100 + s) }'
		ok $? "$name: $what, $m, counted $c"
	done
}

for size in "-m 64 -n 64 -k 64" "-m 128 -n 192 -k 80" "-m 64 -n 128 -k 48" \
	"-m 350 -n 250 -k 165"; do
	for k in $(kernels right) "naive -D BLOCK=8" "naive -D BLOCK=32" \
		"naive_swapped -D BLOCK=32" "tiled -D TILE=8" \
		"tiled -D TILE=32" "tiled_bt -D TILE=16"; do
		by_tma "${k%% *}" && continue
		[ "$k $size" = "sgemm -m 350 -n 250 -k 165" ] && continue
		# shellcheck disable=SC2086
		takes $k $size && held "$k $size" $k $size
	done
done
for size in "-m 128 -n 256 -k 80" "-m 350 -n 250 -k 85"; do
	# shellcheck disable=SC2086
	held "sgemm $size" sgemm $size
done
held "mixed.cu" "$srcdir/tests/kernels/mixed.cu" --block 64 --grid 1 -k 8
held "lanes.cu" "$srcdir/tests/kernels/lanes.cu" --block 32 --grid 1 -n 8
done_testing
