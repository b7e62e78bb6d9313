#!/usr/bin/env bash
# The files of hostile_files.sh whose kernels attack: half of all, in a test of
# their own, for each test has a limit of time.
# sanitized: never (filters are off under sanitizers)
set -- kernel_
. "$srcdir/tests/hostile_files.sh"
