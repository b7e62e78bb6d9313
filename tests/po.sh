# Every message of the program has its Chinese, of the same format.
. "$srcdir/tests/tap.sh"

if ! command -v xgettext >/dev/null || ! command -v msgfmt >/dev/null; then
	skip "the Chinese is complete" "no gettext tools"
	done_testing
	exit
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$srcdir" || exit 1
xgettext --keyword=_ --keyword=N_ --from-code=UTF-8 --no-location \
	--sort-output -o "$work/all.pot" \
	$(find src -name '*.c' | LC_ALL=C sort) 2>"$work/complaints"
is "$(grep -v 'non-ASCII\|cause problems\|from yours\|^  ' \
	"$work/complaints")" "" "the messages can be collected"
msgfmt --check-format -o "$work/zh.mo" po/zh.po 2>"$work/complaints"
is "$?:$(cat "$work/complaints")" "0:" "the formats agree"
msgmerge --quiet --no-fuzzy-matching -o "$work/zh.po" po/zh.po "$work/all.pot"
is "$(msgattrib --untranslated --no-obsolete "$work/zh.po" |
	sed '1,/^$/d')" "" \
	"every message has its Chinese (make update-po shows which)"
done_testing
