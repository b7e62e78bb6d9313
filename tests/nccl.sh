# NCCL between the devices of one process: values, order and bytes are right, and
# what would hang or fail on GPUs is found.
# sanitized: nightly
. "$srcdir/tests/tap.sh"

program=$srcdir/tests/programs/nccl.cu
line() { grep -nF -- "$1" "$program" | head -n 1 | cut -d: -f1; }
run() { "$builddir/gemmviz" run --devices=3 "$program" "$1" 2>&1; }

# fine HOW OUTPUT
fine() {
	got=$(run "$1")
	is "$? $(echo "$got" | grep -c "^| $1\$")" "0 1" "$1: nothing is wrong" ||
		echo "$got" | sed 's/^/# /'
	like "$got" "^\| $2\$" "$1: $2"
}
# moves FROM TO BYTES TRANSFERS: on that link, of what was run last
moves() {
	like "$got" "^ +$1 +$2 +$3 +$4\$" "$3 bytes from $1 to $2"
}
fine ranks '3 1 1 version invalid usage .*'
fine sum 'sum: 6 12 \| 6 12 \| 6 12'
# Two thirds of 96 bytes, twice.
moves 0 1 128 1
moves 1 2 128 1
moves 2 0 128 1
like "$got" 'ncclAllReduce +0 -> 1 +128 bytes to +2 +nccl.cu' \
	"a transfer has its buffer, its stream and its line"
is "$(echo "$got" | awk '$3 == "ncclAllReduce" { print $2 }' | sort -u | wc -l)" \
	1 "all of a collective has one turn"
fine broadcast 'broadcast: 2 4 \| 2 4 \| 2 4'
moves 1 2 96 1
moves 2 0 96 1
is "$(echo "$got" | grep -c ' 0 -> 1 ')" 0 "nobody sends to the root"
fine reduce 'reduce: 0 0 \| 0 0 \| 3 6'
moves 0 1 96 1
moves 1 2 96 1
is "$(echo "$got" | grep -c ' 2 -> 0 ')" 0 "the root sends to nobody"
fine gather 'gather: 1 2 2 4 3 6 \| 1 2 2 4 3 6 \| 1 2 2 4 3 6'
moves 2 0 16 1
fine scatter 'scatter: 6 12 \| 18 24 \| 30 36'
moves 0 1 16 1
fine others 'others: 1 2 2 4 3 6 0 0 0 0 0 0 3 6 \| 3 4 6 8 9 12 1 2 2 4 3 6 9 12 \| 5 6 10 12 15 18 0 0 0 0 0 0 15 18'
# 8 bytes to each other, to the root 1, and from the root 2.
moves 0 1 16 2
moves 2 0 16 2
moves 2 1 24 3
fine refused 'refused: 0 0 \| 0 0 \| 0 0'
like "$got" '^\| 4$' "a group with a call that is refused does nothing"
fine place 'place: 1 2 6 8 15 18 \| 1 2 6 8 15 18 \| 1 2 6 8 15 18'
fine ring 'ring: 3 \| 1 \| 2'
moves 0 1 96 1
moves 2 0 96 1
fine sizes 'sizes: 0 \| 1 \| 0'
fine missing 'missing: 7 \| 6 \| 6'
fine calls calls
fine order 'order: 1 \| 2 \| 1'
fine turns 'turns: 4 \| 4 \| 4'
moves 0 1 192 2
fine split 'none, split: 3 1 \| 0 0 \| 3 1'
moves 0 2 4 1
moves 2 0 4 1
fine times 'times: 60 120 \| 60 120 \| 60 120'
fine types types
for want in 'int8 -126 37' 'uint8 250 250' 'int32 -105 -385' 'uint32 3 1' \
	'int64 -2 0' 'uint64 6 9' 'float 3.5 7' 'double 4.75 12.25' \
	'half 2048 5' 'bfloat16 256 5'; do
	like "$got" "^\| $want\$" "a reduction of $want"
done
fine stream 0
fine memory memory
fine large large
fine host host
fine open open
fine destroyed 0
fine arguments '1 4 4 5'
like "$got" '^\| 5 0$' "a device twice is refused, and nothing is sent at once"
like "$got" 'sees 3 devices here: --devices 4' "more ranks than devices"
like "$got" '^\| 0 0 0$' "no communicator may be ended"

# wrong HOW LINE PATTERN ENDS: LINE is behind the one that has this in it, if that
# is a comment; ENDS 1: the program does not go on
wrong() {
	at=$(line "$2")
	case $2 in
	/*) at=$((at + 1)) ;;
	esac
	got=$(run "$1")
	is $? 1 "$1 is a fault"
	like "$got" "$(printf "$3" "$at")" "$1 is said" ||
		echo "$got" | sed 's/^/# /'
	is "$(echo "$got" | grep -c 'it would wait forever')" "$4" \
		"$1: whether it ends"
}
wrong no_ranks '/* ranks */' 'nccl.cu:%d: ncclCommInitRank waits forever' 1
wrong no_sum '/* sum */' 'nccl.cu:%d: ncclAllReduce of rank 0 may never return: it can wait for rank 1, 2, but this thread' 0
like "$got" '^\| sum: 6 12' "its sums are right all the same"
wrong no_broadcast '/* broadcast */' \
	'nccl.cu:%d: ncclBroadcast passes the root 0, but the call at .* passes 1' 1
wrong no_reduce '/* reduce */' 'nccl.cu:%d: ncclReduce passes another operation' 1
wrong no_gather '/* gather */' \
	'nccl.cu:%d: ncclAllGather passes 3 elements, but the call at .* passes 2' 1
wrong no_scatter '/* scatter */' \
	'nccl.cu:%d: ncclReduceScatter passes another element type' 1
wrong no_place '/* place */' 'nccl.cu:%d: ncclAllGather gets two buffers that overlap' 0
wrong no_ring '/* ring */' 'nccl.cu:%d: rank 0 sends data here that rank 1 never receives' 1
wrong no_sizes 'wrong ? n - 1 : n' 'nccl.cu:%d: ncclRecv passes 23 elements, but the call at .* passes 24' 1
wrong no_missing '/* missing */' \
	'nccl.cu:%d: ncclAllReduce of rank 0 waits forever: rank 2 never calls it$' 1
wrong no_calls 'ncclBroadcast(from[r], to[r], n, ncclFloat, 0, comm[r],' \
	'rank 2 calls ncclBroadcast, but rank 0 calls ncclAllReduce' 1
wrong no_order 'add<<<1, 32, 0, other>>>' \
	'nccl.cu:%d: this uses to, and so does ncclBroadcast' 0
wrong no_stream '/* stream */' \
	"nccl.cu:%d: ncclBroadcast fails: its stream belongs to device 0, its communicator to device 1" 0
wrong no_memory '/* memory */' \
	'nccl.cu:%d: ncclBroadcast on device 1 gets to, which is memory of device 0' 0
wrong no_large '/* large */' 'nccl.cu:%d: ncclBroadcast reaches byte 100 of' 0
wrong no_host '/* host */' 'nccl.cu:%d: ncclBroadcast gets an address outside the device' 0
wrong no_open 'is(how, "open")' 'the group that begins here is still open' 0
wrong no_destroyed '/* destroyed */' \
	'nccl.cu:%d: ncclBroadcast gets a communicator that does not exist' 0
like "$got" 'ncclBroadcast of rank 1 waits forever' \
	"what is left at the end is told of"
json=$("$builddir/gemmviz" run --devices=3 --json "$program" no_missing 2>&1)
case $json in
*'"how":"waiting"'*) ok 0 "--json says so" ;;
*) ok 1 "--json says so" ;;
esac
done_testing
