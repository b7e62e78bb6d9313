#!/usr/bin/env bash
# What has changed from one kernel to another; and a file that is watched.
# sanitized: nightly
. "$srcdir/tests/tap.sh"

tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"; [ -z "$pid" ] || kill "$pid" 2>/dev/null' EXIT
cd "$tmp" || exit
gemmviz=$builddir/gemmviz

is "$("$gemmviz" diff tiled_bt tiled_bt_pad | head -4)" \
"      line  array  op  requests  sectors      wavefronts
  38 -> 36  Bs     st       256              8192 -> 256
  44 -> 42  Bs     ld      8192           262144 -> 8192
  shared wavefronts 278784 -> 16896" "two kernels, an access each"
is "$("$gemmviz" diff tiled_bt tiled_bt_pad | grep -c '^  gone: .*bank-conflict')" 2 \
	"findings that are gone"
"$gemmviz" record tiled -o t.gvt >/dev/null
is "$("$gemmviz" diff t.gvt tiled; echo $?)" \
	"  no access costs more or less than before
0" "a recording and its kernel"
"$gemmviz" diff tiled bug_first_barrier >out
is $? 1 "a fault that was not there: status 1"
like "$(cat out)" 'new: line 41, race: ' "and which"
"$gemmviz" diff bug_first_barrier tiled >out
is $? 0 "a fault that is gone: status 0"
"$gemmviz" diff tiled 2>err
is "$? $(cut -d'(' -f1 err)" "2 gemmviz diff: give two kernels, files or traces " \
	"one is not enough"
"$gemmviz" diff tiled nothing.gvt 2>err
is $? 3 "a file that is not there"
if perl -MJSON::PP -e 1 2>/dev/null; then
	is "$("$gemmviz" diff tiled_bt tiled_bt_pad --json | perl -MJSON::PP -e '
		$d = decode_json(<STDIN>);
		print join ",", (map { "$_->{before}{wavefronts}>$_->{after}{wavefronts}" }
			grep { $_->{change} eq "changed" } @{$d->{sites}}),
			scalar @{$d->{findings_gone}},
			map { $_->{shared_load_wavefronts} } @{$d->{totals}}')" \
		"8192>256,262144>8192,2,270336,16384" "as JSON"
else
	skip "as JSON" "no perl with JSON::PP"
fi

# A line that was put in, one that was taken out, one that was edited.
cat >a.cu <<'END'
__global__ void k(const float *A, float *C)
{
    int t = threadIdx.x;
    float x = A[t];
    float y = A[t + 32];
    C[t] = x + y;
}
END
sed 's/^{/{\n\n/; s/y = A\[t + 32\]/y = A[t * 2]/; /x = A/d; s/x + y/y/' a.cu >b.cu
is "$("$gemmviz" diff a.cu b.cu --block 32 --grid 1 | tr -s ' ' | sed 's/ $//; 3q')" \
" line array op requests sectors wavefronts
 4 -> 6 A ld 1 4 -> 8
 -5 A ld 1 -> 4 ->" "lines that moved, were edited, taken out"

# Programs: all launches, and what is wrong on the host.
cat >p.cu <<'END'
#include <cstdio>
__global__ void one(float *x) { x[threadIdx.x] = 1; }
__global__ void two(float *x) { x[threadIdx.x] += 1; }
int main()
{
    float *x;
    cudaMalloc(&x, 4096);
    one<<<1, 32>>>(x);
    two<<<1, 32>>>(x);
    cudaDeviceSynchronize();
    cudaFree(x);
}
END
sed 's/+= 1/+= x[threadIdx.x * 8 + 32]/; s/cudaFree(x);//; s/one<<<1, 32>>>(x);//' \
	p.cu >q.cu
got=$("$gemmviz" diff p.cu q.cu)
is $? 0 "two programs"
like "$(echo "$got" | tr -s ' ')" '^ ?two.float \*.: |^two:$|^ ?3 x ld 1' \
	"a launch of each kernel is compared"
like "$got" '^  gone: a launch of one$' "one that is gone is named"
like "$got" '^  new: x \(4096 bytes\) is never freed$' "and what is new on the host"
is "$("$gemmviz" diff q.cu p.cu --json |
	sed 's/.*"gone":\(.*\),"come":\(.*\)}/\1 \2/')" \
	'[] ["one"],"problems_gone":["x (4096 bytes) is never freed"],"problems_come":[]' \
	"as JSON"

# ---- watch ----

# await PATTERN: until a line of the output has it.
await() {
	for _ in $(seq 200); do
		grep -Eq "$1" out && return
		sleep 0.1
	done
	return 1
}

cp a.cu w.cu
"$gemmviz" watch w.cu --block 32 --grid 1 >out 2>err </dev/null &
pid=$!
await '^Findings'
ok $? "watch: a report at first"
: >out
sed 's/A\[t\]/A[t * 4]/' a.cu >w.cu
await '4 -> 16'
ok $? "saved in place: what changed"
: >out
cp a.cu new.cu
mv new.cu w.cu
await '16 -> 4'
ok $? "another file in its place: what changed"
: >err
sed 's/y = /y = z + /' a.cu >w.cu
for _ in $(seq 200); do
	[ -s err ] && break
	sleep 0.1
done
is "$(cat err)" "gemmviz: w.cu:5: 'z' was not declared in this scope" \
	"what does not compile, at its line"
: >out
cp a.cu w.cu
await 'no access costs'
ok $? "then the last that did is what it is compared with"
: >out
touch -r a.cu other.txt
echo >other.txt
sleep 0.5
is "$(cat out)" "" "another file is none of its business"
before=$(awk '{print $14 + $15}' "/proc/$pid/stat")
switches=$(grep ctxt "/proc/$pid/status")
sleep 1
is "$(awk '{print $14 + $15}' "/proc/$pid/stat") $(grep ctxt "/proc/$pid/status")" \
	"$before $switches" "it sleeps until something happens"
children=$(children_of "$pid")
kill "$pid"
wait "$pid"
is "$? $children" "143 " "a signal ends it; nothing is left running"
pid=

cp p.cu w.cu
"$gemmviz" watch w.cu --json >out 2>err </dev/null &
pid=$!
await '^{"program":.*"reports":\['
ok $? "--json: the reports of a program are a line"
sed 's/+= 1/+= x[threadIdx.x * 8 + 32]/' p.cu >w.cu
await '^{"diff":{"launches":\[.*"kernel":"two"'
ok $? "what changed is another"
echo 'int' >>w.cu
await '^{"error":{"status":3,"text":"w.cu:[0-9]+: '
ok $? "and so is an error"
kill "$pid"
wait "$pid"
pid=

# At a terminal: q, and Ctrl-C, give it back as it was.
if command -v tmux >/dev/null; then
	for key in q C-c; do
		tmux="tmux -L watch-$$ -f /dev/null"
		$tmux new-session -d -x 80 -y 50 "trap : INT; stty -g >was; \
			$gemmviz watch w.cu --block 32 --grid 1 >out; \
			echo \$? >status; stty -g >is" </dev/null
		: >status
		await '^Findings'
		$tmux send-keys $key
		for _ in $(seq 100); do
			[ -s is ] && break
			sleep 0.1
		done
		is "$(cat status) $(cat is)" \
			"$([ $key = q ] && echo 0 || echo 130) $(cat was)" \
			"$key ends it, and the terminal is as it was"
		$tmux kill-server 2>/dev/null
		rm -f is out
	done
	cp a.cu v.cu
	tmux="tmux -L watch-$$ -f /dev/null"
	$tmux new-session -d -x 100 -y 30 "$gemmviz view --watch v.cu \
		--block 32 --grid 1 --motion off 2>err; echo $? >status" </dev/null
	pane() {
		for _ in $(seq 150); do
			$tmux capture-pane -p >out
			grep -q "$1" out && return
			sleep 0.1
		done
		return 1
	}
	pane 'asked for'
	ok $? "view --watch: the file is recorded and shown"
	sed 's/A\[t\]/A[t * 4]/' a.cu >v.cu
	pane 'Recorded again: sectors 12 -> 24'
	ok $? "saved: it is shown as it is now"
	sed 's/y = /y = z + /' a.cu >v.cu
	pane "v.cu:5: 'z' was not declared"
	ok $? "what does not compile is said, and the last stays"
	$tmux send-keys q
	$tmux kill-server 2>/dev/null
else
	skip "q and Ctrl-C" "no tmux"
fi
"$gemmviz" watch tiled 2>err
is "$?" 2 "a kernel of the table has no file"
"$gemmviz" watch nowhere/x.cu 2>err
is "$? $(cat err)" "3 gemmviz: cannot watch nowhere/: No such file or directory" \
	"no such folder"
mkdir folder.cu
mkfifo fifo.cu
for file in none.cu folder.cu fifo.cu "$(printf 'x%.0s' {1..300}).cu"; do
	timeout 60 "$gemmviz" watch "$file" --block 32 --grid 1 >out 2>err </dev/null
	is "$? $(wc -l <err)" "3 1" "watch: ${file:0:20} is not waited for"
done
"$gemmviz" watch w.cu --block x 2>err
is $? 2 "an option that is none"

done_testing
