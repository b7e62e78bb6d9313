# A program that is told of several devices: each has its memory, streams, events
# and variables; what the runtime forbids fails as it does there, and is found.
# sanitized: nightly
. "$srcdir/tests/tap.sh"

program=$srcdir/tests/programs/devices.cu
line() { grep -nF -- "$1" "$program" | head -n 1 | cut -d: -f1; }
# run HOW [OPTION]: with two devices unless it says how many
run() {
	"$builddir/gemmviz" run --devices=2 ${2:+"$2"} ${3:+"$3"} "$program" \
		"$1" 2>&1
}

# fine HOW [LINE OF ITS OUTPUT]
fine() {
	got=$(run "$1")
	is "$? $(echo "$got" | grep -c "^| $1\$")" "0 1" "$1: nothing is wrong" ||
		echo "$got" | sed 's/^/# /'
	[ $# -eq 1 ] || like "$got" "^\| $2\$" "$1: $2"
}
fine peer '17 cudaErrorPeerAccessAlreadyEnabled'
like "$got" '4  +3  add +0 -> 1 +1024 bytes from' \
	"what a kernel reads of another device's memory crosses the link"
fine stream cudaSuccess
fine event cudaSuccess
fine elapsed cudaSuccess
fine copy 10
like "$got" 'this copy between devices 0 and 1 goes through the host' \
	"without peer access a copy goes through the host"
fine order 16
fine alone 16
fine default
fine host 8
fine variables '40 7 50 27'
fine product
like "$got" '^ +3 +3 +multiply +1 +48x32x16 +2 +devices.cu' \
	"a product's sizes are known by its parameters"
like "$got" '^ +1 +1 +49152 +0$' "and so are its FLOP"
like "$got" '^ +2 +2 +cudaMemcpyAsync +1 -> 1 +6144 bytes B +2 ' \
	"a copy within a device is one of its own stream"
like "$got" '^ +host +1 +6144 +1$' "bytes are summed for each link"
fine graph '8 9'
fine blas
like "$got" 'cublasSgemm +1 +4x8x2 +2 +devices.cu' \
	"a library's product is of its handle's device and stream"

like "$(run count)" '^\| 2 devices, 0 is current, cudaErrorInvalidDevice, bus 2, can 1$' \
	"a device that there is not cannot be chosen"
like "$(run count)" 'sees 2 devices here: --devices 3 gives it more' \
	"and how it could be is said"
like "$(run count --devices=8)" '^\| 8 devices' "--devices says how many"
like "$("$builddir/gemmviz" run "$program" count 2>&1)" '^\| 1 devices, 0 is current' "else there is one"
is "$("$builddir/gemmviz" run "$program" count 2>&1 | grep -c FLOP)" 0 \
	"of a program with one nothing is said of devices"
for wrong in 0 17 two; do
	run count --devices=$wrong >/dev/null
	is $? 2 "--devices $wrong is refused"
done

# wrong HOW LATER PATTERN: the finding is so many lines behind the one that names
# it
wrong() {
	at=$(($(line "is(how, \"${1#no_}\")") + $2))
	got=$(run "$1")
	is $? 1 "$1 is a fault"
	like "$got" "$(printf "$3" "$at")" "$1 is said" ||
		echo "$got" | sed 's/^/# /'
	like "$got" "^\| $1\$" "$1: the program goes on"
}
wrong no_peer 7 'reads memory of device 0, allocated in line [0-9]+: device 1 needs cudaDeviceEnablePeerAccess\(\) first'
wrong no_stream 4 'devices.cu:%d: fill fails: its stream belongs to device 1, but device 0'
like "$got" '^\| cudaErrorInvalidResourceHandle$' "as the launch does"
wrong no_event 5 'devices.cu:%d: cudaEventRecord fails: its arguments belong to different devices, 0 and 1'
wrong no_elapsed 9 'devices.cu:%d: cudaEventElapsedTime fails'
wrong no_copy 2 'devices.cu:%d: cudaMemcpyPeer: b is the memory of device 1, not'
wrong no_blas 9 'devices.cu:%d: cublasSgemm on device 1 gets a, which is memory of device 0'
wrong no_order 5 'devices.cu:%d: this uses a, and so does fill'
wrong no_alone 3 'devices.cu:%d: this uses a, and so does fill'
wrong no_default 10 'devices.cu:%d: this uses a, and so does fill'
wrong no_host 6 'devices.cu:%d: the host reads pinned, which fill'

json=$(run product --json)
for member in '"works":[{"kind":"transfer"' '"size":[48,32,16]' \
	'"from":null,"to":1,"bytes":6144,"name":"A"' '"turn":3' \
	'"device":1,"launches":1,"flops":49152.0,"other_launches":0' \
	'"number":1,"device":1,"kernel":"multiply"'; do
	case $json in
	*"$member"*) ok 0 "--json has $member" ;;
	*) ok 1 "--json has $member" ;;
	esac
done
done_testing
