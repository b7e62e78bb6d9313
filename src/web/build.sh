#!/bin/sh
# build.sh FOLDER: puts the program for a page, and all that it fetches, into
# FOLDER/web; in the build folder, where web/ has the program and the shelf. WEB_MEASURED
# names the measurements that the program reads.
#
# What the program reads is in packs: the lines "BYTES PATH", an empty line, and
# the files, compressed as a whole, so that any server will do. Those of a
# language come first; the rest is fetched when the first picture is there.
set -eu
src=$(cd "$(dirname "$0")/../.." && pwd)
out=$1/web
rm -rf "$out"
mkdir -p "$out/shelf"

# pack NAME FILE...: packs files of the folder web/data.
pack() (
	to=$PWD/$out/$1.pack.gz
	shift
	cd web/data
	{
		for file; do
			echo "$(wc -c <"$file") $file"
		done
		echo
		cat "$@"
	} | gzip -9n >"$to"
)

rm -rf web/data
mkdir -p web/data/lessons/zh web/data/kernels web/data/data web/data/locale
cp "$src"/lessons/[a-z]*.md "$src/lessons/GLOSSARY.md" "$src"/lessons/*.cu \
	web/data/lessons
cp "$src"/lessons/zh/* web/data/lessons/zh
cp "$src"/src/kernels/*.cu "$src/src/kernels/ptx.h" web/data/kernels
for file in $WEB_MEASURED; do
	mkdir -p "web/data/${file%/*}"
	cp "$src/$file" "web/data/$file"
done
cp -R locale/. web/data/locale
cp web/shelf.txt web/data/data

# shellcheck disable=SC2046
(
	cd web/data
	ls lessons/*.md lessons/*.cu data/shelf.txt >../en.list
	find lessons/zh locale -type f | sort >../zh.list
	find kernels data -type f ! -name shelf.txt | sort >../rest.list
)
pack en $(cat web/en.list)
pack zh $(cat web/zh.list)
pack rest $(cat web/rest.list)
gzip -9nc web/gemmviz.wasm >"$out/gemmviz.wasm.gz"
cp web/gemmviz.js "$src/src/web/page.js" "$src/src/web/page.css" \
	"$src/src/web/index.html" "$out"
while read -r _ file _; do
	cp "web/shelf/$file" "$out/shelf"
done <web/shelf.txt
