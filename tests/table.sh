# shellcheck shell=sh
# table.sh: the kernels of the table, for tests that go through all of them.
# Source it after tap.sh.

# kernels right|wrong: names; wrong are those of the museum.
kernels() {
	case $1 in
	right)	pick='/"museum":/d' ;;
	wrong)	pick='/"museum":/!d' ;;
	esac
	"$builddir/gemmviz" list --json | sed 's/.*"kernels"://; s/"programs":.*//' |
		tr '{' '\n' |
		sed -n "$pick;s/.*\"name\":\"\([a-z0-9_]*\)\".*/\1/p"
}

# takes KERNEL OPTION...: whether it takes this size.
takes() {
	"$builddir/gemmviz" record "$@" --blocks 0,0 -o /dev/null --force \
		>/dev/null 2>&1
	[ $? -ne 2 ]
}

# by_tma KERNEL: whether it lets TMA bring its tiles, which the hardware counts
# as no loads, and which cannot be recorded on the GPU.
by_tma() {
	grep -q tma_load "$srcdir/src/kernels/$1.cu"
}
