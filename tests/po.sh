# Every message of the program has its translations, of the same format.
# sanitized: never (it reads texts)
. "$srcdir/tests/tap.sh"

if ! command -v xgettext >/dev/null || ! command -v msgfmt >/dev/null; then
	skip "the translations are complete" "no gettext tools"
	done_testing
	exit
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$srcdir" || exit 1
xgettext --keyword=_ --keyword=N_ --from-code=UTF-8 --no-location \
	-o "$work/all.pot" \
	$(find src -name '*.c' | LC_ALL=C sort) 2>"$work/complaints"
is "$(grep -v 'non-ASCII\|cause problems\|from yours\|^  ' \
	"$work/complaints")" "" "the messages can be collected"
for po in po/*.po; do
	lang=$(basename "$po" .po)
	msgfmt --check-format -o "$work/$lang.mo" "$po" 2>"$work/complaints"
	is "$?:$(cat "$work/complaints")" "0:" "$lang: the formats agree"
	msgmerge --quiet --no-fuzzy-matching -o "$work/$lang.po" "$po" \
		"$work/all.pot"
	is "$(msgattrib --untranslated --no-obsolete "$work/$lang.po" |
		sed '1,/^$/d')" "" \
		"$lang: every message is translated (make update-po shows which)"
done
done_testing
