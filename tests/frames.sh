#!/bin/bash
# The screens of frames.list in a real terminal: tmux shows what the golden
# frames, drawn without one, say.
. "${srcdir:=.}/tests/tap.sh"
gemmviz=$(cd "${builddir:-.}" && pwd)/gemmviz
socket=gemmviz-frames-$$
set -f		# the key ? is no pattern

if ! command -v tmux >/dev/null; then
	skip "frames in tmux" "tmux is not installed"
	done_testing
	exit
fi
# A session that stays keeps the server while others come and go.
tmux() { command tmux -L "$socket" -f /dev/null "$@" 2>&1; }
tmux new-session -d -s stays -x 80 -y 24 'sleep 600'
trap 'tmux kill-server 2>/dev/null' EXIT

# screen: what tmux shows, with nothing at the ends of lines.
screen() { tmux capture-pane -p -t s | sed 's/ *$//'; }

# shows GOLDEN: waits until the screen is the golden frame's text.
shows() {
	local want
	want=$(sed '/^-- fg$/,$d; s/ *$//' "$1")
	for _ in $(seq 100); do
		[ "$(screen)" = "$want" ] && return 0
		sleep 0.05
	done
	diff <(screen) <(echo "$want") | sed 's/^/# /'
	return 1
}

# settled: waits until two looks in a row, $patience apart, are the same.
settled() {
	local before now
	before=
	for _ in $(seq 100); do
		now=$(screen)
		[ -n "$now" ] && [ "$now" = "$before" ] && return
		before=$now
		sleep "$patience"
	done
}

# played GOLDEN SIZE COMMAND KEYS: starts the command and presses the keys, each
# when the screen has settled; then the screen is the golden one.
played() {
	tmux new-session -d -s s -x "${2%x*}" -y "${2#*x}" \
		"env LC_ALL=C.UTF-8 $3"
	tmux set-option -t s status off >/dev/null
	tmux resize-window -t s -x "${2%x*}" -y "${2#*x}"
	sleep 0.3
	settled
	for key in $4; do
		tmux send-keys -t s "$key"
		sleep "$patience"
		settled
	done
	shows "$1"
	local status=$?
	tmux kill-session -t s
	return $status
}

while read -r name lesson keys; do
	case $name in '' | '#'*) continue ;; esac
	case $keys in *@*) continue ;; esac	# a moment of a motion
	for size in 80x24 120x36; do
		command="$gemmviz --lang en"
		case $lesson in
		-) ;;
		%*) lesson=${lesson//,/ }
		    command="$gemmviz view --lang en ${lesson#%}" ;;
		\?*) command="$gemmviz drill --lang en --seed 7 ${lesson#?}"
		    command="${command%:*} --level ${lesson#*:}" ;;
		!*) command="$gemmviz race --lang en --presenter --from $srcdir/tests/${lesson#!}" ;;
		@*) command="$gemmviz race --lang en --from $srcdir/tests/${lesson#@}" ;;
		*) command="$command --lesson $lesson" ;;
		esac
		# Keys that come faster than a busy machine answers mean
		# something else (Escape, Enter); they are then given time.
		for patience in 0.06 0.5 2; do
			played "$srcdir/tests/golden/$name-$size.txt" \
				"$size" "$command" "$keys" && break
		done
		ok $? "$name at $size in tmux"
	done
done < "$srcdir/tests/frames.list"
done_testing
