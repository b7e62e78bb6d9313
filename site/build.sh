#!/usr/bin/env bash
# The site: the lessons as players, in each language, and the documents as
# pages, in a folder that needs no server and nothing from elsewhere.
#
#   site/build.sh FOLDER [LESSON ...]      (in the build folder; else all)
#
# SITE_PROGRAM, if not empty, says that the program itself will be in FOLDER/web.
# The folder is made anew. Pages stand where their Markdown files stand in the
# repository, so that the files' own links hold.
set -eu
src=$(cd "$(dirname "$0")/.." && pwd)
gemmviz=$PWD/gemmviz page=$PWD/site/page
out=$1
shift
if [ -e "$out" ] && [ ! -e "$out/.gemmviz-site" ]; then
	echo "$out is there, and no site" >&2
	exit 2
fi
rm -rf "$out"
mkdir -p "$out/zh" "$out/doc" "$out/data" "$out/lessons/zh"
: >"$out/.gemmviz-site"
cp "$src/site/site.css" "$out"
cp "$src/doc/coalescing.svg" "$out/doc"
cp "$src/data/readers.tsv" "$out/data"
documents="README ARCHITECTURE HACKING SECURITY lessons/CLAIMS lessons/COVERAGE
	lessons/GLOSSARY lessons/zh/GLOSSARY data/README data/SUMMIT
	data/READERS"
for name in INSTALL CHANGES CONTRIBUTING doc/ci doc/gpu doc/release README.zh; do
	[ ! -e "$src/$name.md" ] || documents="$documents $name"
done

# listed LANG: "NAME<tab>TITLE<tab>STEPS<tab>QUESTIONS", a line a lesson.
listed() {
	"$gemmviz" list --lang "$1" --json | perl -MJSON::PP -0777 -ne '
		binmode STDOUT, ":utf8";
		print join("\t", @$_{qw(name title steps questions)}), "\n"
			for @{ decode_json($_)->{lessons} }'
}

# says LANG ENGLISH CHINESE: the one of that language.
says() { case $1 in zh) echo "$3" ;; *) echo "$2" ;; esac; }

escaped() { sed 's/&/\&amp;/g; s/</\&lt;/g; s/"/\&quot;/g'; }

# up PATH: the way from a page to the site's folder.
up() { dirname "$1" | sed 's,[^/.][^/]*,..,g; s,^\.$,,; s,$,/,; s,^/$,,'; }

# language_link LANG OTHER: the way to the page in the other language.
language_link() {
	local to
	to=$(says "$1" zh en)
	echo "<a class=\"language\" lang=\"$to\" hreflang=\"$to\"" \
		"href=\"$2\">$(says "$1" 中文 English)</a>"
}

# framed PATH LANG OTHER: a page with the body on standard input; OTHER is the
# page in the other language, or nothing.
framed() {
	local path=$1 lang=$2 other=$3 root body title home language=
	root=$(up "$path")
	body=$(cat)
	title=$(sed -n 's,^<h1[^>]*>\(.*\)</h1>$,\1,p' <<<"$body" |
		sed 's/<[^>]*>//g; 1q')
	home=${root}$(says "$lang" index.html zh/index.html)
	[ -z "$other" ] || language=$(language_link "$lang" "$other")
	cat >"$out/$path" <<-END
	<!DOCTYPE html>
	<html lang="$lang">
	<head>
	<meta charset="utf-8">
	<meta name="viewport" content="width=device-width, initial-scale=1">
	<title>$title</title>
	<link rel="stylesheet" href="${root}site.css">
	</head>
	<body>
	<header><nav aria-label="$(says "$lang" "Site" "网站")">
	<a href="$home">gemmviz</a>
	<a href="$home#$(says "$lang" the-course 课程)">$(
		says "$lang" "Course" "课程")</a>
	<a href="${root}lessons/$(says "$lang" "" zh/)GLOSSARY.html">$(
		says "$lang" "Terms" "术语")</a>
	<a href="${root}lessons/CLAIMS.html">$(
		says "$lang" "Claims" "说法")</a>
	<a href="${root}data/README.html">$(says "$lang" "Data" "数据")</a>
	<a href="${root}data/SUMMIT.html">$(
		says "$lang" "Summit" "顶峰")</a>
	$language
	</nav></header>
	<main>
	$body
	</main>
	</body>
	</html>
	END
}

# ---- the documents ----

for name in $documents; do
	lang=en other=
	case $name in
	lessons/GLOSSARY) other=zh/GLOSSARY.html ;;
	lessons/zh/GLOSSARY) lang=zh other=../GLOSSARY.html ;;
	README) [ ! -e "$src/README.zh.md" ] || other=README.zh.html ;;
	README.zh) lang=zh other=README.html ;;
	esac
	"$page" <"$src/$name.md" | framed "$name.html" "$lang" "$other"
done

# ---- the lessons ----

# player LANG NAME BEFORE AFTER: a lesson's page, with ways to the site and to
# the lessons beside it ("NAME<tab>TITLE", or nothing).
player() {
	local lang=$1 name=$2 path root nav title
	path=lessons/$(says "$lang" "" zh/)$name.html
	root=$(up "$path")
	"$gemmviz" export --lesson "$name" --lang "$lang" --format html \
		-o "$out/$path.new"
	nav="<style>
	#site { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem;
		padding: .6rem 0; }
	#site a { color: var(--accent); text-decoration: none; }
	#site a:hover { text-decoration: underline; }
	#site .language { margin-left: auto; }
	@media print { #site { display: none; } }
	</style>
	<nav id=\"site\" aria-label=\"$(says "$lang" Site 网站)\">
	<a href=\"${root}$(says "$lang" index.html zh/index.html)\">gemmviz</a>"
	for beside in "← $3" "→ $4"; do
		title=$(cut -f2 <<<"$beside" | escaped)
		beside=$(cut -f1 <<<"$beside")
		[ -z "${beside#* }" ] || nav="$nav
	<a href=\"${beside#* }.html\">${beside%% *} $title</a>"
	done
	nav="$nav
	$(language_link "$lang" "$(says "$lang" zh/ ../)$name.html")
	</nav>"
	NAV=$nav perl -pe 'print "$ENV{NAV}\n" if /^<header>/ && !$done++' \
		"$out/$path.new" >"$out/$path"
	rm "$out/$path.new"
}

# card LANG ROOT NAME TITLE STEPS QUESTIONS: a lesson in the list.
card() {
	local lang=$1 root=$2 name=$3 title
	title=$(escaped <<<"$4")
	cat <<-END
	<li><a href="${root}lessons/$(says "$lang" "" zh/)$name.html">$title</a>
	<span>$(says "$lang" "$5 steps, $6 questions" "$5 步，$6 道题")</span></li>
	END
}

# program_link LANG ROOT: the way to the program in a page, which make web made.
program_link() {
	echo "<p><strong><a href=\"$2web/index.html\">$(says "$1" \
		"Open the program in this browser" "在浏览器里打开程序")</a>" \
		"</strong>$(says "$1" ": every lesson, kernel and drill, with
		nothing to install." "：全部课程、核函数和练习，不用安装。")</p>"
}

for lang in en zh; do
	root=$(says $lang "" ../)
	listed $lang >"$out/lessons.txt"
	if [ $# -gt 0 ]; then
		printf '%s\n' "$@" |
			awk 'NR == FNR { want[$1]; next } $1 in want' \
			FS='\t' - "$out/lessons.txt" >"$out/some.txt"
		mv "$out/some.txt" "$out/lessons.txt"
	fi
	mapfile -t lessons <"$out/lessons.txt"
	rm "$out/lessons.txt"
	list=
	for i in "${!lessons[@]}"; do
		IFS=$'\t' read -r name title steps questions <<<"${lessons[i]}"
		before=
		[ "$i" -eq 0 ] || before=${lessons[i - 1]}
		player $lang "$name" "$before" "${lessons[i + 1]-}"
		part=$(sed -n 's/^part //p' \
			"$src/lessons/$(says $lang "" zh/)$name.md")
		[ -z "$part" ] || list="$list${list:+</ol>
}<h3>$(escaped <<<"$part")</h3>
"
		[ -z "$part" ] && [ "$list" ] || list="$list<ol start=\"$((i + 1))\">
"
		list="$list$(card $lang "$root" "$name" "$title" "$steps" \
			"$questions")
"
	done
	"$gemmviz" export --lesson coalescing --steps 4-5 --rest 4 --lang $lang \
		-o "$out/doc/coalescing.$lang.svg"
	{
		"$page" <"$src/site/index$(says $lang "" .zh).md"
		[ -z "${SITE_PROGRAM-}" ] || program_link $lang "$root"
		printf '<div class="course">\n%s</ol></div>\n' "$list"
	} | framed "$(says $lang "" zh/)index.html" $lang \
		"$(says $lang zh/index.html ../index.html)"
done
rm "$out/doc/coalescing.en.svg"
