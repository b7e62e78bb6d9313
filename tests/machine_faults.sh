#!/bin/bash
# A fault in each opcode: nvdisasm's text is changed so that instructions of one
# opcode do nothing, which is as if the interpreter did not. The report then says
# that its counts are not known; or, where no value depends on it, has the counts
# that it has without the fault. Tried are the opcodes that kernels of ours and
# tests/machine/opcodes.cu execute, of three architectures: with each commit some
# others, all of them with TEST_ALL.
# sanitized: nightly
. "$srcdir/tests/tap.sh"
export GEMMVIZ_LANG=en
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
gemmviz=$builddir/gemmviz
tool=$(GEMMVIZ_LANG=en "$gemmviz" doctor --json |
	grep -q '"name":"machine code","state":"works"' &&
	"$builddir/tests/find_nvdisasm")
if [ -z "$tool" ]; then
	skip "faults" "NVRTC or nvdisasm is not here (pip install nvidia-cuda-nvrtc nvidia-cuda-nvdisasm)"
	done_testing
	exit
fi

# An nvdisasm that makes instructions of the opcode $FAULT never executed.
mkdir -p "$tmp/toolkit/bin"
cat >"$tmp/toolkit/bin/nvdisasm" <<END2
#!/bin/bash
PATH=/usr/bin:/bin
[ "\$1" = --version ] && exec "$tool" --version
exec "$tool" "\$@" | sed -E "s%(/\\*[0-9a-f]{4,}\\*/ +)(@!?U?P[0-9T]+ +)?(\$FAULT[. ])%\\1@!PT \\3%"
END2
chmod +x "$tmp/toolkit/bin/nvdisasm"
export CUDA_HOME=$tmp/toolkit

machine() {
	FAULT=$1 "$gemmviz" report "${@:2}" --machine --json --unconfined 2>&1
}

# result JSON: whether it is known, and its counts.
result() {
	printf '%s\n' "$1" | sed -n 's/.*"machine":{.*"held":"\([a-z]*\)".*"totals":{\([^}]*\)}.*/\1 \2/p;
		s/.*"machine":{.*"held":"no".*/no/p'
}

# opcodes JSON: those that were executed.
opcodes() {
	printf '%s\n' "$1" | grep -o '"text":"[A-Z0-9]*[^"]*","line":[0-9null]*,"executed":[1-9]' |
		sed 's/"text":"\([A-Z0-9]*\).*/\1/' | sort -u
}

own() {
	printf '%s ' "$srcdir/tests/machine/opcodes.cu" --block 64 --grid 2 --entry "$@"
}
pairs='--array in=128 --array other=128 --array out=128 --arg n=9'
all=(
	"$(own whole $pairs)" "$(own reals $pairs)" "$(own doubles $pairs)"
	"$(own halves --array in=256 --array other=256 --array out=256)"
	"$(own lanes --array in=128 --array out=128 --array total=64 --arg n=8)"
	"$(own stack --array in=1024 --array out=64 --arg n=40)"
	"tiled -m 32 -n 32 -k 32" "double_buffered -m 32 -n 32 -k 32"
	"mma" "wmma"
)

# try_kernel ARCH LAUNCH...: leaves out each opcode, or some.
try_kernel() {
	local good now known list opcode fault
	good=$(machine NONE "${@:2}" --arch "$1")
	known=$(result "$good")
	case $known in
	answer* | addresses*) ;;
	*)
		is "$known" "known" "$* without a fault"
		return
		;;
	esac
	list=$(opcodes "$good")
	echo "$list" >>"$tmp/tried"
	[ -n "${TEST_ALL-}" ] || list=$(echo "$list" | sed -n \
		"$((tap_turn % $(echo "$list" | wc -l) + 1))p")
	for opcode in $list; do
		grep -qx "$1 $opcode" "$tmp/noticed" && continue
		now=$(machine "$opcode" "${@:2}" --arch "$1")
		fault=$(result "$now")
		[ "$fault" = no ] && echo "$1 $opcode" >>"$tmp/noticed"
		is "$([ "$fault" = no ] || echo "${fault:-$now}" | cut -c-200)" \
			"$([ "$fault" = no ] || echo "$known" | cut -c-200)" \
			"$1 ${2##*/} ${8-} without $opcode: ${fault%% *}"
	done
}

touch "$tmp/noticed"
for arch in sm_75 sm_80 sm_90; do
	for launch in "${all[@]}"; do
		[ "$arch-$launch" = sm_75-mma ] && continue	# not for it
		in_turn 7 || continue
		try_kernel $arch $launch
	done
done
if [ -n "${TEST_ALL-}" ]; then
	sort -u "$tmp/tried" >"$tmp/all"
	echo "# $(wc -l <"$tmp/all") opcodes"
	# Those order lanes and accesses, which a run does anyway, or make what
	# is there already in these kernels (0, the address of the block's memory).
	printf '%s\n' BMOV BSSY BSYNC CS2R DEPBAR FCHK LDGDEPBAR NOP ULEA USHF \
		WARPSYNC >"$tmp/harmless"
	is "$(sed 's/.* //' "$tmp/noticed" | sort -u - "$tmp/harmless" |
		comm -13 - "$tmp/all" | xargs)" "" \
		"each opcode's fault is noticed in some kernel"
fi
done_testing
