#!/usr/bin/env bash
# gemmviz class: two students and a teacher, a folder that goes away while they
# read, answers that come over a pipe, bad usage; what one has done, damaged.
# sanitized: nightly
. "$srcdir/tests/tap.sh"
gemmviz=$(cd "$builddir" && pwd)/gemmviz
export LC_ALL=C.UTF-8 LANGUAGE=en
dir=$(mktemp -d)
socket=gemmviz-class-$$
trap 'command tmux -L $socket kill-server 2>/dev/null; rm -rf "$dir"' EXIT
cd "$dir" || exit
export GEMMVIZ_CLASS_FOLDER=$dir/classes XDG_STATE_HOME=$dir/teacher
mkdir classes

# ---- usage ----

for name in a/b .. a.b ''; do
	"$gemmviz" class start "$name" >out 2>err
	is $? 2 "no class is named '$name'"
	"$gemmviz" --class "$name" </dev/null >out 2>err
	is $? 2 "... and none joined"
done
"$gemmviz" class begin monday >out 2>err
is $? 2 "a verb that there is not"
"$gemmviz" class start >out 2>err
is $? 2 "a class without a name"
"$gemmviz" class show monday --plain >out 2>err
is $? 3 "a class that has not begun"
"$gemmviz" --class monday --lesson coalescing --plain >out 2>err
is $? 2 "nobody at a screen"
out=$("$gemmviz" class start monday)
is $? 0 "a class begins"
like "$out" "gemmviz --class monday" "... and how to join it"
is "$(stat -c %a classes/monday)" 1777 "... to which everybody may add"
for option in --class --follow --lead; do
	"$gemmviz" $option mondya --lesson tiling </dev/null >out 2>err
	is $? 3 "$option: a class that there is not"
	like "$(cat err)" "no class 'mondya' in .*did you mean 'monday'" \
		"... is said at once, with the one that was meant"
done
"$gemmviz" class show mondya </dev/null >out 2>err
is $? 3 "... to the teacher, too"
"$gemmviz" class start monday >out 2>err
is $? 2 "... but once"
is "$("$gemmviz" class show monday --plain)" "monday: 0 people" "nobody is there yet"

# ---- two students and a teacher ----

if ! command -v tmux >/dev/null; then
	skip "a class on screens" "tmux is not installed"
	done_testing
	exit
fi
# A session that stays keeps the server while others come and go.
tmux() { command tmux -L "$socket" -f /dev/null "$@" 2>&1; }
tmux new-session -d -s stays -x 80 -y 24 'sleep 600'

# student NAME: opens a lesson.
student() {
	tmux new-session -d -s "$1" -x 100 -y 30 \
		"env XDG_STATE_HOME=$dir/$1 $gemmviz --class monday --lesson coalescing --motion off"
}

# sees NAME TEXT: waits until it is on the student's screen.
sees() {
	for _ in $(seq 100); do
		tmux capture-pane -p -t "$1" | grep -q "$2" && return
		sleep 0.1
	done
	tmux capture-pane -p -t "$1" | sed 's/^/# /'
	return 1
}

# shown PATTERN: waits until the teacher sees it.
shown() {
	for _ in $(seq 100); do
		"$gemmviz" class show monday --plain | grep -Eq "$1" && return
		sleep 0.1
	done
	"$gemmviz" class show monday --plain | sed 's/^/# /'
	return 1
}

student ann
student bob
for who in ann bob; do
	sees $who "a-[cd] answer"
	ok $? "$who is asked"
done
shown "^  coalescing, step 1 of [0-9]+: 2$"
ok $? "the teacher sees two at the first step"
tmux send-keys -t ann a
shown "step 1, question 1: first answers"
ok $? "... and the first answer"
tmux send-keys -t bob a
shown " 2 .*#"
ok $? "... and that both have the same"
asked="How many sectors hold … floats of … bytes, side by side"
like "$("$gemmviz" class show monday --csv | sed 1d)" "$asked" \
	"the table has the question"
like "$("$gemmviz" class show monday --plain)" "$asked" "... and the report"
is "$("$gemmviz" class show monday --csv | sed 1d | cut -d, -f1,2,3,4 |
	sort | tr '\n' ' ')" "1,coalescing,1,1 2,coalescing,1,1 " \
	"the table has both, without names"
like "$("$gemmviz" class show monday --plain --names)" \
	"[a-z]+-[a-z]+-[0-9a-f]{6}, [a-z]+-[a-z]+-[0-9a-f]{6}" \
	"with --names their pseudonyms"

tmux new-session -d -s teacher -x 80 -y 24 "$gemmviz class show monday"
sees teacher "coalescing 1/[0-9]* *2"
ok $? "a screen for the teacher"
is "$(tmux capture-pane -p -t teacher | grep -c '✓')" 0 \
	"... which does not give the answer away"
tmux send-keys -t teacher n
sees teacher "[a-z]*-[a-z]*-[0-9a-f]*, "
ok $? "... nor names, unless asked"

# ---- the folder goes away ----

mv classes gone
tmux send-keys -t ann '!'
sees ann "cannot be reached"
ok $? "a folder that goes away is said"
sees teacher "No such file"
ok $? "... to the teacher, too"
mv gone classes
tmux send-keys -t ann Enter
sees ann "all of your answers again"
ok $? "... it comes back"
shown "^  coalescing, step 2 of [0-9]+: 1$"
ok $? "... and nothing is lost"
sees teacher "coalescing 2/[0-9]* *1"
ok $? "... as the teacher sees"
mv classes gone
tmux send-keys -t bob '!'
sees bob "cannot be reached"
tmux send-keys -t bob q
for _ in $(seq 50); do
	tmux has-session -t bob >/dev/null || break
	sleep 0.1
done
mv gone classes

# ---- one leads, one follows ----

follows="env XDG_STATE_HOME=$dir/eve $gemmviz --follow monday --motion off"
tmux new-session -d -s eve -x 100 -y 30 "$follows"
sees eve "not opened a lesson yet"
ok $? "nobody leads yet"
tmux new-session -d -s lead -x 100 -y 30 \
	"$gemmviz --lead monday --lesson tiling --motion off"
sees lead "a-[cd] answer"
sees eve "Tiling"
ok $? "who follows is in the teacher's lesson"
tmux send-keys -t lead '!'
sees lead "enter"
sleep 0.5
tmux send-keys -t lead Enter
sees lead "2 of [0-9]"
sees eve "2 of [0-9]"
ok $? "... and step"
who=$(sed -n '1s/.*"who":"\([^"]*\)".*/\1/p' eve/gemmviz/class/monday.jsonl)
ok "$([ -n "$who" ] && [ -s "classes/monday/$who.jsonl" ]; echo $?)" \
	"... and is in the class, which gets the answers"
tmux send-keys -t eve Tab
sees eve "press f to"
ok $? "a key lets go"
tmux send-keys -t lead '!'
sleep 0.5
tmux send-keys -t lead Enter
sees lead "3 of [0-9]"
ok $? "the teacher goes on"
sleep 2
sees eve "2 of [0-9]"
ok $? "... alone"
tmux send-keys -t eve f
sees eve "3 of [0-9]"
ok $? "f catches up"

# picture NAME: what the screen has above the lesson's text, but for its title.
picture() { tmux capture-pane -p -t "$1" | sed '1d; /^┌─.* [0-9]*\/[0-9]* ─┐$/,$d'; }
tmux send-keys -t lead '!'
sleep 0.5
before=$(picture lead)
tmux send-keys -t lead Tab
for _ in $(seq 50); do
	[ "$(picture lead)" != "$before" ] &&
		[ "$(picture eve)" = "$(picture lead)" ] && break
	sleep 0.1
done
ok "$([ "$(picture lead)" != "$before" ]; echo $?)" "the teacher turns to a picture"
is "$(picture eve)" "$(picture lead)" "... which is everybody's"
tmux kill-session -t lead
tmux kill-session -t eve

# ---- a server that does not answer ----

tmux kill-session -t teacher	# who looks at the files would open this one
student zoe
sees zoe "a-[cd] answer"
tmux send-keys -t zoe q
for _ in $(seq 50); do
	tmux has-session -t zoe >/dev/null || break
	sleep 0.1
done
who=$(sed -n '1s/.*"who":"\([^"]*\)".*/\1/p' zoe/gemmviz/class/monday.jsonl)
rm "classes/monday/$who.jsonl"
student zoe
sees zoe "a-[cd] answer"
# The child process that opens the folder stands still, as with a dead server.
child=$(pgrep -P "$(tmux list-panes -t zoe -F '#{pane_pid}')" -x gemmviz)
kill -STOP $child
ok $? "a class's folder that nobody answers for"
tmux send-keys -t zoe '!'
sees zoe "enter next"
ok $? "... keys are heard as ever"
sees zoe "class does not answer"
ok $? "... and it is said"
tmux send-keys -t zoe Enter
sees zoe "2 of [0-9]"
ok $? "... and the lesson goes on"
tmux send-keys -t zoe q
for _ in $(seq 80); do
	tmux has-session -t zoe >/dev/null || break
	sleep 0.1
done
ok "$(! tmux has-session -t zoe >/dev/null; echo $?)" "... to its end"
is "$(wc -l <zoe/gemmviz/class/monday.jsonl)" 4 "... and all is kept"
student zoe
shown "^  coalescing, step 1 of [0-9]+: [0-9]"
for _ in $(seq 50); do
	[ "$(cat "classes/monday/$who.jsonl" 2>/dev/null | wc -l)" = 5 ] && break
	sleep 0.1
done
is "$(wc -l <"classes/monday/$who.jsonl")" 5 "... and sent on the next day"
tmux kill-session -t zoe

# ---- what was kept is damaged ----

mkdir -p dan/gemmviz
echo '{"version": 1, "less' >dan/gemmviz/progress.json
tmux new-session -d -s dan -x 100 -y 30 \
	"env GEMMVIZ_PROGRESS= XDG_STATE_HOME=$dir/dan $gemmviz"
sees dan "it was moved to"
ok $? "progress that cannot be read is put aside, with a word"
ok "$([ -e dan/gemmviz/progress.json.damaged ]; echo $?)" "... and is there"
tmux kill-session -t dan

# ---- over a pipe ----

is "$("$gemmviz" class show monday --csv | sed 1d | wc -l)" 4 \
	"of one who left meanwhile the last answer is missing"
sed -n '$p' bob/gemmviz/class/monday.jsonl >last
XDG_STATE_HOME=$dir/bob "$gemmviz" class send monday |
	"$gemmviz" class collect monday
is $? 0 "what is collected"
lines=$(cat classes/monday/*.jsonl | wc -l)
XDG_STATE_HOME=$dir/bob "$gemmviz" class send monday |
	"$gemmviz" class collect monday
is "$(cat classes/monday/*.jsonl | wc -l)" "$lines" \
	"... is there once, however often it is sent"
ok "$(cat classes/monday/*.jsonl | grep -qxF "$(cat last)"; echo $?)" \
	"... all of it"
echo "what is this" | "$gemmviz" class collect monday 2>err
is $? 3 "what is no event is refused"
like "$(cat err)" "line 1" "... by its line"

# ---- a table for spreadsheets ----

# cells ANSWER...: the answers, as JSON has them, in a class of their own.
cells() {
	local n=0 answer
	rm -rf classes/cells
	"$gemmviz" class start cells >/dev/null
	for answer; do
		n=$((n + 1))
		printf '{"v":1,"who":"-a","n":%d,"lesson":"-b","step":1,"steps":2,"question":1,"answer":"%s","right":true}\n' \
			$n "$answer"
	done >classes/cells/-a.jsonl
	"$gemmviz" class show cells --csv --names >cells.csv
}
cells '=1+1' '+1+1' '-1+1' '@SUM(1)' '\t=1' '\r=1' ' =1' '\"=1' "'=1" \
	'\u00a0=1' '\uff1d1' '\uff20a' 'a;=1' 'a,@b' 'a\t-b' '\u202e=1' '\u200f=1' \
	'\u2066x\u2069' 'a\nb' '\u0007x' '\u009bx' '-5' '+2.5' '-' '4, -5' 'x=y' \
	'say \"hi\"' '\u061c=1' '|=1' '\u3000=1' '-5=1'
is "$(wc -l <cells.csv)" 32 "a line for each answer"
is "$(LC_ALL=C tr -d '\n' <cells.csv | LC_ALL=C grep -c '[[:cntrl:]]')" 0 \
	"... no control character"
is "$(grep -Pc '[\x{80}-\x{9f}\x{61c}\x{200b}-\x{200f}\x{202a}-\x{202e}\x{2066}-\x{2069}]' \
	cells.csv)" 0 "... no mark that turns text around"
# What begins a cell, of any separator, and is no number.
space='["\x27 \x{a0}\x{2000}-\x{200a}\x{3000}]*'
sign='([=@\x{ff1d}\x{ff0b}\x{ff0d}\x{ff20}]|[+-](?![0-9.]+["\s,;|]))'
is "$(sed 1d cells.csv | grep -Pc "(^|[,;|\t])$space(?<!\x27)$sign")" \
	0 "... and no formula"
like "$(cat cells.csv)" '^'"'"'-a,'"'"'-b,1,1,"'"'"'=1\+1",1,""$' \
	"a formula has an apostrophe, names, too"
like "$(cat cells.csv)" ',"-5",1,""$' "a number is a number"
like "$(cat cells.csv)" ',"x=y",1,""$' "a sign within words is left"
like "$(cat cells.csv)" ',"say ""hi""",1,""$' "quotes are doubled"

# ---- hostile folders ----

"$gemmviz" class start hostile >/dev/null
line() {
	printf '{"v":1,"who":"%s","n":1,"lesson":"tiling","step":1,"steps":2}\n' \
		"$1"
}
line secret >secret.jsonl
line ann >classes/hostile/ann.jsonl
ln -s "$dir/secret.jsonl" classes/hostile/secret.jsonl
ln -s /dev/zero classes/hostile/zero.jsonl
ln -s loop.jsonl classes/hostile/loop.jsonl
mkfifo classes/hostile/fifo.jsonl
mkdir classes/hostile/folder.jsonl
truncate -s 100M classes/hostile/large.jsonl
head -c 300000 /dev/urandom >classes/hostile/noise.jsonl
yes '' | head -n 500000 >classes/hostile/empty.jsonl
line other >classes/hostile/wrong-name.jsonl
line .. >classes/hostile/...jsonl
printf '%s' '[[[[[[[[' >classes/hostile/cut.jsonl
for ((i = 0; i < 4000; i++)); do
	line "m-$i" >"classes/hostile/m-$i.jsonl"
done
for ((i = 0; i < 5000; i++)); do
	echo >"classes/hostile/no-member-$i"
done
got=$(timeout 20 "$gemmviz" class show hostile --plain 2>err)
is $? 0 "a hostile folder is read"
like "$got" '^hostile: 4001 people' "... with all that is sound in it"
like "$(cat err)" 'unreadable lines and files were skipped' "... and the rest is said"
tmux new-session -d -s teacher -x 80 -y 24 "$gemmviz class show hostile"
sees teacher "40[0-9]* people\|more files not yet read"
ok $? "... and on the teacher's screen"
tmux kill-session -t teacher
rm -rf classes/hostile
ln -s monday classes/linked
"$gemmviz" class show linked --plain >out 2>err
is $? 3 "a class that is a link"
"$gemmviz" class start linked >out 2>err
is $? 8 "... and is not started, either"

"$gemmviz" class show monday </dev/null >out 2>err
is $? 4 "no terminal"
"$gemmviz" class show monday --plain >/dev/full 2>err
is $? 7 "a full disk"
done_testing
