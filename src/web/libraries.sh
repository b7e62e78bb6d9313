#!/bin/sh
# libraries.sh FOLDER: puts the sources of the libraries that the page's program
# is linked with into the folder, in the versions that Debian 12 has. They come
# with apt, from where this machine's own packages come.
set -eu
sources='jansson=2.14-2 md4c=0.4.8-1 libzstd=1.5.4+dfsg2-5'

# Prints one of apt's lists, which name packages, as one that names sources.
to_sources() {
	case $1 in
	*.sources) sed 's/^Types:.*/Types: deb-src/' "$1" ;;
	*) sed -n 's/^deb /deb-src /p' "$1" ;;
	esac
}

have() {
	[ -e "$1/jansson.done" ] && [ "$(cat "$1/jansson.done")" = "$sources" ]
}

mkdir -p "$1"
cd "$1"
have . && exit
command -v apt-get >/dev/null || {
	echo "libraries.sh: no apt-get to fetch $sources with" >&2
	exit 1
}
rm -rf apt
mkdir -p apt/lists/partial apt/archives/partial apt/parts
for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.sources \
	/etc/apt/sources.list.d/*.list; do
	[ ! -s "$list" ] || to_sources "$list" >"apt/parts/${list##*/}"
done
set -- -q -o Dir::State::lists="$PWD/apt/lists" -o Dir::Cache="$PWD/apt" \
	-o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$PWD/apt/parts"
{
	apt-get "$@" update &&
	apt-get "$@" source --tar-only $sources
} >apt.log 2>&1 || {
	cat apt.log >&2
	exit 1
}
rm -rf apt jansson-* md4c-* zstd-*
for archive in jansson_*.tar.* md4c_*.tar.* libzstd_*.tar.*; do
	tar -xf "$archive"
done
for name in jansson md4c zstd; do
	rm -rf "$name"
	mv "$name"-[0-9r]* "$name"
done
echo "$sources" >jansson.done
