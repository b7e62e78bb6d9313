#!/bin/sh
# make_wheel.sh SRCDIR VERSION PREFIX: makes gemmviz-VERSION-py3-none-PLATFORM.whl
# of the installed tree in wheel/installed. Runs in the build folder; wheel/tools is
# a venv with the tools of requirements.txt.
set -eu
srcdir=$1 version=$2 prefix=$3
tools=wheel/tools/bin
tree=wheel/tree

# Terminals whose terminfo is brought, of those that this machine knows.
terminals='xterm xterm-256color screen screen-256color tmux tmux-256color linux
	vt100 alacritty foot kitty rxvt-unicode-256color xterm-ghostty xterm-kitty'

die() {
	echo "make_wheel.sh: $*" >&2
	exit 1
}

# Prints the libraries that a program loads, one path a line; not those of the C
# and C++ compilers and zlib, which auditwheel expects everywhere.
list_libraries() {
	ldd "$1" | awk '$2 == "=>" { print $3 }' | grep -Ev \
		'/(libc|libm|libdl|libpthread|librt|libgcc_s|libstdc\+\+|libz)\.so' || :
}

# Copies the licence of the package that a library comes from, and the licences
# that it refers to, into the folder libraries/PACKAGE.
copy_licence() {
	package=$(dpkg-query -S "$(readlink -f "$1")" "$1" 2>/dev/null |
		sed -n '1s/[:,].*//p')
	[ -n "$package" ] || die "no package has $1: where is its licence?"
	mkdir -p "$tree/libraries/$package"
	cp "/usr/share/doc/$package/copyright" "$tree/libraries/$package/"
	grep -o '/usr/share/common-licenses/[A-Z][A-Za-z0-9.-]*[0-9A-Za-z]' \
		"/usr/share/doc/$package/copyright" | sort -u |
	while read -r text; do
		[ ! -e "$text" ] || cp -L "$text" "$tree/libraries/$package/"
	done
}

rm -rf "$tree" wheel/built
mkdir -p "$tree" wheel/built
cp "$srcdir/wheel/hatch_build.py" "$srcdir/README.md" "$srcdir/COPYING" "$tree"
sed "s/\"VERSION\"/\"$version\"/" "$srcdir/wheel/pyproject.toml" \
	>"$tree/pyproject.toml"

# The program, with its folders around it; what other programs look for, apart.
cp -R "wheel/installed$prefix" "$tree/gemmviz"
cp "$srcdir"/wheel/gemmviz/*.py "$tree/gemmviz"
mv "$tree/gemmviz/bin/gemmviz-course" "$tree"
mkdir "$tree/share"
for part in man bash-completion zsh fish; do
	mv "$tree/gemmviz/share/$part" "$tree/share"
done

# Only the programs are stripped: a kernel's lines and variables are its own.
programs="$tree/gemmviz/bin/gemmviz $tree/gemmviz/libexec/gemmviz/*"
strip $programs
for library in $(for program in $programs; do
		list_libraries "$program"; done | sort -u); do
	copy_licence "$library"
done
for terminal in $terminals; do
	infocmp -x "$terminal" 2>/dev/null || :
done >wheel/terminals
tic -x -o "$tree/gemmviz/share/gemmviz/terminfo" wheel/terminals

"$tools/python" -m build --wheel --no-isolation --outdir wheel/built "$tree" \
	>wheel/log 2>&1 || { cat wheel/log; die "the wheel was not built"; }
PATH=$PWD/$tools:$PATH "$tools/auditwheel" repair -w . wheel/built/*.whl \
	>wheel/log 2>&1 || { cat wheel/log; die "auditwheel refused the wheel"; }
