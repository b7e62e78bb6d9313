#!/bin/bash
# The screens of frames.list in a real terminal: tmux shows what the golden
# frames, drawn without one, say.
# sanitized: nightly
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
# Before 3.3 it called itself a terminal of eight colours.
tmux set-option -g default-terminal tmux-256color
tmp=$(mktemp -d) || exit
trap 'tmux kill-server 2>/dev/null; rm -rf "$tmp"' EXIT

# screen: what $session shows, with nothing at the ends of lines.
screen() { tmux capture-pane -p -t "$session" | sed 's/ *$//'; }

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

# settled: waits until two looks in a row, $patience apart, are the same, and
# none says that something is being compiled or recorded.
settled() {
	local before now
	before=
	for _ in $(seq 100); do
		now=$(screen)
		case $now in
		*' … ('*' s)'*) ;;
		"$before") [ -z "$now" ] || return ;;
		esac
		before=$now
		sleep "$patience"
	done
}

# played GOLDEN SIZE COMMAND KEYS: starts the command and presses the keys, each
# when the screen has settled; then the screen is the golden one.
played() {
	tmux new-session -d -s "$session" -x "${2%x*}" -y "${2#*x}" \
		"env LC_ALL=C.UTF-8 $3"
	tmux set-option -t "$session" status off >/dev/null
	tmux resize-window -t "$session" -x "${2%x*}" -y "${2#*x}"
	sleep 0.3
	settled
	for key in $4; do
		tmux send-keys -t "$session" "$key"
		sleep "$patience"
		settled
	done
	shows "$1"
	local status=$?
	tmux kill-session -t "$session"
	return $status
}

# frame NAME SIZE COMMAND KEYS: plays it, with more time if it is not what it
# should be: keys that come faster than a busy machine answers mean something
# else (Escape, Enter).
frame() {
	local patience
	for patience in 0.06 0.5 2; do
		played "$srcdir/tests/golden/$1-$2.txt" "${@:2}" && return
	done
	return 1
}

# Several at a time, for they mostly wait; told of in the list's order.
at_once=$((2 * $(nproc)))
names=()
while read -r name lesson keys; do
	case $name in '' | '#'*) continue ;; esac
	case $keys in *@*) continue ;; esac	# a moment of a motion
	case $lesson in ~*) continue ;; esac	# machine code of tests/machine
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
	for size in 80x24 120x36; do
		in_turn 3 || continue
		[ "$(jobs -rp | wc -l)" -lt $at_once ] || wait -n
		session=s${#names[@]}
		{
			frame "$name" "$size" "$command" "$keys"
			echo $? >"$tmp/$session.status"
		} >"$tmp/$session" &
		names+=("$name at $size in tmux")
	done
done < "$srcdir/tests/frames.list"
wait
for i in "${!names[@]}"; do
	cat "$tmp/s$i"
	is "$(cat "$tmp/s$i.status")" 0 "${names[i]}"
done
done_testing
