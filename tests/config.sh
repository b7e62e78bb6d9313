#!/usr/bin/env bash
# The reader's settings: what they change, what counts for more, and where a
# line is wrong.
. "$srcdir/tests/tap.sh"
gemmviz=$(cd "$builddir" && pwd)/gemmviz
tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
export XDG_CONFIG_HOME=$tmp/config
file=$XDG_CONFIG_HOME/gemmviz/config
mkdir -p "$tmp/config/gemmviz"
unset GEMMVIZ_MOTION

# settings LINE...: all that is set.
settings() {
	printf '%s\n' "$@" >"$file"
}

# refused LINES ERROR: every command but doctor warns of it, and runs.
refused() {
	printf '%b' "$1" >"$file"
	is "$("$gemmviz" list 2>&1 >/dev/null); $?" \
		"gemmviz: ignored in the settings: $file:$2; 0" "${2#*: }"
}

# screen KEYS COMMAND...: what a terminal is sent.
screen() {
	local keys=$1
	shift
	"$builddir/tests/pty_screen" "$tmp/raw" "$keys"$'\f' "$gemmviz" "$@" \
		>/dev/null 2>&1
	# What Ctrl-L draws: before, parts come as fast as the machine is.
	perl -0777 -pe 's/.*\e\[2J//s' "$tmp/raw"
}

# ---- the language ----
settings '# mine' '' 'language = zh'
like "$("$gemmviz" --help)" '用法' "the language"
printf '\357\273\277language = zh\r\n\r' >"$file"
like "$("$gemmviz" --help)" '用法' "... in a file as other systems write it"
settings 'language = zh'
like "$(LANG=en_GB.UTF-8 "$gemmviz" --help)" '用法' "... before the locale's"
like "$(GEMMVIZ_LANG=en "$gemmviz" --help)" 'usage' "... after GEMMVIZ_LANG"
like "$("$gemmviz" --lang en --help)" 'usage' "... and after --lang"
like "$(XDG_CONFIG_HOME=/nonexistent "$gemmviz" --help)" 'usage' \
	"another folder"
mkdir -p "$tmp/home/.config"
cp -r "$XDG_CONFIG_HOME/gemmviz" "$tmp/home/.config"
like "$(XDG_CONFIG_HOME='' HOME=$tmp/home "$gemmviz" --help)" '用法' \
	"... the home's"
like "$(XDG_CONFIG_HOME='' HOME='' "$gemmviz" --help)" 'usage' "... or none"

# ---- the theme ----
settings ''
# Opened at once: of what is recorded first, more or less is seen.
"$gemmviz" record naive -o "$tmp/naive.gvt" >/dev/null
dark=$(screen "" view "$tmp/naive.gvt" --theme dark --motion off | cksum)
light=$(screen "" view "$tmp/naive.gvt" --theme light --motion off | cksum)
ok "$([ "$dark" != "$light" ]; echo $?)" "themes differ on the screen"
settings 'theme = light' 'motion=off'
is "$(screen "" view "$tmp/naive.gvt" | cksum)" "$light" "the theme"
is "$(screen "" view "$tmp/naive.gvt" --theme dark | cksum)" "$dark" \
	"... after --theme"

# ---- keys ----
settings ''
lane=$(screen l view "$tmp/naive.gvt" --motion off | cksum)
none=$(screen z view "$tmp/naive.gvt" --motion off | cksum)
ok "$([ "$lane" != "$none" ]; echo $?)" "l does something, and z does not"
settings 'key z = l' 'key l = z' 'motion = off'
is "$(screen z view "$tmp/naive.gvt" | cksum)" "$lane" \
	"a key that does what another does"
is "$(screen l view "$tmp/naive.gvt" | cksum)" "$none" "... which does something else"

# ---- the runner ----
printf '#!/bin/sh\necho "$@" >>%s/asked\nexec %s/gemmviz-emu\n' "$tmp" \
	"$builddir" >"$tmp/runner"
chmod +x "$tmp/runner"
settings "runner = '$tmp/runner' --here  # no comment"
"$gemmviz" report naive -m 16 -n 16 -k 16 >/dev/null 2>&1
is "$?:$(cat "$tmp/asked" 2>/dev/null)" "0:" "no runner for the CPU"
"$gemmviz" report naive -m 16 -n 16 -k 16 --on gpu >/dev/null 2>"$tmp/err"
is "$(cat "$tmp/asked")" "--here # no comment" "the runner, for the GPU"
rm "$tmp/asked"
"$gemmviz" time naive --size 64 >/dev/null 2>&1
is "$(cat "$tmp/asked")" "--here # no comment" "... and to time"
rm "$tmp/asked"
"$gemmviz" time naive --size 64 --runner false >/dev/null 2>&1
ok "$([ ! -e "$tmp/asked" ]; echo $?)" "... after --runner"

# ---- the GPU whose times are shown ----
settings 'gpu = h100'
like "$("$gemmviz" race --plain | grep "^Race:")" ', on NVIDIA H100 80GB HBM3, ' \
	"the GPU whose times are shown"
like "$(GEMMVIZ_GPU=h200 "$gemmviz" race --plain | grep "^Race:")" \
	', on NVIDIA H200, ' "... after GEMMVIZ_GPU"
settings ''
like "$("$gemmviz" race --plain | grep "^Race:")" ', on NVIDIA H200, ' \
	"else the one of which the most was timed"

# ---- what is wrong ----
refused 'theme = dark\n\ntheme = drak\n' \
	"3: no theme 'drak' (dark, light or mono)"
refused 'language = xx\n' "1: no language 'xx' (available: $(
	XDG_CONFIG_HOME=/nonexistent "$gemmviz" list --lang xx 2>&1 |
		sed 's/.*available: //; s/ (gemmviz list.*//')"
refused 'motion = maybe\n' "1: motion is on or off, not 'maybe'"
refused "runner = 'ssh\n" "1: --runner: a quote is not closed in ''ssh'"
refused 'theem = dark\n' "1: no setting 'theem'; did you mean theme?"
refused 'colour = dark\n' "1: no setting 'colour'"
refused 'theme dark\n' "1: expected NAME = VALUE"
refused 'theme =   \r\n' "1: theme has no value"
refused 'key xx = up' "1: no key 'xx': give a character, or one of up down left \
right home end page-up page-down tab back-tab enter escape backspace delete \
space f1"
refused 'key x up' "1: expected NAME = VALUE"
printf 'theme = dark\0\n' >"$file"
is "$("$gemmviz" list 2>&1); $?" "gemmviz: $file is not text; 3" "a zero byte"
printf 'theme = dark\n#\377\n' >"$file"
is "$("$gemmviz" list 2>&1); $?" "gemmviz: $file is not text; 3" "not UTF-8"

# ---- doctor ----
settings 'theme = drak'
like "$("$gemmviz" doctor 2>&1 | tr -s ' \n' ' ')" \
	"! settings [^ ]*config/gemmviz/config:1: no theme 'drak'.*Correct" \
	"doctor runs, and says what is wrong"
settings 'theme = dark' 'key = = up' 'key j = down'
like "$("$gemmviz" doctor 2>&1 | tr -s ' \n' ' ')" \
	'\+ settings [^ ]*config/gemmviz/config: theme, key ' \
	"... and what is set"
settings 'gpu = voodoo'
like "$("$gemmviz" doctor 2>&1 | tr -s ' \n' ' ')" \
	'config: gpu There are no recorded times of the GPU that the setting gpu names' \
	"... and that no times are of such a GPU"
done_testing
