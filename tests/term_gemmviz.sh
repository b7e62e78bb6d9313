#!/bin/sh
# What tests/term_signals shows of a demo holds for the program in a lesson,
# too. A closed pipe is an error there, not a death.
exec "$builddir/tests/term_signals" --play=' ' --except=PIPE \
	"$builddir/gemmviz" --lesson coalescing
