#!/usr/bin/env bash
# gemmviz drill without a screen: a quiz that is the same for everyone, a game
# line by line, bad usage; and on a screen.
. "$srcdir/tests/tap.sh"
gemmviz=$(cd "$builddir" && pwd)/gemmviz
export LC_ALL=C.UTF-8 LANGUAGE=en
dir=$(mktemp -d)
trap 'rm -rf "$dir"; tmux kill-server 2>/dev/null' EXIT
cd "$dir" || exit

# ---- a quiz ----

"$gemmviz" drill --seed 7 --count 20 --json >quiz
is $? 0 "a quiz"
"$gemmviz" drill --seed 7 --count 20 --json >again
ok "$(cmp -s quiz again; echo $?)" "... the same for everyone"
"$gemmviz" drill --seed 8 --count 20 --json >other
ok "$(! cmp -s quiz other; echo $?)" "... another seed, another quiz"
is "$(wc -l <quiz)" 20 "... a question a line"
is "$(grep -o '"level":[0-9]' quiz | uniq -c | tr -s ' ' | tr '\n' ';')" \
	' 5 "level":1; 5 "level":2; 5 "level":3; 5 "level":4;' \
	"... whose level grows"
is "$("$gemmviz" drill sectors --level 2 --json --count 3 |
	grep -c '"topic":"sectors","level":2')" 3 "a topic and a level"
ok "$("$gemmviz" drill --seed 7 --count 2 --json --lang zh |
	grep -q '"question":"[^"]*多少\|哪'; echo $?)" "... in Chinese"

# What a program has of it is right: the calculator says so.
"$gemmviz" drill sectors --seed 3 --level 2 --count 1 --json >one
index=$(sed 's/.*A\[\([^]]*\)\].*/\1/' one)
type=$(sed 's/.*"code":"\([a-z0-9]*\) .*/\1/' one)
case $type in half) bytes=2 ;; float) bytes=4 ;; float2) bytes=8 ;; *) bytes=16 ;; esac
right=$(sed 's/.*"right":\([0-9]\).*/\1/' one)
answer=$(sed 's/.*"answers":\[\([^]]*\)\].*/\1/' one | tr -d '"' |
	cut -d, -f$((right + 1)))
is "$("$gemmviz" access global $bytes "($index) * $bytes" --json |
	sed 's/.*"sectors": *\([0-9]*\).*/\1/')" "$answer" \
	"the calculator's answer is the quiz's"

# ---- line by line ----

out=$(printf 'x\na\nb\n' | "$gemmviz" drill sectors --seed 1 --plain)
is $? 0 "line by line, until the input ends"
like "$out" "^> type a letter from a to" "... what is no answer is asked again"
like "$out" "^[01] of 2|^[012] of 2 right" "... and how many were right"
out=$(yes a | "$gemmviz" drill --seed 1 --count 5 --plain)
like "$out" "of 5 right" "... or for so many questions"
"$gemmviz" drill --seed 1 --plain </dev/null >/dev/full 2>err
is $? 7 "a full disk"

# ---- bad usage ----

"$gemmviz" drill sector 2>err
is $? 2 "a topic that there is not"
like "$(cat err)" "did you mean sectors" "... and the nearest"
"$gemmviz" drill --level 5 2>err
is $? 2 "a level that there is not"
"$gemmviz" drill --count 3 2>err
is $? 2 "a quiz needs --json or --plain"
"$gemmviz" drill </dev/null >out 2>err
is $? 4 "no terminal"

# ---- on a screen ----

if ! command -v tmux >/dev/null; then
	skip "a drill on a screen" "tmux is not installed"
	done_testing
	exit
fi
tmux() { command tmux -L "gemmviz-drill-$$" -f /dev/null "$@" 2>&1; }
tmux new-session -d -s s -x 80 -y 24 "$gemmviz drill sectors --seed 1"

# shows TEXT: waits until it is on the screen.
shows() {
	for _ in $(seq 100); do
		tmux capture-pane -p -t s | grep -q "$1" && return
		sleep 0.1
	done
	tmux capture-pane -p -t s | sed 's/^/# /'
	return 1
}
shows "0 of 0 right"
ok $? "a question"
tmux send-keys -t s '!'
shows "0 of 1 right"
ok $? "... whose answer is shown"
tmux send-keys -t s Enter
shows "a-[cd] answer"
ok $? "... and the next"
tmux send-keys -t s Tab
shows "Banks of shared memory"
ok $? "another topic"
tmux send-keys -t s +
shows "level 2 of 4"
ok $? "another level"
for size in 60x20 40x12 200x60 80x24; do
	tmux resize-window -t s -x "${size%x*}" -y "${size#*x}"
	shows "gemmviz"
	ok $? "at $size"
done
tmux send-keys -t s m
shows "How a GPU multiplies"
ok $? "to the map"
tmux send-keys -t s d
shows "which drill?"
ok $? "... which asks for a topic"
tmux send-keys -t s d
shows "0 of 0 right"
ok $? "... and back"
done_testing
