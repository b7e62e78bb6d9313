#!/usr/bin/env bash
# What configure says when something that the build needs is not there.
# sanitized: never (it builds)
. "$srcdir/tests/tap.sh"

tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit

# configured ARGUMENT...: sets status and err.
configured() {
	err=$("$srcdir/configure" -q --without-cuda "$@" 2>&1 >/dev/null)
	status=$?
}

mkdir "$tmp/none"
configured PKG_CONFIG_LIBDIR="$tmp/none" PKG_CONFIG_PATH="$tmp/none"
is "$status" 1 "missing libraries end it"
like "$err" 'apt-get install libjansson-dev libdw-dev libzstd-dev libmd-dev libmd4c-dev libseccomp-dev libncurses-dev\)' \
	"all of them are named at once, by their packages"

configured KERNEL_CXX="$tmp/none/g++"
is "$status" 1 "without g++ it ends"
like "$err" 'kernels can be recorded only when g\+\+ compiles them' \
	"and says what g++ is for"

# A clang++ by any name.
cat >clangish <<'END'
#!/bin/sh
exec g++ -D__clang__ "$@"
END
chmod +x clangish
configured KERNEL_CXX="$tmp/clangish"
is "$status" 1 "clang++ is not taken for g++"
like "$err" 'clangish is not g\+\+' "and is named"

err=$("$srcdir/configure" -q --with-cuda=/nowhere NVCC= 2>&1 >/dev/null)
is "$?" 1 "--with-cuda without an nvcc ends it"
like "$err" 'no nvcc that works was found' "and says so"

done_testing
