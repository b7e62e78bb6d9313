#!/usr/bin/env bash
# The wheel and the tarball: what is in them, and that both run from any place
# without a compiler, ncurses or terminfo of the system. `make nightly` makes
# them; without them only the texts that make them are tested.
# sanitized: never (it runs what make wheel has made)
. "$srcdir/tests/tap.sh"
tmp=$(mktemp -d) || exit
session=gemmviz-wheel-$$
trap 'tmux -L "$session" kill-server 2>/dev/null; rm -rf "$tmp"' EXIT
version=$(sed -n 's/^VERSION = //p' "$builddir/Makefile")

is "$(grep -vcE '^#|^[A-Za-z_-]+==[0-9.]+$' "$srcdir/wheel/requirements.txt")" 0 \
	"each tool has one version"
if want python3 "the Python package"; then
	mkdir -p "$tmp/stub/gemmviz/bin"
	cp "$srcdir"/wheel/gemmviz/*.py "$tmp/stub/gemmviz"
	printf '#!/bin/sh\nprintf "<%%s>" "$@"\nexit 3\n' \
		>"$tmp/stub/gemmviz/bin/gemmviz"
	chmod +x "$tmp/stub/gemmviz/bin/gemmviz"
	is "$(PYTHONPATH=$tmp/stub PYTHONDONTWRITEBYTECODE=1 python3 -m gemmviz \
		'two words' x; echo $?)" "<two words><x>3" \
		"the Python package starts the program, whose status is its own"
fi

wheel=$(echo "$builddir/gemmviz-$version"-*.whl)
tarball=$(echo "$builddir/gemmviz-$version"-linux-*.tar.gz)
if ! [ -e "$wheel" ] || ! [ -e "$tarball" ]; then
	skip "the wheel and the tarball" "make tarball was not run"
	done_testing
	exit
fi

like "$(basename "$wheel")" '-py3-none-manylinux_2_[0-9]+_[a-z0-9_]+\.whl$' \
	"the wheel's name has the oldest glibc"
ok $(($(stat -c %s "$wheel") > 5000000)) "it has at most 5 MB"

# bare COMMAND...: with no program in PATH.
bare() {
	env -i HOME="$tmp" LANG=C.UTF-8 PATH="$tmp/none" "$@"
}
mkdir "$tmp/none"
# runs PROGRAM WHAT: it runs, opens a lesson and records a kernel.
runs() {
	is "$(bare "$1" --version 2>&1 | head -1)" "gemmviz $version" "$2 runs"
	bare "$1" --lesson first-kernel --plain >"$tmp/out" 2>&1
	is "$?:$(sed -n 3p "$tmp/out")" "0:1/10  How to read this screen" \
		"... and opens the first lesson without a compiler"
	bare "$1" report bug_first_barrier >"$tmp/out" 2>&1
	is "$?" 1 "... and records a kernel"
}
# complete TREE WHAT: the folder gemmviz in it has all that a bare machine lacks.
complete() {
	local program
	for program in bin/gemmviz libexec/gemmviz/gemmviz-emu \
			libexec/gemmviz/gemmviz-as; do
		is "$(ldd "$1/gemmviz/$program" |
			sed -n 's/ (0x.*//; s/.* => //p' |
			grep -v "^$1/gemmviz/.*/gemmviz\.libs/lib" |
			grep -Ev '/(libc|libm|libz|libdl|libgcc_s|libstdc\+\+)\.so\.')" "" \
			"$2: $program loads libraries from beside it"
	done
	[ -s "$1/gemmviz/share/gemmviz/terminfo/x/xterm-256color" ]
	ok $? "... terminfo is in it"
	like "$(readelf -S "$1/gemmviz/lib/gemmviz/modules/naive.so")" \
		'\.debug_info' "... and kernels with their lines"
}
# licensed TREE LICENCES: each library has a licence.
licensed() {
	local library name
	for library in "$1"/gemmviz.libs/*; do
		name=$(basename "$library")
		name=${name%%-*}
		cat "$2/libraries/${name:0:8}"*/copyright >"$tmp/licence" 2>&1
		ok $? "$name: its licence is in it"
	done
	[ -s "$2/COPYING" ]
	ok $? "... and ours"
}

if want python3 "installing the wheel" &&
		python3 -m venv "$tmp/venv" >"$tmp/log" 2>&1; then
	"$tmp/venv/bin/pip" install -q --no-index "$wheel" >"$tmp/log" 2>&1
	ok $? "pip installs the wheel without the network" ||
		sed 's/^/# /' "$tmp/log"
	site=$(echo "$tmp"/venv/lib/python3*/site-packages)
	runs "$tmp/venv/bin/gemmviz" "the installed wheel"
	complete "$site" "the wheel"
	licensed "$site" "$(echo "$site"/gemmviz-*.dist-info/licenses)"
	for file in man/man1/gemmviz-report.1 man/man7/gemmviz-protocol.7 \
			bash-completion/completions/gemmviz \
			zsh/site-functions/_gemmviz \
			fish/vendor_completions.d/gemmviz.fish; do
		[ -s "$tmp/venv/share/$file" ]
		ok $? "share/$file is installed"
	done
	if want tmux "the first screen"; then
		begun=$SECONDS
		tmux -L "$session" -f /dev/null new-session -d -x 100 -y 30 \
			"env HOME=$tmp PATH=$tmp/none $tmp/venv/bin/gemmviz \
			--lesson first-kernel"
		until tmux -L "$session" capture-pane -p 2>/dev/null |
				grep -q 'How to read this screen' ||
				[ $((SECONDS - begun)) -gt 60 ]; do
			sleep 0.2
		done
		ok $((SECONDS - begun > 10)) \
			"the first lesson is on the screen 10 s later"
	fi
	"$tmp/venv/bin/pip" uninstall -q -y gemmviz >"$tmp/log" 2>&1
	is "$(find "$tmp/venv" -name '*gemmviz*')" "" "pip uninstall leaves nothing"
else
	skip "the wheel, installed" "no python3 with venv"
fi

mkdir "$tmp/a folder"
tar -xzf "$tarball" -C "$tmp/a folder" --strip-components=1
ok $? "the tarball is unpacked"
ln -s "$tmp/a folder/bin/gemmviz" "$tmp/link"
runs "$tmp/link" "the tarball's program, by a link"
complete "$tmp/a folder" "the tarball"
licensed "$tmp/a folder" "$tmp/a folder/licenses"
is "$(find "$tmp/a folder" -name '*.py' -o -name '*.dist-info')" "" \
	"... and nothing of Python's"
done_testing
