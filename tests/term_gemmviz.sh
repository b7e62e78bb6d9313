#!/bin/sh
# What tests/term_signals shows of a demo holds for the program, too, while it
# plays a trace. A closed pipe is an error there, not a death.
exec "$builddir/tests/term_signals" --play=' ' --except=PIPE,XFSZ \
	"$builddir/gemmviz" view naive
