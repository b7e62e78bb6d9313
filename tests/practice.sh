#!/usr/bin/env bash
# gemmviz practice: rungs keep their promises (a sample; PRACTICE=all: each one),
# what cheats fails, the grader's forms and statuses, bad files, and the screen.
. "$srcdir/tests/tap.sh"
gemmviz=$(cd "$builddir" && pwd)/gemmviz
rungs=$(cd "$srcdir" && pwd)/lessons/practice
export LC_ALL=C.UTF-8 LANGUAGE=en XDG_CACHE_HOME
dir=$(mktemp -d)
export XDG_STATE_HOME=$dir/state
trap 'rm -rf "$dir"; tmux kill-server 2>/dev/null' EXIT
cd "$dir" || exit

# ---- promises ----

sample="04-naive.md"
[ "${PRACTICE:-}" != all ] || sample=$(cd "$rungs" && echo *.md)
for rung in $sample; do
	"$gemmviz" practice verify "$rungs/$rung" >said 2>&1
	is $? 0 "$rung keeps its promises"
	grep -v ': ok: ' said | sed 's/^/# /'
done

# A rung that promises too much.
sed -e 's,^\(solution\|right\) .*,\1 wrong.cu,' -e '/^wrong/d' \
	-e 's,^limit.*,limit load-sectors 1,' "$rungs/04-naive.md" >04-naive.md
cp "$rungs/04-naive/wrong_no_guard.cu" wrong.cu
"$gemmviz" practice verify ./04-naive.md >said 2>&1
is $? 1 "one that does not fails"
like "$(cat said)" "failed: wrong.cu: pass.*: fail faults out-of-bounds" \
	"... its solution is wrong"
like "$(cat said)" "failed: limit load-sectors: no wrong file passes it" \
	"... and a limit is not needed"

# ---- files of a learner ----

# judges FILE [RUNG]: the result and stage of a file, as check has them.
judges() {
	mkdir -p mine
	cp "$1" mine/04-naive.cu
	"$gemmviz" practice check naive --folder mine --seed 1 --json >said 2>err
	local status=$?
	grep -oE '"(result|stage)":"[a-z]*"' said | cut -d'"' -f4 | tr '\n' ' '
	echo "$status"
}
is "$(judges "$rungs/04-naive/solution.cu")" "pass 0" "ours passes"
like "$(cat said)" '"passed":1,"of":1' "... and is counted"

cat >exit.cu <<'X'
#include <cstdlib>
void launch(const float *A, const float *B, float *C, int M, int N, int K)
{
	exit(0);
}
X
is "$(judges exit.cu)" "fail launch 1" "exit(0) in launch()"
cat >host.cu <<'X'
#include <vector>
__global__ void nothing(float *C) { }
void launch(const float *A, const float *B, float *C, int M, int N, int K)
{
	std::vector<float> a(M * K), b(K * N), c(M * N);
	cudaMemcpy(a.data(), A, M * K * 4, cudaMemcpyDeviceToHost);
	cudaMemcpy(b.data(), B, K * N * 4, cudaMemcpyDeviceToHost);
	for (int i = 0; i < M * N; i++)
		for (int k = 0; k < K; k++)
			c[i] += a[i / N * K + k] * b[k * N + i % N];
	nothing<<<1, 32>>>(C);
	cudaMemcpy(C, c.data(), M * N * 4, cudaMemcpyHostToDevice);
}
X
is "$(judges host.cu)" "fail faults 1" "a product made on the host"
like "$(cat said)" "through the host" "... which is said"
cat >kept.cu <<'X'
__global__ void naive(const float *A, const float *B, float *C, int M, int N,
		      int K)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	if (i >= M * N)
		return;
	for (int k = 0; k < K; k++)
		sum += A[i / N * K + k] * B[k * N + i % N];
	C[i] = sum;
}
__global__ void again(const float *kept, float *C, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		C[i] = kept[i];
}
void launch(const float *A, const float *B, float *C, int M, int N, int K)
{
	static float *kept[4096];
	int grid = (M * N + 255) / 256;
	if (kept[M]) {
		again<<<grid, 256>>>(kept[M], C, M * N);
		return;
	}
	naive<<<grid, 256>>>(A, B, C, M, N, K);
	cudaMalloc(&kept[M], M * N * 4);
	again<<<grid, 256>>>(C, kept[M], M * N);
}
X
is "$(judges kept.cu)" "fail answer 1" "results of an earlier call at that size"
for cheat in "C[i] = 1;" ";"; do
	sed "s/C\[i\] = sum;/$cheat/; s/if (kept.*/if (0) {/; /cudaMalloc/d
		/again<<<grid, 256>>>(C/d" kept.cu >cheat.cu
	is "$(judges cheat.cu)" "fail answer 1" "in place of a sum: $cheat"
done
sed 's/naive<<<grid, 256>>>/if (M >= 64) naive<<<grid, 256>>>/' kept.cu |
	sed '/cudaMalloc/d; /again<<<grid, 256>>>(C/d' >small.cu
is "$(judges small.cu)" "fail launch 1" "giving up at small sizes"
sed 's/k++)/k += 0)/; s/A\[i/1 + A[i/' kept.cu >loop.cu
if grep -q '^#define SANITIZED 1' "$builddir/config.h"; then
	skip "an endless loop" "the sanitizer takes the memory that a judge may"
else
	before=$(children_ms)
	is "$(judges loop.cu)" "fail faults 1" "an endless loop"
	like "$(cat said)" "loop in line 9" "... with its line"
	used=$(($(children_ms) - before))
	ok $((used > 9000)) "... after $used ms of processor time"
fi
sed 's/int k = 0;/int k = 0/' kept.cu >bad.cu
is "$(judges bad.cu)" "fail compile 1" "what does not compile"
like "$(cat said)" '"line":8' "... with its line"
is "$("$gemmviz" practice check naive --folder mine | grep -o '04-naive.cu:8' |
	wc -l)" 1 "... once"
if [ "${PRACTICE:-}" = all ]; then
	# Limits of 4 and 5 s on idle processors; on busy ones three times as much.
	cat - kept.cu >bomb.cu <<'X'
template <int N, int M> struct F {
	static constexpr int v = F<N - 1, 2 * M>::v + F<N - 1, 2 * M + 1>::v;
};
template <int M> struct F<0, M> { static constexpr int v = M; };
static_assert(F<19, 0>::v != 0, "");
X
	is "$(judges bomb.cu)" "fail compile 8" "what takes the compiler too long"
	like "$(cat said)" "compiling and loading took more than (5|1?[0-9](\.[0-9]+)?) seconds" \
		"... within 15 s"
	printf 'void launch(const float *A, const float *B, float *C, int M, int N, int K)\n{\n\tvolatile int i = 1;\n\n\twhile (i)\n\t\ti = 2;\n}\n' >host_loop.cu
	is "$(judges host_loop.cu)" "fail faults 1" "an endless loop of the host"
	like "$(cat said)" "loop in line [56].*\"seconds\":1?[0-9]\.[0-9]+,\"sizes\"" "... with its line"
fi
echo 'void launch(float *A) { }' >other.cu
is "$(judges other.cu)" "fail compile 1" "another launch()"
like "$(cat said)" "void launch.const float \*A, const float \*B, float \*C, int M" \
	"... is told how it must be"
mkdir -p mine
sed -n '/^__global__/,/^}/p' "$rungs/04-naive/wrong_no_guard.cu" >mine/kernel.cuh
{
	echo '#include "kernel.cuh"'
	sed -n '/^void/,/^}/p' "$rungs/04-naive/wrong_no_guard.cu"
} >header.cu
is "$(judges header.cu)" "fail faults 1" "a fault in a header of one's own"
like "$(cat said)" '"message":"kernel.cuh:10: thread .*","line":null' \
	"... has the header's name with its line"
sed 's/^__global__/#line 400 "gone.cuh"\n&/' "$rungs/04-naive/wrong_no_guard.cu" >gone.cu
is "$(judges gone.cu)" "fail faults 1" "a fault in a file that is not there"
like "$(cat said)" '"message":"thread [^;]*; B has 2030 elements [^;]*","line":null' \
	"... has no line"
printf '#include <fstream>\nvoid launch(const float *A, const float *B, float *C, int M, int N, int K)\n{\n\tstd::ifstream("/etc/passwd").get();\n\t__builtin_trap();\n}\n' >trap.cu
is "$(judges trap.cu)" "fail faults 1" "a crash"

# ---- statuses ----

rm -rf mine
"$gemmviz" practice check naive --folder mine >said 2>&1
is $? 3 "a missing file of a rung that is named"
like "$(cat said)" "no mine/04-naive.cu; gemmviz practice naive --folder mine makes it" \
	"... and what makes it"
for what in naive all; do
	is "$("$gemmviz" practice reset $what --folder mine | grep -c "^nothing to reset: .*mine")" \
		1 "reset $what, where there is nothing"
done
like "$("$gemmviz" practice naive --plain --folder mine | tail -n 1)" \
	"^made mine/04-naive.cu: .*practice check naive --folder mine judges it" \
	"the task as text makes the file"
like "$(cat mine/04-naive.cu)" TODO "... from the skeleton"
echo own >mine/04-naive.cu
like "$("$gemmviz" practice naive --plain --folder mine | tail -n 1)" \
	"^your file is mine/04-naive.cu" "... and leaves one that is there"
like "$(echo n | "$gemmviz" practice reset naive --folder mine)" \
	"rung naive anew. mine/04-naive.cu .*nothing was changed" \
	"reset asks about the rung and its file"
is "$(ls mine) $(cat mine/04-naive.cu)" "04-naive.cu own" "... and a no changes nothing"
rm -rf mine
"$gemmviz" practice check all --folder mine >said 2>&1
is $? 1 "... and of all"
like "$(cat said)" "0 of 16 passed" "... which says so"
"$gemmviz" practice check nave --folder mine >said 2>&1
is $? 2 "a rung that there is not"
like "$(cat said)" "did you mean 'naive'" "... and the nearest"
mkdir mine
printf '\377\376 // TODO\n' >mine/04-naive.cu
"$gemmviz" practice check naive --folder mine >said 2>&1
is $? 3 "what is not UTF-8"
is "$(grep -c 'not UTF-8' said)" 1 "... in one line"
head -c 2000000 /dev/zero | tr '\0' ' ' >mine/04-naive.cu
"$gemmviz" practice check naive --folder mine >said 2>&1
is $? 3 "2 MB"
"$gemmviz" practice naive --plain --folder mine >said
like "$(cat said)" "TODO" "a task as text"
cp "$rungs/04-naive/solution.cu" mine/04-naive.cu
"$gemmviz" practice check naive --folder mine --junit j.xml >said
is $? 0 "JUnit's XML"
like "$(cat j.xml)" '<testcase classname="practice" name="naive"' "... a case a rung"
GEMMVIZ_PROGRESS='' "$gemmviz" practice reset naive --yes --folder mine >said
is $? 0 "reset"
ok "$(cmp -s mine/04-naive.cu.1 "$rungs/04-naive/solution.cu"; echo $?)" \
	"... keeps the file"
like "$(cat mine/04-naive.cu)" TODO "... and begins anew"
like "$(cat state/gemmviz/progress.json)" '"skeleton": "[0-9a-f]*[1-9a-f]' \
	"... with the skeleton that it began with noted"
"$gemmviz" practice check naive --folder mine >said
is $? 1 "the skeleton"
like "$(cat said)" "untouched: the line TODO" "... is not begun"
cp "$rungs/01-vector-add/wrong_no_guard.cu" mine/01-vector-add.cu
like "$("$gemmviz" practice check 1 --folder mine)" " n = 1000: thread" \
	"a size of one number has its name"
"$gemmviz" practice check 1 --folder mine --json >said
is "$(grep -o '"verdict":"[a-z-]*"' said | cut -d'"' -f4 | tr '\n' ' ')" \
	"wrong not-judged not-judged not-judged not-judged " "... and no size is judged after a fault"
like "$("$gemmviz" practice --plain)" "0 of 16, next: 1" "the map as text"
like "$("$gemmviz" practice --plain --lang zh)" "16" "... in Chinese"

cp "$rungs/08-edges/wrong_return.cu" mine/08-edges.cu
"$gemmviz" practice check edges --folder mine --json >said
like "$(cat said)" "thread .6,0. has ended, last in line 16" \
	"the return that ends a thread, at a size whose costs are not counted"

cp "$rungs/05-coalesced/solution.cu" mine/05-coalesced.cu
"$gemmviz" practice check coalesced --folder mine --json >said
like "$(cat said)" '"limit":40960,"ours":40960,"ok":true' "JSON has what ours costs"

# ---- no compiler, no rights ----

mkdir nothing
PATH=$dir/nothing "$gemmviz" practice check coalesced --folder mine >said
is $? 5 "no compiler"
is "$(grep -c "not installed.*apt-get install" said)" 1 "... is one line, and what installs it"
like "$(PATH=$dir/nothing "$gemmviz" practice naive --plain)" "TODO" "... and tasks are shown"
unprivileged() {
	if [ "$(id -u)" != 0 ]; then
		"$@"
	else
		chmod 755 "$dir"
		setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
	fi
}
mkdir closed
cp "$rungs/05-coalesced/solution.cu" closed/05-coalesced.cu
chmod 555 closed
unprivileged "$gemmviz" practice reset coalesced --yes --folder closed >said 2>&1
is $? 3 "a folder that cannot be written"
is "$(grep -c "cannot keep" said)" 1 "... is one line"
ok "$(cmp -s closed/05-coalesced.cu "$rungs/05-coalesced/solution.cu"; echo $?)" "... and the file is as it was"

# ---- a class ----

"$gemmviz" class start zoo --class-folder "$dir/zoo" >/dev/null
for n in 1 2 3 4 5 6; do
	answer=faults right=false
	[ $n != 6 ] || answer=passed right=true
	echo '{"v":1,"who":"a","n":'$n',"lesson":"practice-tiled","step":7,"steps":16,"question":1,"answer":"costs","right":false}'
	echo '{"v":1,"who":"b","n":'$n',"lesson":"practice-naive","step":4,"steps":16,"question":1,"answer":"'$answer'","right":'$right'}'
done | "$gemmviz" class collect zoo --class-folder "$dir/zoo"
is "$("$gemmviz" class show zoo --class-folder "$dir/zoo" --plain |
	sed -n '/^practice:/,$p' | tr -s ' ' | tr '\n' ';')" \
	"practice: passed, at it, stuck; 4 naive 1 0 0; 7 tiled 0 1 1 at costs;" \
	"who has passed, and who is stuck"

# ---- on a screen ----

if ! command -v tmux >/dev/null; then
	skip "a rung on a screen" "tmux is not installed"
	done_testing
	exit
fi
# A session that stays keeps the server while others come and go: a server whose last
# session has ended ends itself, and takes the next session with it.
tmux() { command tmux -L "gemmviz-practice-$$" -f /dev/null "$@" 2>&1; }
tmux new-session -d -s stays -x 80 -y 24 'sleep 600'
tmux new-session -d -s s -x 80 -y 24 \
	"GEMMVIZ_PROGRESS= XDG_STATE_HOME=$XDG_STATE_HOME $gemmviz practice naive --folder screen"

session=s
# shows TEXT: waits until it is on the screen.
shows() {
	for _ in $(seq 200); do
		tmux capture-pane -p -t "$session" | grep -q -- "$1" && return
		sleep 0.1
	done
	tmux capture-pane -p -t "$session" | sed 's/^/# /'
	return 1
}
shows "not begun: the line TODO"
ok $? "a rung begins with its skeleton"
shows "· no faults"
ok $? "... and says what will be judged"
cp "$rungs/04-naive/wrong_no_guard.cu" screen/04-naive.cu
shows "✗ no faults"
ok $? "a save is judged"
shows "has 2030 elements"
ok $? "... with the fault"
tmux send-keys -t s H
shows "hint 1: lesson"
ok $? "a hint"
tmux send-keys -t s H H
shows "hint 2: look at line 10, sum +=.*K + k. .* B.k . N + col.;"
ok $? "... the place, with its line"
shows "happens at 20x70x29, not at 64x64x64"
ok $? "... and the sizes"
shows "hint 3: compare each index with its size"
ok $? "... and what helps"
tmux send-keys -t s c
shows "after your first pass"
ok $? "ours is not shown yet"
tmux send-keys -t s t
shows "row by row"
ok $? "the task"
tmux send-keys -t s v
shows "to the rung"
ok $? "the picture of the fault"
shows "20×70×29, .*block (4,0)"
ok $? "... at the launch and the block of the fault"
tmux send-keys -t s q
shows "hint 3:"
ok $? "... and back"
mv screen/04-naive.cu screen/away.cu
shows "the file is gone"
ok $? "a file that is gone"
cp "$rungs/04-naive/solution.cu" screen/04-naive.cu
shows "✓ rung passed"
ok $? "a pass"
like "$(cat state/gemmviz/progress.json)" '"passed": "20' "... is kept"
like "$(cat state/gemmviz/progress.json)" '"tries": 2' "... with its tries"
tmux send-keys -t s d
shows "^ *[0-9]* *[+].*if (row < M"
ok $? "what changed"
tmux send-keys -t s d
sed 's/block(16, 16)/block(64, 64)/' "$rungs/04-naive/solution.cu" >screen/04-naive.cu
shows " naive is not launched"
ok $? "a kernel's name keeps its case"
cp screen/04-naive.cu "screen/new file"
mv "screen/new file" screen/04-naive.cu
echo "int x = ;" >>screen/04-naive.cu
shows "✗ compiles"
ok $? "a file that was replaced is watched, too"
tmux new-session -d -s two -x 80 -y 24 \
	"GEMMVIZ_PROGRESS= XDG_STATE_HOME=$XDG_STATE_HOME $gemmviz practice naive --folder screen"
session=two
shows "✗ compiles"
ok $? "another practice on the same folder"
session=s
mv screen/04-naive.cu screen/other.cu
shows "the file is gone"
ok $? "one that was renamed is gone"
cp "$rungs/04-naive/solution.cu" screen/04-naive.cu
shows "✓ rung passed"
ok $? "... until it is there again"
session=two
shows "✓ rung passed"
ok $? "... and the other judges the save, too"
session=s
tmux kill-session -t two
for size in 60x20 40x12 200x60 80x24; do
	tmux resize-window -t s -x "${size%x*}" -y "${size#*x}"
	shows "naive"
	ok $? "at $size"
done
cp "$rungs/07-tiled/solution.cu" screen/07-tiled.cu
sed 's/float sum/float own_sum = 0, sum/' -i screen/07-tiled.cu
tmux send-keys -t s q j j j Enter
shows "7 tiled"
shows "✓ rung passed"
ok $? "the rung tiled passes"
tmux send-keys -t s n
shows "8 edges"
shows "not begun"
ok $? "the next rung is not begun"
is "$(head -n 1 screen/08-edges.cu)" "// TODO: three conditions, and zeros." "... its file says what is to be done"
ok "$(tail -n +2 screen/08-edges.cu | cmp -s - screen/07-tiled.cu; echo $?)" "... and is the learner's own of tiled"
tmux send-keys -t s q
shows "2 of 16"
ok $? "the map"
tmux send-keys -t s q
for _ in $(seq 50); do
	tmux has-session -t s 2>/dev/null >/dev/null || break
	sleep 0.1
done
ok "$(tmux list-sessions 2>/dev/null | grep -c '^s:')" "the end"
sed -i 's/"skeleton": "[0-9a-f]*"/"skeleton": "00000000000000ff"/' state/gemmviz/progress.json
tmux new-session -d -s three -x 80 -y 24 \
	"GEMMVIZ_PROGRESS= XDG_STATE_HOME=$XDG_STATE_HOME $gemmviz practice edges --folder screen"
session=three
shows "skeleton has changed"
ok $? "a skeleton that has changed since is told"
tmux kill-session -t three
cp "$rungs/16-free/solution.cu" screen/16-free.cu
tmux new-session -d -s free -x 120 -y 36 \
	"GEMMVIZ_PROGRESS= XDG_STATE_HOME=$XDG_STATE_HOME $gemmviz practice free --folder screen"
session=free
shows "recorded at 4096 × 4096 × 4096, NVIDIA.*TFLOP/s: register_tiled_fast"
ok $? "times of other kernels are told as recorded ones"
shows "yours 1.95 + 5.86 at 128x128x64;"
ok $? "... next to the learner's counts and theirs"
tmux resize-window -t free -x 80 -y 24
shows "gemmviz time does that on a GPU"
ok $? "... which a small screen has room for"
shows "✓ rung passed"
ok $? "... next to the verdict"
tmux kill-session -t free
tmux new-session -d -s zh -x 80 -y 24 \
	"GEMMVIZ_PROGRESS= XDG_STATE_HOME=$XDG_STATE_HOME LANGUAGE=zh $gemmviz practice free --folder screen"
session=zh
shows "加载的扇区：2048，"
ok $? "costs in Chinese have a colon of full width"
tmux kill-session -t zh
cp "$rungs/05-coalesced/wrong_as_given.cu" screen/05-coalesced.cu
tmux new-session -d -s costs -x 80 -y 24 \
	"GEMMVIZ_PROGRESS= XDG_STATE_HOME=$XDG_STATE_HOME $gemmviz practice coalesced --folder screen"
session=costs
shows "✗ costs"
tmux send-keys -t costs H H
shows "hint 2: look at line 11, sum +="
ok $? "the second hint names the line that costs most"
tmux kill-session -t costs
tmux new-session -d -s room -x 80 -y 24 \
	"$gemmviz class show zoo --class-folder $dir/zoo"
session=room
shows "2 people"
ok $? "a class on its teacher's screen"
tmux send-keys -t room p
shows "7 tiled *0 *1 *1 *at costs"
ok $? "the second page of a class"
tmux kill-session -t room
for who in lead follow; do
	tmux new-session -d -s $who -x 80 -y 24 \
		"GEMMVIZ_PROGRESS= XDG_STATE_HOME=$dir/$who $gemmviz practice --$who zoo --class-folder $dir/zoo --folder $who"
done
session=lead
shows "0 of 16"
tmux send-keys -t lead j Enter
session=follow
shows "2 host   map 2/16"
ok $? "who follows comes to the teacher's rung"
ok "$(test -s follow/02-host.cu; echo $?)" "... with a file of their own"
echo 'int main() { return 0; }' >follow/02-host.cu
shows "✗ right"
tmux send-keys -t follow H
shows "hint 1:"
tmux send-keys -t lead q j Enter
shows "The teacher is at grid: press f to go there"
ok $? "... is not taken from one that fails, nor left behind by a hint"
shows "2 host   map 2/16"
ok $? "... which stays"
tmux send-keys -t follow f
shows "3 grid   map 3/16"
ok $? "... until f is pressed"
tmux kill-session -t lead
tmux kill-session -t follow
tmux new-session -d -s home -x 120 -y 36 \
	"GEMMVIZ_PROGRESS= XDG_STATE_HOME=$XDG_STATE_HOME $gemmviz"
session=home
shows "tiling.*● 7"
ok $? "the map of lessons has the rung's mark"
tmux kill-session -t home
ok "$(cmp -s screen/04-naive.cu "$rungs/04-naive/solution.cu"; echo $?)" \
	"the learner's file is as it was"
chmod 555 mine
if [ "$(id -u)" != 0 ]; then
	rm -f mine/05-coalesced.cu
fi
: >file
"$builddir/tests/pty_screen" raw "" "$gemmviz" practice naive --folder file >/dev/null
like "$(tr -d '\033' <raw)" "cannot (make|write)|Not a directory|File exists" \
	"a folder that cannot be written"
done_testing
