#!/bin/bash
# The model against what GPUs have counted, data/counters: of the build in
# which the compiler merges nothing, requests and sectors of a recording made
# now are equal, wavefronts within 1 %; shared stores count up to some 50 more
# in any launch, or 16 fewer. What the counters do not show is left out: how the hardware
# reads fragments from shared memory, and the stores of asynchronous copies.
# Those of 16 bytes at an edge are counted as half a sector each, whatever they
# have in common: up to twice as many.
# sanitized: nightly
. "$srcdir/tests/tap.sh"
export GEMMVIZ_LANG=en
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
gemmviz=$builddir/gemmviz

# member JSON NAME: of a line of data or a report; an object without others in
# it, a list, text or a number.
member() {
	printf '%s\n' "$1" | sed -n 's/.*"'"$2"'":\({[^}]*}\|\[[^]]*\]\|"[^"]*"\|[0-9a-z]*\).*/\1/p'
}

# differences TOTALS COUNTERS [TEXT]: a line for each number that does not
# agree, of those that the kernel's text leaves to be counted.
differences() {
	local opaque=
	grep -qs load_matrix_sync "$3" && opaque=loads
	grep -qs memcpy_async "$3" && opaque=stores
	printf '%s\n%s\n' "$1" "$2" | awk -v opaque="$opaque" '
	function number(json, name) {
		if (!match(json, "\"" name "\":[0-9.eE+]+"))
			return "none"
		return substr(json, RSTART + length(name) + 3,
			      RLENGTH - length(name) - 3)
	}
	function differs(name, more, less,	m, c) {
		m = number(model, name)
		c = number($0, name)
		if (m == "none" || c == "none" ||
		    !(c - m <= more * m + spare &&
		      m - c <= less * m + (spare ? 16 : 0)))
			print name ": the model " m ", counted " c
	}
	NR == 1 { model = $0 }
	NR == 2 {
		spare = 0
		differs("global_load_requests", 0, 0)
		differs("global_load_sectors", opaque == "stores" ? 1 : 0, 0)
		differs("global_store_requests", 0, 0)
		differs("global_store_sectors", 0, 0)
		if (opaque != "loads")
			differs("shared_load_wavefronts", 0.01, 0.01)
		spare = 50
		if (opaque != "stores")
			differs("shared_store_wavefronts", 0.01, 0.01)
	}'
}

# held FILE: each line of it that is of the unoptimized build and of today's
# kernels.
held() {
	local line now what file=${1##*/}
	while IFS= read -r line; do
		[ "$(member "$line" optimized)" = false ] || continue
		what="$file: $(member "$line" kernel | tr -d '"') $(member \
			"$line" m)x$(member "$line" n)x$(member "$line" k)"
		now=$("$gemmviz" report "$(member "$line" kernel | tr -d '"')" \
			-m "$(member "$line" m)" -n "$(member "$line" n)" \
			-k "$(member "$line" k)" --json 2>/dev/null)
		if [ "$(launch_of "$line")" != "$(launch_of "$now")" ]; then
			skip "$what" "an earlier text or launch was counted"
			continue
		fi
		is "$(differences "$(member "$now" totals)" \
			"$(member "$line" counters)" "$srcdir/src/kernels/$(
			member "$line" kernel | tr -d '"').cu")" "" "$what"
	done <"$1"
}

launch_of() {
	echo "$(member "$1" text_hash) $(member "$1" grid) $(member "$1" block)"
}

# A program that times by a formula and counts what the model says, to hold
# the script that adds data, and this one.
cat >"$tmp/gemmviz" <<STANDIN
#!/bin/bash
case \$1 in
time)	exec "$gemmviz" "\$@" --repeat 2 --runner "$builddir/tests/fake_gpu" ;;
report)	for a; do
		shift
		case \$a in
		--counters | --on | gpu | --optimized) ;;
		*) set -- "\$@" "\$a" ;;
		esac
	done
	case "\$*" in
	*float4_at*) echo "gemmviz: not this one" >&2; exit 2 ;;
	esac
	"$gemmviz" "\$@" | sed 's/"totals":{\([^}]*\)}/&,"counters":{\1}/' ;;
*)	exec "$gemmviz" "\$@" ;;
esac
STANDIN
chmod +x "$tmp/gemmviz"
GEMMVIZ=$tmp/gemmviz DATA=$tmp bash "$srcdir/bench/gpu_data.sh" fake \
	tiled float4 float4_at >"$tmp/out" 2>"$tmp/err"
is $? 0 "bench/gpu_data.sh adds data"
counted=$tmp/counters/fake.jsonl
is "$(grep -c '"optimized":false' "$counted") $(grep -c '"optimized":true' \
	"$counted")" "4 4" "of two kernels, two sizes and both builds"
like "$(cat "$tmp/err")" '^float4_at 256x384x192: gemmviz: not this one$' \
	"what cannot be counted is said and left out"
like "$(cat "$counted")" \
	'^\{"kernel":"float4","m":128,"n":192,"k":80,.*"machine":\{"gpu":"test machine' \
	"with the machine"
like "$(cat "$tmp/races/fake.json")" '"label":"tiled TILE=8".*"label":"tiled TILE=16".*"label":"tiled TILE=32".*"label":"float4".*"label":"cuBLAS TF32"' \
	"and a race of all of them"
GEMMVIZ=$tmp/gemmviz DATA=$tmp bash "$srcdir/bench/gpu_data.sh" fake 2>/dev/null
is $? 2 "it replaces nothing"
GEMMVIZ=$tmp/gemmviz DATA=$tmp bash "$srcdir/bench/gpu_data.sh" ../x 2>/dev/null
is $? 2 "and a name is none of a path"
held "$counted"
tiled=$(grep '"kernel":"tiled","m":128.*"optimized":false' "$counted")
changed() {
	differences "$(member "$tiled" totals)" "$(member "$tiled" counters |
		awk -v name="$1" -v by="$2" '
		match($0, "\"" name "\":[0-9]+") {
			v = substr($0, RSTART + length(name) + 3,
				   RLENGTH - length(name) - 3)
			print substr($0, 1, RSTART - 1) "\"" name "\":" \
				int(v * by) substr($0, RSTART + RLENGTH)
		}')"
}
like "$(changed global_load_sectors 1.0001)" '^global_load_sectors: ' \
	"one sector too many is found"
like "$(changed shared_load_wavefronts 0.98)" '^shared_load_wavefronts: ' \
	"and 2 % of the wavefronts"
is "$(changed shared_store_wavefronts 1.009)" "" "but not less than 1 %"
like "$(changed shared_store_wavefronts 0)" '^shared_store_wavefronts: ' \
	"nor none at all"

any=
for f in "$srcdir"/data/counters/*.jsonl; do
	if [ -e "$f" ]; then
		any=yes
		held "$f"
	fi
done
[ -n "$any" ] || skip "what GPUs have counted" "data/counters has none yet"
done_testing
