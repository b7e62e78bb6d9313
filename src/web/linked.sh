#!/bin/sh
# linked.sh CACHE PROGRAM.js COMMAND...: links the program PROGRAM.js with the
# command, unless the folder CACHE has what it makes of the same files.
set -eu
cache=$1 out=$2
shift 2
key=$({
	echo "$@"
	for word; do
		[ ! -f "$word" ] || cat "$word"
	done
} | sha256sum)
kept=$cache/${key%% *}
base=${out%.js}
if [ ! -e "$kept.wasm" ]; then
	"$@" -o "$out"
	cp "$out" "$kept.js"
	cp "$base.wasm" "$kept.wasm"
fi
cp "$kept.js" "$out"
cp "$kept.wasm" "$base.wasm"
