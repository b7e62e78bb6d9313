#!/bin/sh
# object.sh CACHE OBJECT SOURCE COMPILER FLAG...: compiles a file for the page.
# The object is kept in the folder CACHE under the hash of what the compiler
# reads, so that another tree need not compile it again.
set -eu
cache=$1 object=$2 source=$3
shift 3
mkdir -p "$cache" "${object%/*}"
"$@" -E -P -MD -MP -MF "${object%.o}.d" -MT "$object" "$source" -o "$object.i"
key=$({ echo "$@"; cat "$object.i"; } | sha256sum)
rm -f "$object.i"
kept=$cache/${key%% *}.o
if [ ! -e "$kept" ]; then
	"$@" -c "$source" -o "$object.new"
	mv "$object.new" "$kept"
fi
cp "$kept" "$object"
