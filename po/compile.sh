#!/bin/sh
# compile.sh PO MO COMPILER...: makes a catalogue for the programs that COMPILER
# makes. msgfmt leaves the conversions of <inttypes.h> to the C library, which
# catalogue.c is not: here they are written out.
set -e
po=$1 mo=$2
shift 2
{
	echo '#include <inttypes.h>'
	grep -o '<PRI[a-zA-Z0-9]*>' "$po" | sort -u | tr -d '<>' |
		sed 's/.*/<"&"> &/'
} >"$mo.c"
"$@" -E -P "$mo.c" | tr -d '" ' | sed -n 's/^\(<PRI.*>\)\(.*\)$/s|\1|\2|g/p' >"$mo.sed"
sed -f "$mo.sed" "$po" >"$mo.po"
"${MSGFMT:-msgfmt}" --check-format -o "$mo" "$mo.po"
rm "$mo.c" "$mo.sed" "$mo.po"
