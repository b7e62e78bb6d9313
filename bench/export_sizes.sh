#!/usr/bin/env bash
# How large each lesson's export is in each format, and how long it takes:
#
#   ../bench/export_sizes.sh [LESSON ...]      (in the build folder)
#
# A line for each lesson: its name, then kB and seconds for each format. Of md
# the pictures beside it count, too. Nothing is kept.
set -eu
gemmviz=$PWD/gemmviz
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
formats='txt ansi svg gif html cast md'
if [ $# -eq 0 ]; then
	lessons=$("$gemmviz" list --lang en --json |
		perl -MJSON::PP -0777 -ne '
		my $j = decode_json($_);
		print "$_->{name}\n" for @{ $j->{lessons} }')
	# shellcheck disable=SC2086
	set -- $lessons
fi
printf '%-16s' lesson
for f in $formats; do
	printf '%10s kB   s' "$f"
done
echo
for lesson; do
	printf '%-16s' "$lesson"
	for f in $formats; do
		mkdir "$tmp/out"
		from=$(date +%s%N)
		"$gemmviz" export --lesson "$lesson" -o "$tmp/out/$lesson.$f"
		to=$(date +%s%N)
		printf '%10d %5.1f' \
			"$(cat "$tmp"/out/* | wc -c | awk '{ print int($1 / 1000) }')" \
			"$(awk "BEGIN { print ($to - $from) / 1e9 }")"
		rm -r "$tmp/out"
	done
	echo
done
