#!/bin/sh
# The picture in a real terminal: after a hundred sizes, after Ctrl-Z and fg,
# after Ctrl-L it is the one that a fresh start draws.
. "$srcdir/tests/tap.sh"

if ! command -v tmux >/dev/null; then
	skip "the picture in tmux" "tmux is missing"
	done_testing
	exit
fi

name=term_tmux.$$
demo=$builddir/tests/term_demo
unset NO_COLOR COLORFGBG TMUX
LC_ALL=C.UTF-8
export LC_ALL
trap 'tmux -L $name kill-server 2>/dev/null' EXIT

mux() {
	tmux -L "$name" "$@"
}

# open SESSION W H: a shell in a window of that size.
open() {
	mux -f /dev/null new-session -d -s "$1" -x "$2" -y "$3" \
		"TERM=tmux-256color PS1='ready> ' exec bash --norc -i"
	until_seen "$1" 'ready>'
}

# until_seen SESSION TEXT: waits for it, five seconds at most.
until_seen() {
	tries=100
	until mux capture-pane -p -t "$1" | grep -qF -- "$2"; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || return 1
		sleep 0.05
	done
}

# picture SESSION: once it has stopped changing.
picture() {
	last=
	now=$(mux capture-pane -e -p -t "$1")
	while [ "$now" != "$last" ]; do
		sleep 0.2
		last=$now
		now=$(mux capture-pane -e -p -t "$1")
	done
	printf '%s\n' "$now"
}

open want 93 31
mux send-keys -t want "exec $demo" Enter
until_seen want 'size 93x31'
ok $? "it draws"
want=$(picture want)
like "$want" "48;5;233" "on its own background"
like "$want" "矩阵 αβγ × →" "all kinds of characters"

open got 80 24
mux send-keys -t got "$demo" Enter
until_seen got 'size 80x24'
i=0
while [ $i -lt 100 ]; do
	set -- "$@" resize-window -t got -x $((20 + i * 7 % 150)) \
		-y $((5 + i * 3 % 60)) \;
	i=$((i + 1))
done
mux "$@" resize-window -t got -x 93 -y 31
until_seen got 'size 93x31'
ok $? "a hundred sizes: it knows the last one"

is "$(picture got)" "$want" "... and the picture is right"

mux send-keys -t got C-z
until_seen got 'Stopped'
ok $? "Ctrl-Z gives the shell back"
text=$(mux capture-pane -p -t got)
case $text in
*corner*) ok 1 "... with its screen" ;;
*) ok 0 "... with its screen" ;;
esac
mux send-keys -t got 'fg' Enter
until_seen got 'corner'
ok $? "fg brings it back"
mux send-keys -t got C-l
sleep 0.2
mux send-keys -t got q
until_seen got 'ready>'
ok $? "q ends it"
mux send-keys -t got 'stty -a' Enter
until_seen got ' echo '
ok $? "... and the shell echoes"
mux send-keys -t got "clear; exec $demo" Enter
until_seen got 'size 93x31'
is "$(picture got)" "$want" "the same picture again"

done_testing
