#!/bin/bash
# What people try first: short options, help, errors that list what there is,
# settings with a wrong line, output that is no terminal, editors.
. "$srcdir/tests/tap.sh"
gemmviz=$builddir/gemmviz
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"; command tmux -L "manners-$$" kill-server 2>/dev/null' EXIT
cd "$tmp" || exit

# run ARGUMENT...: sets out, err and status.
run() {
	out=$("$gemmviz" "$@" 2>err)
	status=$?
	err=$(cat err)
}

# ---- help ----
all=$("$gemmviz" --help)
for ask in -h help; do
	run "$ask"
	is "$status $out" "0 $all" "$ask is --help"
done
report=$("$gemmviz" report --help)
for ask in "report -h" "help report"; do
	# shellcheck disable=SC2086 # words
	run $ask
	is "$status $out" "0 $report" "$ask is report --help"
done
like "$report" '^  -h, --help ' "which says so"
run -V
is "$status $out" "0 $("$gemmviz" --version)" "-V is --version"
run help repotr
is "$status $err" "2 gemmviz: no command 'repotr'; did you mean report? (gemmviz --help)" \
	"help on no command"
run help report check
is $status 2 "and on two"
like "$("$gemmviz" help report --lang zh)" '^用法' "in Chinese"

# refused PATTERN ARGUMENT...: its error says this.
refused() {
	local pattern=$1
	shift
	run "$@"
	like "$status $err" "^2 gemmviz[a-z ]*: $pattern" "$*"
}

# ---- what there is ----
printf '%s\n' '__global__ void one(float *x) {' \
	'    x[threadIdx.x + 1] = 1; }' >one.cu
refused "no format 'nix' \(txt, .*svg.*\)" export naive -o x --format nix
refused 'unknown format: .* \.txt, .*\.svg' export naive -o x.nix
refused "no topic 'nix' \(sectors, .*\)" drill nix
refused 'there is no problem nix \(gemm, .*unknown\)' \
	report one.cu --block 32 --grid 1 --problem nix
refused "no lesson 'nix'; gemmviz list shows all" --lesson nix
refused "no term 'nixx'; gemmviz glossary lists all" glossary nixx
refused '--block 2000x2: a block has at most 1024 threads' \
	report one.cu --block 2000x2 --grid 1
refused '--block 32x33: a block has at most 1024 threads' \
	time one.cu --block 32x33 --grid 1 --size 64
refused '--shared needs a whole number from 0 to 232448' \
	report one.cu --block 32 --grid 1 --shared 999999

# ---- settings ----
export XDG_CONFIG_HOME=$tmp/config
mkdir -p config/gemmviz
settings=$tmp/config/gemmviz/config
printf '%s\n' 'theme = drak' 'language = zh' 'nothing' 'gpu = h100' >"$settings"
run list --help
is "$status $err" "0 gemmviz: 设置中忽略：$settings:1: no theme 'drak' (dark, light or mono)
gemmviz: 设置中忽略：$settings:3: expected NAME = VALUE" "a wrong line is a warning"
like "$out" '^用法' "and the others hold"
yes nothing | head -20 >"$settings"
run list --help
is "$(echo "$err" | wc -l) $(echo "$err" | tail -1)" \
	"6 gemmviz: ignored in the settings: 15 more lines" "not without end"
rm "$settings"

# ---- output that is no terminal ----
run race naive
is $status 0 "a race without a terminal"
is "$out" "$("$gemmviz" race naive --plain 2>/dev/null)" "prints its text"

# ---- editors ----
# written LINE: waits until the watch has written so many of it.
written() {
	for _ in $(seq 200); do
		[ "$(grep -cxF "$1" rounds)" -ge "$2" ] && return
		sleep 0.1
	done
	return 1
}
{ sleep 60 & echo $! >sleeper; wait; } | "$gemmviz" watch --plain one.cu \
	--block 32 --grid 1 --array x=32 >rounds 2>&1 &
watch=$!
written "gemmviz watch: end one.cu" 1
ok $? "a round has an end"
sed 's/= 1/= y/' one.cu >two.cu && mv two.cu one.cu
written "gemmviz watch: end one.cu" 2
ok $? "and another follows when the file is saved"
kill "$watch" "$(cat sleeper)"
wait 2>/dev/null
is "$(grep -v '^not judged\|^wrong' rounds)" \
"gemmviz watch: begin one.cu
one.cu:2:24: error: thread 31 of block 0 writes x[32]; x has 32 elements; line 2 [out-of-bounds]
launches: 1, errors: 1, warnings: 0, accepted: 0
gemmviz watch: end one.cu
gemmviz watch: begin one.cu
one.cu:2: error: 'y' was not declared in this scope [unrecorded]
launches: 1, errors: 1, warnings: 0, accepted: 0
gemmviz watch: end one.cu" "check's lines stand between two"
run watch --plain --json one.cu
is $status 2 "not with --json"

# What the manual page tells Vim to read them with.
format=$(sed -n 's/\\e/\\/g; s/\\-/-/g; s/^set errorformat=/&/p' \
	"$srcdir/doc/man/watch.man")
if vim --version 2>/dev/null | grep -q +quickfix; then
	{
		echo "$format"
		echo 'cgetfile rounds'
		echo 'let places = []'
		echo 'for e in getqflist()'
		echo '  let where = [bufname(e.bufnr), e.lnum, e.col, e.type]'
		echo '  call add(places, join(where + [e.text]))'
		echo 'endfor'
		echo 'call writefile(places, "places")'
		echo 'qall!'
	} >script.vim
	vim -N -u NONE -i NONE -es -S script.vim </dev/null >/dev/null 2>&1
	is "$(cat places)" \
"one.cu 2 24 e thread 31 of block 0 writes x[32]; x has 32 elements; line 2 [out-of-bounds]
one.cu 2 0 e 'y' was not declared in this scope [unrecorded]" \
		"Vim finds the places"
else
	skip "Vim finds the places" "vim is not installed"
fi
if command -v node >/dev/null; then
	regexp=$(sed -n 's/\\e/\\/g; s/\\-/-/g; s/^ *"\(\^(.*\$\)",$/\1/p' \
		"$srcdir/doc/man/watch.man")
	is "$(node -e '
		const rows = require("fs").readFileSync("rounds", "utf8");
		const find = new RegExp(JSON.parse("\"" + process.argv[1] + "\""));
		for (const row of rows.split("\n")) {
			const m = find.exec(row);
			if (m)
				console.log(m[1], m[2], m[3] || 0, m[4]);
		}' "$regexp")" "one.cu 2 24 error
one.cu 2 0 error" "and so does the pattern for VS Code"
else
	skip "the pattern for VS Code" "node is not installed"
fi

# ---- the clipboard ----
if ! command -v tmux >/dev/null; then
	skip "the clipboard" "tmux is not installed"
	skip "a terminal without one" "tmux is not installed"
	done_testing
	exit
fi
mux() { command tmux -L "manners-$$" -f /dev/null "$@" 2>&1; }
# screen TEXT: waits until the screen has it.
screen() {
	for _ in $(seq 100); do
		mux capture-pane -p -t reader | grep -qF -- "$1" && return
		sleep 0.1
	done
	mux capture-pane -p -t reader | sed 's/^/# /'
	return 1
}
mux new-session -d -s stays -x 80 -y 24 'sleep 600'
mux set-option -g default-terminal tmux-256color
mux set-option -s set-clipboard on
mux new-session -d -s reader -x 80 -y 24 "env LC_ALL=C.UTF-8 '$gemmviz' --lang en"
screen 'first-kernel'
mux send-keys -t reader T
screen "Sent the screen's text"
like "$(mux show-buffer)" 'How a GPU multiplies matrices' \
	"T copies the screen's text"
mux kill-session -t reader
mux new-session -d -s reader -x 80 -y 24 \
	"env TERM=screen LC_ALL=C.UTF-8 '$gemmviz' --lang en"
screen 'first-kernel'
mux send-keys -t reader T
screen 'takes no text for the clipboard'
ok $? "a terminal that takes none is said"
done_testing
