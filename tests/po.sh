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
# shellcheck disable=SC2046
xgettext $(cat po/keywords) --from-code=UTF-8 --no-location \
	-o "$work/all.pot" \
	$(find src -name '*.[ch]' ! -path 'src/cuda-headers/*' |
		LC_ALL=C sort) 2>"$work/complaints"
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

# A page's C library knows no place of an argument above the ninth.
is "$(grep -nE '%[1-9][0-9]+\$' po/*.po)" "" "no place above the ninth"

# Each sentence of the program is a message (tests/sentences).
need python3
is "$(tests/sentences 2>&1)" "" "no sentence is outside the catalogue"
# One that is added is found: handed to a function that prints, and as an
# argument of one that translates only its format.
mkdir -p "$work/src/cuda-headers" "$work/po" "$work/tests"
cp po/keywords "$work/po"
: >"$work/tests/sentences.plain"
cat >"$work/src/new.c" <<'EOF'
int f(struct error *e, int n)
{
	printf("%d new cats\n", n);
	puts(_("two known dogs"));
	return error_set(e, 3, "a format of %s",
			 n ? "some birds" : N_("no birds"));
}
EOF
is "$(tests/sentences "$work" | tr '\n' ' ')" \
	"src/new.c:3: '%d new cats\\n' src/new.c:6: 'some birds' " \
	"a sentence outside the catalogue is found"
done_testing
