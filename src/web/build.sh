#!/bin/sh
# build.sh FOLDER: puts the program for a page, and all that it fetches, into
# FOLDER/web; in the build folder, where web/ has the program and the shelf.
# EMCC names the compiler, WEB_MEASURED the measurements that the program reads.
#
# What the program reads is in packs: the lines "BYTES PATH", an empty line, and
# the files, compressed as a whole, so that any server will do. Those of a
# language come first; the rest is fetched when the first picture is there.
set -eu
src=$(cd "$(dirname "$0")/../.." && pwd)
out=$1/web
if [ ! -e "$1" ]; then
	mkdir "$1"
	: >"$1/.gemmviz-site"	# it is ours, to be made anew
fi
rm -rf "$out"
mkdir -p "$out/shelf"

# pack NAME: packs the files of the folder web/data that web/NAME.list names.
pack() (
	to=$PWD/$out/$1.pack.gz
	cd web/data
	{
		while read -r file; do
			echo "$(wc -c <"$file") $file"
		done <"../$1.list"
		echo
		xargs cat <"../$1.list"
	} | gzip -9n >"$to"
)

rm -rf web/data
mkdir -p web/data/lessons/zh web/data/lessons/practice/zh web/data/kernels \
	web/data/data web/data/locale
cp "$src"/lessons/[a-z]*.md "$src/lessons/GLOSSARY.md" "$src"/lessons/*.cu \
	web/data/lessons
cp "$src"/lessons/zh/* web/data/lessons/zh
cp "$src"/lessons/practice/*.md web/data/lessons/practice
cp "$src"/lessons/practice/zh/*.md web/data/lessons/practice/zh
cp "$src"/src/kernels/*.cu "$src/src/kernels/ptx.h" web/data/kernels
for file in $WEB_MEASURED; do
	mkdir -p "web/data/${file%/*}"
	cp "$src/$file" "web/data/$file"
done
(
	cd locale
	for mo in */LC_MESSAGES/gemmviz.mo; do
		mkdir -p "../web/data/locale/${mo%/*}"
		sh "$src/po/compile.sh" "$src/po/${mo%%/*}.po" \
			"../web/data/locale/$mo" "$EMCC"
	done
)
cp web/shelf.txt web/data/data

(
	cd web/data
	ls lessons/*.md lessons/*.cu data/shelf.txt >../en.list
	find lessons/zh locale -type f | sort >../zh.list
	find kernels data lessons/practice -type f ! -name shelf.txt | sort >../rest.list
)
pack en
pack zh
pack rest
gzip -9nc web/gemmviz.wasm >"$out/gemmviz.wasm.gz"
cp web/gemmviz.js "$src/src/web/page.js" "$src/src/web/page.css" \
	"$src/src/web/index.html" "$src/src/web/offline.js" "$out"
while read -r _ file _; do
	cp "web/shelf/$file" "$out/shelf"
done <web/shelf.txt
perl "$src/src/web/one.pl" "$out" >web/one.html
