#!/usr/bin/env bash
# What bash, zsh and fish complete: each is asked for the same lines.
# sanitized: never (shells run)
. "$srcdir/tests/tap.sh"
tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/sub"
touch "$tmp/mine.py" "$tmp/mine.ipynb" "$tmp/mine.cu" "$tmp/mine.gvt" "$tmp/mine.md" "$tmp/mine.h"
cd "$tmp" || exit
helper=/usr/share/bash-completion/bash_completion

# A shell's answers to a line, one each, sorted.
ask_bash() {
	bash --norc -c '
		. "$1"
		. "$2/complete/gemmviz"
		# A function that is called has nobody to tell this.
		compopt() { :; }
		line=$3
		# Words as readline parts them.
		mapfile -t COMP_WORDS < <(sed "s/[=:]/\n&\n/g; s/ \+/\n/g" \
			<<<"$line" | sed "/^$/d")
		[[ $line == *[=\ ] ]] && COMP_WORDS+=("")
		COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
		COMP_LINE=$line COMP_POINT=${#line} COMPREPLY=()
		_gemmviz
		printf "%s\n" "${COMPREPLY[@]}"' \
		- "$helper" "$builddir" "$1" | sort
}

ask_zsh() {
	zsh -f "$srcdir/tests/complete.zsh" "$builddir/complete" "$1" | sort
}

ask_fish() {
	fish -N -c '
		source $argv[1]/complete/gemmviz.fish
		complete -C $argv[2]' "$builddir" "$1" | cut -f1 | sort
}

# has LINE WORD...: among what completes the line; of TILE=1 a shell may give
# what is behind the = alone.
has() {
	local line=$1 word given left=
	shift
	given=$("ask_$shell" "gemmviz $line")
	for word; do
		grep -qxF -e "$word" -e "${word#*=}" <<<"$given" ||
			left="$left $word"
	done
	is "$left" "" "$shell: gemmviz $line"
	[ -z "$left" ] || sed 's/^/#   /' <<<"$given"
}

# lacks LINE WORD...
lacks() {
	local line=$1
	shift
	is "$("ask_$shell" "gemmviz $line" |
		grep -xF -e "$(printf '%s\n' "$@")")" "" \
		"$shell: gemmviz $line, and not $*"
}

# shellcheck disable=SC2046	# names, a word each
try() {
	shell=$1
	has '' $("$builddir/gemmviz" --help |
		sed -n '/^commands/,/^$/s/^  \([a-z]*\) .*/\1/p')
	has 're' record report
	lacks 're' view
	has '--lesson ' $("$builddir/gemmviz" --plain | sed 's/ .*//') mine.md
	lacks '--lesson ' mine.cu
	has '--theme ' dark light mono
	has '--lang ' en zh
	has 'export naive --view ' sectors devices
	for command in view diff; do
		has "$command " $("$builddir/gemmviz" list |
			sed '1,/^kernels/d; /^ /!d; s/^  //; s/ .*//') \
			mine.cu mine.gvt
	done
	lacks 'view ' mine.md mine.h
	has 'watch ' mine.cu mine.py mine.ipynb
	has 'help ' report watch
	lacks 'help ' mine.cu
	has 'run ' across_gpus mine.cu
	lacks 'run ' naive mine.gvt
	lacks 'watch ' mine.gvt naive
	has 'view tiled -D ' TILE=8 TILE=16 TILE=32
	has 'view tiled -D TILE=1' TILE=16
	lacks 'view tiled -D TILE=1' TILE=8 8
	has 'view --on ' cpu gpu
	has 'report --unc' --unconfined
	lacks 'list --unc' --unconfined
	has 'export tiled --format ' svg gif html
	has 'export tiled --beat ' request phase
	has 'drill ' sectors barriers
	has 'class s' start show send
	has 'table ' tile-size
	has 'check mine.cu --rules ' mine.h
	has 'record -I ' sub$slash
	has 'fragment wmma' wmma.m16n16k16.f16
}

if [ -e "$helper" ]; then
	slash='' try bash
else
	skip "bash" "no bash-completion here"
fi
if command -v zsh >/dev/null; then
	slash='' try zsh
else
	skip "zsh" "no zsh here"
fi
if command -v fish >/dev/null; then
	slash=/ try fish
else
	skip "fish" "no fish here"
fi
done_testing
