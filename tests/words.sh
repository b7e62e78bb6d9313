#!/usr/bin/env bash
# The tree speaks no worse than words.limits allows: names, comments, commit
# subjects and prose, as tests/words counts them. Whoever improves a count moves
# its limit to it, so that it stays.
# sanitized: never (it reads texts)
. "$srcdir/tests/tap.sh"

if ! [ -e "$srcdir/.git" ]; then
	skip "how the tree speaks" "this is not the repository"
	done_testing
	exit
fi
for tool in git python3 ctags; do
	if ! command -v $tool >/dev/null; then
		skip "how the tree speaks" "no $tool here"
		done_testing
		exit
	fi
done
if ! ctags --version | grep -q 'Universal Ctags'; then
	skip "how the tree speaks" "ctags is not Universal Ctags"
	done_testing
	exit
fi

# count NAME: the number that a limit is about, of what words has printed.
count() {
	case $1 in
	one-word-functions)
		sed -n 's/^one-word functions: .*(\(.*\) %)$/\1/p' ;;
	shared-names)
		sed -n 's/^functions whose name another file has: .*(\(.*\) %)$/\1/p' ;;
	struct-tags)
		sed -n 's/^struct tags defined in several files: //p' ;;
	comments-without-verb)
		sed -n 's/^functions. comments with a verb.*: \([0-9]*\) of \([0-9]*\) .*/\1 \2/p' |
			awk '{ printf "%.1f\n", 100 - 100 * $1 / $2 }' ;;
	long-subjects)
		sed -n 's/^commit subjects: .*72 characters \([0-9]*\);.*/\1/p' ;;
	subjects-without-area)
		sed -n "s/^commit subjects: .*without 'area: ' \([0-9]*\)/\1/p" ;;
	prose-tics)
		sed -n 's/^prose: .*(\(.*\) per 1,000)$/\1/p' ;;
	esac
}

said=$(cd "$srcdir" && git -c safe.directory='*' rev-parse >/dev/null &&
	python3 tests/words .)
is $? 0 "the tree is counted"
while read -r name most slack; do
	case $name in '#'* | '') continue ;; esac
	now=$(count "$name" <<<"$said")
	like "$now" '^[0-9.]+$' "$name is counted"
	awk "BEGIN { exit !($now <= $most) }"
	ok $? "$name: $now, at most $most"
	awk "BEGIN { exit !($now >= $most - $slack) }"
	ok $? "$name: $now, and its limit is no more than $slack above that"
done <"$srcdir/tests/words.limits"
done_testing
